/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_import.c - any bytes as a text or a trace of Perfetto: the recording is sound */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ktrail/export.h>
#include <ktrail/trace.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The imported file must be undamaged. */
static void read_back(const char *path)
{
	struct kt_trace *t = kt_trace_create();

	if (!t || kt_trace_add(t, path, NULL, NULL) < 0 ||
	    kt_file_damage(kt_trace_file(t, 0), 0))
		abort();
	kt_trace_destroy(t);
}

static void import(int fd, enum kt_import_from from, const char *path)
{
	struct kt_import_result result = { 0 };
	struct kt_import_opts o = { .from = from, .fd = fd, .name = "fuzz", .path = path,
				    .compression = "none" };

	lseek(fd, 0, SEEK_SET);
	if (kt_import(&o, &result, NULL) == 0)
		read_back(path);
	kt_names_fini(&result.notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[64];

	snprintf(path, sizeof(path), "/tmp/fuzz-import-%d.dat", (int)getpid());
	if (size && write(fd, data, size) == (ssize_t)size) {
		import(fd, KT_IMPORT_TEXT, path);
		import(fd, KT_IMPORT_PERFETTO, path);
	}
	unlink(path);
	close(fd);
	return 0;
}
