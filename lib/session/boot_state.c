/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* boot_state.c - convert a saved state to a session that begins at boot */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "probe/dynamic.h"
#include "session/boot.h"
#include "setting/setting.h"

bool boot_can_probe(const char *line)
{
	char name[512];
	enum kt_dynamic_kind kind = dynamic_event_kind(line, name, sizeof(name));

	return kind == KT_DYNAMIC_SYNTH ||
	       (kind == KT_DYNAMIC_KPROBE && str_starts(name, "kprobes/"));
}

/* "vfs_read:traceoff:count=3" is a command of a function, which a boot cannot set. */
static bool can_be_said(const struct state_row *row, const struct kt_state_line *line)
{
	if (!row || (!row->config && !row->param))
		return false;
	if (strcmp(line->key, "probe") == 0)
		return boot_can_probe(line->value);
	return strcmp(line->key, "set_ftrace_filter") != 0 || !strchr(line->value, ':');
}

/* A session stores the graph lists in a buffer. */
static int add_section(struct kt_setup *setup, const struct kt_state_section *s,
		       struct kt_names *notes)
{
	const bool machine = state_is_machine(s);
	struct kt_setup_buffer *buf = kt_setup_buffer(setup, state_instance(s));
	size_t i;
	int ret = buf ? 0 : -ENOMEM;

	for (i = 0; ret == 0 && i < s->nr; i++) {
		const struct kt_state_line *line = &s->lines[i];
		const struct state_row *row = state_row(machine ? state_machine_rows
								: state_buffer_rows, line->key);
		struct kt_state_section *to = machine && row && row->form != STATE_LIST ?
					      &setup->machine : &buf->wish;

		if (!can_be_said(row, line))
			ret = kt_names_addf(notes, "[%s] %s = %s: cannot be set at boot", s->name,
					    line->key, line->value);
		else if (row->form == STATE_LIST || row->form == STATE_OWN)
			ret = kt_state_add(to, line->key, line->value);
		else
			ret = kt_state_set(to, line->key, line->value);
	}
	return ret;
}

/* An instance inherits the options of the top-level buffer: clear those that it does not have. */
static int add_opposites(struct kt_setup_buffer *buf, const struct kt_names *top)
{
	struct kt_names have = { 0 };
	char opposite[128];
	size_t i;
	int ret = state_words(&buf->wish, "options", &have);

	for (i = 0; ret == 0 && i < top->nr; i++) {
		bool off = str_starts(top->names[i], "no");
		const char *name = top->names[i] + 2 * off;

		snprintf(opposite, sizeof(opposite), "%s%s", off ? "" : "no", name);
		if (!ctl_is_tracer_option(name) && !kt_names_has(&have, top->names[i]) &&
		    !kt_names_has(&have, opposite))
			ret = kt_state_add(&buf->wish, "options", opposite);
	}
	kt_names_fini(&have);
	return ret;
}

int kt_boot_add_state(struct kt_setup *setup, const struct kt_state *state, struct kt_names *notes)
{
	struct kt_names top = { 0 };
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < state->nr; i++)
		ret = add_section(setup, &state->sections[i], notes);
	if (ret == 0)
		ret = state_words(&setup->buffers[0]->wish, "options", &top);
	for (i = 1; ret == 0 && i < setup->nr_buffers; i++)
		ret = add_opposites(setup->buffers[i], &top);
	kt_names_fini(&top);
	return ret;
}
