/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* syscalls.c - system calls with names, decoded arguments and errors */
#include <ktrail/plugin.h>

#include <stdlib.h>
#include <string.h>

#define END { 0, NULL, 0 }

/*
 * Sources: Linux, include/uapi/asm-generic/{fcntl,mman-common,mman,errno}.h,
 * arch/{arm64,powerpc,mips}/include/uapi/asm/fcntl.h, include/uapi/linux/ of
 * each call; 6.12. Most architectures share the values; where one does not, and
 * has no table here, the number is shown.
 */
#define OPEN_COMMON \
	{ 0, "O_RDONLY", 3 }, { 1, "O_WRONLY", 3 }, { 2, "O_RDWR", 3 }, { 0100, "O_CREAT", 0 }, \
	{ 0200, "O_EXCL", 0 }, { 0400, "O_NOCTTY", 0 }, { 01000, "O_TRUNC", 0 }, \
	{ 02000, "O_APPEND", 0 }, { 04000, "O_NONBLOCK", 0 }, { 04010000, "O_SYNC", 0 }, \
	{ 010000, "O_DSYNC", 0 }, { 020000, "FASYNC", 0 }, { 01000000, "O_NOATIME", 0 }, \
	{ 02000000, "O_CLOEXEC", 0 }, { 010000000, "O_PATH", 0 }

