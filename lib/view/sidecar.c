/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sidecar.c - marks, filters and cursor of a trace in a file next to it
 *
 * Lines: "ktrail-view 1"; "trace SIZE FINGERPRINT" for each file; "columns TEXT"; "view NAME";
 * "offset FILE NANOSECONDS"; "cursor TIME POSITION SOURCE"; "mark NAME TIME POSITION SOURCE
 * [NOTE]"; "filter on|off only|hide TEXT". Notes and texts extend to the end of the line, with \xNN
 * for a backslash and for characters that are not plain. Unknown lines are ignored: later
 * versions may have more.
 */
#include <ktrail/model.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/home.h"
#include "base/str.h"
#include "file/note.h"

#define MAGIC	  "ktrail-view 1\n"
#define SUFFIX	  ".view"
#define SIDECAR_MOST (1 << 20)		/* bytes of a side-car */

/* ---- arbitrary text in a line ---- */

static void add_escaped(struct str *s, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < ' ' || c == 0x7f || c == '\\')
			str_addf(s, "\\x%02x", c);
		else
			str_addc(s, (char)c);
	}
}

static int digit(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In place; false: add_escaped() did not write it */
static bool unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text != '\\') {
			*to++ = *text;
			continue;
		}
		if (text[1] != 'x' || digit(text[2]) < 0 || digit(text[3]) < 0)
			return false;
		*to = (char)(digit(text[2]) * 16 + digit(text[3]));
		if (!*to++)
			return false;
		text += 3;
	}
	*to = '\0';
	return true;
}

/* ---- identifying the trace ---- */

static int add_traces(struct str *s, const struct kt_model *m)
{
	struct kt_trace *t = kt_model_trace((struct kt_model *)m);
	size_t i;

	for (i = 0; i < kt_trace_nr_files(t); i++) {
		struct kt_file *file = kt_trace_file(t, i);
		uint64_t fingerprint = file_fingerprint(file);

		if (!fingerprint)
			return -EAGAIN;
		str_addf(s, "trace %" PRIu64 " %016" PRIx64 "\n", kt_file_info(file)->size,
			 fingerprint);
	}
	return 0;
}

static void add_spot(struct str *s, const struct kt_spot *spot)
{
	str_addf(s, " %" PRIu64 " %" PRIu64 " %u", spot->ts, spot->pos, spot->source);
}

static int write_text(struct str *s, struct kt_model *m, const struct kt_sidecar_screen *screen)
{
	struct kt_spot cursor = kt_model_cursor(m);
	struct kt_mark mark;
	size_t i;
	int ret;

	str_add(s, MAGIC);
	ret = add_traces(s, m);
	if (ret < 0)
		return ret;
	for (i = 0; i < kt_trace_nr_files(kt_model_trace(m)); i++)
		if (kt_model_offset(m, i))
			str_addf(s, "offset %zu %" PRId64 "\n", i, kt_model_offset(m, i));
	if (*screen->columns)
		str_addf(s, "columns %s\n", screen->columns);
	str_addf(s, "view %s\ncursor", screen->view);
	add_spot(s, &cursor);
	for (i = 0; kt_model_mark(m, i, &mark); i++) {
		str_addf(s, "\nmark %s", mark.name);
		add_spot(s, &mark.spot);
		str_addc(s, ' ');
		add_escaped(s, mark.note);
	}
	for (i = 0; i < kt_model_nr_filters(m); i++) {
		struct kt_model_filter f = kt_model_filter(m, i);

		str_addf(s, "\nfilter %s %s ", f.on ? "on" : "off", f.exclude ? "hide" : "only");
		add_escaped(s, f.text);
	}
	str_addc(s, '\n');
	return s->failed ? -ENOMEM : 0;
}

/* ---- reading ---- */

static int not_ours(struct kt_err *err, const char *path)
{
	return kt_err_set(err, -EBADMSG, "%s: not a side-car file of ktrail view, ignored", path);
}

static int damaged(struct kt_err *err, const char *path, unsigned int line)
{
	return kt_err_set(err, -EBADMSG, "%s:%u: damaged, ignored", path, line);
}

/* Digits, then a blank or the end */
static bool take_number(char **text, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	*number = strtoull(*text, &end, 10);
	*text = end + (*end == ' ');
	return !errno && (*end == ' ' || !*end);
}

/* "TIME POSITION SOURCE": returns the rest; NULL: invalid */
static char *take_spot(const struct kt_model *m, char *text, struct kt_spot *spot)
{
	const struct kt_stream *s = kt_trace_stream(kt_model_trace((struct kt_model *)m));
	uint64_t source;

	if (!take_number(&text, &spot->ts) || !take_number(&text, &spot->pos) ||
	    !take_number(&text, &source) || source >= kt_stream_nr_sources(s))
		return NULL;
	spot->source = (uint32_t)source;
	return text;
}

