/* SPDX-License-Identifier: GPL-2.0-or-later */
/* info.c - options of the file that only some recordings need */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/str.h"
#include "record.h"

int record_add_date(struct kt_rec *rec, struct kt_instance *inst, struct kt_err *err)
{
	int64_t wall = kt_instance_wall(inst);
	char text[32];
	int n;

	if (wall < 0)
		return kt_err_set(
			err, -ENOTSUP,
			"--date needs a clock that counts nanoseconds: local, global, mono …");
	n = snprintf(text, sizeof(text), "0x%" PRIx64, wall / 1000);
	return kt_rec_option(rec, KT_OPTION_DATE, text, (size_t)n + 1, err);
}

int record_add_offset(struct kt_rec *rec, const char *offset, struct kt_err *err)
{
	return kt_rec_option(rec, KT_OPTION_OFFSET, offset, strlen(offset) + 1, err);
}

/* The page of a perf event tells user space how to convert cycles to nanoseconds */
static int read_conversion(uint32_t *mult, uint32_t *shift, uint64_t *offset)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY,
		.disabled = 1, .exclude_kernel = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	struct perf_event_mmap_page *page;
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	int ret = 0;

	if (fd < 0)
		return -errno;
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (page == MAP_FAILED)
		return -errno;
	if (!page->cap_user_time)
		ret = -ENOTSUP;
	*mult = page->time_mult;
	*shift = page->time_shift;
	*offset = page->time_offset;
	munmap(page, size);
	return ret;
}

/* @rec NULL: only check whether it can be done */
int record_add_tsc2nsec(struct kt_rec *rec, struct kt_err *err)
{
	uint32_t mult = 0, shift = 0;
	uint64_t offset = 0;
	char data[16];
	int ret = read_conversion(&mult, &shift, &offset);

	if (ret < 0)
		return kt_err_set(err, ret, "--tsc2nsec: the kernel does not show how cycles "
				  "become nanoseconds (%s); without it, -C x86-tsc counts cycles",
				  strerror(-ret));
	if (!rec)
		return 0;
	memcpy(data, &mult, 4);
	memcpy(data + 4, &shift, 4);
	memcpy(data + 8, &offset, 8);
	return kt_rec_option(rec, KT_OPTION_TSC2NSEC, data, sizeof(data), err);
}

/* "start-end perms offset dev inode   /path": the lines that map a file's code */
static bool parse_map(const char *line, unsigned long long *start, unsigned long long *end,
		      const char **path)
{
	char perms[8];

	if (sscanf(line, "%llx-%llx %7s", start, end, perms) != 3 || !strchr(perms, 'x'))
		return false;
	*path = strchr(line, '/');
	return *path != NULL;
}

static void add_map_lines(struct str *maps, const char *text, unsigned int *nr)
{
	unsigned long long start, end;
	const char *path, *line;

	for (line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *eol = line + strcspn(line, "\n");

		if (!parse_map(line, &start, &end, &path) || path > eol)
			continue;
		str_addf(maps, "%llx %llx %.*s\n", start, end, (int)(eol - path), path);
		++*nr;
	}
}

/* As the file stores it: "pid nr command", then a line for each mapping, numbers in hex */
void record_read_maps(struct str *maps, pid_t pid)
{
	struct str text = STR_INIT, lines = STR_INIT;
	char file[64], exe[4096];
	unsigned int nr = 0;
	ssize_t n;

	snprintf(file, sizeof(file), "/proc/%d/maps", (int)pid);
	if (str_read_file(&text, file) == 0)
		add_map_lines(&lines, text.buf, &nr);
	snprintf(file, sizeof(file), "/proc/%d/exe", (int)pid);
	n = readlink(file, exe, sizeof(exe) - 1);
	if (n > 0 && nr) {
		exe[n] = 0;
		str_addf(maps, "%x %x %s\n", (unsigned int)pid, nr, exe);
		str_addn(maps, lines.buf, lines.len);
	}
	str_fini(&lines);
	str_fini(&text);
}

int record_add_maps(struct kt_rec *rec, const struct str *maps, struct kt_err *err)
{
	return maps->len ? kt_rec_option(rec, KT_OPTION_PROCMAPS, maps->buf, maps->len + 1, err)
			 : 0;
}
