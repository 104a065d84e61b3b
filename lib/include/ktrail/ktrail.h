/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ktrail.h - all of libktrail, and its version */
#ifndef KTRAIL_KTRAIL_H
#define KTRAIL_KTRAIL_H

#include <ktrail/analysis.h>
#include <ktrail/base.h>
#include <ktrail/capture.h>
#include <ktrail/diff.h>
#include <ktrail/event.h>
#include <ktrail/export.h>
#include <ktrail/file.h>
#include <ktrail/filter.h>
#include <ktrail/latencies.h>
#include <ktrail/model.h>
#include <ktrail/plugin.h>
#include <ktrail/probe.h>
#include <ktrail/reader.h>
#include <ktrail/rec.h>
#include <ktrail/session.h>
#include <ktrail/settings.h>
#include <ktrail/span.h>
#include <ktrail/status.h>
#include <ktrail/stream.h>
#include <ktrail/text.h>
#include <ktrail/trace.h>
#include <ktrail/tracefs.h>
#include <ktrail/views.h>
#include <ktrail/why.h>
#include <ktrail/writer.h>

#define KTRAIL_VERSION "0.1"

#endif
