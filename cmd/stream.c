/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.c - `ktrail stream`: print events while they happen */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/text.h>
#include <ktrail/trace.h>

#include "base/str.h"
#include "rules.h"
#include "stream.h"

/*
 * An unfinished recording can be read like any file. So this is a recording
 * into a temporary one, of which the latest window is reported again and again;
 * what has been printed is let go.
 */
static const struct cmd_opt opts[] = {
	SETUP_OPTS
	SETUP_SESSION
	SETUP_PROFILE
	SETUP_DRY_RUN
	SETUP_FLAG_('K', "no-reset", setup.keep_before, "do not clear what was set before"),
	OPT_TIME(0, "duration", struct stream_args, duration_ns, "time", "stop after so long: 10s, 500ms"),
	OPT_BOOL('t', "nanoseconds", struct stream_args, nanoseconds, "times in nanoseconds"),
	OPT_BOOL(0, "json", struct stream_args, json, "an object for each event, as report --json"),
	OPT_END
};

static int put(void *data, const char *text, size_t len)
{
	struct stream_args *a = data;

	if (fwrite(text, 1, len, stdout) == len)
		return 0;
	a->closed = true;
	return -EPIPE;
}

/*
 * Where the next window begins on each CPU. Not at one time for all of them: one
 * that the host stopped while it wrote an event hands it out when others have
 * handed out later ones. CPUs come to the file with their first data.
 */
struct printed {
	char *buffer;		/* owned */
	int   cpu;
	struct kt_place up_to;
};

static struct printed *find_printed(const struct stream_args *a, const char *buffer, int cpu)
{
	size_t i;

	for (i = 0; i < a->nr_printed; i++)
		if (a->printed[i].cpu == cpu && strcmp(a->printed[i].buffer, buffer) == 0)
			return &a->printed[i];
	return NULL;
}

static const char *buffer_of(const struct kt_source *src)
{
	return kt_file_buffer(src->file, src->buffer)->name;
}

static int note_printed(struct stream_args *a, const struct kt_source *src,
			const struct kt_place *place)
{
	struct printed *p = find_printed(a, buffer_of(src), src->cpu);

	/* None: what was printed is let go already */
	if (!place->nr)
		return 0;
	if (!p) {
		p = reallocarray(a->printed, a->nr_printed + 1, sizeof(*p));
		if (!p)
			return -ENOMEM;
		a->printed = p;
		p += a->nr_printed;
		*p = (struct printed){ .buffer = strdup(buffer_of(src)), .cpu = src->cpu };
		if (!p->buffer)
			return -ENOMEM;
		a->nr_printed++;
	}
	p->up_to = *place;
	return 0;
}

static int note_all_printed(struct stream_args *a, struct kt_stream *s, uint64_t until,
			    struct kt_err *err)
{
	struct kt_place place;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < kt_stream_nr_sources(s); i++) {
		ret = kt_stream_place(s, i, until, &place, err);
		if (ret == 0)
			ret = note_printed(a, kt_stream_source(s, i), &place);
	}
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

static int resume(const struct stream_args *a, struct kt_stream *s, struct kt_err *err)
{
	size_t nr = kt_stream_nr_sources(s), i;
	struct kt_place *places = calloc(nr + 1, sizeof(*places));
	const struct printed *p;
	int ret;

	if (!places)
		return kt_err_set(err, -ENOMEM, "out of memory");
	for (i = 0; i < nr; i++) {
		const struct kt_source *src = kt_stream_source(s, i);

		p = find_printed(a, buffer_of(src), src->cpu);
		if (p)
			places[i] = p->up_to;
	}
	ret = kt_stream_resume(s, places, nr, err);
	free(places);
	return ret;
}

/* Print what happened since the last time and not after @until */
static int print_window(struct stream_args *a, uint64_t until, struct kt_err *err)
{
	struct kt_text_opts o = {
		.json = a->json, .nanoseconds = a->nanoseconds, .escape = isatty(STDOUT_FILENO),
	};
	struct kt_trace *t = kt_trace_create();
	struct kt_text *x = NULL;
	int ret = t ? kt_trace_add(t, a->path, NULL, err) : -ENOMEM;

	if (ret == 0)
		ret = resume(a, kt_trace_stream(t), err);
	if (ret == 0) {
		x = kt_text_create(t, NULL, &o, err);
		ret = x ? kt_text_run(x, until, put, a, err) : -ENOMEM;
	}
	if (ret == 0)
		ret = note_all_printed(a, kt_trace_stream(t), until, err);
	kt_text_destroy(x);
	kt_trace_destroy(t);
	if (fflush(stdout) != 0)
		a->closed = true;
	return ret < 0 && a->closed ? 0 : ret;
}

