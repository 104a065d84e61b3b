/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crash.c - `ktrail capture crash`: the recorder whose events outlive a crash */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ktrail/capture.h>
#include <ktrail/settings.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/args/noun.h"
#include "cmd/args/output.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"
#include "cmd/record/extract.h"
#include "cmd/record/record.h"

#define NAME	"capture crash"
#define GRUB_DIR "/etc/default/grub.d"
#define GRUB_FILE GRUB_DIR "/ktrail.cfg"
#define GRUB_HEAD "# Written by `ktrail " NAME " setup`."

struct args {
	const char *instance, *output, *dump;
	const char *grub;		/* the drop-in to write; NULL: none */
	struct kt_names events;
	uint64_t memory;
	bool yes, json, quiet;
};

static int add_event(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;

	return kt_names_add_words(&a->events, value, ", ") < 0 ? kt_err_no_memory(err) : 0;
}

static int set_dump(void *args, const char *value, struct kt_err *err)
{
	(void)err;
	((struct args *)args)->dump = value ? value : "all";
	return 0;
}

static int set_grub(void *args, const char *value, struct kt_err *err)
{
	(void)err;
	((struct args *)args)->grub = value ? value : GRUB_FILE;
	return 0;
}

static const struct cmd_opt opts[] = {
	OPT_CALL('e', "event", add_event, "event",
		 "record these: sys:event, sys, all"),
	OPT_SIZE(0, "memory", struct args, memory, "size", "of all CPUs together: 64M"),
	OPT_STR (0, "name", struct args, instance, "name", "of the instance; crash"),
	OPT_CALL_OPTIONAL(0, "dump-on-oops", set_dump, "all|cpu",
			  "a crash also prints the events to the console"),
	OPT_CALL_OPTIONAL(0, "write", set_grub, "file", "put it into a drop-in of GRUB"),
	OPT_BOOL('y', "yes", struct args, yes, "do not ask before writing"),
	OPT_STR ('o', "output", struct args, output, "file",
		 "this file, or crash-NNNN.dat in this folder"),
	OPT_BOOL('q', "quiet", struct args, quiet, "print only errors"),
	OPT_BOOL(0, "json", struct args, json, "print JSON"),
	OPT_END
};

static const char *release(void)
{
	static struct utsname u;

	return uname(&u) == 0 ? u.release : "";
}

/* ==== setup ==== */

static char *joined(const struct kt_crash_params *params)
{
	struct str s = STR_INIT;
	size_t i;

	for (i = 0; i < params->nr; i++)
		str_addf(&s, "%s%s", i ? " " : "", params->at[i].text);
	return str_take(&s);
}

static int print_setup_json(const struct kt_crash_params *params, const char *line)
{
	struct json j = JSON_INIT;
	size_t i;

	json_open(&j, NULL, '{');
	json_str(&j, "cmdline", line);
	json_open(&j, "parameters", '[');
	for (i = 0; i < params->nr; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "text", params->at[i].text);
		json_str(&j, "why", params->at[i].why);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	return json_print(&j);
}

static void print_setup(const struct kt_crash_params *params, const char *line)
{
	size_t i;

	for (i = 0; i < params->nr; i++)
		printf("# %s\n#     %s\n", params->at[i].text, params->at[i].why);
	printf("%s\n", line);
}

/* Conditions, besides parameters, for finding the events of the recorder after a crash */
static void tell_next(const struct args *a, bool written)
{
	struct kt_crash_status now;

	if (a->quiet)
		return;
	if (!written)
		fprintf(stderr, "Add this to the kernel's command line; --write does it for "
			"GRUB.\n");
	fprintf(stderr, "`%s " NAME " collect` at each boot saves the events of a crash and "
		"begins to record.\n", cmd_program);
	if (kt_crash_status_read(NULL, "", &now, NULL) < 0)
		return;
	if (!now.panic_s)
		fprintf(stderr, "After a panic this machine waits for a reset: panic=10 lets it "
			"boot after 10 s.\n");
	kt_crash_status_fini(&now);
}

