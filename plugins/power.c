/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* power.c - idle states, frequencies, suspend and resume */
#include <ktrail/plugin.h>

/*
 * suspend_resume keeps the kernel's text, which needs a pointer. 0xffffffff is
 * the "state" of a CPU that leaves its idle state: PWR_EVENT_EXIT.
 */
static const struct kt_phrase phrases[] = {
	{ "power/cpu_idle",
	  "CPU {cpu_id} {?state=0xffffffff leaves idle}{!state=0xffffffff enters idle state "
	  "{state}}{*}" },
	{ "power/cpu_frequency", "CPU {cpu_id} runs at {state|khz}{*}" },
	{ "power/cpu_idle_miss",
	  "CPU {cpu_id} chose idle state {state}, too {?below deep}{!below shallow}{*}" },
	{ "power/cpu_frequency_limits", "CPU {cpu_id}: {min_freq|khz} to {max_freq|khz}{*}" },
	{ "power/device_pm_callback_start", "{driver} {device}: {event|kernel} begins{*}" },
	{ "power/device_pm_callback_end", "{driver} {device} ends{?error : {error|errno}}{*}" },
	{ "power/wakeup_source_activate", "{name} keeps the system awake{*}" },
	{ "power/wakeup_source_deactivate", "{name} lets the system sleep{*}" },
	{ "power/clock_enable", "clock {name} on{*}" },
	{ "power/clock_disable", "clock {name} off{*}" },
	{ "power/clock_set_rate", "clock {name} at {state|hz}{*}" },
	{ "power/power_domain_target", "domain {name} to state {state}{*}" },
	{ "power/pm_qos_*", "CPU latency limit {value|time_us}{*}" },
	{ "power/dev_pm_qos_*", "{name}: {type|kernel} {new_value}{*}" },
	{ "power/guest_halt_poll_ns",
	  "guest polls {new|time}, {?grow grown}{!grow shrunk} from {old|time}{*}" },
	{ NULL, NULL },
};

static const struct kt_column columns[] = {
	{ "khz", "power/cpu_frequency", KT_COLUMN_NUMBER, "state", "frequency of the CPU" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = { "power/*", NULL };

KT_PLUGIN(.name = "power", .summary = "idle states and frequencies", .events = events,
	  .phrases = phrases, .columns = columns);
