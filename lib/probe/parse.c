/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* parse.c - parse the definition of a probe, in the kernel's spelling or ours */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/suggest.h"
#include "base/units.h"
#include "probe/elf.h"
#include "probe/probe.h"

#define MAX_NAME 63		/* of a group or event, in the kernel */

/* Each kind: our name, the kernel's letter, and the default group */
static const struct {
	const char *name, *alias;
	char letter;
	const char *group;
} kinds[KT_NR_PROBE_KINDS] = {
	[KT_PROBE_KPROBE]     = { "kprobe", "kprobe", 'p', "kprobes" },
	[KT_PROBE_KRETPROBE]  = { "kretprobe", "kretprobe", 'r', "kprobes" },
	[KT_PROBE_UPROBE]     = { "uprobe", "uprobe", 'p', "uprobes" },
	[KT_PROBE_URETPROBE]  = { "uretprobe", "uretprobe", 'r', "uprobes" },
	[KT_PROBE_FPROBE]     = { "fprobe", "fentry", 'f', "fprobes" },
	[KT_PROBE_FEXIT]      = { "fexit", "fretprobe", 'f', "fprobes" },
	[KT_PROBE_TRACEPOINT] = { "tracepoint", "tprobe", 't', "tracepoints" },
	[KT_PROBE_EPROBE]     = { "eprobe", "event", 'e', "eprobes" },
};

const char *kt_probe_kind_name(enum kt_probe_kind kind)
{
	return kinds[kind].name;
}

