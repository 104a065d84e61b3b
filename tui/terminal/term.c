/* SPDX-License-Identifier: GPL-2.0-or-later */
/* term.c - the terminal: all of ncurses */
#define NCURSES_WIDECHAR 1
#include "term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
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
 * ncurses enables reports of presses and releases only. Mode 1002 adds moves with the button held;
 * terminals that report the mouse like xterm support it, and the others ignore it.
 */
#define MOUSE_DRAGS "\033[?1002h"
#define MOUSE_OFF   "\033[?1006;1002;1000l"
#define DOUBLE_CLICK_MS 400
#define MOUSE_EVENTS	16		/* ncurses keeps 8 */

static struct {
	SCREEN *screen;
	bool ascii;
	int  colors;			/* 0: none */
	attr_t attrs[STYLE_NR][2];	/* as usual; selected */
	bool mouse;			/* reports are enabled */
	struct term_mouse pressed;	/* place and time of the last press */
	uint64_t pressed_ms;
	MEVENT events[MOUSE_EVENTS];	/* mouse events not yet returned, the last one first */
	int nr_events;
	volatile sig_atomic_t shown;	/* we use the screen: a fatal signal must restore it */
	struct termios former;		/* of the terminal, for fatal signals */
	char   leave[128];		/* the sequence that shows the former screen */
	size_t leave_len;
} term;

/* SIGTSTP was sent to us */
static volatile sig_atomic_t stop_wanted;

/* ---- restoring the terminal, in any case ---- */

static const int fatal[] = { SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGSYS, SIGTRAP, SIGTERM,
			     SIGHUP, SIGQUIT, SIGINT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU };
#define NR_FATAL (sizeof(fatal) / sizeof(fatal[0]))

