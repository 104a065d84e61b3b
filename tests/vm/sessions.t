#!/bin/bash
# sessions.t - sessions begun, recorded, saved, killed and taken back, in one boot of Debian's kernel 6.12
exec tests/vm/parts -t 1800 6.12 kills nouns record session uses