int probe_fail(const struct probe_text *t, const char *at, const char *fmt, ...)
{
	char msg[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	kt_err_set(t->err, -EINVAL, "%s", msg);
	err_point(t->err, t->text, at - t->text);
	return -EINVAL;
}

bool probe_is_name(const char *name, size_t len)
{
	size_t i;

	if (!len || len > MAX_NAME || isdigit((unsigned char)*name))
		return false;
	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			return false;
	return true;
}

void probe_fini(struct kt_probe *probe)
{
	free(probe->group);
	free(probe->event);
	free(probe->place);
	free(probe->args);
}

void kt_probe_destroy(struct kt_probe *probe)
{
	if (!probe)
		return;
	probe_fini(probe);
	free(probe);
}

const char *probe_default_group(enum kt_probe_kind kind)
{
	return kinds[kind].group;
}

/* "GROUP/EVENT", "GROUP/", "EVENT" or ""; the kernel also accepts '.' instead of '/' */
static int take_names(const struct probe_text *t, struct kt_probe *p, const char *at, size_t len)
{
	size_t slash = 0;

	while (slash < len && at[slash] != '/' && at[slash] != '.')
		slash++;
	if (slash < len) {
		if (!probe_is_name(at, slash))
			return probe_fail(t, at, "'%.*s' is not a valid name for a group",
					  (int)slash, at);
		p->group = strndup(at, slash);
		if (!p->group)
			return -ENOMEM;
		at += slash + 1;
		len -= slash + 1;
	}
	if (!len)
		return 0;
	if (!probe_is_name(at, len))
		return probe_fail(t, at,
				  "'%.*s' is not a valid name for an event (letters, digits "
				  "and '_', at most %d)", (int)len, at, MAX_NAME);
	p->event = strndup(at, len);
	p->named = true;
	return p->event ? 0 : -ENOMEM;
}

/* Keep "FILE:OFFSET…"; for "FILE:SYMBOL[+N]", look up the offset */
static int user_place(const struct probe_text *t, struct kt_probe *p, const char *at, size_t len)
{
	const char *colon = memrchr(at, ':', len), *end = at + len;
	char *file = NULL, *symbol = NULL, *path = NULL;
	uint64_t offset = 0, add = 0;
	size_t sym_len;
	int ret = -ENOMEM;

	if (!colon || colon == at || colon + 1 == end)
		return probe_fail(t, at, "a file and a symbol or offset are expected here, "
				  "e.g. libc.so.6:malloc");
	file = strndup(at, colon - at);
	path = file ? ctl_elf_find(file, t->err) : NULL;
	if (!path) {
		err_point(t->err, t->text, at - t->text);
		ret = -ENOENT;
		goto out;
	}
	if (isdigit((unsigned char)colon[1])) {		/* with its %return and (ref_ctr) */
		ret = asprintf(&p->place, "%s%.*s", path, (int)(end - colon), colon) < 0 ?
		      -ENOMEM : 0;
		goto out;
	}
	for (sym_len = 1; colon + sym_len < end && !strchr("+%", colon[sym_len]); sym_len++)
		;
	symbol = strndup(colon + 1, sym_len - 1);
	if (!symbol)
		goto out;
	if (colon[sym_len] == '+' && colon + sym_len < end) {
		char *stop;

		add = strtoull(colon + sym_len + 1, &stop, 0);
		if (stop != end && *stop != '%') {
			ret = probe_fail(t, stop, "a number of bytes is expected after '+'");
			goto out;
		}
	}
	ret = ctl_elf_offset(path, symbol, &offset, t->err);
	if (ret < 0) {
		err_point(t->err, t->text, colon + 1 - t->text);
		goto out;
	}
	if (!p->event && !add)
		p->event = strdup(symbol);
	ret = asprintf(&p->place, "%s:0x%" PRIx64, path, offset + add) < 0 ? -ENOMEM : 0;
out:
	if (ret == -ENOMEM)
		p->place = NULL;
	free(file);
	free(path);
	free(symbol);
	return ret;
}

/* "SYSTEM:EVENT", "SYSTEM/EVENT" or "SYSTEM.EVENT" */
static int event_place(const struct probe_text *t, struct kt_probe *p, const char *at, size_t len)
{
	size_t cut = 0;

	while (cut < len && !strchr(":/.", at[cut]))
		cut++;
	if (!probe_is_name(at, cut) || cut == len || !probe_is_name(at + cut + 1, len - cut - 1))
		return probe_fail(t, at, "an event is expected here, e.g. sched:sched_switch");
	return asprintf(&p->place, "%.*s.%.*s", (int)cut, at, (int)(len - cut - 1),
			at + cut + 1) < 0 ? -ENOMEM : 0;
}

/* "[MODULE:]SYMBOL[+OFFSET]", a tracepoint, or an address */
static int kernel_place(const struct probe_text *t, struct kt_probe *p, const char *at, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)at[i]) && !strchr("_.:+-$", at[i]))
			return probe_fail(t, at + i, "'%c' does not belong to a kernel function",
					  at[i]);
	p->place = strndup(at, len);
	return p->place ? 0 : -ENOMEM;
}

/* "…%return" makes a return probe of an entry probe */
static size_t strip_return(struct kt_probe *p, const char *at, size_t len)
{
	static const char suffix[] = "%return";
	size_t n = strlen(suffix);

	if (len <= n || memcmp(at + len - n, suffix, n) != 0)
		return len;
	if (p->kind == KT_PROBE_KPROBE || p->kind == KT_PROBE_UPROBE || p->kind == KT_PROBE_FPROBE)
		p->kind++;
	return len - n;
}

static int take_place(const struct probe_text *t, struct kt_probe *p, const char **at)
{
	size_t len = strcspn(*at, " \t"), bare;
	const char *place = *at;
	int ret;

	if (!len)
		return probe_fail(t, place, p->kind == KT_PROBE_EPROBE
				  ? "an event to attach to is expected here"
				  : "a place is expected here, e.g. a function");
	*at += len;
	bare = strip_return(p, place, len);
	if (probe_is_user(p->kind))
		ret = user_place(t, p, place, bare);
	else if (p->kind == KT_PROBE_EPROBE)
		ret = event_place(t, p, place, bare);
	else
		ret = kernel_place(t, p, place, bare);
	return ret;
}

/* Does the text begin like the kernel's spelling: "p ", "r16 ", "f:grp/name " …? */
static bool is_kernel_spelling(const char *text)
{
	const char *p = text;

	if (!strchr("prfte", *p))
		return false;
	for (p++; isdigit((unsigned char)*p); p++)
		;
	return *p == ':' || *p == ' ' || *p == '\t';
}

