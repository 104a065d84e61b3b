/* SPDX-License-Identifier: GPL-2.0-or-later */
/* restore.c - `ktrail restore`: finish a recording that was interrupted */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ktrail/rec.h>
#include <ktrail/tracefs.h>
#include <ktrail/writer.h>

#include "base/str.h"
#include "cmd/args/output.h"
#include "cmd/print/progress.h"
#include "cmd/print/safe.h"
#include "cmd/style.h"

struct args {
	const char *output, *partial, *dir, *kallsyms;
	bool create, force;
};

static const struct cmd_opt opts[] = {
	OPT_STR('o', "output", struct args, output, "file", "write to this file, keep the input"),
	OUTPUT_FORCE(struct args, force),
	OPT_STR('i', "input", struct args, partial, "file",
		"read formats of per-CPU files from this file"),
	OPT_BOOL('c', "create", struct args, create,
		 "write only the formats and symbols of this machine"),
	OPT_STR('t', "tracing-dir", struct args, dir, "dir",
		"describe this copy of a tracefs, not this machine"),
	OPT_STR('k', "kallsyms", struct args, kallsyms, "file",
		"use these symbols, not those of this machine"),
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

static void say_complete(const char *output)
{
	safe_put(output);
	printf(" is complete\n");
}

/* Is @path an unfinished recording, with parts next to the file that a link points to? */
static bool has_parts(const char *path)
{
	static const char *const suffixes[] = { "part0", "parts" };
	char *real = realpath(path, NULL);
	struct str name = STR_INIT;
	bool has = false;
	size_t i;

	for (i = 0; real && !has && i < 2; i++) {
		str_reset(&name);
		str_addf(&name, "%s.%s", real, suffixes[i]);
		has = !name.failed && access(name.buf, F_OK) == 0;
	}
	str_fini(&name);
	free(real);
	return has;
}

/* An unfinished recording, or any truncated file: its readable part becomes a complete file */
static int restore_file(const struct args *a, const char *path, struct kt_err *err)
{
	const char *output = a->output ? a->output : path;
	struct progress progress;
	struct kt_copy copy = { .progress = progress_of_copy, .progress_data = &progress };
	struct kt_file *in = kt_file_open(path, err);
	int ret;

	if (!in)
		return err->code;
	ret = a->output || !has_parts(path) ? output_check(output, a->force, err) : 0;
	if (ret < 0)
		goto out;
	progress_begin(&progress, "restore");
	ret = kt_copy_file(in, output, NULL, &copy, err);
	progress_end(&progress);
	if (ret < 0)
		goto out;
	say_damage(in, &copy);
	say_complete(output);
	if (strcmp(output, path) == 0)
		kt_copy_remove_parts(path);
out:
	kt_file_close(in);
	return ret;
}

/* A temporary file of trace-cmd: sub-buffers without formats */
static int add_cpu_file(struct kt_writer *w, const char *path, int buffer, int cpu, size_t page,
			struct kt_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
	struct stat st;
	void *map;

	if (fd < 0 || fstat(fd, &st) < 0) {
		ret = kt_err_set_kind(err, KT_ERR_NO_INPUT, -errno, "cannot open %s: %s", path,
				      strerror(errno));
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

static int write_cpu_files(struct kt_file *in, struct kt_writer *w, int nr,
			   char **paths, struct kt_err *err)
{
	struct kt_writer_buffer buf = {
		.name = "", .clock = "local", .page_size = kt_file_info(in)->page_size,
		.nr_cpus = (uint32_t)nr,
	};
	int ret = kt_copy_meta(w, in, err), buffer, i;

	if (ret < 0)
		return ret;
	buffer = ret = kt_writer_add_buffer(w, &buf, err);
	for (i = 0; ret >= 0 && i < nr; i++)
		ret = add_cpu_file(w, paths[i], buffer, i, buf.page_size, err);
	return ret < 0 ? ret : kt_writer_finish(w, err);
}

static int restore_cpu_files(const struct args *a, const char *partial, int nr, char **paths,
			     struct kt_err *err)
{
	const char *output = a->output ? a->output : "trace.dat";
	struct kt_writer_opts o = { .version = 7 };
	struct kt_file *in = kt_file_open(partial, err);
	struct kt_writer *w;
	struct stat st;
	int ret, i;

	if (!in) {
		err->kind = KT_ERR_OTHER;	/* this is not data */
		return kt_err_wrap(err, err->code, "-i");
	}
	kt_copy_opts(in, &o);
	for (i = 0; i < nr; i++)
		if (stat(paths[i], &st) == 0)
			o.mode &= st.st_mode | 0600;
	w = kt_writer_create(output, &o, err);
	ret = w ? write_cpu_files(in, w, nr, paths, err) : err->code;
	kt_writer_close(w);
	kt_file_close(in);
	if (ret == 0)
		say_complete(output);
	return ret;
}

static int describe(const struct args *a, const char *path, struct kt_err *err)
{
	const struct kt_rec_opts o = {
		.kallsyms = KT_REC_KALLSYMS_ALL, .kallsyms_path = a->kallsyms,
	};

	if (a->dir && kt_tracefs_set_dir(a->dir) < 0)
		return kt_err_set(err, -ENAMETOOLONG, "-t: a path of %zu bytes is too long",
				  strlen(a->dir));
	return kt_rec_describe(path, &o, err);
}

static int create(const struct args *a, struct kt_err *err)
{
	const char *output = a->output ? a->output : "trace-partial.dat";
	int ret = output_check(output, a->force, err);

	if (ret == 0)
		ret = describe(a, output, err);
	if (ret < 0 || !cmd_style->advises)
		return ret;
	safe_put(output);
	printf(" describes this machine: use it with restore -i\n");
	return 0;
}

/* The recording was made on this machine: its formats are still available. */
static int restore_of_here(const struct args *a, int nr, char **paths, struct kt_err *err)
{
	char *partial;
	int ret;

	if (asprintf(&partial, "%s.partial", a->output ? a->output : "trace.dat") < 0)
		return kt_err_no_memory(err);
	ret = describe(a, partial, err);
	if (ret == 0) {
		ret = restore_cpu_files(a, partial, nr, paths, err);
		unlink(partial);
	}
	free(partial);
	return ret;
}

/*
 * Sub-buffers only: complete pages, each with a valid time and length. An empty one belongs to a
 * CPU without events, if other CPUs have some.
 */
static bool is_cpu_file(const char *path, bool may_be_empty)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint64_t head[2] = { 0 };
	struct stat st = { 0 };
	bool is;

	if (fd < 0)
		return false;
	is = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size % (off_t)page == 0 &&
	     (st.st_size ? read(fd, head, sizeof(head)) == sizeof(head) : may_be_empty);
	close(fd);
	/*
	 * The upper bits of the length are flags; a file of the other byte order has invalid
	 * values.
	 */
	return is && (head[1] & 0x7ffffff) <= page - sizeof(head);
}

static bool are_cpu_files(int nr, char **paths)
{
	int i;

	for (i = 0; i < nr; i++)
		if (!is_cpu_file(paths[i], nr > 1))
			return false;
	return nr > 0;
}

/* The length of the name before ".part7" or ".parts"; of any other name, its full length */
static size_t without_part(const char *path)
{
	const char *p = strrchr(path, '.');

	if (!p || !str_starts(p, ".part"))
		return strlen(path);
	p += strlen(".part");
	return strcmp(p, "s") == 0 || (*p && !p[strspn(p, "0123456789")]) ?
	       (size_t)(strrchr(path, '.') - path) : strlen(path);
}

/* "x.dat x.dat.part0 x.dat.part1", or only the parts, mean x.dat. False: several files are named */
static bool take_parts(int argc, char **argv)
{
	size_t len = without_part(argv[0]);
	char cut = argv[0][len];
	int i;

	for (i = 1; i < argc; i++)
		if (without_part(argv[i]) != len || strncmp(argv[i], argv[0], len) != 0)
			return false;
	argv[0][len] = '\0';
	if (access(argv[0], F_OK) < 0)
		argv[0][len] = cut;
	return true;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	int ret = 0;

	if ((a->dir || a->kallsyms) && (a->partial || (!a->create && !are_cpu_files(argc, argv))))
		return cmd_misuse(err, "-t and -k need -c, or per-CPU files without -i");
	if (a->create && (argc || a->partial))
		return cmd_misuse(err, "-c takes no other file, not '%s'",
				  argc ? argv[0] : a->partial);
	if (a->create)
		return create(a, err);
	if (argc && (a->partial || are_cpu_files(argc, argv)))
		ret = output_check(a->output ? a->output : "trace.dat", a->force, err);
	if (ret < 0)
		return ret;
	if (a->partial && argc)
		return restore_cpu_files(a, a->partial, argc, argv, err);
	if (!argc && cmd_style->old_words)
		return cmd_misuse(err, "no data files found");
	if (are_cpu_files(argc, argv))
		return restore_of_here(a, argc, argv, err);
	if (argc && !take_parts(argc, argv))
		return cmd_misuse(err, "only one file at a time, not '%s'", argv[argc - 1]);
	if (argc)
		return restore_file(a, argv[0], err);
	return restore_file(a, a->partial ? a->partial : "trace.dat", err);
}

const struct cmd cmd_restore = {
	.name      = "restore",
	.summary   = "finish an interrupted recording",
	.words     = "[<file>] | -i <partial> <cpu-file>… | -c [<cpu-file>…]",
	.examples  = "  ktrail restore                  trace.dat, after the recorder was killed\n"
		     "  ktrail restore -o good.dat cut.dat  the intact part of a damaged file\n"
		     "  ktrail restore -c -o box.dat   on that machine; then, with the data:\n"
		     "  ktrail restore -i box.dat trace.dat.cpu0 trace.dat.cpu1\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.run       = run,
};
