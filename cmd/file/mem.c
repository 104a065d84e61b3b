/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mem.c - `ktrail mem`: which functions allocated kernel memory, and how much padding wasted */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/analysis.h>

#include "base/json.h"
#include "cmd/args/choose.h"
#include "cmd/args/input.h"
#include "cmd/cmd.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"

struct mem_args {
	struct choose choose;		/* first: CHOOSE_OPTS */
	const char *input;
	bool json;
};

static const struct cmd_opt opts[] = {
	OPT_STR ('i', "input", struct mem_args, input, "file",
		"read this file instead of trace.dat"),
	CHOOSE_OPTS
	OPT_BOOL(0, "json", struct mem_args, json, "print JSON"),
	OPT_END
};

static uint64_t waste(const struct kt_kmem_row *r)
{
	return r->alloc - r->req;
}

/* The columns of trace-cmd mem, since scripts parse them */
static int print_table(const struct kt_kmem *k)
{
	struct str s = STR_INIT;
	size_t i;
	int ret;

	str_add(&s,
		    "                Function            \tWaste\tAlloc\treq\t\tTotAlloc     "
		    "TotReq\t\tMaxAlloc     MaxReq\tMaxWaste\n"
		    "                --------            \t-----\t-----\t---\t\t--------     "
		    "------\t\t--------     ------\t--------\n");
	for (i = 0; i < kt_kmem_nr(k); i++) {
		const struct kt_kmem_row *r = kt_kmem_row(k, i);

		str_addf(&s,
			 "%32s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t\t%8" PRIu64 "   %8" PRIu64
			 "\t\t%8" PRIu64 "   %8" PRIu64 "\t%" PRIu64 "\n", r->function, waste(r),
			 r->alloc, r->req, r->total_alloc, r->total_req, r->max_alloc, r->max_req,
			 r->max_waste);
	}
	ret = s.failed ? -ENOMEM : safe_write(s.buf, s.len, safe_for_person());
	str_fini(&s);
	return ret;
}

static int print_json(const struct kt_kmem *k)
{
	struct json j = JSON_INIT;
	size_t i;

	json_open(&j, NULL, '[');
	for (i = 0; i < kt_kmem_nr(k); i++) {
		const struct kt_kmem_row *r = kt_kmem_row(k, i);

		json_open(&j, NULL, '{');
		json_str(&j, "function", r->function);
		json_uint(&j, "waste", waste(r));
		json_uint(&j, "alloc", r->alloc);
		json_uint(&j, "req", r->req);
		json_uint(&j, "total_alloc", r->total_alloc);
		json_uint(&j, "total_req", r->total_req);
		json_uint(&j, "max_alloc", r->max_alloc);
		json_uint(&j, "max_req", r->max_req);
		json_uint(&j, "max_waste", r->max_waste);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	return json_print(&j);
}

static int report(struct kt_trace *t, struct mem_args *args, struct kt_err *err)
{
	struct kt_kmem *k;
	int ret = choose_prepare(t, &args->choose, err);

	if (ret < 0)
		return ret;
	k = kt_kmem_create(t, err);
	if (!k)
		return err->code;
	ret = choose_run(t, &args->choose, 0, (struct kt_analysis *[]){ kt_kmem_analysis(k) }, 1,
			 err);
	if (ret == 0 && !args->json && !kt_kmem_nr(k))
		ret = kt_err_set(err, -ENODATA, "no records of kmem events in %s", args->input);
	if (ret == 0)
		ret = (args->json ? print_json : print_table)(k);
	kt_kmem_destroy(k);
	return ret == -EPIPE ? 0 : ret;
}

static int run(void *data, int argc, char **argv, struct kt_err *err)
{
	struct mem_args *args = data;
	struct kt_trace *t;
	int ret = input_choose(&args->input, argc, argv, err);

	if (ret < 0)
		return ret;
	t = input_open(args->input, err);
	ret = t ? report(t, args, err) : kt_err_code(err, -ENOMEM);
	kt_trace_destroy(t);
	return ret;
}

static int init(void *data)
{
	((struct mem_args *)data)->choose.command = "mem";
	return 0;
}

static void fini(void *data)
{
	choose_fini(&((struct mem_args *)data)->choose);
}

const struct cmd cmd_mem = {
	.name      = "mem",
	.summary   = "show kernel memory by allocating function, from kmem events",
	.words     = "[<file>]",
	.examples  = "  ktrail record -e kmem make     record what allocates\n"
		     "  ktrail mem                    memory by function, and its waste\n",
	.opts      = opts,
	.args_size = sizeof(struct mem_args),
	.options_anywhere = true,
	.paged     = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
