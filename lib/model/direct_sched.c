/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* direct_sched.c - "bash:12 [120] S ==> swapper/0:0 [120]" */
#include "model/direct.h"

#include "base/put.h"

/* Fields are read without their sign, as the plugin reads them: a pid of -1 shows as 4294967295. */

static char *put_comm(char *to, const struct kt_record *rec, struct format_place f)
{
	return put_text(to, rec->data + f.offset, f.size);
}

static char *put_task(char *to, const struct kt_events *evs, const struct kt_record *rec,
		      const struct format_place f[2])
{
	to = put_comm(to, rec, f[0]);
	*to++ = ':';
	return num_put_u64(to, direct_get(evs, rec, f[1]));
}

static char *put_state(char *to, uint64_t state)
{
	static const char letters[8] = "SDTtZXxW";
	char *start = to;
	int i;

	if (!(state & 0xff)) {
		*to++ = 'R';
		return to;
	}
	for (i = 0; i < 8; i++) {
		if (!(state >> i & 1))
			continue;
		if (to > start)
			*to++ = '|';
		*to++ = letters[i];
	}
	return to;
}

static char *put_prio(char *to, const struct kt_events *evs, const struct kt_record *rec,
		      struct format_place f)
{
	*to++ = '[';
	to = num_put_i64(to, (int32_t)direct_get(evs, rec, f));
	*to++ = ']';
	return to;
}

void direct_sched_switch(struct kt_events *evs, const struct event *ev,
			 const struct kt_record *rec, struct kt_out *out)
{
	const struct format_place *f = ((const struct direct *)ev->priv)->f;
	char *start = str_room(&out->text, f[0].size + f[4].size + 5 * NUM_MAX), *to = start;

	if (!start)
		return;
	to = put_task(to, evs, rec, &f[0]);
	*to++ = ' ';
	to = put_prio(to, evs, rec, f[2]);
	*to++ = ' ';
	to = put_state(to, direct_get(evs, rec, f[3]));
	to = put_lit(to, " ==> ");
	to = put_task(to, evs, rec, &f[4]);
	*to++ = ' ';
	to = put_prio(to, evs, rec, f[6]);
	out->text.len += to - start;
}

void direct_sched_wakeup(struct kt_events *evs, const struct event *ev,
			 const struct kt_record *rec, struct kt_out *out)
{
	const struct format_place *f = ((const struct direct *)ev->priv)->f;
	char *start = str_room(&out->text, f[0].size + 6 * NUM_MAX), *to = start;
	uint64_t cpu;

	if (!start)
		return;
	to = put_task(to, evs, rec, &f[0]);
	to = put_lit(to, " [");
	to = num_put_u64(to, direct_get(evs, rec, f[2]));
	*to++ = ']';
	if (f[3].size) {
		to = put_lit(to, " success=");
		to = num_put_u64(to, direct_get(evs, rec, f[3]));
	}
	if (f[4].size) {
		cpu = direct_get(evs, rec, f[4]);
		to = put_lit(to, " CPU:");
		to = cpu < 1000 ? num_put_three(to, cpu) : num_put_u64(to, cpu);
	}
	out->text.len += to - start;
}
