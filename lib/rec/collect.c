/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* collect.c - read and store metadata during the recording */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "rec/rec_priv.h"

#define STORE_SYMBOLS_MS 1000
#define COUNTERS_MS	 1000

void rec_meta_fini(struct rec_meta *m)
{
	free(m->events);
	free(m->kallsyms);
}

static const char *proc_dir(const struct kt_rec *rec)
{
	return rec->opts.proc_dir ? rec->opts.proc_dir : "/proc";
}

/* The content of a file after its size; empty if the file cannot be read */
static int sized_file(const char *dir, const char *name, struct str *out)
{
	struct str text = STR_INIT, path = STR_INIT;
	uint32_t size;

	str_addf(&path, "%s%s%s", dir ? dir : "", dir && *dir ? "/" : "", name);
	if (str_read_file(&text, path.buf) < 0)
		str_reset(&text);
	size = (uint32_t)text.len;
	str_addn(out, &size, sizeof(size));
	str_addn(out, text.buf, text.len);
	str_fini(&text);
	str_fini(&path);
	return out->failed ? -ENOMEM : 0;
}

static int store(struct kt_rec *rec, uint16_t id, const struct str *s, struct kt_err *err)
{
	return rec->sink->ops->meta(rec->sink, id, s->buf, s->len, false, err);
}

static int collect_texts(struct kt_rec *rec, struct kt_err *err)
{
	struct str text = STR_INIT;
	int ret = rec_header_info(rec, &text);

	if (ret < 0) {
		kt_err_set(err, ret, "cannot read %s/events/header_page: %s",
			   kt_instance_dir(rec->buffers[0].inst), strerror(-ret));
		goto out;
	}
	ret = store(rec, KT_OPTION_HEADER_INFO, &text, err);
	if (ret < 0)
		goto out;
	str_reset(&text);
	ret = rec_ftrace_events(rec, &text);
	if (ret == 0)
		ret = store(rec, KT_OPTION_FTRACE_EVENTS, &text, err);
	if (ret < 0)
		goto out;
	str_reset(&text);
	ret = sized_file(kt_tracefs_dir(NULL), "printk_formats", &text);
	if (ret == 0)
		ret = store(rec, KT_OPTION_PRINTK, &text, err);
out:
	str_fini(&text);
	return ret;
}

/* The addresses of the modules; with last_boot_info, also those of the earlier boot */
static int collect_modules(struct kt_rec *rec, struct kt_err *err)
{
	const char *proc = proc_dir(rec);
	struct str text = STR_INIT, path = STR_INIT;
	int ret = 0;

	str_addf(&path, "%s/modules", proc);
	if (rec->opts.modules && rec->opts.version != 6 && str_read_file(&text, path.buf) == 0)
		ret = store(rec, KT_OPTION_MODULES_FILE, &text, err);
	str_fini(&path);
	str_fini(&text);
	return ret;
}

static bool is_set(const struct rec_buffer *b, const char *option)
{
	char *now = kt_instance_read(b->inst, option, NULL);
	bool is = now && strcmp(now, "1") == 0;

	free(now);
	return is;
}

/*
 * Only these types tell which registers are arguments, and their names.
 * They take 2 MB compressed, so only recordings of arguments have them. Uncompressed they
 * would take 6 MB, and trace-cmd 3.4 could not open the file.
 */
static int collect_types(struct kt_rec *rec, struct kt_err *err)
{
	const char *path = rec->opts.btf_path ? rec->opts.btf_path : "/sys/kernel/btf/vmlinux";
	struct str types = STR_INIT;
	bool wanted = false;
	size_t i;
	int ret = 0;

	for (i = 0; !wanted && i < rec->nr_buffers; i++)
		wanted = is_set(&rec->buffers[i], "options/func-args") ||
			 is_set(&rec->buffers[i], "options/funcgraph-args");
	if (wanted && rec->sink->compressed &&
	    str_read_file(&types, path) == 0)
		ret = store(rec, KT_OPTION_BTF_FILE, &types, err);
	str_fini(&types);
	return ret;
}

static int store_formats(struct kt_rec *rec, struct kt_err *err)
{
	struct str formats = STR_INIT;
	int ret = rec_event_formats(rec, rec->meta.events, &formats);

	if (ret == 0)
		ret = store(rec, KT_OPTION_EVENT_FORMATS, &formats, err);
	str_fini(&formats);
	return ret;
}

static int collect_formats(struct kt_rec *rec, struct kt_err *err)
{
	struct rec_meta *m = &rec->meta;
	struct str events = STR_INIT;
	int ret = rec_enabled_events(rec, NULL, &events);

	m->events = ret == 0 ? str_take(&events) : NULL;
	str_fini(&events);
	return m->events ? store_formats(rec, err) : -ENOMEM;
}

#define MAX_LAYOUT 65536	/* of kallsyms: per-CPU variables may come first */

void rec_collect_layout(struct kt_rec *rec)
{
	struct str path = STR_INIT;
	char text[MAX_LAYOUT];
	size_t len = 0;
	ssize_t n;
	int fd = -1;

	/* A list of another boot has the code addresses of that boot */
	if (!rec->opts.kallsyms_path)
		str_addf(&path, "%s/kallsyms", proc_dir(rec));
	if (path.len)
		fd = open(path.buf, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && len < sizeof(text)) {
		n = read(fd, text + len, sizeof(text) - len);
		len += n > 0 ? (size_t)n : 0;
		if (n <= 0 || used_symbols_expect(rec->symbols, text, len))
			break;
	}
	if (fd >= 0)
		close(fd);
	str_fini(&path);
}

