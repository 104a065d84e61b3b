#!/bin/bash
# oracle-7.2-rt.t - each event of Debian's kernel 7.2-rt is printed as the kernel prints it
exec tests/vm/oracle 7.2-rt
