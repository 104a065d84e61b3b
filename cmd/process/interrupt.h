/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interrupt.h - commands that are interrupted restore the settings that they had changed */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/*
 * From here on, SIGINT, SIGTERM, SIGHUP and SIGQUIT are deferred while settings are half changed.
 */
void interrupt_init(void);

#endif
