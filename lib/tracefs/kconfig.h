/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kconfig.h - the build configuration of the running kernel */
#ifndef TRACEFS_KCONFIG_H
#define TRACEFS_KCONFIG_H

#include "base/str.h"

/**
 * ctl_kconfig_read - find and read the configuration
 * @path: NULL: /proc/config.gz, /boot/config-RELEASE or /lib/modules/RELEASE/config
 *
 * Returns 0, or -ENOENT: this machine does not have it.
 */
int ctl_kconfig_read(const char *path, const char *release, struct str *text);

/* 'y', 'm', 'n' (not set), or 0 if @text is empty: unknown. @name: "CONFIG_…" */
char ctl_kconfig_get(const char *text, const char *name);

/* Disabled by CONFIG_EPROBE_EVENTS, which older kernels do not have? */
bool ctl_kconfig_no_eprobes(const char *text);

#endif
