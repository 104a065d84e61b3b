/* SPDX-License-Identifier: GPL-2.0-or-later */
/* standalone.c - run a fuzz target over files,
 * where there is no libFuzzer or to look at one finding */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
	FILE *f = fopen(path, "r");
	size_t size = 0, room = 1 << 24;
	uint8_t *data = malloc(room);

	if (!f || !data) {
		perror(path);
		return 1;
	}
	size = fread(data, 1, room, f);
	fclose(f);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	int i, bad = 0;

	for (i = 1; i < argc; i++)
		bad |= run_file(argv[i]);
	printf("%d files\n", argc - 1);
	return bad;
}
