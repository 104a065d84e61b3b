/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_export.c - any bytes as a trace: in a format of other programs, and as a flame graph */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ktrail/export.h>
#include <ktrail/views.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The @which-th format that is written to a descriptor */
static void export(struct kt_trace *t, unsigned int which)
{
	struct kt_export_opts o = { .fd = open("/dev/null", O_WRONLY | O_CLOEXEC) };
	size_t nr = 0, i;

	while (kt_export_format(nr))
		nr++;
	for (i = 0; i < nr; i++) {
		o.format = kt_export_format((which + i) % nr);
		if (o.format->flags & KT_EXPORT_PATH)
			continue;
		kt_export(t, &o, NULL, NULL);
		break;
	}
	close(o.fd);
}

static void draw(struct kt_trace *t, unsigned int which)
{
	const struct kt_flame_opts o = {
		.kind = (enum kt_flame_kind)(which % KT_FLAME_KINDS), .window = { 0, UINT64_MAX },
	};
	struct kt_flame *f = kt_flame_create_for(t, &o, NULL);
	struct kt_out *path = kt_out_create();
	struct kt_flame_frame frame;
	uint32_t i;

	if (f)
		kt_pass_run(t, &(struct kt_analysis *){ kt_flame_analysis(f) }, 1, NULL, NULL);
	if (f)
		kt_flame_order(f, which & 1);
	for (i = 0; f && kt_flame_frame(f, i, &frame); i++) {
		kt_out_reset(path);
		kt_flame_path(f, i, path);
	}
	kt_out_destroy(path);
	kt_flame_destroy(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_trace *t = kt_trace_create();
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (size && write(fd, data, size) == (ssize_t)size &&
	    kt_trace_add(t, path, NULL, NULL) == 0) {
		export(t, data[size - 1]);
		draw(t, data[size / 2]);
	}
	kt_trace_destroy(t);
	close(fd);
	return 0;
}
