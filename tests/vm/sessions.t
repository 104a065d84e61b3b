#!/bin/bash
# sessions.t - sessions started, recorded, saved, killed and undone, in one boot of Debian's kernel 6.12
exec tests/vm/parts -t 1800 6.12 kills nouns record session uses
