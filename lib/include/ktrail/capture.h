/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* capture.h - flight recorders: save a window of the ring on a condition, or after a crash */
#ifndef KTRAIL_CAPTURE_H
#define KTRAIL_CAPTURE_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ktrail/base.h>
#include <ktrail/file.h>
#include <ktrail/tracefs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== conditions, written as text ==== */

/*
 *	WHEN := ALL {"or" ALL}
 *	ALL  := TERM {"and" TERM}
 *	TERM := ATOM ["for" TIME] | "(" WHEN ")"
 *
 * An ATOM is one of
 *
 *	SUBJECT > TIME			a latency of ktrail/latencies.h; also >=, <, <=
 *	event [SYSTEM:]EVENT[: FILTER]
 *	function NAME			it is called; NAME may be a pattern
 *	marker TEXT | marker ~ REGEX	written to trace_marker
 *	line PATH ~ REGEX		a line added to a file, or written to a fifo
 *	now NAME			somebody calls kt_capture_now()
 *	signal [NAME]			sent to the process; SIGUSR1
 *	exit [==|!= N] | death		of the command: its status; ended by a signal
 *	psi cpu|memory|io some|full > N%	of a second in which tasks waited for it
 *	cgroup PATH KEY			a number of one of its *.events files grows
 *
 * All atoms of an ALL must come true within before_ns of kt_capture_opts. With "for", an atom must
 * come true repeatedly for that long, with pauses no longer than before_ns. Regular expressions
 * are POSIX extended. Quotes keep words together.
 */
struct kt_when;

/* New (kt_when_destroy), or NULL: -EINVAL names the place in @text, -ENOMEM */
struct kt_when *kt_when_parse(const char *text, struct kt_err *err);
/* Join @text to @w by "or". 0; -EINVAL and -ENOMEM leave @w unchanged. */
int kt_when_add(struct kt_when *w, const char *text, struct kt_err *err);
void kt_when_destroy(struct kt_when *w);

/* Where an atom is evaluated */
enum kt_when_place {
	KT_WHEN_IN_KERNEL,		/* the kernel writes only causes into a second buffer */
	KT_WHEN_IN_THIN_BUFFER,		/* in user space, from all of its events in such a buffer */
	KT_WHEN_OUTSIDE,		/* it needs no events */
};

/* "in the kernel" … */
const char *kt_when_place_name(enum kt_when_place place);

struct kt_when_atom {
	const char *text;		/* borrowed, as @why */
	enum kt_when_place place;
	const char *why;		/* why there; a sentence without a full stop */
};
/*
 * Atom @i, in the order of the text; false after the last. Before kt_capture_arm(), @place is where
 * this machine would evaluate it, unless the kernel refuses.
 */
bool kt_when_atom(const struct kt_when *w, size_t i, struct kt_when_atom *out);

/* ==== the causes of a capture, stored in its file ==== */

struct kt_cause {
	uint64_t at;			/* time of the trace, ns */
	uint64_t from;			/* begin of a latency; otherwise @at */
	int pid, cpu;			/* -1: not known */
	char text[160];			/* "wakeup of rt-app:123 took 812 us > 500 us" */
};

#define KT_CAUSES 16

struct kt_capture_note {
	uint64_t from, until;		/* the requested window */
	uint64_t missing;		/* ns at its begin that are not in the file */
	size_t nr;			/* entries of @causes; [0] is the earliest */
	struct kt_cause causes[KT_CAUSES];
	uint64_t nr_more;		/* further causes in the window */
};

/* 0; -ENOENT: the file is not a capture; -EBADMSG: the note is damaged */
int kt_capture_read_note(const struct kt_file *file, struct kt_capture_note *out);

/* ==== the recorder ==== */

/*
 *	create → arm → (tracing runs) poll, polled, step … → end → destroy
 *
 * The ring is an instance that the caller sets up, starts and removes. It is not read while
 * nothing happens. One thread makes all calls. The library catches no signals: the caller reports
 * them (kt_capture_signal, kt_capture_exit).
 */
struct kt_capture;

struct kt_capture_file {
	const char *path;
	const struct kt_capture_note *note;
	uint64_t nr_events, nr_lost;	/* in the window */
	const char *removed;		/* the last older file removed for it; NULL: none */
	uint64_t nr_removed;		/* number of these files */
};

/* Why a cause has no file */
enum kt_capture_pass {
	KT_CAPTURE_LIMITED,		/* at_most was reached */
	KT_CAPTURE_MISSED,		/* more at once than can be saved */
	KT_CAPTURE_ALIKE,		/* dedupe: a similar file exists */
	KT_CAPTURE_NO_ROOM,		/* less than min_free is free */
	KT_CAPTURE_FAILED,		/* the file could not be written */
	KT_CAPTURE_PASSES
};

