/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sql.c - queries over live events: check them, and let libtracefs convert them to triggers */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <tracefs.h>

#include <ktrail/probe.h>
#include <ktrail/settings.h>
#include <ktrail/tracefs.h>

#include "base/err.h"
#include "base/str.h"
#include "target/format.h"

#define MAX_EVENTS 2		/* FROM one, JOIN another */

struct query {
	const char *text;
	const struct kt_instance *inst;
	struct kt_names dirs;			/* "events/sched/sched_switch" */
	struct ctl_format *formats[MAX_EVENTS];
	struct kt_names labels;			/* names defined by AS */
	struct kt_err *err;
};

static size_t word_len(const char *p)
{
	size_t len = 0;

	while (isalnum((unsigned char)p[len]) || p[len] == '_')
		len++;
	return len;
}

static bool is_word(const char *p, size_t len, const char *word)
{
	return strlen(word) == len && strncasecmp(p, word, len) == 0;
}

static bool is_keyword(const char *p, size_t len)
{
	static const char *const words[] = {
		"select", "from", "join", "on", "where", "as", "cast", "and", "or", "not", "count",
		"timestamp", "timestamp_usecs", "timestamp_delta", "timestamp_delta_usecs",
		/* the types of CAST */
		"hex", "sym", "sym_offset", "syscall", "execname", "comm", "log", "log2", "buckets",
		"_counter_", "hitcount", "counter", "stacktrace", "usecs"
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (is_word(p, len, words[i]))
			return true;
	return false;
}

/* Call @one for each word outside of quotes, with the word before it */
static int each_word(struct query *q, int (*one)(struct query *q, const char *before, size_t blen,
						 const char *p, size_t len))
{
	const char *p = q->text, *before = "";
	size_t blen = 0, len;
	int ret = 0;

	while (ret == 0 && *p) {
		len = word_len(p);
		if (*p == '"' || *p == '\'') {
			const char *end = strchr(p + 1, *p);

			p = end ? end + 1 : p + strlen(p);
		} else if (len && !isdigit((unsigned char)*p)) {
			ret = one(q, before, blen, p, len);
			before = p;
			blen = len;
			p += len;
		} else {
			p += len ? len : 1;
		}
	}
	return ret;
}

static int point(struct query *q, const char *at, int code)
{
	err_point(q->err, q->text, at - q->text);
	return code;
}

static int add_event(struct query *q, const char *p, size_t len)
{
	size_t nr = q->dirs.nr;
	char name[256];
	int ret;

	/* "sched.sched_switch" is one event; libtracefs also accepts the name without its system */
	if (p[len] == '.')
		len += 1 + word_len(p + len + 1);
	if (nr == MAX_EVENTS)
		return point(q, p, kt_err_set(q->err, -EINVAL, "query: one event, or two that are "
					      "joined"));
	snprintf(name, sizeof(name), "%.*s", (int)len, p);
	if (strchr(name, '.'))
		*strchr(name, '.') = ':';
	ret = kt_selection_find_each(q->inst, name, &q->dirs, q->err);
	if (ret < 0)
		return point(q, p, ret);
	/* if several systems have this name, use the first, as libtracefs does */
	while (q->dirs.nr > nr + 1)
		free(q->dirs.names[--q->dirs.nr]);
	q->dirs.names[q->dirs.nr] = NULL;
	q->formats[nr] = ctl_format_read(q->inst, q->dirs.names[nr], q->err);
	return q->formats[nr] ? 0 : q->err->code;
}

/* First pass: find the events, and the names that the query defines */
static int find_events(struct query *q, const char *before, size_t blen, const char *p, size_t len)
{
	if (is_word(before, blen, "from") || is_word(before, blen, "join"))
		return is_keyword(p, len) ? 0 : add_event(q, p, len);
	if (is_word(before, blen, "as"))
		return kt_names_addn(&q->labels, p, len);
	return 0;
}

/* without AS, libtracefs uses the name of the event as its label */
static bool is_label(const struct query *q, const char *p, size_t len)
{
	size_t i;

	for (i = 0; i < q->labels.nr; i++)
		if (strlen(q->labels.names[i]) == len && memcmp(q->labels.names[i], p, len) == 0)
			return true;
	for (i = 0; i < q->dirs.nr; i++) {
		const char *event = strrchr(q->dirs.names[i], '/') + 1;
		const char *system = q->dirs.names[i] + strlen("events/");

		if ((strlen(event) == len && memcmp(event, p, len) == 0) ||
		    (strncmp(system, p, len) == 0 && system[len] == '/'))
			return true;
	}
	return false;
}

/* Second pass: check that every other word is a field of one of the events */
static int check_word(struct query *q, const char *before, size_t blen, const char *p, size_t len)
{
	char hint[SUGGEST_SIZE] = "";
	size_t i;

	(void)before;
	(void)blen;
	if (is_keyword(p, len) || is_label(q, p, len) || (p > q->text && p[-1] == '$'))
		return 0;
	for (i = 0; i < q->dirs.nr; i++)
		if (ctl_format_field(q->formats[i], p, len))
			return 0;
	for (i = 0; i < q->dirs.nr && !*hint; i++)
		ctl_format_hint(q->formats[i], p, len, hint);
	kt_err_set(q->err, -EINVAL, "query: no field '%.*s' in %s%s%s%s", (int)len, p,
		   q->dirs.nr ? strrchr(q->dirs.names[0], '/') + 1 : "no event",
		   q->dirs.nr > 1 ? " and " : "",
		   q->dirs.nr > 1 ? strrchr(q->dirs.names[1], '/') + 1 : "", hint);
	return point(q, p, -EINVAL);
}

static int check_query(struct query *q)
{
	const char *first = q->text + strspn(q->text, " \t\n(");
	int ret = !*first || is_word(first, word_len(first), "select") ? each_word(q, find_events) :
		point(q, first, kt_err_set(q->err, -EINVAL, "query: SELECT is expected here"));

	if (ret == 0 && !q->dirs.nr)
		ret = kt_err_set(q->err, -EINVAL,
				 "query: no event: SELECT FIELD, … FROM EVENT [JOIN EVENT ON … = "
				 "…] [WHERE …]");
	return ret < 0 ? ret : each_word(q, check_word);
}

/* Only the systems of the query: parsing every format takes a second. */
static struct tep_handle *load_systems(const struct query *q)
{
	const char *systems[MAX_EVENTS + 2] = { NULL };
	char names[MAX_EVENTS][128];
	size_t i;

	for (i = 0; i < q->dirs.nr; i++) {
		snprintf(names[i], sizeof(names[i]), "%.*s",
			 (int)strcspn(q->dirs.names[i] + strlen("events/"), "/"),
			 q->dirs.names[i] + strlen("events/"));
		systems[i] = names[i];
	}
	return tracefs_local_events_system(NULL, systems);
}

/* The grammar of libtracefs spells these as C does. */
static const char *hint_at(const char *word)
{
	if (strncasecmp(word, "and ", 4) == 0)
		return " (conditions are joined by &&)";
	return strncasecmp(word, "or ", 3) == 0 ? " (conditions are joined by ||)" : "";
}

/* Convert the message of libtracefs, several lines with a caret, to one line */
static int refuse(struct query *q, char *text)
{
	char *last = text ? strrchr(str_trim(text), '\n') : NULL;
	char *caret = text ? strstr(text, "^\n") : NULL, *line;

	for (line = caret; line && line > text && line[-1] != '\n'; line--)
		;
	kt_err_set(q->err, -EINVAL, "query: %s%s",
		   last ? last + 1 : "hist triggers cannot do this",
		   caret && (size_t)(caret - line) < strlen(q->text) ?
		   hint_at(q->text + (caret - line)) : "");
	if (caret)
		err_point(q->err, q->text, caret - line);
	free(text);
	return -EINVAL;
}

/* Do the write of a line "echo 'VALUE' >> DIR/FILE" that libtracefs has printed */
static int write_line(struct kt_instance *inst, char *line, struct kt_err *err)
{
	char *open = strchr(line, '\''), *close = strrchr(line, '\''), *file, *undo = NULL;
	bool append;
	int ret;

	if (!open || close == open)
		return -EINVAL;
	*close = '\0';
	append = str_starts(close + 1, " >>");
	/* Ignore the folder before it: libtracefs 1.6 prints the default one even if another was
	 * given. */
	file = strstr(close + 1, "/events/");
	file = file ? file : strrchr(close + 1, '/');
	if (!file++)
		return -EINVAL;
	if (str_starts(open + 1, "s:") &&
	    asprintf(&undo, "-:synthetic/%.*s", (int)word_len(open + 3), open + 3) < 0)
		return -ENOMEM;
	/* always append triggers, even for ">": the event may have others */
	append |= strstr(file, "/trigger") != NULL;
	ret = append ? kt_instance_define(inst, file, open + 1, undo, err)
		     : kt_instance_write(inst, file, open + 1, err);
	free(undo);
	return ret;
}

/* The variable that libtracefs uses for a result in @hist, "…:__lat_77_6=…". New, or NULL: none */
static char *find_variable(const char *hist, const char *name)
{
	const char *p = hist;
	int end;

	while ((p = strstr(p, name))) {
		end = 0;
		if (p >= hist + 3 && memcmp(p - 2, "__", 2) == 0 && strchr(":,", p[-3]) &&
		    sscanf(p + strlen(name), "_%*u_%*u%n", &end) == 0 && end &&
		    p[strlen(name) + end] == '=')
			return strndup(p - 2, 2 + strlen(name) + end);
		p++;
	}
	return NULL;
}

/*
 * Replace "…:onmatch(SYSTEM.EVENT).trace(NAME,VALUES)…" by the wanted actions. libtracefs 1.6
 * cannot do this: it compares the name with that of its variable, continues after a save(), and
 * frees memory twice when it refuses an action.
 */
static int change_actions(struct str *out, const char *line, const struct kt_sql *sql,
			  struct kt_err *err)
{
	const char *match = strstr(line, ":onmatch("), *trace = match ? strstr(match, ").") : NULL;
	const char *end = trace ? strchr(trace + 1, ')') : NULL;
	const char *how = sql->handler == KT_SQL_ONMAX ? "onmax" : "onchange";
	char *var = end ? find_variable(line, sql->variable) : NULL;
	const char *p;

	if (!end)
		return -EINVAL;
	if (!var)
		return kt_err_set(err, -EINVAL,
				  "query: '%s' is not a name that AS gives to a result",
				  sql->variable);
	str_addn(out, line, match - line);
	if (sql->save) {
		str_addf(out, ":%s($%s).save(", how, var);
		for (p = sql->save; *p; p++)
			if (*p != ' ')
				str_addc(out, *p);
		str_addc(out, ')');
	}
	if (sql->trace || (!sql->snapshot && !sql->save))
		str_addf(out, ":%s($%s%.*s)", how, var, (int)(end - trace), trace);
	if (sql->snapshot)
		str_addf(out, ":%s($%s).snapshot()", how, var);
	str_add(out, end + 1);
	free(var);
	return out->failed ? -ENOMEM : 0;
}

static int write_changed(struct kt_instance *inst, const char *line, const struct kt_sql *sql,
			struct kt_err *err)
{
	struct str changed = STR_INIT;
	int ret = change_actions(&changed, line, sql, err);

	if (ret == 0)
		ret = write_line(inst, changed.buf, err);
	str_fini(&changed);
	return ret;
}

static int write_lines(struct kt_instance *inst, struct trace_seq *seq, const struct kt_sql *sql,
		      struct kt_err *err)
{
	char *line, *next;
	int ret = 0;

	trace_seq_terminate(seq);
	for (line = seq->buffer; ret == 0 && line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (sql->handler != KT_SQL_ONMATCH && strstr(line, ":onmatch("))
			ret = write_changed(inst, line, sql, err);
		else if (str_starts(line, "echo "))
			ret = write_line(inst, line, err);
	}
	/* libtracefs has written the same kinds of lines since 1.3: only a later one fails here. */
	return ret < 0 ? kt_err_set(err, ret, "query: libtracefs wrote an unknown line") : 0;
}

static int write_synth(struct kt_instance *inst, struct tracefs_synth *synth,
		       const struct kt_sql *sql, struct kt_err *err)
{
	struct tracefs_hist *hist = NULL;
	struct trace_seq seq;
	int ret = 0;

	trace_seq_init(&seq);
	if (tracefs_synth_complete(synth)) {
		ret = tracefs_synth_echo_cmd(&seq, synth);
	} else if (sql->handler != KT_SQL_ONMATCH) {
		ret = kt_err_set(err, -EINVAL,
				 "query: a maximum or change needs two joined events");
	} else {
		hist = tracefs_synth_get_start_hist(synth);
		ret = hist ? tracefs_hist_echo_cmd(&seq, NULL, hist, 0) : -1;
	}
	if (ret < 0)
		kt_err_set(err, -EINVAL, "query: hist triggers cannot do this");
	else
		ret = write_lines(inst, &seq, sql, err);
	tracefs_hist_free(hist);
	trace_seq_destroy(&seq);
	return ret < 0 && err ? err->code : ret;
}

static int check_saved(const struct query *q, const char *save)
{
	char hint[SUGGEST_SIZE];
	size_t len;

	if (q->dirs.nr < MAX_EVENTS)
		return 0;
	for (save += strspn(save, ", "); *save; save += len, save += strspn(save, ", ")) {
		len = strcspn(save, ", ");
		if (!ctl_format_field(q->formats[1], save, len))
			return kt_err_set(q->err, -EINVAL,
					  "query: no field '%.*s' in %s, the joined event%s",
					  (int)len, save, strrchr(q->dirs.names[1], '/') + 1,
					  ctl_format_hint(q->formats[1], save, len, hint));
	}
	return 0;
}

static int define(struct kt_instance *inst, struct query *q, const struct kt_sql *sql,
		  struct kt_err *err)
{
	const char *dir = kt_tracefs_dir(err);
	struct tracefs_synth *synth;
	struct tep_handle *tep;
	char *why = NULL;
	int ret;

	if (!dir || tracefs_set_tracing_dir((char *)dir) < 0)
		return kt_err_no_memory(err);
	tep = load_systems(q);
	if (!tep)
		return kt_err_set(err, -EIO, "libtracefs cannot read the events below %s", dir);
	synth = tracefs_sql(tep, sql->name, sql->query, &why);
	ret = synth ? write_synth(inst, synth, sql, err) : refuse(q, why);
	if (synth)
		tracefs_synth_free(synth);
	tep_free(tep);
	return ret;
}

int kt_sql_define(struct kt_instance *inst, const struct kt_sql *sql, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	struct query q = { .text = sql->query, .inst = inst, .err = &mine };
	size_t i;
	int ret = check_query(&q);

	if (ret == 0 && sql->save)
		ret = check_saved(&q, sql->save);
	if (ret == 0)
		ret = define(inst, &q, sql, &mine);
	for (i = 0; i < MAX_EVENTS; i++)
		ctl_format_destroy(q.formats[i]);
	kt_names_fini(&q.dirs);
	kt_names_fini(&q.labels);
	if (ret < 0 && err)
		*err = mine;
	return ret;
}
