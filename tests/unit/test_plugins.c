/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plugins.c - the text of each shipped plugin for records of real event formats */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <ktrail/event.h>

#include "base/out.h"
#include "base/str.h"
#include "kt_formats.h"
#include "kt_pretty.h"
#include "kt_test.h"

/* libtraceevent leaks two bytes when it refuses a format. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:tep_parse_format";
}

#define GOLDEN "tests/golden/plugins"

/*
 * A golden file for each plugin: lines "system/event field=value …" describe records;
 * each is followed by an indented line, the plugin's text and its columns. Lines
 * "on KERNEL MACHINE" choose the formats in tests/data. KT_GOLDEN=update rewrites the files.
 */
struct golden {
	struct kt_pretty *pretty;
	char kernel[40], machine[40];
};

static void choose_kernel(struct golden *g, const char *kernel, const char *machine)
{
	char path[100];

	if (strcmp(g->kernel, kernel)) {
		if (g->pretty)
			kt_pretty_close(g->pretty);
		snprintf(path, sizeof(path), "tests/data/formats-%s.zst", kernel);
		g->pretty = kt_pretty_open(path);
	}
	strcpy(g->kernel, kernel);
	strcpy(g->machine, machine);
	g->pretty->machine = g->machine;
}

static void add_columns(struct golden *g, const struct kt_event *ev, const char *fields,
			struct str *out)
{
	static const char *const kinds[] = { "number", "ns", "bytes", "address", "ns", "bytes" };
	const struct kt_column *c;
	struct kt_record rec;
	struct kt_made m;
	uint64_t value;
	size_t i;

	rec = kt_pretty_record(&m, ev, fields);
	for (i = 0; (c = plug_column(g->pretty->view, ev, i)); i++) {
		assert_int_equal(plug_column_value(g->pretty->view, ev, &rec, i, &value), 0);
		str_addf(out, "\t[%s: %" PRId64 " %s]\n", c->name, (int64_t)value, kinds[c->kind]);
	}
}

static void add_record(struct golden *g, const char *line, struct str *out)
{
	const char *blank = strchr(line, ' '), *fields = blank ? blank + 1 : "";
	char name[200];
	char *text;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, " "), line);
	text = kt_pretty_text(g->pretty, name, fields);
	str_addf(out, "\t%s\n", text ? text : "(nothing)");
	free(text);
	add_columns(g, kt_pretty_event(g->pretty, name), fields, out);
}

/* The lines of a golden file with the present texts of the plugins */
static char *answer(const char *golden)
{
	struct golden g = { .pretty = NULL };
	char *copy = strdup(golden), *line, *save = NULL, kernel[40], machine[40];
	struct str out = STR_INIT;

	choose_kernel(&g, "6.12", "x86_64");
	for (line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (*line == '\t')
			continue;
		str_addf(&out, "%s\n", line);
		if (sscanf(line, "on %39s %39s", kernel, machine) == 2)
			choose_kernel(&g, kernel, machine);
		else
			add_record(&g, line, &out);
		if (kt_plugins_complaint(g.pretty->plugins, 0))
			fail_msg("%s", kt_plugins_complaint(g.pretty->plugins, 0));
	}
	kt_pretty_close(g.pretty);
	free(copy);
	return str_take(&out);
}

static void check_golden(const char *plugin)
{
	const char *update = getenv("KT_GOLDEN");
	char path[300], *golden, *have;
	size_t size;

	snprintf(path, sizeof(path), GOLDEN "/%s", plugin);
	golden = kt_slurp(path, &size);
	have = answer(golden);
	if (update && !strcmp(update, "update"))
		kt_spill(path, have, (size_t)-1);
	else
		assert_string_equal(have, golden);
	free(have);
	free(golden);
}

static int is_source(const struct dirent *d)
{
	const char *dot = strrchr(d->d_name, '.');

	return dot && !strcmp(dot, ".c");
}

TEST(each_plugin_says_what_its_golden_file_has)
{
	struct dirent **names;
	int nr = scandir("plugins", &names, is_source, alphasort), i;

	assert_true(nr >= 17);
	for (i = 0; i < nr; i++) {
		*strrchr(names[i]->d_name, '.') = '\0';
		check_golden(names[i]->d_name);
		free(names[i]);
	}
	free(names);
}