struct kt_capture_opts {
	uint64_t before_ns, after_ns;	/* the window around a cause */
	uint64_t memory;		/* maximum of the ring, bytes of all CPUs; 0: 64 MiB */
	const char *prefix;		/* "DIR/NAME": files are DIR/NAME-0001.dat …; copied */
	uint64_t keep;			/* only the last files; 0: all */
	uint64_t max_disk;		/* bytes of all of them; the last one stays. 0: no limit */
	uint64_t min_free;		/* save nothing if the file system has fewer bytes free;
					 * 0: 5 % of it, but at most 256 MiB */
	bool dedupe;			/* count similar ones in NAME-alike.tsv, do not keep them */
	uint64_t count;			/* maximum number of captures; 0: no limit */
	unsigned int at_most;		/* captures … */
	uint64_t at_most_ns;		/* … in this time; 0: no limit */
	uint64_t tick_ns;		/* how often the second buffer is read; 0: 100 ms */
	gid_t group;			/* may also use its sockets; 0: only its user and root */
	/* Optional: a file is complete */
	void (*saved)(void *data, const struct kt_capture_file *file);
	/*
	 * Optional: a cause gets no file. Called for each ALIKE and FAILED; for other reasons only
	 * once until the next file, then they are counted.
	 * @text: the reason, one line
	 */
	void (*passed)(void *data, const struct kt_cause *cause, enum kt_capture_pass why,
		       const char *text);
	/* Optional: an atom is not evaluated in the kernel, although it could be. @text: a line */
	void (*displaced)(void *data, const char *text);
	void *data;
};

/* @when: taken, even on failure. New (kt_capture_destroy), NULL: no memory */
struct kt_capture *kt_capture_create(struct kt_when *when, const struct kt_capture_opts *opts,
				     struct kt_err *err);
void kt_capture_destroy(struct kt_capture *c);

/**
 * kt_capture_arm - watch for the conditions
 * @ring: borrowed until destroy; it overwrites old events and its clock is mono
 *
 * Creates the second buffer if one is needed, and sets the first size of the ring.
 * Returns 0, or the error of an event, a file or a socket that cannot be watched.
 */
int kt_capture_arm(struct kt_capture *c, struct kt_instance *ring, struct kt_err *err);

/**
 * kt_capture_change - watch for other conditions, with other options; the ring continues
 * @when: taken, even on failure
 *
 * Must not be called before kt_capture_arm(). After a failure, it watches as before; if that fails
 * too, kt_capture_step() returns the error.
 */
int kt_capture_change(struct kt_capture *c, struct kt_when *when,
		      const struct kt_capture_opts *opts, struct kt_err *err);

/* The signals in its conditions, to be reported by kt_capture_signal() */
void kt_capture_signals(const struct kt_capture *c, sigset_t *set);
void kt_capture_signal(struct kt_capture *c, int signal);
/* The command has ended. */
void kt_capture_exit(struct kt_capture *c, int wait_status);

/* Store up to @room descriptors to wait for; returns their number. */
size_t kt_capture_poll(const struct kt_capture *c, struct pollfd *fds, size_t room,
		       int *timeout_ms);
/* Pass the results of poll(), before the next step: the kernel reports pressure only once. */
void kt_capture_polled(struct kt_capture *c, const struct pollfd *fds, size_t nr);
/* Check the conditions, and save the windows that are complete. 0, or a negative errno: it cannot
 * continue */
int kt_capture_step(struct kt_capture *c, struct kt_err *err);
/* Check a last time, and save all windows without waiting for their ends. */
int kt_capture_end(struct kt_capture *c, struct kt_err *err);

struct kt_capture_stats {
	uint64_t armed;			/* when it was armed, as kt_cause.at */
	uint64_t nr_causes;		/* causes seen */
	uint64_t nr_captured;		/* causes that are in a file */
	uint64_t nr_passed[KT_CAPTURE_PASSES];	/* causes without a file */
	uint64_t nr_files;		/* files saved */
	uint64_t nr_kept, kept_bytes;	/* existing files of this name, and their size on disk;
					 * also of earlier runs */
	uint64_t nr_unread;		/* events lost in the second buffer */
	uint64_t ring_bytes;		/* size of the ring, of all CPUs */
	uint64_t ring_max;		/* its maximum */
	const struct kt_cause *last;	/* NULL: none yet. Borrowed until the next call */
};
void kt_capture_stats(const struct kt_capture *c, struct kt_capture_stats *out);

/* ==== the status of a capture, for people and programs ==== */

