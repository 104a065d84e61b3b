/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* print.c - what was written into the trace by hand: trace_marker and trace_printk */
#include <ktrail/plugin.h>

#include <ctype.h>
#include <string.h>

static int show_callers(const struct kt_host *host)
{
	const char *value = host->option(host, "caller");

	return value && strcmp(value, "0");
}

/* Text as it was written, without the newline at its end. */
static int print_text(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out)
{
	const char *text;
	uint64_t ip;
	size_t len;

	if (host->field_text(rec, "buf", &text, &len) < 0)
		return KT_PLUGIN_PASS;
	if (show_callers(host) && host->field_u64(rec, "ip", &ip) == 0) {
		host->value(rec, out, "symbol", ip);
		host->text(out, ": ", 2);
	}
	while (len && text[len - 1] == '\n')
		len--;
	host->text(out, text, len);
	return 0;
}

/* Raw data: as words of 16 bytes, and as text where it is some. */
static int print_raw(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out)
{
	const unsigned char *p;
	const void *bytes;
	uint64_t id;
	size_t len, i;

	if (host->field_u64(rec, "id", &id) < 0 || host->field_bytes(rec, "buf", &bytes, &len) < 0)
		return KT_PLUGIN_PASS;
	p = bytes;
	host->print(out, "id 0x%llx, %zu bytes:", (unsigned long long)id, len);
	for (i = 0; i < len && i < 64; i++)
		host->print(out, i % 4 ? "%02x" : " %02x", p[i]);
	host->print(out, "%s |", i < len ? " ..." : "");
	for (i = 0; i < len && i < 64; i++)
		host->print(out, "%c", isprint(p[i]) ? p[i] : '.');
	host->text(out, "|", 1);
	return 0;
}

static int format(void *self, const struct kt_host *host, const struct kt_record *rec,
		  struct kt_out *out)
{
	(void)self;
	return strcmp(host->event(rec), "raw_data") ? print_text(host, rec, out)
						    : print_raw(host, rec, out);
}

static const struct kt_plugin_option options[] = {
	{ "caller", "0", "name the function that wrote, for trace_marker always tracing_mark_write" },
	{ NULL, NULL, NULL },
};

static const char *const events[] = { "ftrace/print", "ftrace/raw_data", NULL };

KT_PLUGIN(.name = "print", .summary = "trace_marker texts and raw data", .events = events,
	  .format = format, .options = options);
