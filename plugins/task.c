/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* task.c - new tasks and new names */
#include <ktrail/plugin.h>

/* Source: Linux, include/uapi/linux/sched.h */
static const struct kt_name clone_flags[] = {
	{ 0x00000100, "VM", 0 },         { 0x00000200, "FS", 0 },       { 0x00000400, "FILES", 0 },
	{ 0x00000800, "SIGHAND", 0 },    { 0x00001000, "PIDFD", 0 },    { 0x00002000, "PTRACE", 0 },
	{ 0x00004000, "VFORK", 0 },      { 0x00008000, "PARENT", 0 },   { 0x00010000, "THREAD", 0 },
	{ 0x00020000, "NEWNS", 0 },      { 0x00040000, "SYSVSEM", 0 },  { 0x00080000, "SETTLS", 0 },
	{ 0x00100000, "PARENT_SETTID", 0 }, { 0x00200000, "CHILD_CLEARTID", 0 },
	{ 0x00800000, "UNTRACED", 0 },   { 0x01000000, "CHILD_SETTID", 0 },
	{ 0x02000000, "NEWCGROUP", 0 },  { 0x04000000, "NEWUTS", 0 },   { 0x08000000, "NEWIPC", 0 },
	{ 0x10000000, "NEWUSER", 0 },    { 0x20000000, "NEWPID", 0 },   { 0x40000000, "NEWNET", 0 },
	{ 0x80000000, "IO", 0 },         { 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "clone", KT_TABLE_FLAGS, clone_flags },
	{ NULL, 0, NULL },
};

static const struct kt_phrase phrases[] = {
	{ "task/task_newtask", "new {comm}:{pid} shares {clone_flags|clone}"
	  "{?oom_score_adj , OOM score {oom_score_adj}}{*}" },
	{ "task/task_rename", "{pid} {oldcomm} is now {newcomm}"
	  "{?oom_score_adj , OOM score {oom_score_adj}}{*}" },
	{ "task/task_rename", "{oldcomm} is now {newcomm}{*}" },
	{ NULL, NULL },
};

static const char *const events[] = { "task/*", NULL };

KT_PLUGIN(.name = "task", .summary = "new tasks and new names", .events = events,
	  .phrases = phrases, .tables = tables);