static int check_drop_in(const char *path, struct kt_err *err)
{
	struct str old = STR_INIT;
	int ret = str_read_file(&old, path);

	if (ret == 0 && !str_starts(old.buf, GRUB_HEAD))
		ret = kt_err_set(err, -EEXIST, "%s is not a file that `%s " NAME "` wrote", path,
				 cmd_program);
	else if (ret == -ENOENT || ret == 0)
		ret = 0;
	else
		kt_err_set(err, ret, "cannot read %s: %s", path, strerror(-ret));
	str_fini(&old);
	return ret;
}

/* @line has no characters that are special to GRUB or to the shell, which reads the file */
static int write_drop_in(const struct args *a, const char *line, struct kt_err *err)
{
	struct str text = STR_INIT, question = STR_INIT;
	int ret = check_drop_in(a->grub, err);

	str_addf(&question, "Write %s?", a->grub);
	if (ret == 0)
		ret = verb_confirm(a->yes, question.buf, err);
	str_addf(&text, GRUB_HEAD "\n# To undo it, remove this file and run update-grub.\n"
		 "GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX %s\"\n", line);
	if (ret == 1 && !text.failed) {
		ret = output_put_text(a->grub, &text);
		if (ret == -ENOENT && strcmp(a->grub, GRUB_FILE) == 0)
			kt_err_set(err, ret, "there is no " GRUB_DIR " here: give the line to the "
				   "boot loader, as with grubby --update-kernel=ALL --args='…'");
		else if (ret < 0)
			kt_err_set(err, ret, "cannot write %s: %s", a->grub, strerror(-ret));
		if (ret == 0 && !a->quiet)
			fprintf(stderr, "wrote %s: run update-grub, then reboot.\n", a->grub);
	}
	str_fini(&text);
	str_fini(&question);
	return ret;
}

/* The next kernel may have them: only warn. */
static void tell_unknown_events(const struct kt_names *events)
{
	struct kt_instance *top = kt_instance_open(NULL, 0, NULL);
	struct kt_names found = { 0 };
	struct kt_err why = { 0 };
	size_t i;

	for (i = 0; top && i < events->nr; i++)
		if (kt_selection_find(top, events->names[i], &found, &why) == -ENOENT)
			safe_tell(NAME, why.msg);
	kt_names_fini(&found);
	kt_instance_close(top, NULL);
}

static int setup(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	struct kt_crash_opts o = { .instance = a->instance, .events = &a->events,
				   .memory = a->memory, .dump = a->dump };
	struct kt_crash_params params = { 0 };
	char *line = NULL;
	int ret = noun_check_words(argc, argv, 0, "", err);

	if (ret < 0)
		return ret;
	if (!a->events.nr)
		return cmd_misuse(err, "-e is missing: the events to record");
	ret = kt_crash_check(release(), err);
	if (ret < 0)
		return ret;
	ret = kt_crash_params_make(&o, &params, err);
	if (ret < 0)
		goto out;
	tell_unknown_events(&a->events);
	line = joined(&params);
	if (!line) {
		ret = kt_err_no_memory(err);
		goto out;
	}
	if (a->json)
		ret = print_setup_json(&params, line);
	else
		print_setup(&params, line);
	fflush(stdout);
	if (ret == 0 && a->grub)
		ret = write_drop_in(a, line, err);
	if (ret == 0 && !a->json)
		tell_next(a, a->grub);
out:
	free(line);
	kt_crash_params_fini(&params);
	return ret;
}

/* ==== status ==== */

static int print_status_json(const struct kt_crash_status *s, const char *unable)
{
	struct json j = JSON_INIT;

	json_open(&j, NULL, '{');
	json_str(&j, "release", release());
	json_str(&j, "unable", unable);
	json_names(&j, "parameters", &s->params);
	json_str(&j, "instance", s->instance);
	json_names(&j, "events", &s->events);
	json_bool(&j, "recording", s->recording);
	json_bool(&j, "earlier_boot", s->earlier_boot);
	json_uint(&j, "entries", s->entries);
	if (s->oldest_ns)
		json_uint(&j, "oldest_ns", s->oldest_ns);
	if (s->kb_per_cpu >= 0)
		json_int(&j, "kb_per_cpu", s->kb_per_cpu);
	json_int(&j, "panic_s", s->panic_s);
	json_close(&j, '}');
	return json_print(&j);
}

