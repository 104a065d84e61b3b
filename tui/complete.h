/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete.h - words that complete what is typed */
#ifndef TUI_COMPLETE_H
#define TUI_COMPLETE_H

#include <stdbool.h>

#include <ktrail/names.h>

struct app;

/* Those that fit at the cursor of the prompt; @is_command: of ':', else an argument alone */
void complete_words(const struct app *app, bool is_command, struct kt_names *words);

#endif