/* Read all symbols; the used ones are known at the end */
int rec_collect_kallsyms(struct kt_rec *rec, struct kt_err *err)
{
	const char *proc = proc_dir(rec);
	struct rec_meta *m = &rec->meta;
	const char *path = rec->opts.kallsyms_path;
	struct str s = STR_INIT;
	int ret;

	if (path && access(path, R_OK) < 0)
		return kt_err_set(err, -errno, "cannot read %s: %s", path, strerror(errno));
	ret = sized_file(path ? "" : proc, path ? path : "kallsyms", &s);

	if (ret == 0) {
		m->kallsyms_size = s.len;
		m->kallsyms = str_take(&s);
	}
	str_fini(&s);
	if (ret == 0 && rec->symbols)
		ret = used_symbols_index(rec->symbols, m->kallsyms + 4, m->kallsyms_size - 4);
	return ret < 0 ? kt_err_set(err, ret, "cannot read %s/kallsyms: %s", proc, strerror(-ret))
		       : 0;
}

/*
 * False: the recording stopped first, or poll() failed. @timeout_ms -1: none. Meanwhile this
 * stores the counters of the buffers, at the first data of a CPU and once a second, so that an
 * interrupted recording has them.
 */
static bool wait_for(struct kt_rec *rec, int fd, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = rec->stop_fd, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
		{ .fd = rec->first_fd, .events = POLLIN },
	};
	eventfd_t ignored;
	int ret;

	do {
		ret = poll(fds, 3, COUNTERS_MS);
		if (ret == 0 || (ret > 0 && fds[2].revents)) {
			eventfd_read(rec->first_fd, &ignored);
			rec_store_counters(rec);
		}
		if (ret == 0 && timeout_ms >= 0)
			timeout_ms = timeout_ms > COUNTERS_MS ? timeout_ms - COUNTERS_MS : 0;
		/* If poll() fails, it will not report the end either. */
		if (ret < 0 && errno != EINTR)
			return false;
		if (ret < 0)
			fds[0].revents = fds[1].revents = 0;
	} while (!fds[0].revents && !fds[1].revents && timeout_ms);
	return !fds[0].revents;
}

/*
 * Many recordings contain no addresses: then kallsyms, the largest text of the
 * kernel, is not even read. Short recordings end before storing a provisional list is worth
 * it.
 */
static int collect_used_kallsyms(struct kt_rec *rec, struct kt_err *err)
{
	struct rec_meta *m = &rec->meta;
	int ret;

	if (!wait_for(rec, rec->symbols_fd, -1))
		return 0;
	ret = rec_collect_kallsyms(rec, err);
	if (ret < 0 || !wait_for(rec, -1, STORE_SYMBOLS_MS))
		return ret;
	m->kallsyms_stored = true;
	return rec->sink->ops->meta(rec->sink, KT_OPTION_KALLSYMS, m->kallsyms, m->kallsyms_size,
				    true, err);
}

static int collect_all_kallsyms(struct kt_rec *rec, struct kt_err *err)
{
	struct rec_meta *m = &rec->meta;
	int ret = rec_collect_kallsyms(rec, err);

	return ret < 0 ? ret : rec->sink->ops->meta(rec->sink, KT_OPTION_KALLSYMS, m->kallsyms,
						    m->kallsyms_size, false, err);
}

static int collect_all(struct kt_rec *rec, struct kt_err *err)
{
	int ret = collect_texts(rec, err);

	if (ret < 0)
		return ret;
	ret = collect_modules(rec, err);
	if (ret < 0)
		return ret;
	ret = collect_types(rec, err);
	if (ret < 0)
		return ret;
	/* Texts that may be replaced come last */
	if (rec->opts.kallsyms != KT_REC_KALLSYMS_NONE && !rec->symbols)
		ret = collect_all_kallsyms(rec, err);
	return ret < 0 ? ret : collect_formats(rec, err);
}

int rec_collect_now(struct kt_rec *rec, struct kt_err *err)
{
	int ret = collect_all(rec, err);

	return ret < 0 ? kt_err_set(err, ret, "cannot collect the metadata: %s", strerror(-ret))
		       : 0;
}

void *rec_collect(void *data)
{
	struct kt_rec *rec = data;
	struct kt_err *err = &rec->collect_err;
	int ret;

	rec_thread_tell(rec, &rec->collector_tid);
	ret = rec_collect_now(rec, err);
	rec->collect_result = ret;
	sem_post(&rec->collected);
	if (ret == 0 && rec->symbols)
		ret = collect_used_kallsyms(rec, err);
	if (ret < 0)
		rec_fail(rec, err);
	while (wait_for(rec, -1, -1))
		;
	return NULL;
}

/*
 * Further events may have been enabled meanwhile: their formats belong in
 * the file too, as do those of events disabled since. The writer must be able to
 * retract the formats: nothing was written after them.
 */
int rec_collect_again(struct kt_rec *rec, struct kt_err *err)
{
	struct rec_meta *m = &rec->meta;
	struct str events = STR_INIT;
	int ret = rec_enabled_events(rec, m->events, &events);

	if (ret < 0 || strcmp(events.buf, m->events) == 0)
		goto out;
	free(m->events);
	m->events = str_take(&events);
	ret = -ENOMEM;
	if (m->events)
		ret = rec->sink->ops->retract(rec->sink, KT_OPTION_EVENT_FORMATS, err);
	if (ret == 0)
		ret = store_formats(rec, err);
out:
	str_fini(&events);
	return ret;
}

/* The reader has the present texts mapped, so they stay, and these follow. */
int rec_collect_more(struct kt_rec *rec, struct kt_err *err)
{
	int ret = rec->opts.all_formats ? 0 : collect_all_kallsyms(rec, err);

	rec_meta_fini(&rec->meta);
	rec->meta = (struct rec_meta){ 0 };
	rec->opts.all_formats = true;
	return ret < 0 ? ret : collect_formats(rec, err);
}
