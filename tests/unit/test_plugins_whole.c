/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plugins_whole.c - the text of a plugin has all information of the plain one */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "kt_formats.h"
#include "kt_pretty.h"
#include "kt_test.h"

/* libtraceevent leaks two bytes when it refuses a format. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:tep_parse_format";
}

/*
 * Fields that have only two values, and (two equal values) fields that a text
 * omits because the rest of the line says the same.
 */
static const struct exception {
	const char *field;
	uint64_t values[2];
} exceptions[] = {
	{ "ftrace/funcgraph_exit.calltime", { 0, 0 } },	/* the line's time less the duration */
	{ "ftrace/funcgraph_exit.rettime", { 0, 0 } },	/* the line's time */
	{ "block/*.bytes", { 0, 0 } },			/* of the sectors, where there are some */
	{ "*.[sd]addr", { 0, 0 } },			/* counts for IPv4 */
	{ "*.[sd]addr_v6", { 0, 0 } },			/* for IPv6 */
	{ "net/*.vlan_tci", { 0, 0 } },			/* if vlan_tagged */
	{ "kvm/kvm_inj_exception.error_code", { 0, 0 } }, /* if has_error */
	{ "timer/tick_stop.dependency", { 0, 0 } },	/* if it did not succeed */
	{ "kmem/rss_stat.curr", { 0, 1 } },
	{ "kvm/kvm_exit.isa", { 1, 2 } },
	{ "kvm/kvm_nested_vmexit.isa", { 1, 2 } },
	{ "kvm/kvm_inj_exception.has_error", { 0, 1 } },
	{ "kvm/kvm_inj_exception.reinjected", { 0, 1 } },
	{ "signal/signal_generate.group", { 0, 1 } },
	{ "timer/tick_stop.success", { 0, 1 } },
};

static const uint64_t *values_of(const struct kt_event *ev, const struct kt_field *f)
{
	static const uint64_t truth[2] = { 0, 1 };
	char name[200];
	size_t i;

	snprintf(name, sizeof(name), "%s/%s.%s", ev->system, ev->name, f->name);
	for (i = 0; i < sizeof(exceptions) / sizeof(exceptions[0]); i++)
		if (!fnmatch(exceptions[i].field, name, 0))
			return exceptions[i].values;
	return strcmp(f->type, "bool") ? NULL : truth;
}

/* The field becomes one of two values. */
static void set_field(const struct kt_field *f, uint8_t *buf, uint64_t value, int which)
{
	uint32_t at = f->offset;

	if (f->flags & KT_FIELD_DYNAMIC) {
		memcpy(&at, buf + f->offset, sizeof(at));
		if (at >> 16 < 2)
			return;
		at &= 0xffff;
	}
	if (f->flags & (KT_FIELD_DYNAMIC | KT_FIELD_STRING)) {
		buf[at] = 'A' + which;
		buf[at + 1] = '\0';
	} else {
		memcpy(buf + at, &value, f->size < 8 ? f->size : 8);
	}
}

struct texts {
	struct kt_out *plain[2], *pretty[2];
};

/* Are the plain texts of the two values different, but the plugin's texts equal? */
static bool is_lost(struct kt_pretty *p, const struct kt_event *ev, const struct kt_field *f,
		    const uint64_t values[2], unsigned int seed, struct texts *t)
{
	static uint8_t buf[65536];
	int i;

	for (i = 0; i < 2; i++) {
		struct kt_record rec = kt_formats_record(ev, seed, false, buf);

		set_field(f, buf, values[i], i);
		kt_out_reset(t->plain[i]);
		kt_out_reset(t->pretty[i]);
		kt_event_plain(p->events, ev, &rec, t->plain[i]);
		if (!plug_format(p->view, ev, &rec, t->pretty[i]))
			return false;
	}
	return strcmp(kt_out_data(t->plain[0]), kt_out_data(t->plain[1])) &&
	       kt_out_len(t->pretty[0]) == kt_out_len(t->pretty[1]) &&
	       !memcmp(kt_out_data(t->pretty[0]), kt_out_data(t->pretty[1]),
		       kt_out_len(t->pretty[0]));
}

static size_t check_field(struct kt_pretty *p, const struct kt_event *ev, const struct kt_field *f,
			  struct texts *t)
{
	static const uint64_t pairs[][2] = {
		{ 0, 1 }, { 1, 2 }, { 3, 4 }, { 8, 16 }, { 0x12345, 0x23456 },
		{ 0xffffffff81001000, 0xffffffff81002000 },
	};
	const uint64_t *only = values_of(ev, f);
	size_t i, nr = only ? 1 : sizeof(pairs) / sizeof(pairs[0]);
	unsigned int seed;

	if (only && only[0] == only[1])
		return 0;
	for (seed = 7; seed < 32; seed += 8)		/* those with small numbers */
		for (i = 0; i < nr; i++) {
			if (!is_lost(p, ev, f, only ? only : pairs[i], seed, t))
				continue;
			print_error("%s/%s loses %s:\n  plain  %s\n  plugin %s\n", ev->system,
				    ev->name, f->name, kt_out_data(t->plain[1]),
				    kt_out_data(t->pretty[1]));
			return 1;
		}
	return 0;
}

static void check_kernel(const char *formats)
{
	struct kt_pretty *p = kt_pretty_open(formats);
	struct texts t;
	size_t i, k, lost = 0;

	for (i = 0; i < 2; i++) {
		t.plain[i] = kt_out_create();
		t.pretty[i] = kt_out_create();
	}
	for (i = 0; i < kt_events_nr(p->events); i++) {
		const struct kt_event *ev = kt_events_at(p->events, i);

		for (k = 0; ev && k < ev->nr_fields; k++)
			lost += check_field(p, ev, &ev->fields[k], &t);
	}
	for (i = 0; i < 2; i++) {
		kt_out_destroy(t.plain[i]);
		kt_out_destroy(t.pretty[i]);
	}
	kt_pretty_close(p);
	assert_int_equal(lost, 0);
}

TEST(no_field_of_6_1_that_the_kernel_prints_is_lost)
{
	check_kernel("tests/data/formats-6.1.zst");
}

TEST(no_field_of_6_12_that_the_kernel_prints_is_lost)
{
	check_kernel("tests/data/formats-6.12.zst");
}

TEST(no_field_of_newer_kernels_is_lost)
{
	check_kernel("tests/data/formats-newer.zst");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(no_field_of_6_1_that_the_kernel_prints_is_lost),
		unit(no_field_of_6_12_that_the_kernel_prints_is_lost),
		unit(no_field_of_newer_kernels_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
