/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* syscalls.c - system calls with names, decoded arguments and errors */
#include <ktrail/plugin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "syscalls_args.h"

#define SYSCALL(n, ...) { #n, { __VA_ARGS__ } },
#define COLUMNS 8
static const struct call {
	const char *name;
	short       nr[COLUMNS];
} calls[] = {
#include "syscalls.h"
};

#define PORTS 8
static const struct port_call {
	const char *name;
	short       nr[PORTS];
} port_calls[] = {
#include "syscalls_ports.h"
};

#define MAX_NR 640
#define X32 0x40000000			/* set in call numbers of x86's third ABI */

/*
 * The column of a machine (the columns of ports come after the others), and the first number of
 * its calls. @own: its flags and signals have different values.
 */
static const struct machine {
	const char *prefix;		/* of uname -m */
	int column, base, own;
} machines[] = {
	{ "x86_64", 0, 0, 0 }, { "i386", 1, 0, 0 }, { "i486", 1, 0, 0 }, { "i586", 1, 0, 0 },
	{ "i686", 1, 0, 0 }, { "aarch64", 2, 0, 0 }, { "riscv", 2, 0, 0 }, { "loongarch", 2, 0, 0 },
	{ "arc", 2, 0, 0 }, { "csky", 2, 0, 0 }, { "hexagon", 2, 0, 0 }, { "nios2", 2, 0, 0 },
	{ "openrisc", 2, 0, 0 }, { "arm", 3, 0, 0 }, { "ppc", 4, 0, 0 }, { "s390", 5, 0, 0 },
	{ "mips64", 7, 5000, 1 }, { "mips", 6, 4000, 1 }, { "alpha", 8, 0, 1 }, { "m68k", 9, 0, 0 },
	{ "parisc", 10, 0, 1 }, { "sh", 11, 0, 0 }, { "sparc", 12, 0, 1 }, { "xtensa", 13, 0, 1 },
	{ "microblaze", 14, 0, 0 }, { "ia64", 15, 1024, 0 },
};
enum { GENERIC = 2, ARM, POWERPC, MIPS = 6, M68K = 9 };

struct names {
	const char *of[COLUMNS + PORTS][MAX_NR];
};

static void set_names(struct names *n, int column, const char *name, const short *nr, int columns)
{
	int i;

	for (i = 0; i < columns; i++)
		if (nr[i] >= 0 && nr[i] < MAX_NR)
			n->of[column + i][nr[i]] = name;
}

static void *open_names_of(const struct kt_host *host)
{
	struct names *n = calloc(1, sizeof(*n));
	size_t i;

	(void)host;
	for (i = 0; n && i < sizeof(calls) / sizeof(calls[0]); i++)
		set_names(n, 0, calls[i].name, calls[i].nr, COLUMNS);
	for (i = 0; n && i < sizeof(port_calls) / sizeof(port_calls[0]); i++)
		set_names(n, COLUMNS, port_calls[i].name, port_calls[i].nr, PORTS);
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
	if (!n || !m)
		return NULL;
	if (m->column == 0)
		nr &= ~(uint64_t)X32;
	if (nr < (uint64_t)m->base || nr - m->base >= MAX_NR)
		return NULL;
	return n->of[m->column][nr - m->base];
}

