/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* signal.c - signals by name, whom they are for, what becomes of them */
#include <ktrail/plugin.h>

/* Sources: Linux, include/uapi/asm-generic/siginfo.h and include/trace/events/signal.h */
static const struct kt_name codes[] = {
	{ 0, "kill", 0 },              { 0x80, "the kernel", 0 },
	{ (uint64_t)-1, "sigqueue", 0 }, { (uint64_t)-2, "a timer", 0 },
	{ (uint64_t)-3, "a message queue", 0 }, { (uint64_t)-4, "asynchronous I/O", 0 },
	{ (uint64_t)-5, "SIGIO", 0 },  { (uint64_t)-6, "tkill", 0 }, { 0, NULL, 0 },
};

static const struct kt_name results[] = {
	{ 0, "delivered", 0 }, { 1, "ignored", 0 }, { 2, "already pending", 0 },
	{ 3, "lost: too many pending", 0 }, { 4, "its information is lost", 0 }, { 0, NULL, 0 },
};

static const struct kt_name handlers[] = {
	{ 0, "default action", 0 }, { 1, "ignored", 0 }, { 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "code", KT_TABLE_ENUM, codes },
	{ "result", KT_TABLE_ENUM, results },
	{ "handler", KT_TABLE_ENUM, handlers },
	{ NULL, 0, NULL },
};

static int format(void *self, const struct kt_host *host, const struct kt_record *rec,
		  struct kt_out *out)
{
	uint64_t handler;

	(void)self;
	if (host->field_u64(rec, "sa_handler", &handler) < 0)
		return KT_PLUGIN_PASS;
	host->phrase(rec, out, "{sig|signal} from {code|code}: ");
	host->value(rec, out, handler > 1 ? "address" : "handler", handler);
	return 0;
}

static const struct kt_phrase phrases[] = {
	{ "signal/signal_generate", "{sig|signal} for {comm}:{pid}{?group  (process)} from {code|code}"
	  ": {result|result}" },
	{ NULL, NULL },
};

static const char *const events[] = { "signal/*", NULL };

KT_PLUGIN(.name = "signal", .summary = "signals by name and fate", .events = events,
	  .format = format, .phrases = phrases, .tables = tables);
