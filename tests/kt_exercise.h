/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_exercise.h - read everything in a trace.dat, however damaged it is */
#ifndef KT_EXERCISE_H
#define KT_EXERCISE_H

#include <stddef.h>
#include <stdint.h>

struct kt_exercise {
	int      error;		/* of kt_file_open: 0, or a negative errno */
	uint64_t nr_records;
	uint64_t bytes;		/* a checksum of all data, to make sure that it is read */
	size_t   nr_damages;
};

/*
 * Opens @path; reads its options, sections, texts, formats, chunks and records;
 * seeks to times, to first and last records. Used by the test that damages
 * files and by the fuzzer.
 */
struct kt_exercise kt_exercise(const char *path);

#endif
