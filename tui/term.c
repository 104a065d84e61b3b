/* SPDX-License-Identifier: GPL-2.0-or-later */
/* term.c - the terminal: all of ncurses */
#define NCURSES_WIDECHAR 1
#include "term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/moment.h"
#include "theme.h"

/*
 * ncurses asks for presses and releases only. Moves with the button held come with 1002, which the
 * terminals that report the mouse in xterm's way have; the others ignore it.
 */
#define MOUSE_DRAGS "\033[?1002h"
#define MOUSE_OFF   "\033[?1006;1002;1000l"
#define DOUBLE_CLICK_MS 400
#define MOUSE_EVENTS	16		/* ncurses keeps 8 */

static struct {
	SCREEN *screen;
	bool ascii;
	int  colors;			/* 0: none */
	attr_t attrs[STYLE_NR];
	bool mouse;			/* it reports to us */
	struct term_mouse pressed;	/* where the button was pressed last, and when */
	uint64_t pressed_ms;
	MEVENT events[MOUSE_EVENTS];	/* of the mouse, not told yet: the last one first */
	int nr_events;
	struct termios former;		/* of the terminal, for fatal signals */
	char   leave[128];		/* what shows the former screen again */
	size_t leave_len;
} term;

/* ---- the way back, whatever happens ---- */

static const int fatal[] = { SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGHUP, SIGQUIT,
			     SIGINT };
#define NR_FATAL (sizeof(fatal) / sizeof(fatal[0]))

