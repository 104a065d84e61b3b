#!/bin/bash
# on-6.12-full.t - what no kernel of Debian has, in one boot of a kernel that tests/vm/build-full builds
exec tests/vm/parts -t 1200 -f "${B:-build}/plugins/function_graph.so" -M preemptirq_delay_test \
	6.12-full profile retval rv tracers