static bool take_mark(struct kt_model *m, char *text)
{
	char *rest = strchr(text, ' ');
	struct kt_spot spot;

	if (!rest)
		return false;
	*rest++ = '\0';
	rest = take_spot(m, rest, &spot);
	return rest && unescape(rest) && kt_model_set_mark(m, text, &spot, rest) == 0;
}

static bool take_filter(struct kt_model *m, const char *text)
{
	bool on = str_starts(text, "on "), exclude;
	char *copy;
	int ret;

	if (!on && !str_starts(text, "off "))
		return false;
	text += on ? 3 : 4;
	exclude = str_starts(text, "hide ");
	if (!exclude && !str_starts(text, "only "))
		return false;
	copy = strdup(text + 5);
	ret = copy && unescape(copy) ? kt_model_add_filter(m, copy, exclude, NULL) : -EINVAL;
	free(copy);
	if (ret == 0)
		kt_model_switch_filter(m, kt_model_nr_filters(m) - 1, on);
	return ret == 0;
}

static bool take_view(struct kt_sidecar_screen *screen, const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz");

	if (text[len] || len >= sizeof(screen->view))
		return false;
	strcpy(screen->view, text);
	return true;
}

static bool take_columns(struct kt_sidecar_screen *screen, const char *text)
{
	size_t len = strlen(text), i;

	for (i = 0; i < len; i++)
		if (!isgraph((unsigned char)text[i]) && text[i] != ' ')
			return false;
	if (len >= sizeof(screen->columns))
		return false;
	strcpy(screen->columns, text);
	return true;
}

static bool take_cursor(struct kt_model *m, char *text)
{
	struct kt_spot spot;

	if (!take_spot(m, text, &spot))
		return false;
	kt_model_set_cursor(m, &spot);
	return true;
}

/* An offset on the command line has priority */
static bool take_offset(struct kt_model *m, const char *text)
{
	unsigned int file;
	int64_t offset;
	char more;

	if (sscanf(text, "%u %" SCNd64 "%c", &file, &offset, &more) != 2 ||
	    file >= kt_trace_nr_files(kt_model_trace(m)))
		return false;
	return kt_model_offset(m, file) || !offset ||
	       kt_model_set_offset(m, file, offset, NULL) == 0;
}

static bool take_line(struct kt_model *m, char *line, struct kt_sidecar_screen *screen)
{
	char *text = strchr(line, ' ');

	if (!text)
		return false;
	*text++ = '\0';
	if (strcmp(line, "mark") == 0)
		return take_mark(m, text);
	if (strcmp(line, "filter") == 0)
		return take_filter(m, text);
	if (strcmp(line, "cursor") == 0)
		return take_cursor(m, text);
	if (strcmp(line, "offset") == 0)
		return take_offset(m, text);
	if (strcmp(line, "columns") == 0)
		return take_columns(screen, text);
	return strcmp(line, "view") != 0 || take_view(screen, text);
}

/* Restores the state before reading */
static void forget(struct kt_model *m, struct kt_sidecar_screen *screen)
{
	struct kt_mark mark;

	while (kt_model_mark(m, 0, &mark)) {
		char name[KT_MARK_NAME];

		strcpy(name, mark.name);
		kt_model_remove_mark(m, name);
	}
	while (kt_model_nr_filters(m))
		kt_model_remove_filter(m, kt_model_nr_filters(m) - 1);
	kt_model_set_cursor(m, &(struct kt_spot){ 0 });
	*screen = (struct kt_sidecar_screen){ 0 };
}

static int take_text(struct kt_model *m, char *text, const char *path,
		     struct kt_sidecar_screen *screen, struct kt_err *err)
{
	struct str head = STR_INIT;
	unsigned int nr = 1;
	char *line, *rest;
	int ret;

	str_add(&head, MAGIC);
	ret = add_traces(&head, m);
	if (ret == 0 && !str_starts(text, MAGIC))
		ret = not_ours(err, path);
	else if (ret == 0 && !str_starts(text, head.buf))
		ret = kt_err_set(err, -ESTALE, "%s: belongs to another trace, ignored", path);
	rest = text + (ret < 0 ? 0 : head.len);
	for (line = text; line < rest; line++)
		nr += *line == '\n';
	while (ret == 0 && (line = strsep(&rest, "\n")) && (*line || rest)) {
		if (!take_line(m, line, screen)) {
			forget(m, screen);
			ret = damaged(err, path, nr);
		}
		nr++;
	}
	str_fini(&head);
	return ret;
}

/* 1, 0: there is none, or a negative errno. A link, a device or a pipe is not a side-car. */
static int read_text(struct str *s, const char *path, struct kt_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), ret;
	struct stat st;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 :
		       kt_err_set(err, -errno, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > SIDECAR_MOST)
		ret = not_ours(err, path);
	else
		ret = str_read_fd(s, fd);
	close(fd);
	if (ret == 0 && strlen(s->buf) != s->len)
		ret = not_ours(err, path);
	return ret < 0 ? ret : 1;
}