enum kt_capture_form { KT_CAPTURE_TEXT, KT_CAPTURE_JSON, KT_CAPTURE_PROMETHEUS };

/* New (free), NULL: no memory. JSON is one object; all forms end with a newline. */
char *kt_capture_status(const struct kt_capture *c, enum kt_capture_form form);

/**
 * kt_capture_ask - the status of captures that run on this machine
 * @name: the NAME of their files, NULL: of any name
 * @told: called for each that answers within a second
 *
 * Returns their number, 0: none runs. -EACCES: one runs, but does not answer this user.
 */
int kt_capture_ask(const char *name, enum kt_capture_form form,
		   void (*told)(void *data, const char *text), void *data, struct kt_err *err);

/**
 * kt_capture_now - make the condition "now NAME" of running captures true
 * @text: stored in the note; NULL: none
 *
 * 0; -ENOENT: no capture waits for it; -EACCES: one does, but not for this user.
 */
int kt_capture_now(const char *name, const char *text, struct kt_err *err);

/* ==== a recorder whose events survive a crash: its boot parameters, and its state ==== */

/*
 * Since Linux 6.12, an instance can have its buffer in memory that survives a reboot without loss
 * of power. Parameters of the kernel's command line reserve the memory and create the instance.
 * After a reboot its tracing is off, so that the events of the previous boot stay: collect them,
 * then arm the recorder for this boot.
 */

#define KT_CRASH_INSTANCE "crash"

/* A parameter of the kernel's command line, and a sentence that explains it; strings are owned */
struct kt_crash_param {
	char *text, *why;
};

struct kt_crash_params {
	struct kt_crash_param *at;
	size_t nr;
};

struct kt_crash_opts {
	const char *instance;		/* NULL: KT_CRASH_INSTANCE */
	const struct kt_names *events;	/* any form of kt_instance_enable_events(), without a
					 * comma */
	uint64_t memory;		/* bytes, of all CPUs together; 0: 2 MiB for each, at least
					 * 8 MiB */
	int nr_cpus;			/* CPUs that the kernel may have; 0: those of this one */
	const char *dump;		/* "all", "cpu": a crash also prints the events of all CPUs,
					 * or of its own, to the console; NULL: it does not */
};

/* Can a kernel of this release ("6.12.5-amd64") keep a buffer? 0; -ENOTSUP: it is too old;
 * -EINVAL: not a release */
int kt_crash_check(const char *release, struct kt_err *err);

/**
 * kt_crash_params_make - the parameters that a kernel needs for the recorder
 * @out: zeroed; kt_crash_params_fini() frees it
 *
 * 0; -EINVAL: the kernel, or a boot loader, would misread a name or event, the memory is too small
 * for the CPUs, or dump is not one of its values; -ENOMEM.
 */
int  kt_crash_params_make(const struct kt_crash_opts *o, struct kt_crash_params *out,
			  struct kt_err *err);
void kt_crash_params_fini(struct kt_crash_params *params);

struct kt_crash_status {
	char *instance;			/* owned, as all strings; NULL: none keeps its buffer */
	struct kt_names params;		/* the running kernel's parameters for recorders */
	struct kt_names events;		/* events to enable when arming, from the command line */
	bool recording;			/* tracing is on */
	bool earlier_boot;		/* the events are of an earlier boot */
	uint64_t entries;		/* events in the buffer */
	uint64_t oldest_ns;		/* time of the first one on the clock of its boot; 0: none,
					 * or the clock does not count nanoseconds */
	int64_t kb_per_cpu;		/* -1: not known */
	int panic_s;			/* seconds from a panic to the reboot; negative: at once;
					 * 0: no reboot */
};

/**
 * kt_crash_status_read - the state of the recorder
 * @instance: NULL: KT_CRASH_INSTANCE, or else the only one that keeps its buffer
 * @cmdline:  the kernel's command line; NULL: read /proc/cmdline
 *
 * 0, also without a recorder; -ENOENT: @instance does not exist or does not keep its buffer;
 * -EINVAL: several instances do, and none has the usual name; or not available.
 */
int  kt_crash_status_read(const char *instance, const char *cmdline, struct kt_crash_status *status,
			  struct kt_err *err);
void kt_crash_status_fini(struct kt_crash_status *status);

/**
 * kt_crash_arm - drop the events of @inst, enable @events, and switch tracing on
 * @notes: receives a sentence for each of @events that this kernel lacks
 *
 * Closing @inst restores these settings, unless kt_instance_keep() was called.
 */
int kt_crash_arm(struct kt_instance *inst, const struct kt_names *events, struct kt_names *notes,
		 struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
