#!/bin/bash
# oracle-6.1-rt.t - each event of Debian's kernel 6.1-rt is printed as the kernel prints it
exec tests/vm/oracle 6.1-rt