/* Whatever is older than now is in the file once it is synced, on whichever CPU it was */
static int tick(void *data, uint64_t since_ns, struct kt_err *err)
{
	struct stream_args *a = data;
	int64_t now = record_clock_now(record_first_instance(&a->s.setup));
	int ret = kt_rec_sync(a->rec, err);

	(void)since_ns;
	if (ret < 0 || now < 0)
		return ret;
	ret = print_window(a, (uint64_t)now, err);
	return a->closed ? -EPIPE : ret;
}

static int trace(struct stream_args *a, struct recording *r, struct kt_err *err)
{
	uint64_t sleep_us = a->s.sleep_us == UINT64_MAX ? 500000 : a->s.sleep_us;
	int ret, end;

	r->wait.duration_ns = a->duration_ns;
	r->wait.tick = a->done ? NULL : tick;
	r->wait.tick_data = a;
	r->wait.tick_ns = (sleep_us < 10000 ? 10000 : sleep_us) * 1000;
	ret = recording_go(r, err);
	if (ret < 0)
		return ret;
	end = record_wait(&r->wait, err);
	ret = kt_setup_stop(&a->s.setup, end < 0 ? NULL : err);
	if (a->closed) {
		kt_err_clear(err);
		return 0;
	}
	if (end < 0 || ret < 0)
		return end < 0 ? end : ret;
	ret = kt_rec_stop(a->rec, err);
	if (ret < 0)
		return ret;
	return a->done ? a->done(a, a->path, err) : print_window(a, UINT64_MAX, err);
}

static void say_lost(const struct stream_args *a)
{
	struct kt_rec_stats s;

	if (kt_rec_stats(a->rec, &s, NULL) == 0 && s.lost + s.dropped)
		fprintf(stderr, "%llu events lost\n", (unsigned long long)(s.lost + s.dropped));
}

static int make_dir(struct stream_args *a, struct kt_err *err)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(a->dir, sizeof(a->dir), "%s/ktrail-stream-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(a->dir)) {
		int ret = kt_err_set(err, -errno, "cannot make %s: %s", a->dir, strerror(errno));

		a->dir[0] = 0;
		return ret;
	}
	snprintf(a->path, sizeof(a->path), "%s/trace.dat", a->dir);
	return 0;
}

static int stream(struct stream_args *a, struct recording *r, struct kt_err *err)
{
	struct kt_rec_opts o = {
		.compression = "none", .kallsyms = KT_REC_KALLSYMS_ALL, .follow = true,
		.all_formats = a->s.all_formats, .no_splice = a->s.nosplice, .busy = a->s.poll,
		.rt_priority = setup_rt_priority(&a->s),
	};
	int ret = make_dir(a, err);

	if (ret == 0)
		ret = recording_begin(r, a->path, &o, true, err);
	if (ret < 0)
		return ret;
	a->rec = r->wait.rec;
	ret = trace(a, r, err);
	if (ret == 0)
		say_lost(a);
	return ret;
}

int stream_run(struct stream_args *a, int argc, char **argv, struct kt_err *err)
{
	struct recording r;
	int ret = setup_finish(&a->s, true, argc, err);

	if (ret == 0 && a->s.setup.dry)
		return recording_show(&a->s, err);
	if (ret < 0)
		return ret;
	a->s.own_stdout = a->json;
	ret = recording_open(&r, &a->s, argc, argv, err);
	if (ret == 0)
		ret = stream(a, &r, err);
	kt_rec_discard(a->rec);
	while (a->nr_printed)
		free(a->printed[--a->nr_printed].buffer);
	free(a->printed);
	if (*a->dir)
		rmdir(a->dir);
	return recording_close(&r, ret, err);
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	int ret = profile_add_events(args, err);

	return ret < 0 ? ret : stream_run(args, argc, argv, err);
}

static const struct cmd_rule rules[] = {
	SETUP_RULES
	SETUP_PROFILE_RULES
	SETUP_NO_FILE_RULE(SETUP_FILE_WORDS_)
	RULE_END
};

const struct cmd cmd_stream = {
	.name      = "stream",
	.summary   = "print events while they happen",
	.usage     = "[-p <tracer>] [-e <event> [-f <expr>] [-R <trigger>]]… [-B <instance> …] "
		     "[<options>] [<command> [<arg>…]]",
	.rare      = SETUP_RARE "profile hook only-given",
	.examples  = "  ktrail stream -B auto -e sched:sched_process_exec\n"
		     "  ktrail stream -F -e syscalls --json ls\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct stream_args),
	.init      = setup_init,
	.run       = run,
	.fini      = setup_fini,
};
