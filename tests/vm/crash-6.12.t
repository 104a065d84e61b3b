#!/bin/bash
# crash-6.12.t - two panics, each collected by the boot after it; Debian's kernel 6.12
exec tests/vm/parts -t 900 -r -x comm \
	-a "reserve_mem=20M:2M:trace trace_instance=crash^traceoff@trace ktrail.events=sched:sched_switch,irq" 6.12 crash
