/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ktrail.h - all of libktrail, and its version */
#ifndef KTRAIL_KTRAIL_H
#define KTRAIL_KTRAIL_H

#include <ktrail/analysis.h>
#include <ktrail/btf.h>
#include <ktrail/calls.h>
#include <ktrail/control.h>
#include <ktrail/err.h>
#include <ktrail/event.h>
#include <ktrail/file.h>
#include <ktrail/filter.h>
#include <ktrail/hist.h>
#include <ktrail/instance.h>
#include <ktrail/latencies.h>
#include <ktrail/model.h>
#include <ktrail/names.h>
#include <ktrail/out.h>
#include <ktrail/plugin.h>
#include <ktrail/plugins.h>
#include <ktrail/probe.h>
#include <ktrail/profile.h>
#include <ktrail/reader.h>
#include <ktrail/rec.h>
#include <ktrail/selection.h>
#include <ktrail/session.h>
#include <ktrail/settings.h>
#include <ktrail/span.h>
#include <ktrail/status.h>
#include <ktrail/stream.h>
#include <ktrail/symbols.h>
#include <ktrail/text.h>
#include <ktrail/trace.h>
#include <ktrail/tracefs.h>
#include <ktrail/views.h>
#include <ktrail/why.h>
#include <ktrail/writer.h>

#define KTRAIL_VERSION "0.1"

#endif