static void print_row(const char *name, const struct str *text)
{
	printf("%-14s", name);
	safe_put(text->buf);
	putchar('\n');
}

static void add_names(struct str *s, const struct kt_names *names)
{
	size_t i;

	for (i = 0; i < names->nr; i++)
		str_addf(s, "%s%s", i ? " " : "", names->names[i]);
}

static void print_buffer(const struct kt_crash_status *s)
{
	struct str text = STR_INIT;
	char since[32];

	str_addf(&text, "%s", s->instance);
	if (s->kb_per_cpu >= 0)
		str_addf(&text, ", %" PRId64 " KiB per CPU", s->kb_per_cpu);
	str_addf(&text, ", %s", s->recording ? "recording" : "off");
	print_row("instance", &text);
	str_reset(&text);
	str_addf(&text, "%" PRIu64, s->entries);
	if (s->entries)
		str_add(&text, s->earlier_boot ? " of an earlier boot" : " of this boot");
	if (s->oldest_ns)
		str_addf(&text, ", the first at %s s", units_format_moment(s->oldest_ns, since));
	if (s->earlier_boot)
		str_addf(&text, ": `%s " NAME " collect` saves them", cmd_program);
	else if (!s->recording && !s->entries)
		str_addf(&text, ": `%s " NAME " collect` begins to record", cmd_program);
	print_row("events", &text);
	str_fini(&text);
}

static void print_status(const struct kt_crash_status *s, const char *unable)
{
	struct str text = STR_INIT;

	if (unable)
		str_add(&text, unable);
	else
		str_addf(&text, "Linux %s can keep a buffer over a crash", release());
	print_row("kernel", &text);
	str_reset(&text);
	add_names(&text, &s->params);
	if (!s->params.nr)
		str_addf(&text, "none: `%s " NAME " setup` prints them", cmd_program);
	print_row("parameters", &text);
	str_reset(&text);
	if (s->instance)
		print_buffer(s);
	else
		printf("%-14snone keeps its buffer%s\n", "instance", s->params.nr ?
		       "; `dmesg` has the reason of the kernel" : "");
	if (!s->panic_s)
		str_add(&text, "the machine waits for a reset (panic=10: boots after 10 s)");
	else if (s->panic_s < 0)
		str_add(&text, "the machine boots at once");
	else
		str_addf(&text, "the machine boots after %d s", s->panic_s);
	print_row("after a panic", &text);
	str_fini(&text);
}

static int status(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_crash_status s = { 0 };
	struct kt_err unable = { 0 };
	int ret = noun_check_words(argc, argv, 0, "", err);

	if (ret == 0)
		ret = kt_crash_status_read(a->instance, NULL, &s, err);
	if (ret < 0)
		return ret;
	kt_crash_check(release(), &unable);
	if (a->json)
		ret = print_status_json(&s, unable.code ? unable.msg : NULL);
	else
		print_status(&s, unable.code ? unable.msg : NULL);
	kt_crash_status_fini(&s);
	return ret;
}

/* ==== collect ==== */

/* The file of -o, or the first of crash-0001.dat … that does not exist; new, NULL: no memory */
static char *choose_output(const char *wanted)
{
	struct str s = STR_INIT;
	struct stat st;
	int nr;

	if (wanted && !(stat(wanted, &st) == 0 && S_ISDIR(st.st_mode)))
		return strdup(wanted);
	for (nr = 1; ; nr++) {
		str_reset(&s);
		str_addf(&s, "%s%scrash-%04d.dat", wanted ? wanted : "", wanted ? "/" : "", nr);
		if (s.failed || access(s.buf, F_OK) < 0)
			return str_take(&s);
	}
}

static int save_to(struct extract *x, struct kt_instance *inst, struct kt_err *err)
{
	struct kt_rec_opts o = { .all_formats = true, .keep_old = true };
	int ret = output_check_name(x->output, err), fd;

	if (ret < 0)
		return ret;
	ret = extract_add(x, inst, err);
	if (ret < 0)
		return ret;
	ret = kt_instance_set_tracing(inst, false, err);
	if (ret < 0)
		return ret;
	/* This takes a moment; an interrupt in between would lose events */
	fd = record_catch_signals(err);
	if (fd < 0)
		return fd;
	close(fd);
	return extract_run(x, &o, err);
}

