/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notify.h - tell the service manager that started us how far we are */
#ifndef NOTIFY_H
#define NOTIFY_H

/* "READY=1", as sd_notify(3) has it. Without a service manager nothing happens. */
void notify_manager(const char *state);

#endif
