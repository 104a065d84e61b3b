/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect.h - shared by the files of `ktrail bisect` */
#ifndef CMD_BISECT_H
#define CMD_BISECT_H

#include "base/json.h"
#include "figures.h"

struct bisect_args {
	struct choose choose;		/* empty: all of a recording counts */
	struct kt_metric *metric;
	struct str metric_text;		/* all --metric, joined by "and" */
	struct kt_names record;		/* arguments of `ktrail record`: of the metric, and -e … */
	const char *output, *name, *vm, *ssh;
	uint64_t repeat;		/* runs, at most */
	struct kt_sequential rule;
};

/* bisect_run.c */

struct bisect_run {
	int status;			/* result: exit status of COMMAND */
	int signal;			/* result: a signal that ended us; 0: none */
	bool has_file;			/* result: there is a recording */
};

/* Record COMMAND into @path, here or as --vm and --ssh say. 0 or a negative errno */
int bisect_record(const struct bisect_args *a, const char *path, char **command,
		  struct bisect_run *r, struct kt_err *err);
/* Run this program again, as `ktrail WORDS…`; ends with NULL. Its status, or a negative errno */
int bisect_run_self(const char *const *words, struct kt_err *err);

/* bisect_git.c: each is new (free), NULL: git does not know */
char *bisect_git_dir(void);
char *bisect_git_head(void);
char *bisect_git_describe(const char *commit);
/* The text of `git bisect log`; NULL: no bisection */
char *bisect_git_log(void);
/*
 * Is one commit left with this verdict on HEAD? Then its name and its parent's name, both new
 * (free). False: several are left, or git does not know
 */
bool bisect_git_is_over(enum kt_verdict head, char **first_bad, char **last_good);

/* bisect_steps.c: the folder with all steps */

struct bisect_step {
	char *commit;			/* "": not in a git repository */
	char *name;			/* also of its folder */
	enum kt_verdict verdict;
	uint64_t runs, failed, unknown;
	char *values;			/* medians, as text */
};

void bisect_step_fini(struct bisect_step *s);
/* The folder of --output, or its default; created if needed. New (free), NULL with @err set */
char *bisect_folder(const struct bisect_args *a, struct kt_err *err);
/* Set commit and name. 0 or a negative errno */
int  bisect_step_name(struct bisect_step *s, const struct bisect_args *a, const char *folder,
		      struct kt_err *err);
int  bisect_step_keep(const struct bisect_step *s, const struct bisect_args *a,
		      const char *folder, struct kt_err *err);
/* A table of all steps of this bisection */
int  bisect_print_steps(const struct bisect_args *a, const char *folder, struct kt_err *err);
/* After the bisection: the differences between the last good and the first bad commit */
int  bisect_print_end(const struct bisect_step *s, const struct bisect_args *a,
		      const char *folder, struct kt_err *err);

#endif
