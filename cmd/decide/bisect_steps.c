/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_steps.c - the folder of a bisection: a recording of each run, and a line for each step */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bisect.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "cmd/print/safe.h"

#define LIST "steps"		/* the file with a line for each step */
#define FIELDS 8

void bisect_step_fini(struct bisect_step *s)
{
	free(s->commit);
	free(s->name);
	free(s->values);
}

static int make_folder(const char *path, struct kt_err *err)
{
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		return kt_err_set(err, -errno, "%s: %s", path, strerror(errno));
	return 0;
}

char *bisect_folder(const struct bisect_args *a, struct kt_err *err)
{
	char *git = a->output ? NULL : bisect_git_dir();
	struct str path = STR_INIT;

	if (git)
		str_addf(&path, "%s/ktrail-bisect", git);
	else
		str_add(&path, a->output ? a->output : "ktrail-bisect");
	free(git);
	if (path.failed)
		kt_err_no_memory(err);
	else if (make_folder(path.buf, err) == 0)
		return str_take(&path);
	str_fini(&path);
	return NULL;
}

/* ---- the list ---- */

/* Separated by tabs: commit, name, verdict, runs, failed, unknown, values, metric */
static bool parse_line(char *line, struct bisect_step *s, const char **metric)
{
	static const char *const words[] = { "holds", "fails", "unknown" };
	char *field[FIELDS];
	size_t i;

	for (i = 0; i < FIELDS && line; i++)
		field[i] = strsep(&line, "\t");
	if (i < FIELDS || line)
		return false;
	*s = (struct bisect_step){
		.commit = field[0], .name = field[1], .verdict = KT_VERDICT_UNKNOWN,
		.runs = strtoull(field[3], NULL, 10), .failed = strtoull(field[4], NULL, 10),
		.unknown = strtoull(field[5], NULL, 10), .values = field[6],
	};
	for (i = 0; i < 3; i++)
		if (strcmp(field[2], words[i]) == 0)
			s->verdict = (enum kt_verdict)i;
	*metric = field[7];
	return true;
}

/* Steps of this metric, with strings in @text; a repeated step occurs once */
static struct bisect_step *parse_list(char *text, const struct bisect_args *a, size_t *nr)
{
	struct bisect_step *steps = calloc(strlen(text) / FIELDS + 1, sizeof(*steps)), one;
	const char *metric;
	char *line;
	size_t i;

	*nr = 0;
	while (steps && (line = strsep(&text, "\n"))) {
		if (!parse_line(line, &one, &metric) || strcmp(metric, a->metric_text.buf) != 0)
			continue;
		for (i = 0; i < *nr && strcmp(steps[i].name, one.name) != 0; i++)
			;
		*nr += i == *nr;
		steps[i] = one;
	}
	return steps;
}

static int read_list(struct str *text, const char *folder, struct kt_err *err)
{
	struct str path = STR_INIT;
	int ret;

	str_addf(&path, "%s/" LIST, folder);
	ret = path.failed ? -ENOMEM : str_read_file(text, path.buf);
	if (ret == -ENOENT)
		ret = 0;
	if (ret < 0)
		kt_err_set(err, ret, "%s: %s", path.buf, strerror(-ret));
	str_fini(&path);
	return ret;
}

static int append(const char *path, const char *text, struct kt_err *err)
{
	FILE *f = fopen(path, "ae");
	bool ok = f && fputs(text, f) >= 0;

	if (f && fclose(f) != 0)
		ok = false;
	return ok ? 0 : kt_err_set(err, -errno, "%s: %s", path, strerror(errno));
}

int bisect_step_keep(const struct bisect_step *s, const struct bisect_args *a,
		     const char *folder, struct kt_err *err)
{
	struct str path = STR_INIT, line = STR_INIT;
	int ret;

	str_addf(&path, "%s/" LIST, folder);
	str_addf(&line, "%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\n", s->commit,
		 s->name, figures_word(s->verdict), s->runs, s->failed, s->unknown, s->values,
		 a->metric_text.buf);
	ret = path.failed || line.failed ? kt_err_no_memory(err) : append(path.buf, line.buf, err);
	str_fini(&path);
	str_fini(&line);
	return ret;
}

/* ---- a step ---- */

/* A name of a file: tags of git may have '/', and a name may not begin with '.' */
static void make_plain(char *name)
{
	if (*name == '.')
		*name = '_';
	for (; *name; name++)
		if (strchr("/\t\n\\", *name) || (unsigned char)*name < ' ')
			*name = '-';
}

static char *count_name(const struct bisect_args *a, const char *folder)
{
	struct str text = STR_INIT;
	struct bisect_step *steps;
	char *name = NULL;
	size_t nr = 0;

	if (read_list(&text, folder, NULL) == 0) {
		steps = parse_list(text.buf, a, &nr);
		free(steps);
	}
	str_fini(&text);
	return asprintf(&name, "step-%zu", nr + 1) < 0 ? NULL : name;
}

int bisect_step_name(struct bisect_step *s, const struct bisect_args *a, const char *folder,
		     struct kt_err *err)
{
	struct str path = STR_INIT;
	int ret;

