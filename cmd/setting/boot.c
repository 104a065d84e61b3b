/* SPDX-License-Identifier: GPL-2.0-or-later */
/* boot.c - `ktrail boot`: a session for the next boot, as bootconfig or kernel command line */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/session.h>

#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"
#include "cmd/record/setup.h"

struct args {
	struct setup_args s;		/* first: the setup_ functions need it */
	bool cmdline, json;
};

static int set_dump_on_oops(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;
	bool all = !value || strcmp(value, "all") == 0;

	if (!all && strcmp(value, "cpu") != 0)
		return cmd_misuse(err, "all or cpu is expected, not '%s'", value);
	return setup_machine(&a->s, "sysctl/ftrace_dump_on_oops", all ? "1" : "orig_cpu", err);
}

/* The options of start that work at boot, with the same functions */
static const struct cmd_opt opts[] = {
	OPT_BOOL(0, "cmdline", struct args, cmdline,
		 "print parameters for the kernel's command line"),
	OPT_BOOL(0, "json", struct args, json,
		 "print JSON: the text and this kernel's objections"),
	SETUP_SESSION()
	OPT_CALL('e', "event", setup_event, "event", "trace these: sys:event, sys, event, all"),
	SETUP_BUFFER_OPTS()
	OPT_CALL_OPTIONAL(0, "dump-on-oops", set_dump_on_oops, "all|cpu",
			  "a crash prints the trace to the console"),
	OPT_END
};

/* The settings of the session, and those of the other options in addition. */
static int add_session(struct args *a, struct kt_names *notes, struct kt_err *err)
{
	int ret;

	if (!a->s.session)
		return 0;
	kt_state_hide_defaults(a->s.session);
	ret = kt_boot_add_state(&a->s.setup, a->s.session, notes);
	return kt_err_result(err, ret);
}

/* Print the lines of a bootconfig, or the words of a command line; and the notes */
static int print_json(const struct args *a, const struct kt_names *notes, const char *text)
{
	struct json j = JSON_INIT;
	size_t len;

	json_open(&j, NULL, '{');
	json_str(&j, "for", a->cmdline ? "cmdline" : "bootconfig");
	json_open(&j, "lines", '[');
	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		json_strn(&j, NULL, text, len);
	}
	json_close(&j, ']');
	json_names(&j, "notes", notes);
	json_close(&j, '}');
	return json_print(&j);
}

static int print(struct args *a, struct kt_names *notes, struct kt_err *err)
{
	char *text;
	size_t i;
	int ret = add_session(a, notes, err);

	if (ret == 0)
		ret = kt_boot_check(&a->s.setup, notes);
	for (i = 0; i < notes->nr && !a->json; i++)
		safe_tell("boot", notes->names[i]);
	if (ret < 0)
		return ret;
	text = (a->cmdline ? kt_boot_cmdline : kt_boot_config)(&a->s.setup, err);
	if (!text)
		return err->code;
	if (a->json)
		ret = print_json(a, notes, text);
	else
		fputs(text, stdout);
	free(text);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	struct kt_names notes = { 0 };
	int ret;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	ret = setup_finish(&a->s, true, 0, err);
	if (ret == 0)
		ret = print(a, &notes, err);
	kt_names_fini(&notes);
	return ret;
}

const struct cmd cmd_boot = {
	.name      = "boot",
	.summary   = "print kernel parameters that begin tracing at boot",
	.examples  =
	"  ktrail boot -p function_graph -g vfs_read -e sched:sched_switch >trace.bconf\n"
	"  bootconfig -a trace.bconf /boot/initrd.img    then boot with 'bootconfig'\n"
	"  ktrail state save now && ktrail boot --session now >trace.bconf\n"
	"  ktrail boot --cmdline -e sched -b 4M          for the kernel's command line\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.init      = setup_init,
	.run       = run,
	.fini      = setup_fini,
};
