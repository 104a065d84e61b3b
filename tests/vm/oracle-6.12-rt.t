#!/bin/bash
# oracle-6.12-rt.t - each event of Debian's kernel 6.12-rt is printed as the kernel prints it
exec tests/vm/oracle 6.12-rt