	s->commit = bisect_git_head();
	if (a->name)
		s->name = strdup(a->name);
	else if (s->commit)
		s->name = bisect_git_describe(s->commit);
	if (!s->name)
		s->name = count_name(a, folder);
	if (!s->commit)
		s->commit = strdup("");
	if (!s->name || !s->commit)
		return kt_err_no_memory(err);
	make_plain(s->name);
	str_addf(&path, "%s/%s", folder, s->name);
	ret = path.failed ? kt_err_no_memory(err) : make_folder(path.buf, err);
	str_fini(&path);
	return ret;
}

/* ---- all steps ---- */

static const char *word_of(enum kt_verdict v)
{
	static const char *const words[] = {
		[KT_VERDICT_HOLDS] = "good", [KT_VERDICT_FAILS] = "bad",
		[KT_VERDICT_UNKNOWN] = "cannot tell",
	};

	return words[v];
}

int bisect_print_steps(const struct bisect_args *a, const char *folder, struct kt_err *err)
{
	struct columns c = { .head = "COMMIT|RUNS>|FAILED>|UNKNOWN>|MEDIAN>|VERDICT" };
	struct str text = STR_INIT;
	char *log = bisect_git_log();
	struct bisect_step *steps;
	size_t nr = 0, i;
	int ret = read_list(&text, folder, err);

	steps = ret == 0 ? parse_list(text.buf, a, &nr) : NULL;
	for (i = 0; i < nr; i++) {
		/* git's log does not have the last one yet. */
		if (log && i + 1 < nr && *steps[i].commit && !strstr(log, steps[i].commit))
			continue;
		columns_add(&c, steps[i].name);
		columns_addf(&c, "%" PRIu64, steps[i].runs);
		columns_addf(&c, "%" PRIu64, steps[i].failed);
		columns_addf(&c, "%" PRIu64, steps[i].unknown);
		columns_add(&c, steps[i].values);
		columns_add(&c, word_of(steps[i].verdict));
	}
	if (ret == 0 && (!steps || columns_print(&c, NULL) < 0))
		ret = kt_err_no_memory(err);
	columns_fini(&c);
	free(steps);
	free(log);
	str_fini(&text);
	return ret;
}

/* ---- the end ---- */

/* "-a FILE" for each recording of a step; returns how many */
static size_t add_files(struct kt_names *argv, const char *option, const char *folder,
			const struct bisect_step *s)
{
	struct str path = STR_INIT;
	size_t nr = 0;
	uint64_t i;

	for (i = 1; i <= s->runs; i++) {
		str_reset(&path);
		str_addf(&path, "%s/%s/%" PRIu64 ".dat", folder, s->name, i);
		if (access(path.buf, R_OK) != 0)
			continue;
		kt_names_add(argv, option);
		kt_names_add(argv, path.buf);
		nr++;
	}
	str_fini(&path);
	return nr;
}

static const struct bisect_step *find(const struct bisect_step *steps, size_t nr,
				      const char *commit)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (strcmp(steps[i].commit, commit) == 0)
			return &steps[i];
	return NULL;
}

static int print_diff(const struct bisect_step *good, const struct bisect_step *bad,
		      const char *folder, struct kt_err *err)
{
	struct kt_names argv = { 0 };
	size_t i, nr;
	int ret = 0;

	/* Each run records a command that ends by itself. */
	kt_names_add(&argv, "diff");
	kt_names_add(&argv, "--per");
	kt_names_add(&argv, "recording");
	nr = add_files(&argv, "-a", folder, good);
	if (!nr || !add_files(&argv, "-b", folder, bad)) {
		kt_names_fini(&argv);
		return 0;
	}
	printf("\nThe last good and the first bad commit:\n%s", cmd_program);
	for (i = 0; i < argv.nr; i++) {
		putchar(' ');
		safe_put(argv.names[i]);
	}
	putchar('\n');
	if (cmd_find("diff"))
		ret = bisect_run_self((const char *const *)argv.names, err);
	kt_names_fini(&argv);
	return ret < 0 ? ret : 0;
}

int bisect_print_end(const struct bisect_step *s, const struct bisect_args *a,
		     const char *folder, struct kt_err *err)
{
	char *first_bad, *last_good;
	const struct bisect_step *good, *bad;
	struct bisect_step *steps = NULL;
	struct str text = STR_INIT;
	size_t nr = 0;
	int ret = 0;

	if (bisect_git_is_over(s->verdict, &first_bad, &last_good)) {
		ret = read_list(&text, folder, err);
		steps = ret == 0 ? parse_list(text.buf, a, &nr) : NULL;
		good = find(steps, nr, last_good);
		bad = find(steps, nr, first_bad);
		if (good && bad)
			ret = print_diff(good, bad, folder, err);
		else if (steps)
			printf("\n%.12s was never recorded: check it out and run this again, to "
			       "see what differs\n", good ? first_bad : last_good);
	}
	free(first_bad);
	free(last_good);
	free(steps);
	str_fini(&text);
	return ret;
}
