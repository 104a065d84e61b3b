/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_calls.c - a recording by function_graph, of calls that tests know */
#include "kt_calls.h"

enum { EXIT = 10, ENTRY };

void kt_calls_describe(struct kt_dat *d)
{
	kt_dat_meta(d, KT_META_KALLSYMS, "0000000000001000 T a\n0000000000002000 T b\n"
					 "0000000000003000 T c\n0000000000004000 T d\n"
					 "0000000000005000 T _end\n");
	kt_dat_numbers(d, "ftrace", "funcgraph_exit", 10, "func depth calltime rettime");
	kt_dat_numbers(d, "ftrace", "funcgraph_entry", 11, "func depth");
}

void kt_calls_enter(struct kt_dat *d, uint64_t ts, int pid, uint64_t func, uint64_t depth)
{
	kt_dat_begin(d, ENTRY, pid);
	kt_dat_int(d, 8, func);
	kt_dat_int(d, 8, depth);
	kt_dat_end(d, ts);
}

void kt_calls_leave(struct kt_dat *d, uint64_t ts, int pid, uint64_t func, uint64_t depth,
		    uint64_t ns)
{
	kt_dat_begin(d, EXIT, pid);
	kt_dat_int(d, 8, func);
	kt_dat_int(d, 8, depth);
	kt_dat_int(d, 8, ts - ns);
	kt_dat_int(d, 8, ts);
	kt_dat_end(d, ts);
}

void kt_calls_leaf(struct kt_dat *d, uint64_t ts, int pid, uint64_t func, uint64_t depth,
		   uint64_t ns)
{
	kt_calls_enter(d, ts, pid, func, depth);
	kt_calls_leave(d, ts + ns, pid, func, depth, ns);
}

void kt_calls_sample(struct kt_dat *d)
{
	kt_calls_enter(d, 100, 7, A, 0);
	kt_calls_enter(d, 110, 7, B, 1);
	kt_calls_leaf(d, 112, 7, C, 2, 10);
	kt_calls_leaf(d, 125, 7, D, 2, 5);
	kt_calls_leave(d, 140, 7, B, 1, 30);
	kt_calls_leaf(d, 142, 7, C, 1, 1);
	kt_calls_enter(d, 150, 7, B, 1);
	kt_calls_leaf(d, 155, 7, C, 2, 20);
	kt_calls_leave(d, 190, 7, B, 1, 40);
	kt_calls_leave(d, 200, 7, A, 0, 100);
	kt_calls_leaf(d, 210, 7, B, 0, 3);
	kt_calls_enter(d, 300, 8, A, 0);
	kt_calls_leaf(d, 310, 8, D, 1, 30);
	kt_calls_leave(d, 350, 8, A, 0, 50);
}
