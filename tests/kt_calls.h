/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_calls.h - a recording by function_graph, of calls that tests know */
#ifndef KT_CALLS_H
#define KT_CALLS_H

#include "kt_dat.h"

/* Addresses of the functions a, b, c and d */
#define A 0x1000
#define B 0x2000
#define C 0x3000
#define D 0x4000

/* The symbols, and the formats of calls and their ends */
void kt_calls_describe(struct kt_dat *d);

void kt_calls_enter(struct kt_dat *d, uint64_t ts, int pid, uint64_t func, uint64_t depth);
void kt_calls_leave(struct kt_dat *d, uint64_t ts, int pid, uint64_t func, uint64_t depth,
		    uint64_t ns);
/* A call at @ts that calls nothing and ends after @ns */
void kt_calls_leaf(struct kt_dat *d, uint64_t ts, int pid, uint64_t func, uint64_t depth,
		   uint64_t ns);
/*
 * Task 7: 0 a(100) { 1 b(30) { 2 c(10), 3 d(5) }, 4 c(1), 5 b(40) { 6 c(20) } }, 7 b(3)
 * Task 8: 8 a(50) { 9 d(30) }
 */
void kt_calls_sample(struct kt_dat *d);

#endif
