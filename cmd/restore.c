/* SPDX-License-Identifier: GPL-2.0-or-later */
/* restore.c - `ktrail restore`: finish a recording that was interrupted */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ktrail/copy.h>

#include "cmd.h"

struct args {
	const char *output, *partial;
};

static const struct cmd_opt opts[] = {
	OPT_STR('o', "output", struct args, output, "file", "write here, leave the input as it is"),
	OPT_STR('i', "input", struct args, partial, "file", "meta data of trace-cmd's per-CPU files"),
	OPT_END
};

static void say_damage(const struct kt_file *in, const struct kt_copy *copy)
{
	size_t i;

	for (i = 0; kt_file_damage(in, i); i++)
		fprintf(stderr, "%s restore: %s\n", cmd_program, kt_file_damage(in, i));
	if (copy->nr_damaged)
		fprintf(stderr, "%s restore: %" PRIu64 " damaged pieces were left out\n",
			cmd_program, copy->nr_damaged);
}

/* Ours, or any file that lost its end: what can be read becomes a whole file */
static int restore_file(const struct args *a, const char *path, struct kt_err *err)
{
	const char *output = a->output ? a->output : path;
	struct kt_copy copy = { 0 };
	struct kt_file *in = kt_file_open(path, err);
	int ret;

	if (!in)
		return err->code;
	ret = kt_copy_file(in, output, NULL, &copy, err);
	if (ret == 0) {
		say_damage(in, &copy);
		printf("%s is complete\n", output);
	}
	kt_file_close(in);
	if (ret == 0 && strcmp(output, path) == 0)
		kt_copy_remove_parts(path);
	return ret;
}

/* One of trace-cmd's temporary files: bare sub-buffers */
static int add_cpu_file(struct kt_writer *w, const char *path, int buffer, int cpu, size_t page,
			struct kt_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
	struct stat st;
	void *map;

	if (fd < 0 || fstat(fd, &st) < 0) {
		ret = kt_err_set(err, -errno, "cannot open %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return ret;
	}
	st.st_size -= st.st_size % (off_t)page;
	ret = kt_writer_begin_cpu(w, buffer, cpu, err);
	if (ret == 0 && st.st_size) {
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map == MAP_FAILED) {
			ret = kt_err_set(err, -errno, "cannot map %s: %s", path, strerror(errno));
		} else {
			ret = kt_writer_data(w, map, (size_t)st.st_size, err);
			munmap(map, (size_t)st.st_size);
		}
	}
	close(fd);
	return ret;
}

static int write_cpu_files(const struct args *a, struct kt_file *in, struct kt_writer *w, int nr,
			   char **paths, struct kt_err *err)
{
	struct kt_writer_buffer buf = {
		.name = "", .clock = "local", .page_size = kt_file_info(in)->page_size,
		.nr_cpus = (uint32_t)nr,
	};
	int ret = kt_copy_meta(w, in, err), buffer, i;

	(void)a;
	if (ret < 0)
		return ret;
	buffer = ret = kt_writer_add_buffer(w, &buf, err);
	for (i = 0; ret >= 0 && i < nr; i++)
		ret = add_cpu_file(w, paths[i], buffer, i, buf.page_size, err);
	return ret < 0 ? ret : kt_writer_finish(w, err);
}

static int restore_cpu_files(const struct args *a, int nr, char **paths, struct kt_err *err)
{
	const char *output = a->output ? a->output : "trace.dat";
	struct kt_writer_opts o = { .version = 7 };
	struct kt_file *in = kt_file_open(a->partial, err);
	struct kt_writer *w;
	int ret;

	if (!in)
		return err->code;
	kt_copy_opts(in, &o);
	w = kt_writer_create(output, &o, err);
	ret = w ? write_cpu_files(a, in, w, nr, paths, err) : err->code;
	kt_writer_close(w);
	kt_file_close(in);
	if (ret == 0)
		printf("%s is complete\n", output);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;

	if (a->partial && argc)
		return restore_cpu_files(a, argc, argv, err);
	if (argc > 1 || (argc && a->partial))
		return cmd_misuse(err, "one file at a time, not '%s' too", argv[argc - 1]);
	return restore_file(a, argc ? argv[0] : a->partial ? a->partial : "trace.dat", err);
}

const struct cmd cmd_restore = {
	.name      = "restore",
	.summary   = "finish a recording that was interrupted",
	.usage     = "[-o <file>] [<file>] | -i <partial> [-o <file>] <cpu-file>…",
	.examples  = "  ktrail restore                  trace.dat, after the recorder was killed\n"
		     "  ktrail restore -o good.dat cut.dat   what is intact of a damaged file\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.run       = run,
};
