/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_cells.c - a line as cells: the same text as the line, each part with its role */
#include <ktrail/reader.h>
#include <ktrail/text.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kt_oracle.h"
#include "kt_test.h"

struct lines {
	struct kt_trace *trace;
	struct kt_text *text;
	struct kt_reader *reader;
	struct kt_out *out, *line;
};

static struct lines lines_open(const char *path, const struct kt_text_opts *opts)
{
	struct lines l = { .trace = oracle_trace(path) };

	while (kt_trace_learn_comms(l.trace, 0))
		;
	l.text = kt_text_create(l.trace, NULL, opts, NULL);
	l.reader = kt_reader_create(l.trace, NULL, NULL);
	l.out = kt_out_create();
	l.line = kt_out_create();
	return l;
}

static void lines_close(struct lines *l)
{
	kt_out_destroy(l->line);
	kt_out_destroy(l->out);
	kt_reader_destroy(l->reader);
	kt_text_destroy(l->text);
	kt_trace_destroy(l->trace);
}

static const char *text_of(struct kt_out *out)
{
	return kt_out_data(out);
}

static const char *cell(struct lines *l, const struct kt_cells *c, enum kt_cell_role role)
{
	static char copies[KT_NR_CELLS][65536];

	snprintf(copies[role], sizeof(copies[role]), "%.*s", (int)c->cell[role].len,
		 text_of(l->out) + c->cell[role].at);
	return copies[role];
}

/* The line consists of the cells, in their order, with blanks and colons between them. */
static void is_line(struct lines *l, const struct kt_cells *c, const char *line)
{
	int role;

	for (role = 0; role < KT_NR_CELLS; role++) {
		const char *text = cell(l, c, role);

		while (*line == ' ' || (role > KT_CELL_TIME && *line == ':'))
			line++;
		while (role == KT_CELL_INFO && *text == ' ')
			text++;
		if (strncmp(line, text, strlen(text)) != 0)
			print_message("role %d: '%s' is not at '%s'\n", role, text, line);
		assert_int_equal(strncmp(line, text, strlen(text)), 0);
		line += strlen(text);
	}
	if (line[strspn(line, " \n")])
		print_message("left: '%s'\n", line);
	assert_int_equal(strspn(line, " \n"), strlen(line));
}

static void check_lines(const char *name, const struct kt_text_opts *opts)
{
	struct lines l = lines_open(kt_data(name), opts);
	struct kt_record rec;
	struct kt_cells c;
	char *line;
	int nr = 0;

	while (kt_reader_next(l.reader, &rec, NULL) > 0) {
		rec.lost = 0;
		kt_out_reset(l.line);
		kt_text_line(l.text, &rec, l.line);
		assert_int_equal(kt_out_data(l.line)[kt_out_len(l.line)], '\0');
		assert_int_equal(kt_text_cells(l.text, &rec, NULL, l.out, &c), 0);
		line = strndup(kt_out_data(l.line), kt_out_len(l.line));
		is_line(&l, &c, line);
		free(line);
		nr++;
	}
	assert_true(nr > 50);
	lines_close(&l);
}

TEST(cells_say_what_the_line_says)
{
	static const char *const files[] = { "6.12-events.dat", "6.12-two-buffers.dat",
		"6.12-function.dat", "6.12-fgraph.dat", "6.12-stacks.dat", "6.12-probes.dat",
		"armhf-events.dat", "s390x-events.dat", "6.1-events.dat" };
	struct kt_text_opts escaped = { .escape = true, .nanoseconds = true };
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		print_message("%s\n", files[i]);
		check_lines(files[i], &(struct kt_text_opts){ 0 });
		check_lines(files[i], &escaped);
	}
}

TEST(cells_know_how_calls_are_folded)
{
	struct lines l = lines_open(kt_data("6.12-fgraph.dat"), &(struct kt_text_opts){ 0 });
	struct kt_record rec, next;
	int nr[4] = { 0 }, depth = -1;
	struct kt_cells c;
	struct kt_spot spot;

	while (kt_reader_next(l.reader, &rec, NULL) > 0) {
		/* The reader will reuse the memory of the data: copy them */
		uint8_t *data = memcpy(malloc(rec.size), rec.data, rec.size);
		int more;

		rec.data = data;
		kt_reader_tell(l.reader, &spot);
		more = kt_reader_next(l.reader, &next, NULL);
		assert_int_equal(kt_text_cells(l.text, &rec, more > 0 ? &next : NULL, l.out, &c),
				 0);
		nr[c.fold]++;
		if (c.fold == KT_FOLD_LEAF)
			assert_non_null(strstr(cell(&l, &c, KT_CELL_INFO), "();"));
		if (c.fold == KT_FOLD_ENTRY)
			assert_non_null(strstr(cell(&l, &c, KT_CELL_INFO), "() {"));
		if (c.fold == KT_FOLD_EXIT)
			assert_non_null(strchr(cell(&l, &c, KT_CELL_INFO), '}'));
		if (c.fold != KT_FOLD_NONE)
			assert_true(c.depth >= 0 && c.depth < 50);
		depth = c.depth > depth ? c.depth : depth;
		free(data);
		if (c.fold != KT_FOLD_LEAF)
			assert_int_equal(kt_reader_go(l.reader, &spot, NULL), 0);
	}
	assert_true(nr[KT_FOLD_LEAF] > 20 && nr[KT_FOLD_ENTRY] > 5 && nr[KT_FOLD_EXIT] > 5);
	assert_true(depth > 1);
	lines_close(&l);
}

TEST(cells_are_for_lines_without_colours)
{
	struct lines l = lines_open(kt_data("6.12-events.dat"),
				    &(struct kt_text_opts){ .json = true });
	struct kt_record rec;
	struct kt_cells c;

	assert_int_equal(kt_reader_next(l.reader, &rec, NULL), 1);
	assert_int_equal(kt_text_cells(l.text, &rec, NULL, l.out, &c), -EINVAL);
	lines_close(&l);
}

TEST(names_are_learned_slice_by_slice)
{
	struct kt_trace *t = oracle_trace(kt_data("6.12-events.dat")), *whole;
	int pid, slices = 0, unknown = 0;

	assert_string_equal(kt_trace_comm_known(t, 0, 0), "<idle>");
	for (pid = 1; pid < 5000; pid++)
		kt_trace_comm_known(t, 0, pid);
	while (kt_trace_learn_comms(t, 0))
		slices++;
	whole = oracle_trace(kt_data("6.12-events.dat"));
	for (pid = 1; pid < 5000; pid++) {
		assert_string_equal(kt_trace_comm_known(t, 0, pid), kt_trace_comm(whole, 0, pid));
		unknown += strcmp(kt_trace_comm_known(t, 0, pid), "<...>") == 0;
	}
	assert_true(slices > 0);
	assert_true(unknown < 4999);
	assert_int_equal(kt_trace_learn_comms(t, 0), 0);
	kt_trace_destroy(whole);
	kt_trace_destroy(t);
}

int main(void)
{
	return RUN(unit(cells_say_what_the_line_says),
		   unit(cells_know_how_calls_are_folded),
		   unit(cells_are_for_lines_without_colours),
		   unit(names_are_learned_slice_by_slice));
}
