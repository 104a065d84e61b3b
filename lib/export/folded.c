/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* folded.c - folded stacks, "task;outer;inner VALUE": the input of flame graphs */
#include <errno.h>
#include <inttypes.h>

#include <ktrail/views.h>

#include "base/out.h"
#include "export/export.h"
#include "export/value.h"

/* The filter applies to the counted events, not to the events that form calls and stacks. */
static bool counts(void *data, const struct kt_record *rec)
{
	return kt_filter_match(data, rec);
}

static int put_lines(struct export *x, const struct kt_flame *f, struct kt_err *err)
{
	struct kt_out *path = kt_out_create();
	struct kt_flame_frame frame;
	uint64_t value;
	uint32_t i;
	int ret = path ? 0 : kt_err_no_memory(err);

	for (i = 1; ret == 0 && kt_flame_frame(f, i, &frame); i++) {
		value = kt_flame_is_timed(f) ? frame.own_time : frame.own_count;
		if (!value)
			continue;
		kt_out_reset(path);
		kt_flame_path(f, i, path);
		value_put_utf8(&x->text, kt_out_data(path), kt_out_len(path), false);
		str_addf(&x->text, " %" PRIu64 "\n", value);
		x->done.spans++;
		if (x->text.len >= EXPORT_WRITE)
			ret = export_flush(x, err);
	}
	kt_out_destroy(path);
	return ret;
}

static int run(struct export *x, struct kt_err *err)
{
	struct kt_pass_opts pass = x->opts->pass;
	struct kt_flame_opts o = {
		.kind = kt_flame_guess_trace(x->trace), .window = { 0, UINT64_MAX },
		.counts = pass.filter ? counts : NULL, .data = pass.filter,
	};
	struct kt_flame *f;
	int ret;

	if (pass.nr_windows)
		o.window = (struct kt_window){ pass.windows[0].from,
					       pass.windows[pass.nr_windows - 1].until };
	f = kt_flame_create_for(x->trace, &o, err);
	if (!f)
		return kt_err_code(err, -ENOMEM);
	pass.filter = NULL;
	ret = kt_pass_run(x->trace, (struct kt_analysis *[]){ kt_flame_analysis(f) }, 1, &pass,
			  err);
	kt_flame_order(f, false);
	if (ret == 0 || ret == -ECANCELED)
		ret = put_lines(x, f, err);
	kt_flame_destroy(f);
	return ret;
}

const struct export_format export_folded = {
	.is = { "folded", "stacks with times or counts, a line each: flamegraph.pl, speedscope",
		".folded", KT_EXPORT_PACKED },
	.run = run,
};
