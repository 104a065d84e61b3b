#!/bin/bash
# crash-7.2.t - two panics, each collected by the boot after it; Debian's kernel 7.2
exec tests/vm/parts -t 1200 -r -x comm \
	-a "reserve_mem=20M:2M:trace trace_instance=crash^traceoff@trace ktrail.events=sched:sched_switch,irq" 7.2 crash