/* Flags whose values depend on the architecture. NULL: show a number. */
static const char *table_for(const struct machine *m, const char *as)
{
	static const char *const differ[] = {
		"open", "map", "socket", "fd", "ioctl", "eventfd", "resource", "fcntl", "how",
			"ptrace",
		"msg", "advice", "mlock", "prot", NULL
	};
	size_t i;

	if (!m)
		return as;
	for (i = 0; m->own && differ[i]; i++)
		if (!strcmp(as, differ[i]))
			return NULL;
	if (!strcmp(as, "open") && (m->column == ARM || m->column == POWERPC || m->column == M68K ||
				    !strcmp(m->prefix, "aarch64")))
		return "open_arm";
	if (m->column == POWERPC && (!strcmp(as, "map") || !strcmp(as, "ioctl") ||
				     !strcmp(as, "mlock") || !strcmp(as, "ptrace")))
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

static void say(const struct kt_host *host, struct kt_out *out, const char *text)
{
	host->text(out, text, strlen(text));
}

static int is_any(const char *word, const char *const *of)
{
	for (; word && *of; of++)
		if (!strcmp(word, *of))
			return 1;
	return 0;
}

/* The kind of an argument is known by its type, otherwise by its name, otherwise by its size. */
static void print_number(const struct kt_host *host, struct kt_out *out, const char *field,
			 const char *type, uint64_t value)
{
	/* Registers hold 64 bits, of which these arguments use 32 */
	static const char *const ints[] = { "int", "pid_t", "clockid_t", "key_t", "timer_t",
		"qid_t", "mqd_t", "key_serial_t", "int32_t", NULL };
	static const char *const int_names[] = { "fd", "oldfd", "newfd", "dfd", "fildes", NULL };
	static const char *const counts[] =
		{ "len", "count", "size", "length", "nr", "vlen", NULL };

	if (type && (!strcmp(type, "umode_t") || !strcmp(field, "mode")))
		host->print(out, value ? "0%llo" : "%llo", (unsigned long long)value);
	else if (type && strchr(type, '*') && !value)
		say(host, out, "NULL");
	else if (type && strchr(type, '*'))
		host->print(out, "0x%llx", (unsigned long long)value);
	else if ((is_any(type, ints) || is_any(field, int_names)) &&
		 (value >> 32 == 0 || value >> 31 == 0x1ffffffff))
		host->print(out, "%d", (int)value);
	else if (is_any(field, counts) || (type && !strcmp(type, "size_t")))
		host->print(out, "%llu", (unsigned long long)value);
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

	if (field && strstr(field, "dfd") && (value & 0xffffffff) == 0xffffff9c)
		say(host, out, "AT_FDCWD");
	else if (!as || value >> 32 || host->value(rec, out, as, value) < 0)
		print_number(host, out, field, type, value);
}

/* Linux 6.19 and newer store the string of "filename" in "__filename_val". */
static void print_pointee(const struct kt_host *host, const struct kt_record *rec,
			  struct kt_out *out, const char *field)
{
	char name[64];
	const char *text;
	size_t len;

	if (strlen(field) > sizeof(name) - 7)
		return;
	sprintf(name, "__%s_val", field);
	if (host->field_text(rec, name, &text, &len) < 0)
		return;
	say(host, out, " \"");
	host->text(out, text, len);
	say(host, out, "\"");
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
		/* The first is the call number; an argument may also have the name "nr" */
		if (i == 0 && (!strcmp(field, "__syscall_nr") || !strcmp(field, "nr")))
			continue;
		if (!strncmp(field, "__", 2) || host->field_u64(rec, field, &value) < 0)
			continue;
		say(host, out, at ? ", " : "");
		say(host, out, field);
		say(host, out, ": ");
		print_arg(host, rec, out, m, find_arg(call, at, field), field, type, value);
		print_pointee(host, rec, out, field);
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
		print_arg(host, rec, out, m, call ? find_arg(call, i, NULL) : NULL, NULL, NULL,
			  value);
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
	host->value(rec, out, call && returns_address(call) &&
		    (ret > 0 || ret < -4095) ? "hex" : "errno",
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

/* Not for raw_syscalls, which would mix the results of all calls. */
static const struct kt_column columns[] = {
	{ "result", "syscalls/sys_exit_mmap", KT_COLUMN_ADDRESS, "ret", "where it is" },
	{ "result", "syscalls/sys_exit_mremap", KT_COLUMN_ADDRESS, "ret", "where it is" },
	{ "result", "syscalls/sys_exit_brk", KT_COLUMN_ADDRESS, "ret", "where the heap ends" },
	{ "result", "syscalls/sys_exit_shmat", KT_COLUMN_ADDRESS, "ret", "where it is" },
	{ "result", "syscalls/sys_exit_*", KT_COLUMN_NUMBER, "ret", "what it returned" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = { "syscalls/sys_*", "raw_syscalls/sys_*", NULL };

KT_PLUGIN(.name = "syscalls", .summary = "system calls with names, flags and errors",
	  .events = events, .open = open_names_of, .format = format, .close = free,
	  .tables = tables,
	  .columns = columns);
