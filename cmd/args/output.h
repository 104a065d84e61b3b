/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - output files: an existing trace is only replaced if the user agrees */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>

#include "cmd/cmd.h"

#define OUTPUT_FORCE(type, member) \
	OPT_BOOL('f', "force", type, member, "replace an existing file")

/**
 * output_check - may a trace be written to @path?
 * @force: -f was given
 *
 * If the file is not empty, asks on a terminal, and refuses elsewhere. A drop-in replaces any
 * file, as trace-cmd does. 0, -EEXIST, or CMD_MISUSE for "-".
 */
int output_check(const char *path, bool force, struct kt_err *err);

/* The same for a text, which replaces other files as a shell does, but not a trace: 0 or -EEXIST */
int output_check_text(const char *path, struct kt_err *err);

/* For outputs that must be files: "-" is refused. 0 or CMD_MISUSE */
int output_check_name(const char *path, struct kt_err *err);

/* output_pipe.c: "-" is standard output */
struct output_pipe {
	int   fd;		/* standard output, -1: a file was chosen */
	struct kt_temp *dir;
	char *path;			/* in @dir */
};
#define OUTPUT_PIPE_INIT { .fd = -1 }

/* May a trace be written to stdout? 0 or CMD_MISUSE */
int output_pipe_check(struct kt_err *err);

/**
 * output_pipe_begin - if *@path is "-", write the trace to a temporary file
 *
 * Sets *@path. Later output goes to stderr, also that of commands that are started. 0, -errno
 * or CMD_MISUSE (stdout is a terminal); call output_pipe_end() in any case.
 */
int output_pipe_begin(struct output_pipe *p, const char **path, struct kt_err *err);

/* Copies what was written to standard output. Returns @ret, or the error of copying */
int output_pipe_end(struct output_pipe *p, int ret, struct kt_err *err);

/*
 * Write a text to @path, replacing a file only when the new one is complete. The target of a link
 * is replaced, not the link; to a pipe or a device the text is written directly. 0 or a negative
 * errno
 */
struct str;
int output_put_text(const char *path, const struct str *s);

#endif
