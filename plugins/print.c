/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* print.c - texts written into the trace: trace_marker and trace_printk */
#include <ktrail/plugin.h>

#include <ctype.h>
#include <string.h>

/* All texts of user space come from the same function, whose name is of no use. */
static int show_caller(const struct kt_host *host, const struct kt_record *rec, uint64_t ip)
{
	const char *option = host->option(host, "caller"), *name;
	uint64_t offset;

	if (option && strcmp(option, "auto"))
		return strcmp(option, "0") != 0;
	return host->symbol(rec, ip, &name, &offset) < 0 || strcmp(name, "tracing_mark_write");
}

/* The text without the newline at its end. */
static int print_text(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out)
{
	const char *text;
	uint64_t ip;
	size_t len;

	if (host->field_text(rec, "buf", &text, &len) < 0)
		return KT_PLUGIN_PASS;
	if (host->field_u64(rec, "ip", &ip) == 0 && show_caller(host, rec, ip)) {
		host->value(rec, out, "symbol", ip);
		host->text(out, ": ", 2);
	}
	while (len && text[len - 1] == '\n')
		len--;
	host->text(out, text, len);
	return 0;
}

#define MAX_RAW 1024			/* bytes; for more, both forms do not fit into one text */

/* Raw data: all of it as words of 4 bytes, and as text if it is text. */
static int print_raw(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out)
{
	const unsigned char *p;
	const void *bytes;
	uint64_t id;
	size_t len, i;

	if (host->field_u64(rec, "id", &id) < 0 || host->field_bytes(rec, "buf", &bytes, &len) < 0)
		return KT_PLUGIN_PASS;
	if (len > MAX_RAW)
		return KT_PLUGIN_PASS;		/* the plain text has room for all of it */
	p = bytes;
	host->print(out, "id 0x%llx, %zu bytes:", (unsigned long long)id, len);
	for (i = 0; i < len; i++)
		host->print(out, i % 4 ? "%02x" : " %02x", p[i]);
	host->text(out, " |", 2);
	for (i = 0; i < len; i++)
		host->print(out, "%c", isprint(p[i]) ? p[i] : '.');
	host->text(out, "|", 1);
	return 0;
}

static int format(void *self, const struct kt_host *host, const struct kt_record *rec,
		  struct kt_out *out)
{
	(void)self;
	if (!strcmp(host->event(rec), "raw_data"))
		return print_raw(host, rec, out);
	if (!strcmp(host->event(rec), "print"))
		return print_text(host, rec, out);
	/* bprint and bputs: the kernel has the texts, and the host prints them: "caller: text" */
	host->plain(rec, out);
	return 0;
}

static const struct kt_plugin_option options[] = {
	{ "caller", "auto", "name the function that wrote: 1 always, 0 never, auto: unless it was "
	  "user space" },
	{ NULL, NULL, NULL },
};

static const char *const events[] =
	{ "ftrace/print", "ftrace/bprint", "ftrace/bputs", "ftrace/raw_data", NULL };

KT_PLUGIN(.name = "print", .summary = "texts written into the trace, and raw data",
	  .events = events,
	  .format = format, .options = options);