static const struct kt_name open_names[] = {
	OPEN_COMMON, { 020200000, "O_TMPFILE", 0 }, { 040000, "O_DIRECT", 0 },
	{ 0100000, "O_LARGEFILE", 0 }, { 0200000, "O_DIRECTORY", 0 }, { 0400000, "O_NOFOLLOW", 0 }, END
};
static const struct kt_name open_arm[] = {
	OPEN_COMMON, { 020040000, "O_TMPFILE", 0 }, { 040000, "O_DIRECTORY", 0 },
	{ 0100000, "O_NOFOLLOW", 0 }, { 0200000, "O_DIRECT", 0 }, { 0400000, "O_LARGEFILE", 0 }, END
};
static const struct kt_name fd_flags[] = {
	{ 04000, "O_NONBLOCK", 0 }, { 02000000, "O_CLOEXEC", 0 }, END
};
static const struct kt_name prot[] = {
	{ 1, "PROT_READ", 0 }, { 2, "PROT_WRITE", 0 }, { 4, "PROT_EXEC", 0 },
	{ 0x01000000, "PROT_GROWSDOWN", 0 }, { 0x02000000, "PROT_GROWSUP", 0 }, END
};
static const struct kt_name map[] = {
	{ 3, "MAP_SHARED_VALIDATE", 0xf }, { 1, "MAP_SHARED", 0xf }, { 2, "MAP_PRIVATE", 0xf },
	{ 0x10, "MAP_FIXED", 0 }, { 0x20, "MAP_ANONYMOUS", 0 }, { 0x40, "MAP_32BIT", 0 },
	{ 0x100, "MAP_GROWSDOWN", 0 }, { 0x800, "MAP_DENYWRITE", 0 }, { 0x1000, "MAP_EXECUTABLE", 0 },
	{ 0x2000, "MAP_LOCKED", 0 }, { 0x4000, "MAP_NORESERVE", 0 }, { 0x8000, "MAP_POPULATE", 0 },
	{ 0x10000, "MAP_NONBLOCK", 0 }, { 0x20000, "MAP_STACK", 0 }, { 0x40000, "MAP_HUGETLB", 0 },
	{ 0x80000, "MAP_SYNC", 0 }, { 0x100000, "MAP_FIXED_NOREPLACE", 0 }, END
};
static const struct kt_name clone_names[] = {
	{ 0x100, "CLONE_VM", 0 }, { 0x200, "CLONE_FS", 0 }, { 0x400, "CLONE_FILES", 0 },
	{ 0x800, "CLONE_SIGHAND", 0 }, { 0x1000, "CLONE_PIDFD", 0 }, { 0x2000, "CLONE_PTRACE", 0 },
	{ 0x4000, "CLONE_VFORK", 0 }, { 0x8000, "CLONE_PARENT", 0 }, { 0x10000, "CLONE_THREAD", 0 },
	{ 0x20000, "CLONE_NEWNS", 0 }, { 0x40000, "CLONE_SYSVSEM", 0 }, { 0x80000, "CLONE_SETTLS", 0 },
	{ 0x100000, "CLONE_PARENT_SETTID", 0 }, { 0x200000, "CLONE_CHILD_CLEARTID", 0 },
	{ 0x800000, "CLONE_UNTRACED", 0 }, { 0x1000000, "CLONE_CHILD_SETTID", 0 },
	{ 0x2000000, "CLONE_NEWCGROUP", 0 }, { 0x4000000, "CLONE_NEWUTS", 0 },
	{ 0x8000000, "CLONE_NEWIPC", 0 }, { 0x10000000, "CLONE_NEWUSER", 0 },
	{ 0x20000000, "CLONE_NEWPID", 0 }, { 0x40000000, "CLONE_NEWNET", 0 },
	{ 0x80000000, "CLONE_IO", 0 }, { 17, "SIGCHLD", 0xff }, END
};
static const struct kt_name futex[] = {
	{ 0, "FUTEX_WAIT", 0x7f }, { 1, "FUTEX_WAKE", 0x7f }, { 3, "FUTEX_REQUEUE", 0x7f },
	{ 4, "FUTEX_CMP_REQUEUE", 0x7f }, { 5, "FUTEX_WAKE_OP", 0x7f }, { 6, "FUTEX_LOCK_PI", 0x7f },
	{ 7, "FUTEX_UNLOCK_PI", 0x7f }, { 8, "FUTEX_TRYLOCK_PI", 0x7f },
	{ 9, "FUTEX_WAIT_BITSET", 0x7f }, { 10, "FUTEX_WAKE_BITSET", 0x7f },
	{ 11, "FUTEX_WAIT_REQUEUE_PI", 0x7f }, { 12, "FUTEX_CMP_REQUEUE_PI", 0x7f },
	{ 13, "FUTEX_LOCK_PI2", 0x7f }, { 128, "FUTEX_PRIVATE_FLAG", 0 },
	{ 256, "FUTEX_CLOCK_REALTIME", 0 }, END
};
static const struct kt_name at_flags[] = {
	{ 0x100, "AT_SYMLINK_NOFOLLOW", 0 }, { 0x200, "AT_REMOVEDIR", 0 },
	{ 0x400, "AT_SYMLINK_FOLLOW", 0 }, { 0x800, "AT_NO_AUTOMOUNT", 0 },
	{ 0x1000, "AT_EMPTY_PATH", 0 }, { 0x2000, "AT_STATX_FORCE_SYNC", 0 },
	{ 0x4000, "AT_STATX_DONT_SYNC", 0 }, { 0x8000, "AT_RECURSIVE", 0 }, END
};
static const struct kt_name access_modes[] = {
	{ 0, "F_OK", 7 }, { 4, "R_OK", 0 }, { 2, "W_OK", 0 }, { 1, "X_OK", 0 }, END
};
static const struct kt_name whence[] = {
	{ 0, "SEEK_SET", 0 }, { 1, "SEEK_CUR", 0 }, { 2, "SEEK_END", 0 }, { 3, "SEEK_DATA", 0 },
	{ 4, "SEEK_HOLE", 0 }, END
};
static const struct kt_name clocks[] = {
	{ 0, "CLOCK_REALTIME", 0 }, { 1, "CLOCK_MONOTONIC", 0 }, { 2, "CLOCK_PROCESS_CPUTIME_ID", 0 },
	{ 3, "CLOCK_THREAD_CPUTIME_ID", 0 }, { 4, "CLOCK_MONOTONIC_RAW", 0 },
	{ 5, "CLOCK_REALTIME_COARSE", 0 }, { 6, "CLOCK_MONOTONIC_COARSE", 0 },
	{ 7, "CLOCK_BOOTTIME", 0 }, { 11, "CLOCK_TAI", 0 }, END
};
static const struct kt_name families[] = {
	{ 0, "AF_UNSPEC", 0 }, { 1, "AF_UNIX", 0 }, { 2, "AF_INET", 0 }, { 10, "AF_INET6", 0 },
	{ 16, "AF_NETLINK", 0 }, { 17, "AF_PACKET", 0 }, { 38, "AF_ALG", 0 }, { 40, "AF_VSOCK", 0 },
	{ 44, "AF_XDP", 0 }, END
};
static const struct kt_name socket_types[] = {
	{ 1, "SOCK_STREAM", 0xf }, { 2, "SOCK_DGRAM", 0xf }, { 3, "SOCK_RAW", 0xf },
	{ 5, "SOCK_SEQPACKET", 0xf }, { 04000, "SOCK_NONBLOCK", 0 }, { 02000000, "SOCK_CLOEXEC", 0 }, END
};
static const struct kt_name fcntl_cmds[] = {
	{ 0, "F_DUPFD", 0 }, { 1, "F_GETFD", 0 }, { 2, "F_SETFD", 0 }, { 3, "F_GETFL", 0 },
	{ 4, "F_SETFL", 0 }, { 5, "F_GETLK", 0 }, { 6, "F_SETLK", 0 }, { 7, "F_SETLKW", 0 },
	{ 1024, "F_SETLEASE", 0 }, { 1025, "F_GETLEASE", 0 }, { 1030, "F_DUPFD_CLOEXEC", 0 },
	{ 1031, "F_SETPIPE_SZ", 0 }, { 1032, "F_GETPIPE_SZ", 0 }, { 1033, "F_ADD_SEALS", 0 }, END
};
static const struct kt_name advice[] = {
	{ 0, "MADV_NORMAL", 0 }, { 1, "MADV_RANDOM", 0 }, { 2, "MADV_SEQUENTIAL", 0 },
	{ 3, "MADV_WILLNEED", 0 }, { 4, "MADV_DONTNEED", 0 }, { 8, "MADV_FREE", 0 },
	{ 9, "MADV_REMOVE", 0 }, { 10, "MADV_DONTFORK", 0 }, { 14, "MADV_HUGEPAGE", 0 },
	{ 15, "MADV_NOHUGEPAGE", 0 }, { 20, "MADV_COLD", 0 }, { 21, "MADV_PAGEOUT", 0 }, END
};
static const struct kt_name epoll_ops[] = {
	{ 1, "EPOLL_CTL_ADD", 0 }, { 2, "EPOLL_CTL_DEL", 0 }, { 3, "EPOLL_CTL_MOD", 0 }, END
};
static const struct kt_name mask_how[] = {
	{ 0, "SIG_BLOCK", 0 }, { 1, "SIG_UNBLOCK", 0 }, { 2, "SIG_SETMASK", 0 }, END
};
static const struct kt_name wait_options[] = {
	{ 1, "WNOHANG", 0 }, { 2, "WUNTRACED", 0 }, { 4, "WEXITED", 0 }, { 8, "WCONTINUED", 0 },
	{ 0x1000000, "WNOWAIT", 0 }, { 0x40000000, "__WALL", 0 }, { 0x80000000, "__WCLONE", 0 }, END
};
static const struct kt_name random_flags[] = {
	{ 1, "GRND_NONBLOCK", 0 }, { 2, "GRND_RANDOM", 0 }, { 4, "GRND_INSECURE", 0 }, END
};
static const struct kt_name splice_flags[] = {
	{ 1, "SPLICE_F_MOVE", 0 }, { 2, "SPLICE_F_NONBLOCK", 0 }, { 4, "SPLICE_F_MORE", 0 },
	{ 8, "SPLICE_F_GIFT", 0 }, END
};
static const struct kt_name shutdown_how[] = {
	{ 0, "SHUT_RD", 0 }, { 1, "SHUT_WR", 0 }, { 2, "SHUT_RDWR", 0 }, END
};
static const struct kt_name mremap_flags[] = {
	{ 1, "MREMAP_MAYMOVE", 0 }, { 2, "MREMAP_FIXED", 0 }, { 4, "MREMAP_DONTUNMAP", 0 }, END
};
static const struct kt_name rename_flags[] = {
	{ 1, "RENAME_NOREPLACE", 0 }, { 2, "RENAME_EXCHANGE", 0 }, { 4, "RENAME_WHITEOUT", 0 }, END
};

