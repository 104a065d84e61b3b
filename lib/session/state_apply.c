/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* state_apply.c - make the kernel's settings those of a state, all or none */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/str.h"
#include "probe/dynamic.h"
#include "probe/probe.h"
#include "session/state.h"
#include "setting/setting.h"
#include "target/target.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

/* One buffer, or the machine, on its way from @now to @want */
struct job {
	struct kt_instance *inst;
	const struct kt_state_section *want;
	struct kt_state *owner;			/* of @now; NULL: the caller's */
	const struct kt_state_section *now;
	struct kt_names *notes;
	unsigned int writes;
	size_t noted;				/* of the handle's notes: collected already */
	struct kt_err *err;			/* borrowed */
};

__attribute__((format(printf, 2, 3)))
static void note(struct job *j, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	if (j->notes)
		kt_names_add(j->notes, s.buf);
	str_fini(&s);
}

static int write_file(struct job *j, const char *file, const char *value, bool append)
{
	j->writes++;
	return (append ? kt_instance_append : kt_instance_write)(j->inst, file, value, j->err);
}

/* "sched:sched_switch TEXT" is about this file of the event; @text: behind the space, or "" */
static int event_file(struct job *j, const char *value, const char *what, char file[512],
		      const char **text)
{
	size_t system = strcspn(value, ":/"), name = strcspn(value, " ");

	if (!system || system >= name || memchr(value, '.', system))
		return kt_err_set(j->err, -EINVAL, "state, [%s]: '%s' names no event",
				  j->want->name, value);
	snprintf(file, 512, "events/%.*s/%.*s/%s", (int)system, value, (int)(name - system - 1),
		 value + system + 1, what);
	*text = value[name] ? value + name + 1 : "";
	return 0;
}

static bool has_event(const struct kt_state_section *s, const char *key, const char *value)
{
	size_t len = strcspn(value, " "), i;

	for (i = 0; i < s->nr; i++)
		if (strcmp(s->lines[i].key, key) == 0 &&
		    strcspn(s->lines[i].value, " ") == len &&
		    memcmp(s->lines[i].value, value, len) == 0)
			return true;
	return false;
}

/* Lines of @key in @from that @without lacks, each given to @one */
static int each_missing(struct job *j, const char *key, const struct kt_state_section *from,
			const struct kt_state_section *without,
			int (*one)(struct job *j, const char *value))
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < from->nr; i++)
		if (strcmp(from->lines[i].key, key) == 0 &&
		    !state_has(without, key, from->lines[i].value))
			ret = one(j, from->lines[i].value);
	return ret;
}

static int write_event(struct job *j, const char *value, const char *what, const char *put)
{
	const char *text = "";
	char file[512];
	int ret = event_file(j, value, what, file, &text);

	if (ret == 0 && strcmp(what, "trigger") == 0)
		ret = ctl_remember_switched(j->inst, put ? put : text, j->err);
	return ret < 0 ? ret : write_file(j, file, put ? put : text, strcmp(what, "trigger") == 0);
}

static int enable(struct job *j, const char *value)
{
	return write_event(j, value, "enable", "1");
}

static int disable(struct job *j, const char *value)
{
	return write_event(j, value, "enable", "0");
}

static int set_filter(struct job *j, const char *value)
{
	return write_event(j, value, "filter", NULL);
}

static int drop_filter(struct job *j, const char *value)
{
	return has_event(j->want, "filter", value) ? 0 : write_event(j, value, "filter", "0");
}

static int add_trigger(struct job *j, const char *value)
{
	return ctl_trigger_depends(value) ? 0 : write_event(j, value, "trigger", NULL);
}

static int add_dependent(struct job *j, const char *value)
{
	return ctl_trigger_depends(value) ? write_event(j, value, "trigger", NULL) : 0;
}

static int remove_trigger(struct job *j, const char *value)
{
	char *off;
	int ret = asprintf(&off, "!%s", value + strcspn(value, " ") +
			   (value[strcspn(value, " ")] == ' '));

	if (ret < 0)
		return kt_err_set(j->err, -ENOMEM, "out of memory");
	ret = write_event(j, value, "trigger", off);
	free(off);
	return ret;
}

static int drop_trigger(struct job *j, const char *value)
{
	return ctl_trigger_depends(value) ? 0 : remove_trigger(j, value);
}

static int drop_dependent(struct job *j, const char *value)
{
	return ctl_trigger_depends(value) ? remove_trigger(j, value) : 0;
}

/* Commands among the functions stay when the list is written anew: they go by name. An empty list
 * is all functions, so it is emptied for nothing else. */
