/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* num.c - numbers as text, without printf */
#include "base/num.h"

#define ROW(d) #d "0" #d "1" #d "2" #d "3" #d "4" #d "5" #d "6" #d "7" #d "8" #d "9"

const char num_pairs[201] =
	ROW(0) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9);