#define FLAGS(n, t) { n, KT_TABLE_FLAGS, t }
#define ENUM(n, t)  { n, KT_TABLE_ENUM, t }

static const struct kt_table tables[] = {
	FLAGS("open", open_names), FLAGS("open_arm", open_arm), FLAGS("fd", fd_flags),
	FLAGS("prot", prot), FLAGS("map", map), FLAGS("clone", clone_names), FLAGS("futex", futex), FLAGS("at", at_flags),
	FLAGS("access", access_modes), ENUM("whence", whence), ENUM("clock", clocks),
	ENUM("family", families), FLAGS("socket", socket_types), ENUM("fcntl", fcntl_cmds),
	ENUM("advice", advice), ENUM("epoll", epoll_ops), ENUM("how", mask_how),
	FLAGS("wait", wait_options), FLAGS("random", random_flags), FLAGS("splice", splice_flags),
	ENUM("shutdown", shutdown_how), FLAGS("mremap", mremap_flags), FLAGS("rename", rename_flags),
	{ NULL, 0, NULL },
};

/* Arguments that read better in another way; "*": whichever call has one of that name */
static const struct arg {
	const char *call;
	int at;				/* among its arguments, for raw_syscalls */
	const char *field, *as;
} args[] = {
	{ "open", 1, "flags", "open" },           { "openat", 2, "flags", "open" },
	{ "pipe2", 1, "flags", "fd" },            { "dup3", 2, "flags", "fd" },
	{ "mmap", 2, "prot", "prot" },            { "mmap", 3, "flags", "map" },
	{ "mprotect", 2, "prot", "prot" },        { "madvise", 2, "behavior", "advice" },
	{ "mremap", 3, "flags", "mremap" },       { "clone", 0, "clone_flags", "clone" },
	{ "unshare", 0, "unshare_flags", "clone" }, { "setns", 1, "flags", "clone" },
	{ "futex", 1, "op", "futex" },            { "newfstatat", 3, "flag", "at" },
	{ "statx", 2, "flags", "at" },            { "unlinkat", 2, "flag", "at" },
	{ "linkat", 4, "flags", "at" },           { "fchownat", 4, "flag", "at" },
	{ "faccessat2", 3, "flags", "at" },       { "execveat", 4, "flags", "at" },
	{ "access", 1, "mode", "access" },        { "faccessat", 2, "mode", "access" },
	{ "faccessat2", 2, "mode", "access" },    { "lseek", 2, "whence", "whence" },
	{ "clock_gettime", 0, "which_clock", "clock" },
	{ "clock_nanosleep", 0, "which_clock", "clock" },
	{ "clock_getres", 0, "which_clock", "clock" },
	{ "timerfd_create", 0, "clockid", "clock" }, { "timer_create", 0, "which_clock", "clock" },
	{ "socket", 0, "family", "family" },      { "socket", 1, "type", "socket" },
	{ "socketpair", 0, "family", "family" },  { "socketpair", 1, "type", "socket" },
	{ "accept4", 3, "flags", "socket" },      { "shutdown", 1, "how", "shutdown" },
	{ "fcntl", 1, "cmd", "fcntl" },           { "epoll_ctl", 1, "op", "epoll" },
	{ "rt_sigprocmask", 0, "how", "how" },    { "rt_sigaction", 0, "sig", "signal" },
	{ "kill", 1, "sig", "signal" },           { "tkill", 1, "sig", "signal" },
	{ "tgkill", 2, "sig", "signal" },         { "wait4", 2, "options", "wait" },
	{ "waitid", 3, "options", "wait" },       { "getrandom", 2, "flags", "random" },
	{ "splice", 5, "flags", "splice" },       { "tee", 3, "flags", "splice" },
	{ "vmsplice", 3, "flags", "splice" },     { "renameat2", 4, "flags", "rename" },
};