static int write_list(struct job *j, const char *file, const char *value, const char *now)
{
	int ret = strcmp(file, "set_ftrace_filter") != 0 || !strchr(now, ':') ? 0 :
		kt_instance_clear_functions(j->inst, KT_FUNCTIONS_FILTER, j->err);

	return ret < 0 ? ret : write_file(j, file, value, false);
}

/* All lines of a list at once, separated by newlines: writing replaces what was there. */
static int apply_list(struct job *j, const char *file)
{
	struct str want = STR_INIT, now = STR_INIT;
	size_t i;
	int ret = 0;

	for (i = 0; i < j->want->nr; i++)
		if (strcmp(j->want->lines[i].key, file) == 0)
			str_addf(&want, "%s%s", want.len ? "\n" : "", j->want->lines[i].value);
	for (i = 0; i < j->now->nr; i++)
		if (strcmp(j->now->lines[i].key, file) == 0)
			str_addf(&now, "%s%s", now.len ? "\n" : "", j->now->lines[i].value);
	if (want.failed || now.failed)
		ret = kt_err_set(j->err, -ENOMEM, "out of memory");
	else if (strcmp(want.buf, now.buf) != 0)
		ret = write_list(j, file, want.buf, now.buf);
	str_fini(&want);
	str_fini(&now);
	return ret;
}

static int apply_value(struct job *j, const char *file)
{
	const char *want = state_value(j->want, file), *now = state_value(j->now, file);

	if (!want || (now && strcmp(want, now) == 0))
		return 0;
	if (!kt_instance_has(j->inst, file)) {
		note(j, "[%s] %s: this kernel has no such file", j->want->name, file);
		return 0;
	}
	return write_file(j, file, want, false);
}

static int apply_files(struct job *j, const struct state_file *files)
{
	int ret = 0;

	for (; ret == 0 && files->name; files++)
		if (strcmp(files->name, "tracing_on") != 0 &&
		    strcmp(files->name, "current_tracer") != 0)
			ret = files->form == STATE_LIST ? apply_list(j, files->name)
							: apply_value(j, files->name);
	return ret;
}

/* No tracer while its functions and tasks are being chosen: until they are it would trace all of
 * them, which takes seconds to switch on. */
static int leave_tracer(struct job *j)
{
	const char *want = state_value(j->want, "current_tracer");
	const char *now = state_value(j->now, "current_tracer");

	return want && now && strcmp(want, now) != 0 && strcmp(now, "nop") != 0 ?
		write_file(j, "current_tracer", "nop", false) : 0;
}

static int enter_tracer(struct job *j)
{
	const char *want = state_value(j->want, "current_tracer");

	return want && strcmp(want, "nop") != 0 ? apply_value(j, "current_tracer") : 0;
}

static int apply_cpu_sizes(struct job *j)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < j->want->nr; i++)
		if (str_starts(j->want->lines[i].key, "per_cpu/"))
			ret = apply_value(j, j->want->lines[i].key);
	return ret;
}

static int apply_option(struct job *j, const char *word)
{
	bool on = true;
	int is = kt_instance_is_option(j->inst, word, NULL), ret;

	if (is < 0 && str_starts(word, "no")) {
		word += 2;
		on = false;
		is = kt_instance_is_option(j->inst, word, NULL);
	}
	if (is < 0) {
		note(j, "[%s] options: this kernel has no '%s'", j->want->name, word);
		return 0;
	}
	if (is == on)
		return 0;
	j->writes++;
	ret = kt_instance_set_option(j->inst, word, on, j->err);
	return ret < 0 ? ret : 0;	/* the state says it of each buffer */
}

static int apply_options(struct job *j)
{
	const char *words = state_value(j->want, "options");
	struct kt_names names = { 0 };
	size_t i;
	int ret = words ? kt_names_add_words(&names, words, " ") : 0;

	for (i = 0; ret == 0 && i < names.nr; i++)
		ret = apply_option(j, names.names[i]);
	kt_names_fini(&names);
	return ret;
}

/* A hist trigger that looks at the time switches the buffer's clock: seen on 6.12. */
static int apply_clock_again(struct job *j)
{
	const char *want = state_value(j->want, "trace_clock");
	char *now = want ? kt_instance_clock(j->inst, NULL) : NULL;
	int ret = 0;

	if (now && strcmp(now, want) != 0)
		ret = write_file(j, "trace_clock", want, false);
	free(now);
	return ret;
}

