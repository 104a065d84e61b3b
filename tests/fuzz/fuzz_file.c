/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_file.c - any bytes: open them as a trace and read all that a viewer would */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ktrail/trace.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_RECORDS 20000	/* hostile pages can hold millions of empty ones */

static void read_directory(struct kt_file *file)
{
	struct kt_blob blob;
	size_t i;

	for (i = 0; i < kt_file_nr_sections(file); i++)
		kt_file_section_data(file, i, &blob, NULL);
	for (i = 0; i < kt_file_nr_options(file); i++)
		kt_file_option(file, i);
	for (i = 0; i < KT_NR_METAS; i++)
		kt_file_meta(file, i, &blob, NULL);
	for (i = 0; i < kt_file_nr_buffers(file); i++)
		if (kt_file_buffer(file, i)->is_text)
			kt_file_buffer_text(file, i, &blob, NULL);
	for (i = 0; i < kt_file_nr_events(file); i++)
		kt_file_event(file, i);
	for (i = 0; kt_file_damage(file, i); i++)
		;
}

static void read_records(struct kt_trace *t)
{
	struct kt_stream *s = kt_trace_stream(t);
	struct kt_out *out = kt_out_create();
	struct kt_record rec;
	size_t i;

	for (i = 0; out && i < MAX_RECORDS && kt_stream_next(s, &rec, NULL) > 0; i++) {
		size_t file = kt_stream_source(s, rec.source)->file_index;
		const struct kt_event *ev = kt_trace_event(t, &rec);
		struct kt_events *evs = kt_trace_events(t, file);

		kt_trace_comm(t, file, kt_record_pid(evs, &rec));
		if (!ev)
			continue;
		kt_out_reset(out);
		kt_event_text(evs, ev, &rec, out);
		kt_event_raw(evs, ev, &rec, out);
	}
	kt_out_destroy(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };
	char path[40];

	if (fd < 0 || !t || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (kt_trace_add(t, path, NULL, &err) == 0) {
		read_directory(kt_trace_file(t, 0));
		read_records(t);
	}
	kt_trace_destroy(t);
	close(fd);
	return 0;
}
