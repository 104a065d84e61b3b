/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prompt.c - a line of input, with history and completion */
#include "prompt.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/home.h"
#include "tui/terminal/keys.h"

void prompt_open(struct prompt *p, const char *label, const char *text, prompt_done done)
{
	p->open = true;
	snprintf(p->label, sizeof(p->label), "%s", label);
	if (!p->text.buf)
		p->text = p->choices = (struct str)STR_INIT;
	str_reset(&p->choices);
	str_reset(&p->text);
	str_add(&p->text, text);
	p->at = p->text.len;
	p->done = done;
	p->recalled = 0;
}

void prompt_fini(struct prompt *p)
{
	size_t i;

	if (p->text.buf) {
		str_fini(&p->text);
		str_fini(&p->choices);
	}
	for (i = 0; i < p->nr_history; i++)
		free(p->history[i].text);
	p->nr_history = 0;
}

/* ---- editing ---- */

static void set_text(struct prompt *p, const char *text)
{
	str_reset(&p->text);
	str_add(&p->text, text);
	p->at = p->text.len;
}

static void insert(struct prompt *p, const char *bytes, size_t len)
{
	struct str rest = STR_INIT;

	str_add(&rest, p->text.buf + p->at);
	p->text.len = p->at;
	str_addn(&p->text, bytes, len);
	p->at = p->text.len;
	str_add(&p->text, rest.buf);
	str_fini(&rest);
}

static void insert_char(struct prompt *p, int key)
{
	struct str bytes = STR_INIT;

	str_add_utf8(&bytes, (uint32_t)key);
	insert(p, bytes.buf, bytes.len);
	str_fini(&bytes);
}

static bool is_rest(const struct prompt *p, size_t at)
{
	return ((unsigned char)p->text.buf[at] & 0xc0) == 0x80;
}

static size_t before(const struct prompt *p, size_t at)
{
	if (at)
		at--;
	while (at && is_rest(p, at))
		at--;
	return at;
}

static size_t after(const struct prompt *p, size_t at)
{
	if (at < p->text.len)
		at++;
	while (at < p->text.len && is_rest(p, at))
		at++;
	return at;
}

/* Remove the text between two places. */
static void cut(struct prompt *p, size_t from, size_t until)
{
	memmove(p->text.buf + from, p->text.buf + until, p->text.len - until + 1);
	p->text.len -= until - from;
	p->at = from;
}

static size_t word_before(const struct prompt *p)
{
	size_t at = p->at;

	while (at && p->text.buf[at - 1] == ' ')
		at--;
	while (at && p->text.buf[at - 1] != ' ')
		at--;
	return at;
}

/* ---- history ---- */

static void add_history(struct prompt *p, const char *label, const char *text)
{
	size_t last = p->nr_history;
	char *copy = strdup(text);

	while (last-- > 0)
		if (strcmp(p->history[last].label, label) == 0)
			break;
	if (!copy || (last < p->nr_history && strcmp(p->history[last].text, text) == 0)) {
		free(copy);		/* same as the last line */
		return;
	}
	if (p->nr_history == PROMPT_HISTORY) {
		free(p->history[0].text);
		memmove(&p->history[0], &p->history[1], --p->nr_history * sizeof(p->history[0]));
	}
	snprintf(p->history[p->nr_history].label, sizeof(p->label), "%s", label);
	p->history[p->nr_history++].text = copy;
}

static void remember(struct prompt *p)
{
	if (p->text.len)
		add_history(p, p->label, p->text.buf);
}

/* The @back-th line before this one, of the same kind; NULL: there is none */
static const char *recall(const struct prompt *p, size_t back)
{
	size_t i = p->nr_history;

	while (i-- > 0)
		if (strcmp(p->history[i].label, p->label) == 0 && --back == 0)
			return p->history[i].text;
	return NULL;
}

/* New (free); NULL: none */
static char *history_path(bool make)
{
	char *folder = home_folder("XDG_STATE_HOME", ".local/state");
	struct str path = STR_INIT;

	if (!folder)
		return NULL;
	if (make)
		home_make_folder(folder);
	str_addf(&path, "%s/view-history", folder);
	free(folder);
	return str_take(&path);
}