/* What would be a surprise in the trace goes first, what fills the trace comes last. */
static int apply_buffer(struct job *j)
{
	const char *on = state_value(j->want, "tracing_on");
	const char *is = state_value(j->now, "tracing_on");
	const struct kt_state_section *want = j->want, *now = j->now;
	int ret = 0;

	if (on && is && *on == '0' && *is != '0')
		ret = write_file(j, "tracing_on", "0", false);
	if (ret == 0)
		ret = each_missing(j, "trigger", now, want, drop_dependent);
	if (ret == 0)
		ret = each_missing(j, "trigger", now, want, drop_trigger);
	if (ret == 0)
		ret = each_missing(j, "event", now, want, disable);
	if (ret == 0)
		ret = each_missing(j, "filter", now, want, drop_filter);
	if (ret == 0)
		ret = leave_tracer(j);
	if (ret == 0)
		ret = apply_files(j, state_buffer_files);
	if (ret == 0)
		ret = apply_cpu_sizes(j);
	/* It has options of its own. */
	if (ret == 0)
		ret = enter_tracer(j);
	if (ret == 0)
		ret = apply_options(j);
	if (ret == 0)
		ret = each_missing(j, "filter", want, now, set_filter);
	if (ret == 0)
		ret = each_missing(j, "trigger", want, now, add_trigger);
	if (ret == 0)
		ret = each_missing(j, "trigger", want, now, add_dependent);
	if (ret == 0)
		ret = apply_clock_again(j);
	if (ret == 0)
		ret = each_missing(j, "event", want, now, enable);
	if (ret == 0 && on && is && *on != '0' && *is == '0')
		ret = write_file(j, "tracing_on", "1", false);
	return ret;
}

/* Has the event of this probe another one, now or then? */
static bool has_other(const struct kt_state_section *s, const char *line)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (strcmp(s->lines[i].key, "probe") == 0 &&
		    ctl_dynamic_share(s->lines[i].value, line))
			return true;
	return false;
}

static int change_probe(struct job *j, const char *line, bool add)
{
	char *removal =
		ctl_dynamic_removal(line, has_other(j->now, line) || has_other(j->want, line));
	int ret = -ENOMEM;

	j->writes += removal != NULL;
	if (removal)
		ret = kt_instance_define(j->inst, "dynamic_events", add ? line : removal,
					 add ? removal : line, j->err);
	free(removal);
	return ret < 0 ? kt_err_set(j->err, ret, "out of memory, or no probe: '%s'", line) : 0;
}

static int add_probe(struct job *j, const char *line)
{
	return change_probe(j, line, true);
}

/* A probe that somebody still uses is not ours to take: the kernel says so, and it stays. */
static int drop_probe(struct job *j, const char *line)
{
	struct kt_probes *probe = probes_parse(line);
	struct kt_names users = { 0 };
	int ret = 0;

	/* What uses the event goes on with its other probe. */
	if (probe && probe->nr && !has_other(j->want, line))
		ret = probe_users(&probe->at[0], &users, j->err);
	if (ret == 0 && users.nr)
		note(j, "[machine] left alone, %s%s uses it: %s", *users.names[0] ? "instance " :
		     "the top buffer", users.names[0], line);
	else if (ret == 0)
		ret = change_probe(j, line, false);
	/* Of a synthetic event the kernel knows no more than that it is in use. */
	if (ret == -EBUSY) {
		note(j, "[machine] left alone, it is in use: %s", line);
		kt_err_clear(j->err);
		ret = 0;
	}
	kt_names_fini(&users);
	kt_probes_destroy(probe);
	return ret;
}

/* "MONITOR REACTOR": the reactor first, it is asked as soon as the monitor is on */
static int add_monitor(struct job *j, const char *line)
{
	size_t len = strcspn(line, " ");
	char file[512];
	int ret = 0;

	state_rv_path(file, line, len, "reactors");
	if (line[len])
		ret = write_file(j, file, line + len + 1, false);
	state_rv_path(file, line, len, "enable");
	return ret < 0 ? ret : write_file(j, file, "1", false);
}

static int drop_monitor(struct job *j, const char *line)
{
	char file[512];

	state_rv_path(file, line, strcspn(line, " "), "enable");
	return write_file(j, file, "0", false);
}

static int apply_machine(struct job *j)
{
	int ret = apply_files(j, state_machine_files);

	if (ret == 0)
		ret = each_missing(j, "rv", j->now, j->want, drop_monitor);
	return ret == 0 ? each_missing(j, "rv", j->want, j->now, add_monitor) : ret;
}

static bool is_machine(const struct job *j)
{
	return strcmp(j->want->name, "machine") == 0;
}

