/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_event.c - a program with its own event: user_event "NAME FIELDS" COUNT FILE */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

/* Linux, include/uapi/linux/user_events.h since 6.4, which Debian 12 does not have */
struct user_reg {
	uint32_t size;
	uint8_t  enable_bit, enable_size;
	uint16_t flags;
	uint64_t enable_addr, name_args;
	uint32_t write_index;
} __attribute__((packed));

#define DIAG_IOCSREG _IOWR('*', 0, struct user_reg *)

static volatile uint32_t enabled;

/* Registers the event, prints a line, writes COUNT numbers once the event is enabled and FILE
 * exists, and stays until it is killed */
int main(int argc, char **argv)
{
	struct user_reg reg = {
		.size = sizeof(reg), .enable_size = sizeof(enabled),
		.enable_addr = (uintptr_t)&enabled, .name_args = (uintptr_t)argv[1],
	};
	uint32_t i, count = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
	int fd = open("/sys/kernel/tracing/user_events_data", O_RDWR);

	if (argc < 4 || fd < 0 || ioctl(fd, DIAG_IOCSREG, &reg) < 0) {
		perror("user_event");
		return 1;
	}
	puts("registered");
	fflush(stdout);
	while (!enabled || access(argv[3], F_OK) != 0)
		usleep(1000);
	for (i = 0; i < count; i++) {
		struct iovec io[] = { { &reg.write_index, 4 }, { &i, 4 } };

		if (writev(fd, io, 2) < 0)
			perror("user_event: write");
	}
	puts("written");
	fflush(stdout);
	pause();
	return 0;
}
