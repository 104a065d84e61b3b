/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_doctor.c - what a made-up machine can trace */
#include <ktrail/status.h>

#include <string.h>

#include <ktrail/tracefs.h>

#include "status/doctor.h"
#include "tracefs/kconfig.h"
#include "kt_test.h"

static const struct kt_feature *feature(const struct kt_doctor *d, const char *name)
{
	size_t i;

	for (i = 0; i < d->nr_features; i++)
		if (strcmp(d->features[i].name, name) == 0)
			return &d->features[i];
	fail_msg("no feature '%s'", name);
	return NULL;
}

static struct kt_doctor *examine(const char *release, const char *config)
{
	struct kt_doctor_opts opts = { .release = release, .config = kt_tmp("config") };
	struct kt_err err = { 0 };
	struct kt_doctor *d;

	kt_spill(opts.config, config, -1);
	d = kt_doctor_examine(&opts, &err);
	CHECK_NO_ERR(&err);
	return d;
}

TEST(what_is_missing_has_the_reason_that_fits)
{
	struct kt_doctor *d;

	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("README", "e[:[<group>/][<event>]]\n");
	d = examine("6.1.2-x", "CONFIG_KPROBE_EVENTS=y\nCONFIG_RV=m\n"
		    "# CONFIG_USER_EVENTS is not set\n# CONFIG_EPROBE_EVENTS is not set\n");
	assert_int_equal(feature(d, "function_graph")->presence, KT_PRESENT);
	assert_null(feature(d, "function_graph")->why);
	assert_string_equal(feature(d, "fprobes")->why, "needs Linux 6.5, this is 6.1.2-x");
	assert_string_equal(feature(d, "hist")->why,
			    "not built in: needs a kernel with CONFIG_HIST_TRIGGERS=y");
	assert_string_equal(feature(d, "rv")->why, "CONFIG_RV=m: load its module");
	assert_non_null(strstr(feature(d, "kprobes")->why, "CONFIG_KPROBE_EVENTS=y, but not available"));
	assert_non_null(strstr(feature(d, "eprobes")->why, "CONFIG_EPROBE_EVENTS=y"));
	assert_int_equal(feature(d, "mapped buffer")->presence, KT_ABSENT);
	assert_int_equal(feature(d, "triggers")->presence, KT_PRESENT);
	kt_doctor_destroy(d);

	d = examine("6.12", "");
	assert_string_equal(feature(d, "hist")->why,
			    "needs CONFIG_HIST_TRIGGERS=y; this kernel does not show its configuration");
	assert_int_equal(feature(d, "eprobes")->presence, KT_PRESENT);
	assert_int_equal(feature(d, "persistent buffer")->presence, KT_PRESENT);
	kt_doctor_destroy(d);
}

TEST(without_tracefs_the_message_says_how_to_get_it)
{
	struct kt_doctor *d;
	size_t i;

	kt_tracefs_set_dir("/nowhere/at/all");
	d = examine("6.12", "");
	assert_int_equal(feature(d, "events")->presence, KT_UNKNOWN);
	assert_int_equal(feature(d, "filter lists")->presence, KT_ABSENT);
	assert_true(feature(d, "filter lists")->newer);
	for (i = 0; i < d->nr_findings && strcmp(d->findings[i].name, "tracefs") != 0; i++)
		;
	assert_true(i < d->nr_findings);
	assert_non_null(d->findings[i].remedy);
	kt_doctor_destroy(d);

	/* the configuration is readable without permission */
	d = examine("6.12", "CONFIG_TRACING=y\n# CONFIG_FUNCTION_GRAPH_TRACER is not set\n");
	assert_int_equal(feature(d, "function_graph")->presence, KT_ABSENT);
	assert_false(feature(d, "function_graph")->newer);
	assert_int_equal(feature(d, "instances")->presence, KT_UNKNOWN);
	kt_doctor_destroy(d);
}

TEST(versions_are_compared_as_numbers)
{
	assert_true(doctor_at_least("6.12.1-foo", "6.12"));
	assert_true(doctor_at_least("6.12", "6.5"));
	assert_true(doctor_at_least("7.0-rc1", "6.19"));
	assert_false(doctor_at_least("6.1.56", "6.12"));
	assert_false(doctor_at_least("", "2.6.27"));
}

TEST(a_configuration_is_looked_up_by_whole_names)
{
	static const char text[] = "CONFIG_RV_MON=y\nCONFIG_RV=m\n# CONFIG_X is not set\nFOO_CONFIG_Y=y\n";

	assert_int_equal(ctl_kconfig_get(text, "CONFIG_RV"), 'm');
	assert_int_equal(ctl_kconfig_get(text, "CONFIG_RV_MON"), 'y');
	assert_int_equal(ctl_kconfig_get(text, "CONFIG_X"), 'n');
	assert_int_equal(ctl_kconfig_get(text, "CONFIG_Y"), 'n');
	assert_int_equal(ctl_kconfig_get("", "CONFIG_RV"), 0);
}

int main(void)
{
	return RUN(unit(what_is_missing_has_the_reason_that_fits),
		   unit(without_tracefs_the_message_says_how_to_get_it),
		   unit(versions_are_compared_as_numbers),
		   unit(a_configuration_is_looked_up_by_whole_names));
}
