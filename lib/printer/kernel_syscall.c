/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kernel_syscall.c - print formats for system calls as the kernel's trace file shows them */
#include "printer/kernel_format.h"

#include <stdlib.h>
#include <string.h>

/* Source: Linux 6.12 and 7.2, kernel/trace/trace_syscalls.c, print_syscall_enter() */

struct format {
	struct str text, args;
};

static bool is_argument(const struct kt_field *f)
{
	return strcmp(f->name, "__syscall_nr") != 0 && !(f->flags & KT_FIELD_DYNAMIC);
}

/* The field with the data that an argument points to; "": none */
static void copy_name(const struct event *ev, const struct kt_field *f, char *name, size_t size)
{
	snprintf(name, size, "__%s_val", f->name);
	if (!kt_event_field(&ev->pub, name))
		*name = '\0';
}

static bool has_copies(const struct event *ev)
{
	size_t i;

	for (i = 0; i < ev->pub.nr_fields; i++)
		if (ev->pub.fields[i].flags & KT_FIELD_DYNAMIC)
			return true;
	return false;
}

/* The text that an argument points to, in quotes; or bytes, whose number the next argument gives */
static void add_copy(const struct event *ev, const struct kt_field *f, struct format *to)
{
	const struct kt_field *end = ev->pub.fields + ev->pub.nr_fields;
	char name[80], array[120];

	copy_name(ev, f, name, sizeof(name));
	if (!*name)
		return;
	snprintf(array, sizeof(array), "__print_dynamic_array(%s,", name);
	if (strstr(ev->pub.print_fmt, array) && f + 1 < end) {
		str_add(&to->text, " %s");
		str_addf(&to->args, ", " KERNEL_BYTES_COPIED "(%s, REC->%s)", name, f[1].name);
	} else {
		str_add(&to->text, " \\\"%.*s\\\"");
		str_addf(&to->args, ", __get_dynamic_array_len(%s), __get_str(%s)", name, name);
	}
}

/* sys_read(fd: 3, buf: 7ffe7f1159b8, count: 340); since 6.19 0x340, below 10 unchanged */
static void add_argument(const struct event *ev, const struct kt_field *f, bool prefixed,
			 struct format *to)
{
	str_addf(&to->text, prefixed ? "%s: %%s%%lx" : "%s: %%lx", f->name);
	if (prefixed)
		str_addf(&to->args, ", REC->%s < 10 ? \"\" : \"0x\"", f->name);
	str_addf(&to->args, ", ((unsigned long)(REC->%s))", f->name);
	add_copy(ev, f, to);
}

/* The value of "{ 0x40, "O_CREAT" }" in the table of openat's flags */
static unsigned long flag_value(const char *table, const char *name)
{
	const char *at = strstr(table, name);

	while (at && at > table && *at != '{')
		at--;
	return at ? strtoul(at + 1, NULL, 16) : 0;
}

/*
 * O_TMPFILE, which includes O_DIRECTORY, is not in the table of the format,
 * only in the kernel's own. The mode is shown if either of its bits is set.
 */
#define OWN_BIT_OF_TMPFILE 0x400000

/* The table of openat's flags in the print format, up to its end. NULL: an older kernel */
static const char *flags_table(const struct event *ev, int *len)
{
	const char *table, *end;

	if (strcmp(ev->pub.name, "sys_enter_openat") != 0)
		return NULL;
	table = strstr(ev->pub.print_fmt, "__print_flags(REC->flags, \"|\", {");
	end = table ? strstr(table, " }) :") : NULL;
	if (!end)
		return NULL;
	table = strchr(table, '{');
	*len = end + 2 - table;
	return table;
}

/* dfd: 4294967196, filename: 94077676604208 "/dev/null", flags: O_WRONLY|O_CREAT, mode: 0666 */
static void openat(const struct event *ev, const char *table, int table_len, struct format *to)
{
	unsigned long tmpfile = OWN_BIT_OF_TMPFILE | flag_value(table, "\"O_DIRECTORY\"");
	unsigned long with_mode = tmpfile | flag_value(table, "\"O_CREAT\"");

	str_add(&to->text, "dfd: %lu, filename: %lu");
	str_add(&to->args, ", REC->dfd, REC->filename");
	add_copy(ev, kt_event_field(&ev->pub, "filename"), to);
	str_add(&to->text, ", flags: %s%s%s%.*o");
	str_add(&to->args, ", REC->flags & 3 ? \"\" : "
			   "(int)REC->flags ? \"O_RDONLY|\" : \"O_RDONLY\"");
	str_addf(&to->args, ", __print_flags((unsigned int)REC->flags, \"|\", "
		 "{ %#lx, \"O_TMPFILE\" }, %.*s)", tmpfile, table_len, table);
	str_addf(&to->args, ", REC->flags & %#lx ? \", mode: 0\" : \"\"", with_mode);
	str_addf(&to->args, ", REC->flags & %#lx ? 3 : 0, REC->flags & %#lx ? REC->mode : 0",
		 with_mode, with_mode);
}

void kernel_syscall_enter(const struct event *ev, struct str *s)
{
	struct format to = { STR_INIT, STR_INIT };
	bool prefixed = ev->pub.events->version >= LINUX(6, 19) || has_copies(ev);
	const struct kt_field *f = ev->pub.fields, *end = f + ev->pub.nr_fields;
	const char *table;
	int table_len;

	table = flags_table(ev, &table_len);
	if (table && kt_event_field(&ev->pub, "filename")) {
		openat(ev, table, table_len, &to);
		f = end;
	}
	for (; f < end; f++) {
		if (!is_argument(f))
			continue;
		if (to.text.len)
			str_add(&to.text, ", ");
		add_argument(ev, f, prefixed, &to);
	}
	str_addf(s, "\"sys_%s(", ev->pub.name + strlen("sys_enter_"));
	str_addn(s, to.text.buf ? to.text.buf : "", to.text.len);
	str_add(s, ")\"");
	str_addn(s, to.args.buf ? to.args.buf : "", to.args.len);
	str_fini(&to.text);
	str_fini(&to.args);
}
