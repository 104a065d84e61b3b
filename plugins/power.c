/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* power.c - idle states, frequencies, suspend and resume */
#include <ktrail/plugin.h>

#include <string.h>

#define PWR_EVENT_EXIT 0xffffffffu	/* the "state" of a CPU that leaves its idle state */

static int format(void *self, const struct kt_host *host, const struct kt_record *rec,
		  struct kt_out *out)
{
	int frequency = !strcmp(host->event(rec), "cpu_frequency");
	uint64_t state, cpu;

	(void)self;
	if ((!frequency && strcmp(host->event(rec), "cpu_idle")) ||
	    host->field_u64(rec, "state", &state) < 0 || host->field_u64(rec, "cpu_id", &cpu) < 0)
		return KT_PLUGIN_PASS;
	if (frequency)				/* in kHz */
		host->print(out, "CPU %u runs at %u.%03u MHz", (unsigned)cpu,
			    (unsigned)(state / 1000), (unsigned)(state % 1000));
	else if (state == PWR_EVENT_EXIT)
		host->print(out, "CPU %u leaves idle", (unsigned)cpu);
	else
		host->print(out, "CPU %u enters idle state %u", (unsigned)cpu, (unsigned)state);
	return 0;
}

static const struct kt_phrase phrases[] = {
	{ "power/cpu_idle_miss", "CPU {cpu_id} chose idle state {state}, too {?below deep}{!below shallow}" },
	{ "power/cpu_frequency_limits", "CPU {cpu_id}: {min_freq} to {max_freq} kHz" },
	{ "power/suspend_resume", "{action} {val} {?start begins}{!start ends}" },
	{ "power/device_pm_callback_start", "{driver} {device}: {event|kernel} begins" },
	{ "power/device_pm_callback_end", "{driver} {device} ends{?error : {error|errno}}" },
	{ "power/wakeup_source_activate", "{name} keeps the system awake" },
	{ "power/wakeup_source_deactivate", "{name} lets the system sleep" },
	{ "power/clock_enable", "clock {name} on" },
	{ "power/clock_disable", "clock {name} off" },
	{ "power/clock_set_rate", "clock {name} at {state} Hz" },
	{ "power/power_domain_target", "domain {name} to state {state}" },
	{ "power/pm_qos_*", "CPU latency limit {value|time_us}" },
	{ "power/dev_pm_qos_*", "{name}: {type|kernel} {new_value}" },
	{ "power/guest_halt_poll_ns", "guest polls {new|time}, had {old|time}" },
	{ NULL, NULL },
};

static const char *const events[] = { "power/*", NULL };

KT_PLUGIN(.name = "power", .summary = "idle states and frequencies", .events = events,
	  .format = format, .phrases = phrases);
