# make | make check | make demo | make bench | make install [DESTDIR=] [prefix=] | make deps     V=1 shows the commands
B      ?= build
CC     ?= cc
CFLAGS ?= -O2 -g
prefix ?= /usr/local
version := $(shell sed -n 's/.*KTRAIL_VERSION "\(.*\)"/\1/p' lib/include/ktrail/version.h)

ifneq ($(SAN),)
B       := $B-san
CFLAGS  := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
LDFLAGS += -fsanitize=address,undefined
endif

Q     = $(if $(V),,@printf '  %-4s %s\n' $(1) $@;)
pkgs  = libtracefs libtraceevent libzstd zlib libdw libelf ncursesw
PKG_CFLAGS := $(shell pkg-config --cflags $(pkgs) 2>/dev/null)
PKG_LIBS   := $(shell pkg-config --libs $(pkgs) 2>/dev/null) -pthread -ldl
flags = -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wmissing-prototypes -fPIC -pthread -MMD -MP -Ilib/include $(PKG_CFLAGS)
obj   = $(patsubst %.c,$B/%.o,$(wildcard $(1)))

lib_o   := $(call obj,lib/*/*.c)
cmd_o   := $(call obj,cmd/*.c)
tui_o   := $(call obj,tui/*.c)
tests   := $(patsubst %.c,$B/%,$(wildcard tests/unit/test_*.c))

all: $B/ktrail $B/libktrail.a

$B/lib/%.o:   flags += -Ilib
$B/cmd/%.o:   flags += -Icmd -Ilib
$B/tui/%.o:   flags += -Itui -Ilib
$B/tests/%.o: flags += -Itests -Ilib -Icmd

$B/%.o: %.c
	@mkdir -p $(@D)
	$(call Q,CC)$(CC) $(CPPFLAGS) $(flags) $(CFLAGS) -c -o $@ $<

$B/libktrail.a: $(lib_o)
	$(call Q,AR)rm -f $@ && $(AR) rcs $@ $^

$B/ktrail: $(cmd_o) $(tui_o) $B/libktrail.a
	$(call Q,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PKG_LIBS)

$B/tests/unit/test_%: $B/tests/unit/test_%.o $(call obj,tests/kt_*.c) $B/libktrail.a
	$(call Q,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(PKG_LIBS)

$B/tests/unit/test_opts: $B/cmd/opts.o

check: all $(tests)
	@for t in $(tests); do $$t || exit 1; done

clean:
	rm -rf build build-*

.PHONY: all check clean
.SECONDARY:
-include $(lib_o:.o=.d) $(cmd_o:.o=.d) $(tui_o:.o=.d)
