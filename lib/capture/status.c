/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* status.c - the status of a recorder, for people and programs, and how to ask for it */
#include "capture/capture.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/units.h"
#include "when/door.h"

#define DOOR "status-"
#define ANSWER_MS 10000		/* a capture that is saving a file answers afterwards */

static const char *const passes[] = {
	[KT_CAPTURE_LIMITED] = "limited", [KT_CAPTURE_MISSED] = "missed",
	[KT_CAPTURE_ALIKE] = "alike", [KT_CAPTURE_NO_ROOM] = "no_room",
	[KT_CAPTURE_FAILED] = "failed",
};

static const char *const forms[] = {
	[KT_CAPTURE_TEXT] = "text", [KT_CAPTURE_JSON] = "json",
	[KT_CAPTURE_PROMETHEUS] = "prometheus",
};

/* ---- facts ---- */

/* This time on the wall clock, seconds */
static time_t wall(uint64_t mono_ns)
{
	return time(NULL) - (time_t)((moment_ns() - mono_ns) / 1000000000);
}

static const char *format_wall(time_t t, char *text, size_t size)
{
	struct tm tm;

	return strftime(text, size, "%Y-%m-%d %H:%M:%S", localtime_r(&t, &tm)) ? text : "?";
}

static uint64_t resident(void)
{
	struct str text = STR_INIT;
	uint64_t pages = 0;

	if (str_read_file(&text, "/proc/self/statm") == 0)
		sscanf(text.buf, "%*u %" SCNu64, &pages);
	str_fini(&text);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* ---- for people ---- */

static void add_conditions(const struct status *s, struct str *out)
{
	struct kt_when_atom atom;
	size_t i;

	for (i = 0; kt_when_atom(s->when, i, &atom); i++) {
		str_addf(out, "%-11s", i ? "" : "  when");
		str_add_escaped(out, atom.text, strlen(atom.text));
		str_addf(out, " (%s)\n", kt_when_place_name(atom.place));
	}
}

static void add_causes(const struct kt_capture_stats *n, struct str *out)
{
	static const char *const words[] = {
		[KT_CAPTURE_LIMITED] = "beyond --at-most",
		[KT_CAPTURE_MISSED] = "more at once than can be saved",
		[KT_CAPTURE_ALIKE] = "like earlier ones",
		[KT_CAPTURE_NO_ROOM] = "without room on the disk",
		[KT_CAPTURE_FAILED] = "that could not be written",
	};
	int i;

	str_addf(out, "  causes   %" PRIu64 ": %" PRIu64 " captured", n->nr_causes,
		 n->nr_captured);
	for (i = 0; i < KT_CAPTURE_PASSES; i++)
		if (n->nr_passed[i])
			str_addf(out, ", %" PRIu64 " %s", n->nr_passed[i], words[i]);
	if (n->nr_unread)
		str_addf(out, "; %" PRIu64 " events of the conditions were lost", n->nr_unread);
	str_addc(out, '\n');
}

static void add_last(const struct kt_capture_stats *n, struct str *out)
{
	char at[32];

	if (!n->last)
		return;
	str_add(out, "  last     ");
	str_add_escaped(out, n->last->text, strlen(n->last->text));
	str_addf(out, ", %s\n", format_wall(wall(n->last->at), at, sizeof(at)));
}

static void add_files(const struct status *s, struct str *out)
{
	const struct kt_capture_opts *o = s->opts;
	char size[32];

	str_addf(out, "  files    %" PRIu64 ", %s: ", s->stats.nr_kept,
		 units_format_size(s->stats.kept_bytes, size));
	str_add_escaped(out, s->store->dir, strlen(s->store->dir));
	str_add_escaped(out, s->store->name, strlen(s->store->name));
	str_add(out, "-*.dat");
	if (o->keep)
		str_addf(out, ", --keep %" PRIu64, o->keep);
	if (o->max_disk)
		str_addf(out, ", --max-disk %s", units_format_size(o->max_disk, size));
	str_addc(out, '\n');
}

static void add_text(const struct status *s, struct str *out)
{
	char a[32], b[32];

	str_add_escaped(out, s->store->name, strlen(s->store->name));
	str_addf(out, ", process %d, instance ", (int)getpid());
	str_add_escaped(out, s->instance, strlen(s->instance));
	str_addf(out, "\n  armed    since %s\n",
		 format_wall(wall(s->stats.armed), a, sizeof(a)));
	add_conditions(s, out);
	add_causes(&s->stats, out);
	add_last(&s->stats, out);
	add_files(s, out);
	str_addf(out, "  memory   ring %s of %s",
		 units_format_size(s->stats.ring_bytes, a),
		 units_format_size(s->stats.ring_max, b));
	str_addf(out, ", process %s\n", units_format_size(resident(), a));
}

/* ---- for programs ---- */

static void add_conditions_json(const struct status *s, struct json *j)
{
	struct kt_when_atom atom;
	size_t i;

	json_open(j, "conditions", '[');
	for (i = 0; kt_when_atom(s->when, i, &atom); i++) {
		json_open(j, NULL, '{');
		json_str(j, "text", atom.text);
		json_str(j, "place", kt_when_place_name(atom.place));
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void add_last_json(const struct kt_capture_stats *n, struct json *j)
{
	if (!n->last) {
		json_str(j, "last", NULL);
		return;
	}
	json_open(j, "last", '{');
	json_str(j, "text", n->last->text);
	json_int(j, "time", wall(n->last->at));
	json_uint(j, "ts", n->last->at);
	json_close(j, '}');
}

static void add_json(const struct status *s, struct str *out)
{
	const struct kt_capture_stats *n = &s->stats;
	struct json j = JSON_INIT;
	int i;

	json_open(&j, NULL, '{');
	json_str(&j, "name", s->store->name);
	json_int(&j, "pid", getpid());
	json_str(&j, "instance", s->instance);
	json_int(&j, "armed", wall(n->armed));
	add_conditions_json(s, &j);
	json_open(&j, "causes", '{');
	json_uint(&j, "seen", n->nr_causes);
	json_uint(&j, "captured", n->nr_captured);
	for (i = 0; i < KT_CAPTURE_PASSES; i++)
		json_uint(&j, passes[i], n->nr_passed[i]);
	json_close(&j, '}');
	json_uint(&j, "condition_events_lost", n->nr_unread);
	add_last_json(n, &j);
	json_open(&j, "files", '{');
	json_str(&j, "folder", s->store->dir);
	json_uint(&j, "saved", n->nr_files);
	json_uint(&j, "kept", n->nr_kept);
	json_uint(&j, "bytes", n->kept_bytes);
	json_close(&j, '}');
	json_uint(&j, "ring_bytes", n->ring_bytes);
	json_uint(&j, "ring_max_bytes", n->ring_max);
	json_uint(&j, "memory_bytes", resident());
	json_close(&j, '}');
	str_addn(out, j.text.buf, j.text.len);
	out->failed |= j.text.failed;
	str_fini(&j.text);
	if (out->len && out->buf[out->len - 1] != '\n')
		str_addc(out, '\n');
}

/* One family of the text exposition; the caller adds its samples */
static void add_family(struct str *out, const char *name, const char *type, const char *help)
{
	str_addf(out, "# HELP ktrail_capture_%s %s\n# TYPE ktrail_capture_%s %s\n", name, help,
		 name, type);
}

static void add_sample(const struct status *s, struct str *out, const char *name,
		       const char *result, uint64_t value)
{
	const char *c;

	str_addf(out, "ktrail_capture_%s{name=\"", name);
	for (c = s->store->name; *c; c++) {
		if (*c == '"' || *c == '\\')
			str_addc(out, '\\');
		str_addc(out, (unsigned char)*c < ' ' ? '_' : *c);
	}
	str_addc(out, '"');
	if (result)
		str_addf(out, ",result=\"%s\"", result);
	str_addf(out, "} %" PRIu64 "\n", value);
}

static void add_prometheus(const struct status *s, struct str *out)
{
	const struct kt_capture_stats *n = &s->stats;
	const struct {
		const char *name, *type, *help;
		uint64_t value;
	} all[] = {
		{ "armed_timestamp_seconds", "gauge", "When it began to watch.",
		  (uint64_t)wall(n->armed) },
		{ "last_cause_timestamp_seconds", "gauge", "When the last cause was, or 0.",
		  n->last ? (uint64_t)wall(n->last->at) : 0 },
		{ "files_saved_total", "counter", "Files that were saved.", n->nr_files },
		{ "files", "gauge", "Files that are kept.", n->nr_kept },
		{ "files_bytes", "gauge", "Their size on the disk.", n->kept_bytes },
		{ "condition_events_lost_total", "counter", "Events of conditions that were lost.",
		  n->nr_unread },
		{ "ring_bytes", "gauge", "The ring buffer of all CPUs.", n->ring_bytes },
		{ "ring_max_bytes", "gauge", "The bound of the ring buffer.", n->ring_max },
		{ "resident_memory_bytes", "gauge", "Memory of the process.", resident() },
	};
	size_t i;

	add_family(out, "causes_total", "counter", "Conditions that came true, by result.");
	add_sample(s, out, "causes_total", "captured", n->nr_captured);
	for (i = 0; i < KT_CAPTURE_PASSES; i++)
		add_sample(s, out, "causes_total", passes[i], n->nr_passed[i]);
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		add_family(out, all[i].name, all[i].type, all[i].help);
		add_sample(s, out, all[i].name, NULL, all[i].value);
	}
}

char *status_text(const struct status *s, enum kt_capture_form form)
{
	static void (*const add[])(const struct status *s, struct str *out) = {
		[KT_CAPTURE_TEXT] = add_text, [KT_CAPTURE_JSON] = add_json,
		[KT_CAPTURE_PROMETHEUS] = add_prometheus,
	};
	struct str out = STR_INIT;

	add[form](s, &out);
	return str_take(&out);
}

/* ---- over a socket: the question "FORM" or "FORM NAME", the answer the text ---- */

void status_door(char *name, size_t size, unsigned int i)
{
	snprintf(name, size, i ? DOOR "%d-%u" : DOOR "%d", (int)getpid(), i);
}

bool status_is_asked(const char *ask, const char *name, enum kt_capture_form *form)
{
	size_t i, len = strcspn(ask, " \n");

	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (strlen(forms[i]) == len && strncmp(forms[i], ask, len) == 0) {
			*form = (enum kt_capture_form)i;
			return ask[len] != ' ' || strcmp(ask + len + 1, name) == 0;
		}
	return false;
}

struct asking {
	const char *question;
	void (*told)(void *data, const char *text);
	void *data;
	int nr, refused;
};

/* The answer of a capture with another name is empty. */
static int take_answer(struct asking *k, int fd, struct str *answer)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char *room = str_room(answer, 1 << 16);
	ssize_t n;

	if (!room)
		return -ENOMEM;
	if (poll(&p, 1, ANSWER_MS) <= 0)
		return 0;
	n = recv(fd, room, 1 << 16, MSG_DONTWAIT);
	if (n > 0) {
		room[n] = '\0';
		k->told(k->data, room);
		k->nr++;
	}
	return 0;
}

static int ask_one(void *data, const struct sockaddr_un *a)
{
	const struct sockaddr_un any = { .sun_family = AF_UNIX };
	struct str answer = STR_INIT;
	struct asking *k = data;
	int fd, ret;

	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	/* The kernel chooses an address for the answer. */
	if (fd < 0 || bind(fd, (const struct sockaddr *)&any, sizeof(any.sun_family)) < 0)
		ret = -errno;
	else
		ret = door_send(fd, a, k->question);
	if (ret == 0)
		ret = take_answer(k, fd, &answer);
	else if (ret == -EACCES)
		k->refused++;
	str_fini(&answer);
	if (fd >= 0)
		close(fd);
	return ret == -ENOMEM ? ret : 0;
}

int kt_capture_ask(const char *name, enum kt_capture_form form,
		   void (*told)(void *data, const char *text), void *data, struct kt_err *err)
{
	struct str question = STR_INIT;
	struct asking k = { .told = told, .data = data };
	int ret;

	str_add(&question, forms[form]);
	if (name)
		str_addf(&question, " %s", name);
	k.question = question.buf;
	ret = question.failed ? -ENOMEM : door_each(DOOR, ask_one, &k, err);
	str_fini(&question);
	if (ret == -ENOMEM)
		return kt_err_no_memory(err);
	if (ret < 0 || k.nr || !k.refused)
		return ret < 0 ? ret : k.nr;
	return kt_err_set(err, -EACCES,
			  "a capture is running, but this user may not ask it: see --group");
}
