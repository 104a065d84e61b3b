/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* undo.h - former values of settings, in memory and in a journal, and how they are restored */
#ifndef UNDO_UNDO_H
#define UNDO_UNDO_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/base.h>

enum ctl_undo_kind {
	CTL_UNDO_PUT,		/* replace the content of @path by @value */
	CTL_UNDO_APPEND,	/* append @value to @path: "-:kprobes/x" >> dynamic_events */
	CTL_UNDO_RMDIR,		/* remove the instance @path */
	CTL_UNDO_VIA,		/* like PUT, for an intermediate value */
};

struct ctl_undo_step {
	enum ctl_undo_kind kind;
	char *path;		/* absolute */
	char *value;		/* "" for RMDIR */
	char *found;		/* the value found, if @value was copied (shared_settings.c) */
	bool  failed;		/* an attempt to restore it failed */
};

/* Starts zeroed; @journal_fd is valid only with @journal_path. */
struct ctl_undo {
	struct ctl_undo_step *steps;
	size_t nr;
	char *journal_path;
	int   journal_fd;
	bool  held;		/* interrupts are blocked while there is something to restore */
	bool  is_private;	/* a short change: no journal, ignores other processes */
};

/**
 * ctl_undo_remember - note the value of @path before it is changed
 *
 * The first former value counts. A second call for the same path does nothing, except for a
 * tracer that starts after other settings were made: it is stopped before those are restored.
 * Emptying a list of functions while a tracer runs patches every function of the kernel.
 * Files that writing cannot restore (a trace, a marker) are not remembered.
 * Returns 0, or the errno of the read.
 */
int ctl_undo_remember(struct ctl_undo *undo, const char *path, struct kt_err *err);

/*
 * Drop the last step of this kind: its change did not happen. The journal keeps it, but
 * restore-settings treats such a step as done.
 */
void ctl_undo_drop(struct ctl_undo *undo, enum ctl_undo_kind kind);

/* Will @path be restored? */
bool ctl_undo_knows(const struct ctl_undo *undo, const char *path);
/* Is there a step of this kind for it? */
bool ctl_undo_has(const struct ctl_undo *undo, enum ctl_undo_kind kind, const char *path);

/*
 * Add a step; the journal has it before this returns. If another process of ours has noted the same
 * setting, its value is used (shared_settings.c). 0 or -ENOMEM.
 */
int ctl_undo_push(struct ctl_undo *undo, enum ctl_undo_kind kind, const char *path,
		  const char *value, struct kt_err *err);
/* The same without checking other processes */
int ctl_undo_add(struct ctl_undo *undo, enum ctl_undo_kind kind, const char *path,
		 const char *value, struct kt_err *err);

/* Is this error of a step a success? Its event or instance is gone, or the value is restored. */
bool ctl_undo_is_done(const struct ctl_undo_step *step, int error);

/*
 * Undo the steps, last first, except those left to other processes of ours. Continue after a
 * failure and report the first one. Empty afterwards.
 */
int ctl_undo_run(struct ctl_undo *undo, struct kt_err *err);
/* Drop the steps: the settings stay. */
void ctl_undo_forget(struct ctl_undo *undo);
/* Drop the steps inside the folder @dir, which is gone or will be. */
void ctl_undo_forget_below(struct ctl_undo *undo, const char *dir);

int ctl_undo_step_run(const struct ctl_undo_step *step, struct kt_err *err);

/*
 * former_value.c: the text that, written to @path, makes it read @now again; new. NULL, with @err
 * unchanged, if nothing can be restored by writing
 */
char *ctl_former_text(const char *path, const char *now);
/* former_value.c: write such a text */
int ctl_former_put(const char *path, const char *text, struct kt_err *err);

struct str;

/*
 * former_value.c: append a listed line in the form to be written: counts are listed as ":count=5"
 * and ":unlimited", and written as ":5" and nothing
 */
void ctl_add_command(struct str *s, const char *line, size_t len);
/* Append the command that removes it: after "!" a counted one needs any count, others need none */
void ctl_add_removal(struct str *s, const char *line, size_t len);

/*
 * former_trigger.c: append a listed table, without its state, in the form to be written:
 * "hist:NAME:" becomes "hist:name=NAME:", and sort keys lose their modifiers ("sort=lat.log2"),
 * which the kernel refuses there
 */
void ctl_add_hist(struct str *s, const char *line, size_t len);
/*
 * The removal of a table with keys=cpu, which is listed as common_cpu: "!hist:…" with the other
 * name, new (free); NULL: not needed. The kernel accepts both, and ignores the wrong one.
 */
char *ctl_hist_alias(const char *removal);
/* former_trigger.c: an event's listed triggers as lines to write in this order; new */
char *ctl_trigger_text(const char *now);
/* Restore the triggers of such a text, but leave existing tables alone */
int ctl_trigger_put(const char *path, const char *want, struct kt_err *err);
/* Does it use another trigger's variables or tables? Then it is added last and removed first. */
bool ctl_trigger_depends(const char *trigger);

/* interrupt.c: block interrupts for @undo, or unblock them; -EINTR if one has arrived */
void ctl_interrupt_hold(struct ctl_undo *undo, bool on);
int ctl_interrupt_check(struct kt_err *err);

/* journal.c: an unwritable journal does not stop us, so these functions do not fail */
void ctl_journal_add(struct ctl_undo *undo, const struct ctl_undo_step *step);
void ctl_journal_drop(struct ctl_undo *undo);
/* Close the journal and leave it for kt_journal_pending() */
void ctl_journal_leave(struct ctl_undo *undo);

#endif