/* Lines "LABEL TAB TEXT"; text that a prompt would refuse is skipped. */
void prompt_load_history(struct prompt *p)
{
	char *path = history_path(false), *rest, *line, *text;
	struct str all = STR_INIT;
	const char *c;

	if (path && str_read_file(&all, path) == 0) {
		for (rest = all.buf; (line = strsep(&rest, "\n"));) {
			text = strchr(line, '\t');
			if (!text || strlen(text) > 4096)
				continue;
			*text++ = '\0';
			for (c = text; (unsigned char)*c >= ' ' && *c != 0x7f; c++)
				;
			if (*text && !*c)
				add_history(p, line, text);
		}
	}
	str_fini(&all);
	free(path);
}

void prompt_save_history(const struct prompt *p)
{
	char *path = p->nr_history ? history_path(true) : NULL;
	int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
	int fd = path ? open(path, flags, 0600) : -1;
	size_t i;

	for (i = 0; fd >= 0 && i < p->nr_history; i++)
		dprintf(fd, "%s\t%s\n", p->history[i].label, p->history[i].text);
	if (fd >= 0)
		close(fd);
	free(path);
}

static void go_back(struct prompt *p, int step)
{
	const char *text;

	if (step < 0 && p->recalled <= 1) {
		p->recalled = 0;
		set_text(p, "");
		return;
	}
	text = recall(p, p->recalled + (size_t)step);
	if (!text)
		return;
	p->recalled += (size_t)step;
	set_text(p, text);
}

/* ---- completion: insert the common prefix of all matching words; list them if it is empty ---- */

static void complete(struct prompt *p, const struct kt_names *words, size_t from)
{
	size_t len = p->at - from, common = 0, nr = 0, i;
	const char *first = NULL;

	for (i = 0; i < words->nr; i++) {
		const char *w = words->names[i];

		if (strncmp(w, p->text.buf + from, len) != 0)
			continue;
		if (!first) {
			first = w;
			common = strlen(w);
		}
		while (strncmp(first, w, common) != 0)
			common--;
		str_addf(&p->choices, "%s%s", nr++ ? "  " : "", w);
	}
	if (first && common > len)
		insert(p, first + len, common - len);
	if (nr <= 1 || common > len)
		str_reset(&p->choices);
}

enum prompt_reply prompt_key(struct prompt *p, int key, const struct kt_names *words,
			     size_t from)
{
	str_reset(&p->choices);
	switch (key) {
	case TK_ENTER:
		remember(p);
		p->open = false;
		return PROMPT_DONE;
	case TK_ESC:
	case TK_CTRL('C'):
		p->open = false;
		return PROMPT_LEFT;
	case TK_BACKSPACE:
		if (!p->text.len) {
			p->open = false;
			return PROMPT_LEFT;
		}
		cut(p, before(p, p->at), p->at);
		break;
	case TK_DELETE:     cut(p, p->at, after(p, p->at)); break;
	case TK_CTRL('W'):  cut(p, word_before(p), p->at); break;
	case TK_CTRL('U'):  cut(p, 0, p->at); break;
	case TK_LEFT:       p->at = before(p, p->at); break;
	case TK_RIGHT:      p->at = after(p, p->at); break;
	case TK_HOME:
	case TK_CTRL('A'):  p->at = 0; break;
	case TK_END:
	case TK_CTRL('E'):  p->at = p->text.len; break;
	case TK_UP:         go_back(p, 1); break;
	case TK_DOWN:       go_back(p, -1); break;
	case TK_TAB:        complete(p, words, from); break;
	default:
		if (key >= ' ' && key < TK_UP && p->text.len < 4096)
			insert_char(p, key);
	}
	return PROMPT_GOES_ON;
}

void prompt_draw(const struct prompt *p, struct area a, int row)
{
	int col = area_put(a, row, 0, STYLE_KEY, p->label, -1);
	int cursor = col + text_widthn(p->text.buf, p->at);
	size_t from, next;

	/* Scroll the text so that the cursor is on the screen */
	for (from = 0; cursor >= a.cols && from < p->at; from = next) {
		next = after(p, from);
		cursor -= text_widthn(p->text.buf + from, next - from);
	}
	area_put(a, row, col, STYLE_NORMAL, p->text.buf + from, -1);
	area_cursor(a, row, cursor);
}