#define SYSCALL(n, ...) { #n, { __VA_ARGS__ } },
static const struct call {
	const char *name;
	short       nr[8];
} calls[] = {
#include "syscalls.h"
};

#define MAX_NR 512

/* Which column of the table a machine has, and the number its calls begin with */
static const struct machine {
	const char *prefix;		/* of uname -m */
	int column, base;
} machines[] = {
	{ "x86_64", 0, 0 },  { "i386", 1, 0 },  { "i486", 1, 0 },    { "i586", 1, 0 },
	{ "i686", 1, 0 },    { "aarch64", 2, 0 }, { "riscv", 2, 0 }, { "loongarch", 2, 0 },
	{ "arm", 3, 0 },     { "ppc", 4, 0 },   { "s390", 5, 0 },    { "mips64", 7, 5000 },
	{ "mips", 6, 4000 },
};

struct names {
	const char *of[8][MAX_NR];
};

static void *open_names_of(const struct kt_host *host)
{
	struct names *n = calloc(1, sizeof(*n));
	size_t i, k;

	(void)host;
	for (i = 0; n && i < sizeof(calls) / sizeof(calls[0]); i++)
		for (k = 0; k < 8; k++)
			if (calls[i].nr[k] >= 0 && calls[i].nr[k] < MAX_NR)
				n->of[k][calls[i].nr[k]] = calls[i].name;
	return n;
}