/* Only async-signal-safe calls */
static void restore(int sig)
{
	ssize_t ignored;

	if (term.shown) {
		ignored = write(STDOUT_FILENO, term.leave, term.leave_len);
		(void)ignored;
		tcsetattr(STDIN_FILENO, TCSANOW, &term.former);
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

static void note_stop(int sig)
{
	(void)sig;
	stop_wanted = 1;
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

/* After a stack overflow, the handler needs another stack. */
static void catch_fatal(void)
{
	static char room[16384];
	const stack_t stack = { .ss_sp = room, .ss_size = sizeof(room) };
	struct sigaction act = { .sa_handler = restore,
				 .sa_flags = (int)(SA_RESETHAND | SA_ONSTACK) }, old;
	size_t i;

	term.leave_len = 0;
	add_leave(capability("kmous") ? MOUSE_OFF : NULL);
	add_leave(capability("rmkx"));
	add_leave(capability("sgr0"));
	add_leave(capability("cnorm"));
	add_leave(capability("rmcup"));
	sigaltstack(&stack, NULL);
	for (i = 0; i < NR_FATAL; i++)
		if (sigaction(fatal[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(fatal[i], &act, NULL);
	signal(SIGXFSZ, SIG_IGN);	/* the error of the write says the same */
}

/* The handler of ncurses would not restore the mouse, and would not handle a new size. */
static void catch_stop(void)
{
	sigaction(SIGTSTP, &(struct sigaction){ .sa_handler = note_stop }, NULL);
}

/* ---- opening ---- */

static void set_look(enum style style, bool selected)
{
	struct look l = theme_look(style, selected, term.colors);
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
	term.attrs[style][selected] = a;
}

static void set_colors(bool no_color, int most)
{
	int style;

	term.colors = 0;
	if (!no_color && has_colors() && start_color() == OK) {
		use_default_colors();
		term.colors = most && most < COLORS ? most : COLORS;
	}
	for (style = 0; style < STYLE_NR; style++) {
		set_look(style, false);
		set_look(style, true);
	}
}

static bool is_plain_terminal(void)
{
	const char *name = getenv("TERM");

	return !name || !*name || strcmp(name, "dumb") == 0;
}

/* If the trace came through standard input, keys come from the terminal of the session. */
static int open_keyboard(void)
{
	return isatty(STDIN_FILENO) ? dup(STDIN_FILENO) : open("/dev/tty", O_RDWR | O_CLOEXEC);
}

int term_check(struct kt_err *err)
{
	int fd = open_keyboard();

	if (fd >= 0)
		close(fd);
	if (fd >= 0 && isatty(STDOUT_FILENO) && !is_plain_terminal())
		return 0;
	return kt_err_set(err, -ENOTTY, "this is not a terminal that can show a screen: "
			  "use `ktrail report`, or --print");
}

/* The fonts of the Linux console lack most block characters, and all dots. */
static bool has_few_glyphs(const char *name)
{
	return strncmp(name, "vt1", 3) == 0 || strcmp(name, "linux") == 0;
}

/*
 * $COLORTERM says that the terminal has all colours, which its usual terminfo entry does not: then
 * ncurses needs the entry for direct colour, "xterm-direct" in place of "xterm-256color". NULL: the
 * terminal lacks them, the user wants fewer, or no such entry is installed.
 */
static SCREEN *open_direct(int most)
{
	static const char usual[] = "-256color";
	const char *name = getenv("TERM"), *color = getenv("COLORTERM");
	size_t len = strlen(name), tail = sizeof(usual) - 1;
	char direct[64];

	if (!color || (strcmp(color, "truecolor") != 0 && strcmp(color, "24bit") != 0) ||
	    (most && most <= THEME_PALETTE) || len <= tail || len >= sizeof(direct) ||
	    strcmp(name + len - tail, usual) != 0)
		return NULL;
	snprintf(direct, sizeof(direct), "%.*s-direct", (int)(len - tail), name);
	return newterm(direct, stdout, stdin);
}

int term_open(const struct term_opts *opts, struct kt_err *err)
{
	const char *no_color = getenv("NO_COLOR");
	int fd;

	if (term_check(err) < 0)
		return -ENOTTY;
	fd = open_keyboard();
	if (fd >= 0) {
		dup2(fd, STDIN_FILENO);
		close(fd);
	}
	setlocale(LC_CTYPE, "");
	tcgetattr(STDIN_FILENO, &term.former);
	set_escdelay(25);
	term.screen = open_direct(opts->colors);
	if (!term.screen)
		term.screen = newterm(NULL, stdout, stdin);
	if (!term.screen)
		return kt_err_set(err, -ENOTTY, "terminfo has no terminal '%s' that can show a "
				  "screen: try TERM=xterm, or `ktrail report`", getenv("TERM"));
	term.ascii = opts->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0 ||
		     has_few_glyphs(getenv("TERM"));
	catch_fatal();
	catch_stop();
	term.shown = true;
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

/* Without a second screen, the shell continues in the last line. */
static void leave_screen(void)
{
	if (!capability("rmcup")) {
		move(LINES - 1, 0);
		clrtoeol();
		refresh();
	}
	endwin();
	term.shown = false;
}

void term_close(void)
{
	if (!term.screen)
		return;
	term_set_mouse(false);
	leave_screen();
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
	mouseinterval(0);	/* each press and release separately, without delay */
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
		attr_t a = term.attrs[c->style < STYLE_NR ? c->style : 0]
				     [c->flags & CELL_SELECTED ? 1 : 0];

		if (c->flags & CELL_REST)
			continue;
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
	leave_screen();
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	catch_stop();
	stop_wanted = 0;
	term.shown = true;
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

/* ncurses returns one key for several mouse events, and the last event first. */
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

	if (stop_wanted)
		term_suspend();
	if (term.nr_events)
		return mouse_key(mouse);
	timeout(timeout_ms);
	ret = get_wch(&ch);
	if (ret == ERR)
		return TK_NONE;
	if (ret != KEY_CODE_YES && ch == '\r')
		return TK_ENTER;
	if (ret != KEY_CODE_YES)
		return ch == '\b' ? TK_BACKSPACE : (int)ch;
	if (ch == KEY_MOUSE) {
		take_events();
		return mouse_key(mouse);
	}
	for (i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (special[i].curses == (int)ch)
			return special[i].key;
	return TK_NONE;
}

bool term_is_gone(void)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&fd, 1, 0) > 0 && (fd.revents & (POLLHUP | POLLERR | POLLNVAL));
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
