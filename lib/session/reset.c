/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reset.c - reset a buffer, or parts of it, to its state after boot */
#include <ktrail/tracefs.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "session/job.h"
#include "setting/setting.h"
#include "tracefs/tracefs.h"

/* Written only if it differs: a write costs time, and may be refused without need. */
static int put(struct kt_instance *inst, const char *file, const char *value, struct kt_err *err)
{
	char *now = kt_instance_read(inst, file, NULL);
	int ret = now && strcmp(now, value) != 0 ? instance_try_write(inst, file, value, err) : 0;

	free(now);
	return ret < 0 ? ret : 0;
}

/*
 * An empty set_event_pid may mean no list, or a list whose tasks have
 * ended, which blocks all events; set_ftrace_pid shows "no pid" for no list. A
 * list of excluded tasks does no harm when it is empty.
 */
static int clear_pids(struct kt_instance *inst, const char *file, struct kt_err *err)
{
	char *now = kt_instance_read(inst, file, NULL);
	int ret = 0;

	if (now && strcmp(now, "no pid") != 0 && (*now || !strstr(file, "notrace")))
		ret = instance_try_write(inst, file, "", err);
	free(now);
	return ret < 0 ? ret : 0;
}

static int clear_functions(struct kt_instance *inst, const char *file, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	int ret = 0, list;

	for (list = KT_FUNCTIONS_FILTER; list <= KT_FUNCTIONS_GRAPH_NOTRACE; list++)
		if (strcmp(kt_function_list_file(list), file) == 0)
			ret = kt_instance_clear_functions(inst, list, &mine);
	return ret < 0 && !kt_is_unavailable(ret) ? ctl_pass(err, &mine) : 0;
}

static int clear_row(struct kt_instance *inst, const struct state_row *row, struct kt_err *err)
{
	if (row->reset)
		return row->reset(inst, err);
	if (row->clear == CLEAR_PIDS)
		return clear_pids(inst, row->key, err);
	if (row->form == STATE_LIST)
		return clear_functions(inst, row->key, err);
	return row->set ? row->set(inst, row->at_boot, err) :
			  put(inst, row->key, row->at_boot, err);
}

/* The tracer and events first: without functions and filters they would record everything. */
static int clear_rows(struct kt_instance *inst, const struct state_row *rows, unsigned int what,
		      struct kt_err *err)
{
	const struct state_row *row;
	int ret = 0, late;

	for (late = 0; late <= 1; late++)
		for (row = rows; ret == 0 && row->key; row++)
			if ((what & row->clear) &&
			    late == (row->form == STATE_FILE || row->form == STATE_LIST))
				ret = clear_row(inst, row, err);
	return ret;
}

static int clear_errors(struct kt_instance *inst, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	int ret = kt_instance_poke(inst, "error_log", "", &mine);

	return ret < 0 && !kt_is_unavailable(ret) ? ctl_pass(err, &mine) : 0;
}

int instance_clear(struct kt_instance *inst, unsigned int what, struct kt_err *err)
{
	static const char *const zero[] = {
		"options/stacktrace", "options/func_stack_trace", "tracing_max_latency", NULL
	};
	int ret = clear_rows(inst, state_buffer_rows, what, err);
	size_t i;

	if (ret < 0)
		return ret;
	ret = clear_rows(inst, state_machine_rows, what, err);
	for (i = 0; ret == 0 && (what & CLEAR_VALUES) && zero[i]; i++)
		ret = put(inst, zero[i], "0", err);
	if (ret < 0)
		return ret;
	if (what & CLEAR_TRACE)
		ret = kt_instance_poke(inst, "trace", "", err);
	if (ret < 0)
		return ret;
	return what & CLEAR_ERRORS ? clear_errors(inst, err) : 0;
}

int kt_instance_reset(struct kt_instance *inst, struct kt_err *err)
{
	unsigned int of_all = *kt_instance_name(inst) ? CLEAR_GRAPHS | CLEAR_LIMITS : 0;
	int ret = kt_instance_set_tracing(inst, false, err);

	if (ret == 0)
		ret = instance_clear(inst, CLEAR_ALL & ~of_all, err);
	return ret == 0 ? kt_instance_set_tracing(inst, true, err) : ret;
}
