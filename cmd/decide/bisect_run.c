/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_run.c - one recording of the workload: here, over ssh, or in a virtual machine */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bisect.h"
#include "cmd/record/record.h"

/*
 * Run @argv until it ends. Signals are passed on, since a recorder must restore its settings. 0
 * or a negative errno
 */
static int run_until_end(char **argv, int stdout_fd, struct bisect_run *r, struct kt_err *err)
{
	struct child c = CHILD_INIT;
	struct record_wait w = { .child = &c, .signal_fd = record_catch_signals(err) };
	int ret;

	if (w.signal_fd < 0)
		return w.signal_fd;
	c.stdout_fd = stdout_fd;
	ret = child_spawn(&c, argv, NULL, err);
	if (ret == 0)
		ret = child_go(&c, err);
	if (ret == 0)
		ret = record_wait(&w, err);
	record_end_command(&w);
	child_fini(&c);
	close(w.signal_fd);
	r->status = w.child_status;
	r->signal = w.signal;
	return ret < 0 ? ret : 0;
}

int bisect_run_self(const char *const *words, struct kt_err *err)
{
	struct kt_names argv = { 0 };
	struct bisect_run r = { 0 };
	int ret = kt_names_add(&argv, "/proc/self/exe");

	for (; *words && ret == 0; words++)
		ret = kt_names_add(&argv, *words);
	fflush(stdout);
	ret = ret < 0 ? kt_err_no_memory(err) : run_until_end(argv.names, -1, &r, err);
	kt_names_fini(&argv);
	return ret < 0 ? ret : r.status;
}

/*
 * `record … -o PATH -- COMMAND`. Events that this kernel lacks are skipped (-i): others of their
 * kind may exist.
 */
static int add_record_words(const struct bisect_args *a, const char *path, char **command,
			    struct kt_names *argv)
{
	const char *const first[] = { "record", "-q", "-i", "-B", "auto", "-o", path };
	size_t i;
	int ret = 0;

	for (i = 0; i < sizeof(first) / sizeof(*first) && ret == 0; i++)
		ret = kt_names_add(argv, first[i]);
	for (i = 0; i < a->record.nr && ret == 0; i++)
		ret = kt_names_add(argv, a->record.names[i]);
	if (ret == 0)
		ret = kt_names_add(argv, "--");
	for (; *command && ret == 0; command++)
		ret = kt_names_add(argv, *command);
	return ret;
}

static int record_here(const struct bisect_args *a, const char *path, char **command,
		       struct bisect_run *r, struct kt_err *err)
{
	struct kt_names argv = { 0 };
	int ret = kt_names_add(&argv, "/proc/self/exe");

	if (ret == 0)
		ret = add_record_words(a, path, command, &argv);
	ret = ret < 0 ? kt_err_no_memory(err) : run_until_end(argv.names, -1, r, err);
	kt_names_fini(&argv);
	return ret;
}

/* ---- on another machine ---- */

/* As one word of a shell */
static void add_word(struct str *s, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_./:=,+@";

	str_addc(s, ' ');
	if (*word && strspn(word, plain) == strlen(word)) {
		str_add(s, word);
		return;
	}
	str_addc(s, '\'');
	for (; *word; word++)
		if (*word == '\'')
			str_add(s, "'\\''");
		else
			str_addc(s, *word);
	str_addc(s, '\'');
}

/* One line of shell, whose stdout is the recording and whose status is that of COMMAND */
static char *make_line(const struct bisect_args *a, char **command)
{
	struct kt_names words = { 0 };
	struct str s = STR_INIT;
	size_t i;

	str_add(&s, "ktrail");
	if (add_record_words(a, "-", command, &words) < 0)
		s.failed = true;
	for (i = 0; i < words.nr; i++)
		add_word(&s, words.names[i]);
	kt_names_fini(&words);
	return str_take(&s);
}

static int record_elsewhere(const struct bisect_args *a, const char *path, char **command,
			    struct bisect_run *r, struct kt_err *err)
{
	char *line = make_line(a, command), *vm = NULL;
	char *ssh_argv[] = { "ssh", "-n", (char *)a->ssh, line, NULL };
	char *vm_argv[] = { "sh", "-c", NULL, "sh", line, NULL };
	int fd, ret = 0;

	if (!line || (a->vm && asprintf(&vm, "%s \"$@\"", a->vm) < 0)) {
		free(line);
		return kt_err_no_memory(err);
	}
	vm_argv[2] = vm;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		ret = kt_err_set(err, -errno, "%s: %s", path, strerror(errno));
	else
		ret = run_until_end(a->ssh ? ssh_argv : vm_argv, fd, r, err);
	if (fd >= 0)
		close(fd);
	free(vm);
	free(line);
	return ret;
}

int bisect_record(const struct bisect_args *a, const char *path, char **command,
		  struct bisect_run *r, struct kt_err *err)
{
	struct stat st;
	int ret;

	*r = (struct bisect_run){ 0 };
	ret = a->vm || a->ssh ? record_elsewhere(a, path, command, r, err)
			      : record_here(a, path, command, r, err);
	r->has_file = ret == 0 && stat(path, &st) == 0 && st.st_size;
	return ret;
}