/* "timer/hrtimer_init hrtimer=0x1000 …": is one of the lines about such an event? */
static bool has_line(const char *golden, const char *pattern)
{
	const char *line = golden, *end;
	char name[200], event[200];
	struct kt_event ev = { .system = name };

	for (; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		if (sscanf(line, "%199[^/ ]/%199[^ \n]", name, event) != 2)
			continue;
		ev.name = event;
		if (plug_event_matches(pattern, &ev))
			return true;
	}
	return false;
}

TEST(each_phrase_is_about_an_event_with_golden_text)
{
	struct kt_pretty *p = kt_pretty_open("tests/data/formats-6.12.zst");
	const struct kt_phrase *ph;
	struct kt_plugin_info info;
	char path[300], *golden;
	size_t i, size, bad = 0;

	for (i = 0; i < kt_plugins_nr(p->plugins); i++) {
		kt_plugins_at(p->plugins, i, &info);
		snprintf(path, sizeof(path), GOLDEN "/%s", info.name);
		golden = kt_slurp(path, &size);
		for (ph = info.plugin->phrases; ph && ph->event; ph++)
			if (!has_line(golden, ph->event)) {
				print_error("%s: nothing for %s\n", path, ph->event);
				bad++;
			}
		free(golden);
	}
	kt_pretty_close(p);
	assert_int_equal(bad, 0);
}

/* Each event of the kernel, with boundary values, whole and cut at every length. */
TEST(no_record_makes_a_plugin_crash_or_complain)
{
	struct kt_out *out = kt_out_create();
	uint8_t *buf = malloc(65536), *copy;
	unsigned int seed;
	size_t i, nr = 0;
	struct kt_pretty *p = kt_pretty_open("tests/data/formats-6.12.zst");

	for (i = 0; i < kt_events_nr(p->events); i++) {
		const struct kt_event *ev = kt_events_at(p->events, i);

		for (seed = 0; ev && seed < 6; seed++) {
			struct kt_record rec = kt_formats_record(ev, seed, false, buf);

			rec.type = ev->id;
			if (seed >= 3)
				rec.size = rec.size * (seed - 3) / 3;
			/* own block: an over-read is detected */
			copy = malloc(rec.size ? rec.size : 1);
			memcpy(copy, rec.data, rec.size);
			rec.data = copy;
			kt_out_reset(out);
			nr += plug_format(p->view, ev, &rec, out);
			free(copy);
		}
	}
	assert_true(nr > 3000);
	free(buf);
	kt_out_destroy(out);
	kt_pretty_close(p);
}

static void expect_no_plugins(const struct kt_plugins_opts *opts, int code, const char *says)
{
	struct kt_err err = { 0 };

	assert_null(kt_plugins_open(opts, &err));
	assert_int_equal(err.code, code);
	if (!strstr(err.msg, says))
		fail_msg("'%s' is not in '%s'", says, err.msg);
}

TEST(what_is_asked_for_and_cannot_be_loaded_has_a_code)
{
	const char *words[] = { NULL, NULL };

	words[0] = "/no/such/plugin.so";
	expect_no_plugins(&(struct kt_plugins_opts){ .paths = words }, -ENOENT, "/no/such/plugin.so");
	words[0] = "nosuchplugin";
	expect_no_plugins(&(struct kt_plugins_opts){ .only = words }, -ENOENT, "nosuchplugin");
	words[0] = "nosuchoption";
	expect_no_plugins(&(struct kt_plugins_opts){ .options = words }, -ENOENT, "nosuchoption");
	words[0] = kt_tmp("text.so");
	kt_spill(words[0], "text", 4);
	chmod(words[0], 0644);
	expect_no_plugins(&(struct kt_plugins_opts){ .paths = words }, -EINVAL, "text.so");
	chmod(words[0], 0666);
	expect_no_plugins(&(struct kt_plugins_opts){ .paths = words }, -EACCES, "text.so");
}

int main(void)
{
	return RUN(unit(what_is_asked_for_and_cannot_be_loaded_has_a_code),
		   unit(each_plugin_says_what_its_golden_file_has),
		   unit(each_phrase_is_about_an_event_with_golden_text),
		   unit(no_record_makes_a_plugin_crash_or_complain));
}