/* Only calls that are safe in a handler */
static void restore(int sig)
{
	ssize_t ignored = write(STDOUT_FILENO, term.leave, term.leave_len);

	(void)ignored;
	tcsetattr(STDIN_FILENO, TCSANOW, &term.former);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* NULL: the terminal has none */
static const char *capability(const char *name)
{
	const char *text = tigetstr(name);

	return text && text != (char *)-1 && *text ? text : NULL;
}

static void add_leave(const char *text)
{
	size_t len = text ? strlen(text) : 0;

	if (term.leave_len + len < sizeof(term.leave)) {
		memcpy(term.leave + term.leave_len, text ? text : "", len);
		term.leave_len += len;
	}
}

static void catch_fatal(void)
{
	struct sigaction act = { .sa_handler = restore, .sa_flags = (int)SA_RESETHAND }, old;
	size_t i;

	term.leave_len = 0;
	add_leave(capability("kmous") ? MOUSE_OFF : NULL);
	add_leave(capability("rmkx"));
	add_leave(capability("sgr0"));
	add_leave(capability("cnorm"));
	add_leave(capability("rmcup"));
	for (i = 0; i < NR_FATAL; i++)
		if (sigaction(fatal[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(fatal[i], &act, NULL);
}

static void release_fatal(void)
{
	size_t i;

	for (i = 0; i < NR_FATAL; i++)
		signal(fatal[i], SIG_DFL);
}

/* ---- opening ---- */

static void set_look(enum style style)
{
	struct look l = theme_look(style, term.colors);
	attr_t a = 0;

	if (l.attrs & LOOK_BOLD)
		a |= A_BOLD;
	if (l.attrs & LOOK_DIM)
		a |= A_DIM;
	if (l.attrs & LOOK_UNDERLINE)
		a |= A_UNDERLINE;
	if (l.attrs & LOOK_REVERSE)
		a |= A_REVERSE;
	if (term.colors && l.color >= 0 && init_extended_pair(style + 1, l.color, -1) == OK)
		a |= COLOR_PAIR(style + 1);
	term.attrs[style] = a;
}

static void set_colors(bool no_color, int most)
{
	int style;

	term.colors = 0;
	if (!no_color && has_colors() && start_color() == OK) {
		use_default_colors();
		term.colors = most && most < COLORS ? most : COLORS;
	}
	for (style = 0; style < STYLE_NR; style++)
		set_look(style);
}

static bool is_plain_terminal(void)
{
	const char *name = getenv("TERM");

	return !name || !*name || strcmp(name, "dumb") == 0;
}

int term_check(struct kt_err *err)
{
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !is_plain_terminal())
		return 0;
	return kt_err_set(err, -ENOTTY, "this is not a terminal that can show a screen: "
			  "use `ktrail report`, or --print");
}

int term_open(const struct term_opts *opts, struct kt_err *err)
{
	const char *no_color = getenv("NO_COLOR");

	if (term_check(err) < 0)
		return -ENOTTY;
	setlocale(LC_CTYPE, "");
	tcgetattr(STDIN_FILENO, &term.former);
	set_escdelay(25);
	term.screen = newterm(NULL, stdout, stdin);
	if (!term.screen)
		return kt_err_set(err, -ENOTTY, "no description of a terminal '%s'",
				  getenv("TERM"));
	term.ascii = opts->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0 ||
		     strncmp(getenv("TERM"), "vt1", 3) == 0;
	catch_fatal();
	atexit(term_close);
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	set_colors(opts->no_color || (no_color && *no_color), opts->colors);
	term.mouse = false;
	term_set_mouse(!opts->no_mouse);
	return 0;
}

void term_close(void)
{
	if (!term.screen)
		return;
	term_set_mouse(false);
	endwin();
	release_fatal();
	delscreen(term.screen);
	term.screen = NULL;
}

bool term_is_ascii(void)
{
	return term.ascii;
}

void term_size(int *rows, int *cols)
{
	getmaxyx(stdscr, *rows, *cols);
}

static void send(const char *text)
{
	fputs(text, stdout);
	fflush(stdout);
}

void term_set_mouse(bool on)
{
	if (on == term.mouse)
		return;
	term.mouse = on;
	if (!on && capability("kmous"))
		send(MOUSE_OFF);
	mouseinterval(0);	/* each press and release by itself, at once */
	mousemask(on ? BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON1_CLICKED |
		       BUTTON1_DOUBLE_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED |
		       REPORT_MOUSE_POSITION : 0, NULL);
	if (on && capability("kmous"))
		send(MOUSE_DRAGS);
}

/* ---- pictures ---- */

static void draw_row(const struct surface *s, int row)
{
	const struct cell *c = &s->cells[(size_t)row * (size_t)s->cols];
	wchar_t text[2] = { 0 };
	cchar_t glyph;
	int col;

	for (col = 0; col < s->cols; col++, c++) {
		attr_t a = term.attrs[c->style < STYLE_NR ? c->style : 0];

		if (c->flags & CELL_REST)
			continue;
		if (c->flags & CELL_SELECTED)
			a ^= A_REVERSE;
		text[0] = (wchar_t)c->ch;
		setcchar(&glyph, text, a & ~A_COLOR, (short)PAIR_NUMBER(a), NULL);
		mvadd_wch(row, col, &glyph);
	}
}

void term_draw(const struct surface *s)
{
	int row, rows, cols;

	term_size(&rows, &cols);
	erase();
	for (row = 0; row < s->rows && row < rows; row++)
		draw_row(s, row);
	if (s->cursor_row >= 0)
		move(s->cursor_row, s->cursor_col);
	curs_set(s->cursor_row >= 0);
	refresh();
}

void term_repaint(void)
{
	clearok(curscr, TRUE);
}

void term_suspend(void)
{
	endwin();
	release_fatal();
	raise(SIGTSTP);
	catch_fatal();
	refresh();
	if (term.mouse && capability("kmous"))
		send(MOUSE_DRAGS);
}

/* ---- keys ---- */

/* A second press at the same place soon after the first one is a double click. */
static int press_key(const struct term_mouse *at)
{
	uint64_t now = moment_ms(), since = now - term.pressed_ms;
	bool again = at->row == term.pressed.row && at->col == term.pressed.col &&
		     since < DOUBLE_CLICK_MS;

	term.pressed = *at;
	term.pressed_ms = again ? 0 : now;
	return again ? TK_DOUBLE_CLICK : TK_CLICK;
}

/* ncurses has one key for all that came at once, and gives out the last event first. */
static void take_events(void)
{
	while (term.nr_events < MOUSE_EVENTS && getmouse(&term.events[term.nr_events]) == OK)
		term.nr_events++;
}

static int mouse_key(struct term_mouse *mouse)
{
	const MEVENT *e;

	if (!term.nr_events)
		return TK_NONE;
	e = &term.events[--term.nr_events];
	*mouse = (struct term_mouse){ e->y, e->x };
	if (e->bstate & BUTTON4_PRESSED)
		return TK_WHEEL_UP;
	if (e->bstate & BUTTON5_PRESSED)
		return TK_WHEEL_DOWN;
	if (e->bstate & BUTTON1_DOUBLE_CLICKED)
		return TK_DOUBLE_CLICK;
	if (e->bstate & BUTTON1_RELEASED)
		return TK_RELEASE;
	if (e->bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))
		return press_key(mouse);
	return e->bstate & REPORT_MOUSE_POSITION ? TK_DRAG : TK_NONE;
}

static const struct {
	int curses, key;
} special[] = {
	{ KEY_UP, TK_UP }, { KEY_DOWN, TK_DOWN }, { KEY_LEFT, TK_LEFT }, { KEY_RIGHT, TK_RIGHT },
	{ KEY_PPAGE, TK_PAGE_UP }, { KEY_NPAGE, TK_PAGE_DOWN }, { KEY_HOME, TK_HOME },
	{ KEY_END, TK_END }, { KEY_DC, TK_DELETE }, { KEY_BTAB, TK_BACK_TAB },
	{ KEY_SLEFT, TK_SHIFT_LEFT }, { KEY_SRIGHT, TK_SHIFT_RIGHT }, { KEY_SR, TK_SHIFT_UP },
	{ KEY_SF, TK_SHIFT_DOWN }, { KEY_F(1), TK_F1 }, { KEY_RESIZE, TK_RESIZE },
	{ KEY_BACKSPACE, TK_BACKSPACE }, { KEY_ENTER, TK_ENTER },
};

int term_key(int timeout_ms, struct term_mouse *mouse)
{
	wint_t ch;
	size_t i;
	int ret;

	if (term.nr_events)
		return mouse_key(mouse);
	timeout(timeout_ms);
	ret = get_wch(&ch);
	if (ret == ERR)
		return TK_NONE;
	if (ret != KEY_CODE_YES)
		return ch == '\r' ? TK_ENTER : ch == '\b' ? TK_BACKSPACE : (int)ch;
	if (ch == KEY_MOUSE) {
		take_events();
		return mouse_key(mouse);
	}
	for (i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (special[i].curses == (int)ch)
			return special[i].key;
	return TK_NONE;
}

/* ---- the clipboard ---- */

void term_copy(const char *text, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t i;

	fputs("\033]52;c;", stdout);
	for (i = 0; i < len; i += 3) {
		unsigned int n = (unsigned int)(unsigned char)text[i] << 16;

		n |= i + 1 < len ? (unsigned int)(unsigned char)text[i + 1] << 8 : 0;
		n |= i + 2 < len ? (unsigned char)text[i + 2] : 0;
		putchar(digits[n >> 18]);
		putchar(digits[n >> 12 & 63]);
		putchar(i + 1 < len ? digits[n >> 6 & 63] : '=');
		putchar(i + 2 < len ? digits[n & 63] : '=');
	}
	fputs("\a", stdout);
	fflush(stdout);
}
