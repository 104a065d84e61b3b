#!/bin/bash
# oracle-7.2.t - each event of Debian's kernel 7.2 is printed as the kernel prints it
exec tests/vm/oracle 7.2