static int kernel_kind(const struct probe_text *t, struct kt_probe *p, const char *place)
{
	size_t len = strcspn(place, " \t");
	bool user = memchr(place, '/', len) != NULL;

	switch (*t->text) {
	case 'p': p->kind = user ? KT_PROBE_UPROBE : KT_PROBE_KPROBE; break;
	case 'r': p->kind = user ? KT_PROBE_URETPROBE : KT_PROBE_KRETPROBE; break;
	case 'f': p->kind = KT_PROBE_FPROBE; break;
	case 't': p->kind = KT_PROBE_TRACEPOINT; break;
	case 'e': p->kind = KT_PROBE_EPROBE; break;
	}
	if (p->maxactive && !probe_is_return(p->kind) && p->kind != KT_PROBE_FPROBE)
		return probe_fail(t, t->text + 1, "only return probes take a number here");
	return 0;
}

/* The kernel's default name: write it explicitly, so that we know what to remove later. */
static int kernel_event(struct kt_probe *p)
{
	const char *from = p->place, *cut = strrchr(from, '/'), *plus = strpbrk(from, "+-");
	const char *dot = strchr(from, '.');
	char letter = probe_is_return(p->kind) ? 'r' : 'p', *c;
	int ret;

	if (probe_is_user(p->kind)) {
		from = cut ? cut + 1 : from;
		ret = asprintf(&p->event, "%c_%.*s_0x%llx", letter, (int)strcspn(from, ".-_:"),
			       from, strtoull(strrchr(from, ':') + 1, NULL, 0));
	} else if (p->kind == KT_PROBE_KPROBE || p->kind == KT_PROBE_KRETPROBE) {
		ret = asprintf(&p->event, "%c_%.*s_%lld", letter, (int)strcspn(from, "+-"), from,
			       plus ? strtoll(plus, NULL, 0) : 0);
	} else if (p->kind == KT_PROBE_EPROBE || p->kind == KT_PROBE_TRACEPOINT) {
		ret = asprintf(&p->event, "%s", dot ? dot + 1 : from);
	} else {
		ret = asprintf(&p->event, "%s__%s", from, letter == 'r' ? "exit" : "entry");
	}
	if (ret < 0) {
		p->event = NULL;
		return -ENOMEM;
	}
	if (ret > MAX_NAME)
		p->event[MAX_NAME] = '\0';
	for (c = p->event; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	return 0;
}

static int parse_kernel(const struct probe_text *t, struct kt_probe *p, struct str *args)
{
	const char *at, *names, *place;
	size_t names_len = 0;
	char *end;
	int ret;

	p->maxactive = strtoul(t->text + 1, &end, 10);
	at = names = end;
	if (*at == ':') {
		names = at + 1;
		names_len = strcspn(names, " \t");
		at = names + names_len;
	}
	place = at + strspn(at, " \t");
	if ((ret = kernel_kind(t, p, place)) < 0 ||
	    (ret = take_names(t, p, names, names_len)) < 0 ||
	    (ret = take_place(t, p, &place)) < 0 ||
	    (!p->event && (ret = kernel_event(p)) < 0))
		return ret;
	return probe_args(t, p->kind, place, false, args);
}

static bool find_kind(const char *word, size_t len, enum kt_probe_kind *kind)
{
	size_t i;

	for (i = 0; i < KT_NR_PROBE_KINDS; i++)
		if ((strlen(kinds[i].name) == len && memcmp(kinds[i].name, word, len) == 0) ||
		    (strlen(kinds[i].alias) == len && memcmp(kinds[i].alias, word, len) == 0)) {
			*kind = i;
			return true;
		}
	return false;
}

static int unknown_kind(const struct probe_text *t, const char *at, size_t len)
{
	const char *names[KT_NR_PROBE_KINDS + 1] = { NULL };
	char word[64], hint[SUGGEST_SIZE];
	size_t i;

	for (i = 0; i < KT_NR_PROBE_KINDS; i++)
		names[i] = kinds[i].name;
	snprintf(word, sizeof(word), "%.*s", (int)len, at);
	return probe_fail(t, at, "no kind of probe '%s'%s", word, suggest(word, names, hint));
}

/* The default name in our spelling: that of the function, with perf's suffix for its return. */
static int default_event(struct kt_probe *p)
{
	const char *from = p->event ? p->event : p->place, *cut;
	struct str name = STR_INIT;
	size_t len;

	cut = p->kind == KT_PROBE_EPROBE ? strchr(from, '.') : strchr(from, ':');
	if (!p->event && cut)
		from = cut + 1;
	if (!p->event && probe_is_user(p->kind))
		return kernel_event(p);		/* an offset is not a name */
	for (len = 0; isalnum((unsigned char)from[len]) || from[len] == '_'; len++)
		;
	if (from[len] && !p->event)
		return kernel_event(p);		/* function+0x10, function.isra.0 */
	str_addf(&name, "%.*s%s", MAX_NAME - 10, from, probe_is_return(p->kind) ? "__return" : "");
	free(p->event);
	p->event = str_take(&name);
	return p->event ? 0 : -ENOMEM;
}

/* "[[GROUP/]EVENT=]KIND:PLACE [ARGS]", or a function alone */
static int parse_ours(const struct probe_text *t, struct kt_probe *p, struct str *args)
{
	size_t word = strcspn(t->text, " \t");
	const char *eq = memchr(t->text, '=', word), *at = eq ? eq + 1 : t->text;
	const char *colon = memchr(at, ':', t->text + word - at);
	int ret = 0;

	if (eq)
		ret = take_names(t, p, t->text, eq - t->text);
	if (ret < 0)
		return ret;
	p->kind = KT_PROBE_KPROBE;
	if (colon && find_kind(at, colon - at, &p->kind))
		at = colon + 1;
	else if (colon)
		return unknown_kind(t, at, colon - at);
	/* Tracepoint names are unique: the user may add the system, but the kernel does not expect
	 * it. */
	if (p->kind == KT_PROBE_TRACEPOINT && (colon = strchr(at, ':')) && colon < t->text + word)
		at = colon + 1;
	ret = take_place(t, p, &at);
	if (ret == 0 && !p->named)
		ret = default_event(p);
	return ret < 0 ? ret : probe_args(t, p->kind, at, true, args);
}

struct kt_probe *kt_probe_parse(const char *text, struct kt_err *err)
{
	struct probe_text t = { .text = text + strspn(text, " \t"), .err = err };
	struct kt_probe *p = calloc(1, sizeof(*p));
	struct str args = STR_INIT;
	int ret;

	if (!p) {
		kt_err_no_memory(err);
		return NULL;
	}
	if (strpbrk(text, "\n\r"))
		ret = kt_err_set(err, -EINVAL, "one probe is one line");
	else if (is_kernel_spelling(t.text))
		ret = parse_kernel(&t, p, &args);
	else
		ret = parse_ours(&t, p, &args);
	if (ret == 0 && !(p->args = str_take(&args)))
		ret = -ENOMEM;
	str_fini(&args);
	if (ret == 0)
		return p;
	kt_err_set(err, ret, "%s", ret == -ENOMEM ? "out of memory" : "no definition of a probe");
	kt_probe_destroy(p);
	return NULL;
}

char *probe_line(const struct kt_probe *p)
{
	struct str s = STR_INIT;
	bool suffix = p->kind == KT_PROBE_FEXIT;

	str_addc(&s, kinds[p->kind].letter);
	if (p->maxactive)
		str_addf(&s, "%u", p->maxactive);
	if (p->group || p->event)
		str_addf(&s, ":%s%s%s", p->group ? p->group : "", p->group ? "/" : "",
			 p->event ? p->event : "");
	str_addf(&s, " %s%s%s%s", p->place, suffix ? "%return" : "", *p->args ? " " : "", p->args);
	return str_take(&s);
}