static int save(const struct args *a, struct kt_instance *inst, struct kt_err *err)
{
	struct kt_instance *insts[1];
	struct extract x = { .output = choose_output(a->output), .quiet = a->quiet,
			     .insts = insts };
	int ret = x.output ? save_to(&x, inst, err) : kt_err_no_memory(err);

	extract_fini(&x);
	free((char *)x.output);
	return ret;
}

static int arm(const struct args *a, struct kt_instance *inst, const struct kt_crash_status *s,
	       struct kt_err *err)
{
	const struct kt_names *events = a->events.nr ? &a->events : &s->events;
	struct kt_names notes = { 0 };
	struct str text = STR_INIT;
	int ret = kt_crash_arm(inst, events, &notes, err);
	size_t i;

	for (i = 0; i < notes.nr; i++)
		safe_tell(NAME, notes.names[i]);
	if (ret == 0) {
		kt_instance_keep(inst);
		add_names(&text, events);
		if (!a->quiet)
			printf("'%s' records %s\n", s->instance,
			       events->nr ? text.buf : "what is enabled in it");
	}
	str_fini(&text);
	kt_names_fini(&notes);
	return ret;
}

static void tell_nothing(const struct args *a, const struct kt_crash_status *s)
{
	if (a->quiet)
		return;
	printf("nothing to collect: there are no events of an earlier boot\n");
	if (s->recording)
		printf("'%s' has been recording in this boot\n", s->instance);
	else if (s->entries)
		printf("'%s' has been stopped in this boot: `%s extract -B %s` saves its events\n",
		       s->instance, cmd_program, s->instance);
}

static int collect_from(const struct args *a, const struct kt_crash_status *s, struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(s->instance, 0, err);
	int ret = 0, closed;

	if (!inst)
		return kt_err_code(err, -ENOENT);
	if (s->earlier_boot)
		ret = save(a, inst, err);
	else
		tell_nothing(a, s);
	if (ret == 0 && (s->earlier_boot || (!s->recording && !s->entries)))
		ret = arm(a, inst, s, err);
	closed = kt_instance_close(inst, err);
	return ret < 0 ? ret : closed;
}

static int collect(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_crash_status s = { 0 };
	int ret = noun_check_words(argc, argv, 0, "", err);

	if (ret == 0)
		ret = kt_crash_status_read(a->instance, NULL, &s, err);
	if (ret < 0)
		return ret;
	ret = s.instance ? collect_from(a, &s, err) :
	      kt_err_set(err, -ENOENT, "no instance keeps its buffer over a crash: `%s " NAME
			 " setup` prepares the next boot", cmd_program);
	kt_crash_status_fini(&s);
	return ret;
}

static const struct verb verbs[] = {
	{ "status", "show", "", "is it prepared, are there events to collect?", status },
	{ "setup", NULL, "", "the parameters that the kernel needs at boot", setup },
	{ "collect", NULL, "", "save the events of an earlier boot, record again", collect },
	{ 0 },
};

static const struct cmd_rule rules[] = {
	{ .options = "memory dump-on-oops write yes", .with = "@setup" },
	{ .options = "event", .with = "@setup @collect" },
	{ .options = "output", .with = "@collect" },
	{ .options = "quiet", .with = "@setup @collect" },
	{ .options = "json", .with = "@status @show @setup @" },
	{ .options = "yes", .with = "write" },
	RULE_END
};

static void fini(void *args)
{
	kt_names_fini(&((struct args *)args)->events);
}

const struct cmd cmd_capture_crash = {
	.name      = NAME,
	.summary   = "keep events over a crash and a reboot",
	.verbs     = verbs,
	.examples  =
	"  ktrail capture crash setup -e sched -e irq           the kernel's command line\n"
	"  ktrail capture crash setup -e sched --memory 64M --write\n"
	"  ktrail capture crash collect -o /var/crash           at each boot\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.fini      = fini,
};
