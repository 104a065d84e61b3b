#!/bin/bash
# oracle-6.1.t - each event of Debian's kernel 6.1 is printed as the kernel prints it
exec tests/vm/oracle 6.1