static const struct machine *find_machine(const struct kt_host *host, const struct kt_record *rec)
{
	const char *have = host->machine(rec);
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (!strncmp(have, machines[i].prefix, strlen(machines[i].prefix)))
			return &machines[i];
	return NULL;
}

/* NULL: only the number is known. */
static const char *name_of(const struct names *n, const struct machine *m, uint64_t nr)
{
	if (!n || !m || nr < (uint64_t)m->base || nr - m->base >= MAX_NR)
		return NULL;
	return n->of[m->column][nr - m->base];
}

/* Values of flags that differ between architectures. NULL: as a number. */
static const char *table_for(const struct machine *m, const char *as)
{
	if (!strcmp(as, "open") && m && (m->column == 2 || m->column == 3 || m->column == 4))
		return strncmp(m->prefix, "riscv", 5) && strncmp(m->prefix, "loong", 5) ? "open_arm" : as;
	if (m && m->column >= 6 && (!strcmp(as, "open") || !strcmp(as, "map") ||
				    !strcmp(as, "socket") || !strcmp(as, "signal")))
		return NULL;
	if (m && m->column == 4 && !strcmp(as, "map"))
		return NULL;
	return as;
}

static const struct arg *find_arg(const char *call, int at, const char *field)
{
	size_t i;

	for (i = 0; i < sizeof(args) / sizeof(args[0]); i++)
		if (args[i].call[0] == call[0] && !strcmp(args[i].call, call) &&
		    (field ? !strcmp(args[i].field, field) : args[i].at == at))
			return &args[i];
	return NULL;
}

/* Sizes and descriptors are counted, whatever their type. */
static int is_counted(const char *field)
{
	return !strcmp(field, "len") || !strcmp(field, "count") || !strcmp(field, "size") ||
	       !strcmp(field, "length");
}

static void say(const struct kt_host *host, struct kt_out *out, const char *text)
{
	host->text(out, text, strlen(text));
}

static void print_number(const struct kt_host *host, struct kt_out *out, const char *field,
			 const char *type, uint64_t value)
{
	if (type && !strcmp(type, "umode_t"))
		host->print(out, value & 07777 ? "0%llo" : "%llo", (unsigned long long)value & 07777);
	else if (field && !strcmp(field, "fd"))
		host->print(out, "%d", (int)value);
	else if (field && is_counted(field))
		host->print(out, "%llu", (unsigned long long)value);
	else if (type && strchr(type, '*') && !value)
		say(host, out, "NULL");
	else if (type && strchr(type, '*'))
		host->print(out, "0x%llx", (unsigned long long)value);
	else if (type && (!strcmp(type, "size_t") || !strcmp(type, "pid_t")))
		host->print(out, "%lld", (long long)value);
	else if (type && !strcmp(type, "int"))
		host->print(out, "%d", (int)value);
	else if (value < 1000)
		host->print(out, "%llu", (unsigned long long)value);
	else
		host->print(out, "0x%llx", (unsigned long long)value);
}

