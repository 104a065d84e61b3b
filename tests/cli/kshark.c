/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kshark.c - count the records that KernelShark's library finds in a file. usage: kshark FILE */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* The declarations are those of libkshark.h 2.2; symbols are loaded by name */
int main(int argc, char **argv)
{
	void *lib = dlopen("libkshark.so.2", RTLD_NOW | RTLD_GLOBAL);
	bool (*instance)(void **ctx);
	int (*open_file)(void *ctx, const char *file);
	ssize_t (*load)(void *ctx, int sd, void ***rows);
	void *ctx = NULL, **rows = NULL;
	int sd;

	if (!lib || argc < 2)
		return 77;
	*(void **)&instance = dlsym(lib, "kshark_instance");
	*(void **)&open_file = dlsym(lib, "kshark_open");
	*(void **)&load = dlsym(lib, "kshark_load_entries");
	if (!instance || !open_file || !load)
		return 77;
	if (!instance(&ctx))
		return 1;
	sd = open_file(ctx, argv[1]);
	if (sd < 0)
		return 1;
	printf("%zd\n", load(ctx, sd, &rows));
	return 0;
}
