/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.c - the beginning and the end of a recording */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd/style.h"
#include "record.h"

static void own_name(char name[32])
{
	snprintf(name, 32, "ktrail-%d", (int)getpid());
}

/*
 * "auto": create an instance that no other program uses, so that recordings do not disturb each
 * other. Returns the number of such buffers.
 */
static int name_instances(struct kt_setup *s, struct kt_err *err)
{
	char own[32], *name;
	size_t i;
	int nr = 0;

	own_name(own);
	for (i = 1; i < s->nr_buffers; i++) {
		if (strcmp(s->buffers[i]->name, "auto") != 0)
			continue;
		name = strdup(own);
		if (!name)
			return kt_err_no_memory(err);
		free(s->buffers[i]->name);
		s->buffers[i]->name = name;
		nr++;
	}
	return nr;
}

static void tell_kept(void)
{
	char own[32];

	own_name(own);
	fprintf(stderr, "%s: instance %s is kept\n", cmd_program, own);
}

static int add_buffers(struct kt_rec *rec, struct kt_setup *s, struct kt_err *err)
{
	struct kt_instance *only = NULL;
	size_t i, nr = 0;
	char own[32];
	int ret = 0;

	own_name(own);
	for (i = 0; i < s->nr_buffers; i++)
		if (s->buffers[i]->inst) {
			only = s->buffers[i]->inst;
			nr++;
		}
	/*
	 * The user did not choose this name: a single such buffer is stored as the top-level
	 * buffer
	 */
	if (nr == 1 && strcmp(kt_instance_name(only), own) == 0)
		return kt_rec_add_as(rec, only, "", err);
	for (i = 0; ret == 0 && i < s->nr_buffers; i++)
		if (s->buffers[i]->inst)
			ret = kt_rec_add(rec, s->buffers[i]->inst, err);
	return ret;
}

/*
 * The threads of the recording should not appear in the trace. Hiding them from function tracing
 * is free. Hiding them from events costs 8 % of a load of system calls, and 80 ms at the end. So
 * for events the user decides.
 */
static void hide_threads(struct kt_rec *rec, struct kt_setup *s, bool from_events)
{
	size_t i, nr = kt_rec_threads(rec, NULL, 0);
	int *tids = calloc(nr + 1, sizeof(*tids));
	struct str list = STR_INIT;

	str_addf(&list, "%d", (int)getpid());
	if (tids)
		kt_rec_threads(rec, tids, nr);
	for (i = 0; tids && i < nr; i++)
		str_addf(&list, " %d", tids[i]);
	free(tids);
	for (i = 0; !list.failed && i < s->nr_buffers; i++) {
		struct kt_instance *inst = s->buffers[i]->inst;

		if (inst && from_events)
			kt_instance_append(inst, "set_event_notrace_pid", list.buf, NULL);
		if (inst && kt_state_value(&s->buffers[i]->wish, "current_tracer"))
			kt_instance_append(inst, "set_ftrace_notrace_pid", list.buf, NULL);
	}
	str_fini(&list);
}

struct kt_instance *record_first_instance(const struct kt_setup *s)
{
	size_t i;

	for (i = 0; i < s->nr_buffers; i++)
		if (s->buffers[i]->inst)
			return s->buffers[i]->inst;
	return NULL;
}

void record_end_command(struct record_wait *w)
{
	if (w->child->pid < 0 || w->child->go_fd >= 0)
		return;		/* it has ended, or was never started: child_fini() */
	if (w->signal)
		kill(w->child->pid, w->signal);
	w->child_status = child_wait(w->child);
}

int recording_open(struct recording *r, struct setup_args *s, int argc, char **argv,
		   struct kt_err *err)
{
	int ret;

	*r = (struct recording){ .s = s, .child = CHILD_INIT };
	r->wait = (struct record_wait){ .child = &r->child, .signal_fd = -1 };
	if (!argc && s->setup.pids && !record_any_task(s->setup.pids))
		return kt_err_set(err, -ESRCH, "-P %s: no such process", s->setup.pids);
	ret = name_instances(&s->setup, err);
	if (ret < 0)
		return ret;
	if (ret && s->keep && !s->quiet)
		tell_kept();
	s->setup.temporary = !s->keep;
	s->setup.own_trace = true;
	r->wait.signal_fd = record_catch_signals(err);
	if (r->wait.signal_fd < 0)
		return r->wait.signal_fd;
	if (s->own_stdout)
		r->child.stdout_fd = STDERR_FILENO;	/* ours is for JSON */
	return argc ? child_spawn(&r->child, argv, s->user, err) : 0;
}

int recording_show(struct setup_args *s, struct kt_err *err)
{
	int ret = name_instances(&s->setup, err);

	s->setup.own_trace = true;
	/* The settings of the recording are restored, unless -k keeps them, but tracing stops */
	return ret < 0 ? ret : setup_show(s, true, s->keep, err);
}

int recording_begin(struct recording *r, const char *path, const struct kt_rec_opts *opts,
		    bool hide_events, struct kt_err *err)
{
	int ret = setup_child(r->s, r->child.pid, err);

	if (ret < 0)
		return ret;
	ret = setup_apply(r->s, err);
	if (ret < 0)
		return ret;
	r->wait.rec = kt_rec_create(path, opts, err);
	if (!r->wait.rec)
		return err->code;
	ret = add_buffers(r->wait.rec, &r->s->setup, err);
	if (ret == 0)
		ret = kt_rec_start(r->wait.rec, err);
	if (ret < 0) {
		kt_rec_discard(r->wait.rec);
		r->wait.rec = NULL;
		return ret;
	}
	r->wait.pids = r->s->setup.pids;
	if (!r->s->no_filter)
		hide_threads(r->wait.rec, &r->s->setup, hide_events);
	return 0;
}

int recording_go(struct recording *r, struct kt_err *err)
{
	int ret = kt_setup_start(&r->s->setup, err);

	return ret == 0 && r->child.pid > 0 ? child_go(&r->child, err) : ret;
}

/* A command may run for hours after its recording has failed: report this now. */
static void tell_at_once(const struct recording *r, int ret, const struct kt_err *err)
{
	if (ret < 0 && ret != -EPIPE && err->code && !r->wait.signal && r->child.pid > 0 &&
	    r->child.go_fd < 0)
		fprintf(stderr, "%s: recording has ended, the command continues: %s\n", cmd_program,
			err->msg);
}

int recording_close(struct recording *r, int ret, struct kt_err *err)
{
	tell_at_once(r, ret, err);
	record_end_command(&r->wait);
	child_fini(&r->child);
	ret = setup_end(r->s, ret, err);
	if (r->wait.signal_fd >= 0)
		close(r->wait.signal_fd);
	if (ret < 0)
		return ret;
	return cmd_style->drops_status ? 0 : r->wait.child_status;
}