static int make_job(struct job *j, const struct kt_state_section *want, const struct kt_state *read,
		    bool dry, struct kt_names *notes, struct kt_err *err)
{
	const char *name = str_starts(want->name, "instance ") ?
			   want->name + strlen("instance ") : "";
	struct kt_state_section *now;

	*j = (struct job){ .want = want, .notes = notes, .err = err };
	j->inst = kt_instance_open(name, KT_INSTANCE_CREATE | (dry ? KT_INSTANCE_DRY : 0), err);
	if (!j->inst)
		return err->code;
	j->now = read && !instance_is_new(j->inst) ? state_find(read, want->name) : NULL;
	if (j->now)
		return 0;
	j->owner = calloc(1, sizeof(*j->owner));
	now = j->owner ? state_add_section(j->owner, want->name) : NULL;
	if (!now)
		return kt_err_set(err, -ENOMEM, "out of memory");
	j->now = now;
	return (is_machine(j) ? state_read_machine : state_read_buffer)(j->inst, now, err);
}

struct state_change {
	struct job *jobs;
	size_t nr;
	unsigned int flags;	/* enum state_flag */
	struct str text;	/* of a dry change */
	struct kt_err err;	/* what the jobs fail with */
};

/* What the dry handles have noted since the last time: one list, in the order of the writes */
static void collect(struct state_change *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++) {
		const char *text = kt_instance_notes(c->jobs[i].inst);

		str_add(&c->text, text + c->jobs[i].noted);
		c->jobs[i].noted = strlen(text);
	}
}

/* Probes first: buffers may use them. Those that go, last: buffers may be using them now. */
static int apply_jobs(struct state_change *c)
{
	struct job *jobs = c->jobs;
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < c->nr; i++)
		if (is_machine(&jobs[i]))
			ret = each_missing(&jobs[i], "probe", jobs[i].want, jobs[i].now, add_probe);
	collect(c);
	for (i = 0; ret == 0 && i < c->nr; i++)
		ret = is_machine(&jobs[i]) ? apply_machine(&jobs[i]) : apply_buffer(&jobs[i]);
	collect(c);
	for (i = 0; ret == 0 && i < c->nr && !(c->flags & STATE_ONLY_ADD); i++)
		if (is_machine(&jobs[i]))
			ret = each_missing(&jobs[i], "probe", jobs[i].now, jobs[i].want,
					   drop_probe);
	return ret;
}

/* Last opened, first put back */
int state_change_close(struct state_change *c, struct kt_err *err)
{
	int ret, first = 0;

	while (c && c->nr--) {
		ret = kt_instance_close(c->jobs[c->nr].inst, err);
		if (ret < 0 && !first)
			first = ret;
		kt_state_destroy(c->jobs[c->nr].owner);
	}
	if (c) {
		str_fini(&c->text);
		free(c->jobs);
	}
	free(c);
	return first;
}

static void give_up(struct state_change *c, struct kt_err *err)
{
	struct kt_err first = c->err;

	state_change_close(c, &first);
	if (err)
		*err = first;
}

struct state_change *state_change_open(const struct kt_state *state,
					     const struct kt_state *now, unsigned int flags,
					     struct kt_names *notes, struct kt_err *err)
{
	struct state_change *c = calloc(1, sizeof(*c));
	int ret = 0;

	if (c)
		c->jobs = calloc(state->nr ? state->nr : 1, sizeof(*c->jobs));
	if (!c || !c->jobs) {
		free(c);
		kt_err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	c->text = (struct str)STR_INIT;
	c->flags = flags;
	while (ret == 0 && c->nr < state->nr) {
		ret = make_job(&c->jobs[c->nr], &state->sections[c->nr], now, flags & STATE_DRY,
			       notes, &c->err);
		c->nr++;
	}
	if (ret == 0)
		ret = apply_jobs(c);
	if (ret == 0)
		return c;
	give_up(c, err);
	return NULL;
}

void state_change_keep(struct state_change *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		kt_instance_keep(c->jobs[i].inst);
}

struct kt_instance *state_change_instance(const struct state_change *c, const char *section)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (strcmp(c->jobs[i].want->name, section) == 0)
			return c->jobs[i].inst;
	return NULL;
}

static unsigned int nr_writes(const struct state_change *c)
{
	unsigned int writes = 0;
	size_t i;

	for (i = 0; i < c->nr; i++)
		writes += c->jobs[i].writes + instance_is_new(c->jobs[i].inst);
	return writes;
}

const char *state_change_notes(struct state_change *c)
{
	collect(c);
	return c->text.buf;
}

int kt_state_apply(const struct kt_state *state, const struct kt_state *now,
		   struct kt_names *notes, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	struct state_change *c = state_change_open(state, now, 0, notes, &mine);
	int writes;

	if (!c)
		return ctl_pass(err, &mine);
	writes = (int)nr_writes(c);
	state_change_keep(c);
	state_change_close(c, NULL);
	return writes;
}
