#!/bin/bash
# oracle-6.12.t - each event of Debian's kernel 6.12 is printed as the kernel prints it
exec tests/vm/oracle 6.12
