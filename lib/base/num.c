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

#define ONE(a)         { a, 0, 0, 1 }
#define TWO(a, b)      { a, b, 0, 2 }
#define THREE(a, b, c) { a, b, c, 3 }
#define OF_TEN(a, b)   THREE(a, b, '0'), THREE(a, b, '1'), THREE(a, b, '2'), THREE(a, b, '3'), \
		       THREE(a, b, '4'), THREE(a, b, '5'), THREE(a, b, '6'), THREE(a, b, '7'), \
		       THREE(a, b, '8'), THREE(a, b, '9')
#define HUNDRED(a)     OF_TEN(a, '0'), OF_TEN(a, '1'), OF_TEN(a, '2'), OF_TEN(a, '3'), \
		       OF_TEN(a, '4'), OF_TEN(a, '5'), OF_TEN(a, '6'), OF_TEN(a, '7'), \
		       OF_TEN(a, '8'), OF_TEN(a, '9')
#define TEN(a)         TWO(a, '0'), TWO(a, '1'), TWO(a, '2'), TWO(a, '3'), TWO(a, '4'), \
		       TWO(a, '5'), TWO(a, '6'), TWO(a, '7'), TWO(a, '8'), TWO(a, '9')
#define FROM_HUNDRED   HUNDRED('1'), HUNDRED('2'), HUNDRED('3'), HUNDRED('4'), HUNDRED('5'), \
		       HUNDRED('6'), HUNDRED('7'), HUNDRED('8'), HUNDRED('9')

const char num_threes[1000][4] = { HUNDRED('0'), FROM_HUNDRED };

const char num_small[1000][4] = {
	ONE('0'), ONE('1'), ONE('2'), ONE('3'), ONE('4'), ONE('5'), ONE('6'), ONE('7'), ONE('8'),
	ONE('9'),
	TEN('1'), TEN('2'), TEN('3'), TEN('4'), TEN('5'), TEN('6'), TEN('7'), TEN('8'), TEN('9'),
	FROM_HUNDRED,
};

/* num_powers[n]: the least number of n + 1 digits. No number reaches the last entry. */
const uint64_t num_powers[21] = {
	0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
	100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
	10000000000000000, 100000000000000000, 1000000000000000000, 10000000000000000000u,
	UINT64_MAX,
};

/* Not inline: it is long, and most numbers are short. */
char *num_put_large(char *p, uint64_t v)
{
	const uint32_t million = 1000000, billion = 1000000000;
	uint64_t high;

	if (v < million) {
		p = num_put_small(p, (uint32_t)v / 1000);
		return num_put_three(p, (uint32_t)v % 1000);
	}
	if (v >= billion) {
		high = v / billion;
		v -= high * billion;
		p = num_put_u64(p, high);
		p = num_put_three(p, (uint32_t)v / million);
	} else {
		p = num_put_small(p, (uint32_t)v / million);
	}
	return num_put_six(p, (uint32_t)v % million);
}
