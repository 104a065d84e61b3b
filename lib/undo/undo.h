/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* undo.h - former values of settings, in memory and in a journal, and how they are put back */
#ifndef UNDO_UNDO_H
#define UNDO_UNDO_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>

enum ctl_undo_kind {
	CTL_UNDO_PUT,		/* replace the content of @path by @value */
	CTL_UNDO_APPEND,	/* append @value to @path: "-:kprobes/x" >> dynamic_events */
	CTL_UNDO_RMDIR,		/* remove the instance @path */
	CTL_UNDO_VIA,		/* as PUT, of a value between the former one and the last */
};

struct ctl_undo_step {
	enum ctl_undo_kind kind;
	char *path;		/* absolute */
	char *value;		/* "" for RMDIR */
	char *found;		/* when @value was taken over (shared_settings.c):
				 * what was there; or NULL */
	bool  failed;		/* it was tried, and this is not back */
};

/* All zero is a good start; @journal_fd is meaningful only with @journal_path. */
struct ctl_undo {
	struct ctl_undo_step *steps;
	size_t nr, cap;
	char *journal_path;
	int   journal_fd;
	bool  held;		/* interrupts are, as long as there is something to put back */
	bool  is_private;	/* for a moment only: no journal, others do not count */
};

/**
 * ctl_undo_remember - note what @path holds now, before it is changed
 *
 * The first former value counts. A second call for the same path does nothing, but for a tracer
 * that starts after other settings were made: it goes off before those are put back. A list of
 * functions that empties while it runs has every function of the kernel patched.
 * What cannot be put back by writing (a trace, a marker) is not remembered.
 * Returns 0, or the errno of the read.
 */
int ctl_undo_remember(struct ctl_undo *undo, const char *path, struct kt_err *err);

/* Take the last step of this kind off: what it would undo did not happen. In the journal it stays,
 * for restore-settings such a step is as good as done. */
void ctl_undo_drop(struct ctl_undo *undo, enum ctl_undo_kind kind);

/* Will @path be put back? */
bool ctl_undo_knows(const struct ctl_undo *undo, const char *path);
/* Is there a step of this kind for it? */
bool ctl_undo_has(const struct ctl_undo *undo, enum ctl_undo_kind kind, const char *path);

/* Note a step; the journal has it before this returns. What another process of ours has noted
 * for the same setting comes in its place (shared_settings.c). 0 or -ENOMEM. */
int ctl_undo_push(struct ctl_undo *undo, enum ctl_undo_kind kind, const char *path,
		  const char *value, struct kt_err *err);
/* … without a look at others */
int ctl_undo_add(struct ctl_undo *undo, enum ctl_undo_kind kind, const char *path,
		 const char *value, struct kt_err *err);

/* Is this answer to a step as good as success? What is to be put back is gone with its event or
 * instance, or is back already. */
bool ctl_undo_is_done(const struct ctl_undo_step *step, int error);

/* Take the steps, last first, but those that are left to other processes of ours; go on after
 * a failure, report the first. Empty after. */
int ctl_undo_run(struct ctl_undo *undo, struct kt_err *err);
/* Forget the steps: what is set stays. */
void ctl_undo_forget(struct ctl_undo *undo);
/* Forget steps inside the folder @dir, which is gone or will be. */
void ctl_undo_forget_below(struct ctl_undo *undo, const char *dir);

int ctl_undo_step_run(const struct ctl_undo_step *step, struct kt_err *err);

/* former_value.c: the text that, written to @path, makes it read @now again; new, or NULL with @err
 * untouched when nothing can be written back */
char *ctl_former_text(const char *path, const char *now);
/* former_value.c: write such a text */
int ctl_former_put(const char *path, const char *text, struct kt_err *err);

struct str;

/* former_value.c: a line as it reads, added as it is written: counts read ":count=5" and
 * ":unlimited", and are written ":5" and not at all */
void ctl_add_command(struct str *s, const char *line, size_t len);
/* … and what takes this command away: behind "!" a counted one wants a count, any;
 * the others none */
void ctl_add_removal(struct str *s, const char *line, size_t len);

/* former_trigger.c: a table as it reads, without its state, as it is written: "hist:NAME:" was
 * "hist:name=NAME:", and the keys it is sorted by read with modifiers ("sort=lat.log2") that are
 * refused there */
void ctl_add_hist(struct str *s, const char *line, size_t len);
/* … and what takes a table of keys=cpu away, which reads as common_cpu: "!hist:…" with the other
 * name, new (free); NULL: there is none. The kernel takes both, and does nothing for the one that
 * is not. */
char *ctl_hist_alias(const char *removal);
/* former_trigger.c: what an event's trigger file reads, as lines to add in this order; new */
char *ctl_trigger_text(const char *now);
/* … and made so again, with the tables that are still there left alone */
int ctl_trigger_put(const char *path, const char *want, struct kt_err *err);
/* Does it use another's variables or tables? Those come last, and go first. */
bool ctl_trigger_depends(const char *trigger);

/* interrupt.c: hold interrupts back for @undo, or no more; -EINTR when one has come */
void ctl_interrupt_hold(struct ctl_undo *undo, bool on);
int ctl_interrupt_check(struct kt_err *err);

/* journal.c; a journal that cannot be written is no reason to stop: these do not fail */
void ctl_journal_add(struct ctl_undo *undo, const struct ctl_undo_step *step);
void ctl_journal_drop(struct ctl_undo *undo);
/* Let go of it, and leave it for kt_journal_pending() */
void ctl_journal_leave(struct ctl_undo *undo);

#endif