static void print_arg(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out,
		      const struct machine *m, const struct arg *a, const char *field,
		      const char *type, uint64_t value)
{
	const char *as = a ? table_for(m, a->as) : NULL;

	if (field && strstr(field, "dfd") && (int32_t)value == -100)
		say(host, out, "AT_FDCWD");
	else if (!as || host->value(rec, out, as, value & 0xffffffff) < 0)
		print_number(host, out, field, type, value);
}

static int enter(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out,
		 const char *call)
{
	const struct machine *m = find_machine(host, rec);
	const char *field, *type;
	uint64_t value;
	size_t i;
	int at = 0;

	say(host, out, call);
	say(host, out, "(");
	for (i = 0; (field = host->field_name(rec, i, &type)); i++) {
		if (!strcmp(field, "__syscall_nr") || !strcmp(field, "nr") ||
		    host->field_u64(rec, field, &value) < 0)
			continue;
		say(host, out, at ? ", " : "");
		say(host, out, field);
		say(host, out, ": ");
		print_arg(host, rec, out, m, find_arg(call, at, field), field, type, value);
		at++;
	}
	say(host, out, ")");
	return 0;
}

static int raw_enter(const struct names *n, const struct kt_host *host,
		     const struct kt_record *rec, struct kt_out *out)
{
	const struct machine *m = find_machine(host, rec);
	uint64_t nr, value;
	const char *call;
	int i;

	if (host->field_u64(rec, "id", &nr) < 0)
		return KT_PLUGIN_PASS;
	call = name_of(n, m, nr);
	if (call)
		say(host, out, call);
	else
		host->print(out, "syscall %lld", (long long)nr);
	say(host, out, "(");
	for (i = 0; host->field_elem(rec, "args", i, &value) == 0; i++) {
		if (i)
			say(host, out, ", ");
		print_arg(host, rec, out, m, call ? find_arg(call, i, NULL) : NULL, NULL, NULL, value);
	}
	say(host, out, ")");
	return 0;
}

/* Calls that return an address */
static int returns_address(const char *call)
{
	return !strcmp(call, "mmap") || !strcmp(call, "mmap2") || !strcmp(call, "brk") ||
	       !strcmp(call, "mremap") || !strcmp(call, "shmat");
}

static int leave(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out,
		 const char *call, int64_t nr)
{
	int64_t ret;

	if (host->field_i64(rec, "ret", &ret) < 0)
		return KT_PLUGIN_PASS;
	if (call)
		say(host, out, call);
	else
		host->print(out, "syscall %lld", (long long)nr);
	say(host, out, " = ");
	host->value(rec, out, call && returns_address(call) && (ret > 0 || ret < -4095) ? "hex" : "errno",
		    (uint64_t)ret);
	return 0;
}

static int format(void *self, const struct kt_host *host, const struct kt_record *rec,
		  struct kt_out *out)
{
	const char *event = host->event(rec);
	int64_t nr = -1;

	if (!strncmp(event, "sys_enter_", 10))
		return enter(host, rec, out, event + 10);
	if (!strncmp(event, "sys_exit_", 9))
		return leave(host, rec, out, event + 9, -1);
	if (!strcmp(event, "sys_enter"))
		return raw_enter(self, host, rec, out);
	if (host->field_i64(rec, "id", &nr) < 0)
		return KT_PLUGIN_PASS;
	return leave(host, rec, out, name_of(self, find_machine(host, rec), (uint64_t)nr), nr);
}

static const char *const events[] = { "syscalls/sys_*", "raw_syscalls/sys_*", NULL };

KT_PLUGIN(.name = "syscalls", .summary = "system calls with names, flags and errors",
	  .events = events, .open = open_names_of, .format = format, .close = free, .tables = tables);
