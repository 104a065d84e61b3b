#!/bin/bash
# kills.t - commands killed at random moments in a guest with all tracers: the machine is as it was
exec tests/vm/parts 6.12 kills
