/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* num.c - tables for numbers as text */
#include "base/num.h"

#define DEC(d) d "0" d "1" d "2" d "3" d "4" d "5" d "6" d "7" d "8" d "9"
#define HEX(d) DEC(d) d "a" d "b" d "c" d "d" d "e" d "f"

const char num_pairs[201] =
	DEC("0") DEC("1") DEC("2") DEC("3") DEC("4") DEC("5") DEC("6") DEC("7") DEC("8") DEC("9");

const char num_hex_pairs[513] =
	HEX("0") HEX("1") HEX("2") HEX("3") HEX("4") HEX("5") HEX("6") HEX("7")
	HEX("8") HEX("9") HEX("a") HEX("b") HEX("c") HEX("d") HEX("e") HEX("f");

/* num_powers[n]: the least number of n + 1 digits. The last one is never reached. */
const uint64_t num_powers[21] = {
	0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
	100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
	10000000000000000, 100000000000000000, 1000000000000000000, 10000000000000000000u,
	UINT64_MAX,
};
