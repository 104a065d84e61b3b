/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* signal.c - signals by name, with their target and result */
#include <ktrail/plugin.h>

/* Sources: Linux, include/uapi/asm-generic/siginfo.h and include/trace/events/signal.h */
#define SENT \
	{ 0, "kill", 0 },              { 0x80, "the kernel", 0 }, \
	{ (uint64_t)-1, "sigqueue", 0 }, { (uint64_t)-2, "a timer", 0 }, \
	{ (uint64_t)-3, "a message queue", 0 }, { (uint64_t)-4, "asynchronous I/O", 0 }, \
	{ (uint64_t)-5, "SIGIO", 0 },  { (uint64_t)-6, "tkill", 0 }

static const struct kt_name codes[] = { SENT, { 0, NULL, 0 } };
/* The meaning of positive codes depends on the signal. */
static const struct kt_name children[] = {
	SENT, { 1, "exit of a child", 0 }, { 2, "death of a child", 0 },
		{ 3, "core dump of a child", 0 },
	{ 4, "trap of a child", 0 }, { 5, "stop of a child", 0 }, { 6, "return of a child", 0 },
	{ 0, NULL, 0 },
};
static const struct kt_name faults[] = {
	SENT, { 1, "access to what is not mapped", 0 }, { 2, "access that is not allowed", 0 },
	{ 3, "a bounds check", 0 }, { 4, "a protection key", 0 }, { 0, NULL, 0 },
};

static const struct kt_name results[] = {
	{ 0, "delivered", 0 }, { 1, "ignored", 0 }, { 2, "already pending", 0 },
	{ 3, "lost: too many pending", 0 }, { 4, "its information is lost", 0 }, { 0, NULL, 0 },
};

static const struct kt_name handlers[] = {
	{ 0, "default action", 0 }, { 1, "ignored", 0 }, { 0, NULL, 0 },
};

/* Flags that most architectures share. Source: Linux, include/uapi/asm-generic/signal-defs.h */
static const struct kt_name flags[] = {
	{ 0x1, "SA_NOCLDSTOP", 0 },     { 0x2, "SA_NOCLDWAIT", 0 }, { 0x4, "SA_SIGINFO", 0 },
	{ 0x04000000, "SA_RESTORER", 0 }, { 0x08000000, "SA_ONSTACK", 0 },
	{ 0x10000000, "SA_RESTART", 0 }, { 0x40000000, "SA_NODEFER", 0 },
	{ 0x80000000, "SA_RESETHAND", 0 }, { 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "code", KT_TABLE_ENUM, codes },
	{ "child", KT_TABLE_ENUM, children },
	{ "fault", KT_TABLE_ENUM, faults },
	{ "result", KT_TABLE_ENUM, results },
	{ "flags", KT_TABLE_FLAGS, flags },
	{ "handler", KT_TABLE_ENUM_HEX, handlers },
	{ NULL, 0, NULL },
};

/* SIGSEGV has the same number everywhere, SIGCHLD on most machines. */
#define CODE "{?sig=17 {code|child}}{?sig=11 {code|fault}}{!sig=17 {!sig=11 {code|code}}}"

static const struct kt_phrase phrases[] = {
	{ "signal/signal_generate", "{sig|signal} for {comm}:{pid}{?group  (process)} from " CODE ""
	  ": {result|result}{?errno  ({errno|error})}{*}" },
	{ "signal/signal_deliver", "{sig|signal} from " CODE ": {sa_handler|handler}"
	  "{?sa_flags , {sa_flags|flags}}{?errno  ({errno|error})}{*}" },
	{ NULL, NULL },
};

static const char *const events[] = { "signal/*", NULL };

KT_PLUGIN(.name = "signal", .summary = "signals by name and fate", .events = events,
	  .phrases = phrases, .tables = tables);