/* ---- its location ---- */

/* New (free); NULL: no memory, or a model without a file */
static char *path_beside(struct kt_model *m)
{
	struct str path = STR_INIT;

	if (!kt_trace_nr_files(kt_model_trace(m)))
		return NULL;
	str_addf(&path, "%s" SUFFIX, kt_file_info(kt_trace_file(kt_model_trace(m), 0))->path);
	return str_take(&path);
}

/* New (free); NULL: there is none */
static char *path_at_home(struct kt_model *m)
{
	const struct kt_file *file = kt_trace_file(kt_model_trace(m), 0);
	char *folder = file ? home_folder("XDG_STATE_HOME", ".local/state") : NULL;
	struct str path = STR_INIT;

	if (folder)
		str_addf(&path, "%s/%016" PRIx64 SUFFIX, folder, file_fingerprint(file));
	free(folder);
	return path.len ? str_take(&path) : NULL;
}

int kt_sidecar_restore(struct kt_model *m, const char *path, struct kt_sidecar_screen *screen,
		       struct kt_err *err)
{
	char *beside = path ? strdup(path) : path_beside(m), *home = path ? NULL : path_at_home(m);
	struct str text = STR_INIT;
	const char *used = beside;
	int ret;

	*screen = (struct kt_sidecar_screen){ 0 };
	ret = beside ? read_text(&text, beside, err) : -ENOMEM;
	if (ret == 0 && home) {
		used = home;
		ret = read_text(&text, home, err);
	}
	if (ret > 0)
		ret = take_text(m, text.buf, used, screen, err);
	else if (ret == 0)
		goto out;
	ret = ret < 0 ? ret : 1;
out:
	str_fini(&text);
	free(beside);
	free(home);
	return ret;
}

/* ---- writing ---- */

/* Is there no file, or a side-car? */
static bool may_replace(const char *path)
{
	struct str text = STR_INIT;
	int ret = read_text(&text, path, NULL);
	bool ours = ret == 0 || (ret > 0 && str_starts(text.buf, "ktrail-view "));

	str_fini(&text);
	return ours;
}

/* Write it under another name first: on a full disk the former one stays unchanged. */
static int write_file(const char *path, const struct str *text, struct kt_err *err)
{
	struct str temporary = STR_INIT;
	ssize_t done;
	int fd, ret = 0;

	if (!may_replace(path))
		return kt_err_set(err, -EEXIST, "%s is not a side-car file: not replaced", path);
	str_addf(&temporary, "%s.%ld", path, (long)getpid());
	fd = open(temporary.buf, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0) {
		ret = kt_err_set(err, -errno, "cannot write %s: %s", path, strerror(errno));
	} else {
		done = write(fd, text->buf, text->len);
		if (done >= 0 && (size_t)done < text->len)
			errno = ENOSPC;
		if (close(fd) < 0 || done != (ssize_t)text->len ||
		    rename(temporary.buf, path) < 0) {
			ret = kt_err_set(err, -errno, "cannot write %s: %s", path, strerror(errno));
			unlink(temporary.buf);
		}
	}
	str_fini(&temporary);
	return ret;
}

static int write_at_home(const char *path, const struct str *text, struct kt_err *err)
{
	char *folder = path ? strdup(path) : NULL, *slash = folder ? strrchr(folder, '/') : NULL;
	int ret;

	if (slash) {
		*slash = '\0';
		home_make_folder(folder);
	}
	ret = slash ? write_file(path, text, err) :
		      kt_err_set(err, -ENOENT, "no home directory to write to");
	free(folder);
	return ret;
}

/* Merely viewing a trace should not create a file next to it. */
static bool is_worth_a_file(struct kt_model *m, const char *path)
{
	struct kt_mark mark;

	return kt_model_nr_filters(m) || kt_model_mark(m, 0, &mark) || access(path, F_OK) == 0;
}

int kt_sidecar_save(struct kt_model *m, const char *path, const struct kt_sidecar_screen *screen,
		    struct kt_err *err)
{
	char *beside = path ? NULL : path_beside(m), *home = path ? NULL : path_at_home(m);
	struct str text = STR_INIT;
	int ret = write_text(&text, m, screen);

	if (ret < 0)
		kt_err_set(err, ret, ret == -EAGAIN ? "the recording is still running" :
			   "out of memory");
	else if (path)
		ret = write_file(path, &text, err);
	else if (!beside || !is_worth_a_file(m, beside) || write_file(beside, &text, NULL) < 0)
		ret = write_at_home(home, &text, err);
	else if (home)
		unlink(home);		/* the file next to the trace is newer */
	str_fini(&text);
	free(beside);
	free(home);
	return ret;
}
