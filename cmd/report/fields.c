/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fields.c - report --fields and --csv: chosen values of each record */
#include <stdio.h>
#include <unistd.h>

#include <ktrail/export.h>

#include "cmd/print/progress.h"
#include "report.h"

int report_fields(struct kt_trace *t, const struct report_args *a, struct kt_err *err)
{
	struct progress progress;
	struct kt_names columns = { 0 };
	struct kt_export_opts o = {
		.format = kt_export_find("csv"), .fd = STDOUT_FILENO, .tabs = !a->csv,
		.wall = a->text.wall, .escape = isatty(STDOUT_FILENO),
		.pass = {
			.filter = a->choose.filter, .windows = a->choose.windows,
			.nr_windows = a->choose.nr_windows, .drop_flags = a->text.drop_flags,
			.limit = a->text.limit, .progress = progress_of_pass, .data = &progress,
		},
	};
	int ret = a->text.wall ? kt_stream_check_wall(kt_trace_stream(t), err) : 0;

	if (ret == 0 && a->fields && kt_names_add_words(&columns, a->fields, ", ") < 0)
		ret = kt_err_no_memory(err);
	o.fields = (const char *const *)columns.names;
	o.nr_fields = columns.nr;
	if (ret == 0) {
		progress_begin(&progress, "report");
		ret = kt_export(t, &o, NULL, err);
		progress_end(&progress);
	}
	kt_names_fini(&columns);
	return ret;
}
