/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* boot.h - a tracing session that begins with the kernel */
#ifndef KTRAIL_BOOT_H
#define KTRAIL_BOOT_H

#include <ktrail/err.h>
#include <ktrail/names.h>
#include <ktrail/setup.h>
#include <ktrail/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * kt_boot_check - are the names of a session known to this kernel?
 * @notes: gets a sentence for each that is not
 *
 * The session may be for another kernel, so this is advice. 0 or -ENOMEM.
 */
int kt_boot_check(const struct kt_setup *setup, struct kt_names *notes);

/**
 * kt_boot_add_state - a saved state as part of a session that begins with the kernel
 * @state: best without what is so at boot anyway, see kt_state_hide_defaults()
 * @notes: gets a sentence for each line that cannot be said at boot
 *
 * 0 or -ENOMEM.
 */
int kt_boot_add_state(struct kt_setup *setup, const struct kt_state *state, struct kt_names *notes);

/**
 * kt_boot_config - a session as a bootconfig file
 *
 * New (free), or NULL: -EINVAL: a name or text that cannot be written there,
 * -ENOTSUP: what the kernel cannot set at boot, -ENOMEM.
 * Source: Linux 5.6 and later, Documentation/trace/boottime-trace.rst.
 */
char *kt_boot_config(const struct kt_setup *setup, struct kt_err *err);

/**
 * kt_boot_cmdline - a session as parameters of the kernel's command line
 *
 * New (free), or NULL: -ENOTSUP: it cannot say that (filters, settings of an
 * instance besides its events); a bootconfig can. -ENOMEM.
 * Source: Linux, Documentation/admin-guide/kernel-parameters.txt.
 */
char *kt_boot_cmdline(const struct kt_setup *setup, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
