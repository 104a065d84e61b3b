# make | make check | make check-all | make demo | make bench | make install [DESTDIR=] [prefix=] | make deps | make fuzz | make mutate | make error-sites | make golden
# V=1 shows the commands, SAN=1 builds with sanitizers into build-san, T='tests/cli/x.t …' checks only those
B      ?= build
CC     ?= cc
CFLAGS ?= -O2 -g
prefix ?= /usr/local
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
incdir ?= $(prefix)/include
mandir ?= $(prefix)/share/man
datdir ?= $(prefix)/share
version := $(shell sed -n 's/.*KTRAIL_VERSION "\(.*\)"/\1/p' lib/include/ktrail/ktrail.h)
soname  := libktrail.so.$(firstword $(subst ., ,$(version)))

ifneq ($(SAN),)
B       := $B-san
CFLAGS  := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
LDFLAGS += -fsanitize=address,undefined
endif

ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif

all: $B/ktrail $B/libktrail.a $B/libktrail.so plugins

# These targets may start on a bare system: after the stamp is made, make restarts and finds pkg-config.
ifneq ($(filter check check-all bench,$(MAKECMDGOALS)),)
include $B/deps-check.stamp
else ifneq ($(filter demo,$(MAKECMDGOALS)),)
include $B/deps-build.stamp
endif
$B/deps-%.stamp: tests/deps
	@tests/deps $* && mkdir -p $(@D) && touch $@

quiet := $(findstring s,$(firstword -$(MAKEFLAGS)))
Q     = $(if $(V),,@$(if $(quiet),,printf '  %-4s %s\n' $(1) $@;))
obj   = $(patsubst %.c,$B/%.o,$(wildcard $(1)))
need  = libtracefs libtraceevent libzstd zlib libdw libelf ncursesw smartcols sqlite3
PKG_CFLAGS := $(shell pkg-config --cflags $(need) 2>/dev/null)
PKG_LIBS   := $(shell pkg-config --libs $(need) 2>/dev/null) -pthread -ldl -lm
# A readable reason why the build cannot start, printed by the first rule that needs it
absent     := $(if $(shell command -v $(firstword $(CC)) 2>/dev/null),,a C compiler ($(CC)))
absent     += $(shell command -v pkg-config >/dev/null || echo pkg-config)
absent     += $(if $(strip $(absent)),,$(foreach p,$(need),$(shell pkg-config --exists $p || echo $p)))
flags = -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Wall -Wextra -Wmissing-prototypes -fPIC -fno-semantic-interposition \
	-pthread -MMD -MP -Ilib/include $(PKG_CFLAGS)
link  = $(CC) $(CFLAGS) $(LDFLAGS) -Wl,--as-needed -o $@ $(filter %.o %.a,$^)

lib_o   := $(call obj,lib/*/*.c)
cmd_o   := $(call obj,cmd/*.c cmd/*/*.c)
tui_o   := $(call obj,tui/*/*.c)
test_o  := $(call obj,tests/kt_*.c)
plugins := $(patsubst %.c,$B/%.so,$(wildcard plugins/*.c))
tests   := $(patsubst %.c,$B/%,$(wildcard tests/unit/test_*.c))
benches := $(patsubst %.c,$B/%,$(wildcard tests/bench/*.c))
man1    := $(patsubst Documentation/%.md,$B/man/%.1,$(wildcard Documentation/ktrail*.md))
man5    := $(patsubst %,$B/man/ktrail-%.5,json trace-dat)
man7    := $(patsubst %,$B/man/ktrail-%.7,filters plugins event-text stutter)

# The layers: each folder has only the include paths that it may use; tests/layers.sh checks the rest.
$B/lib/%.o:   flags += -Ilib
$B/cmd/%.o:   flags += -Ilib -I.
$B/tui/%.o:   flags += -Ilib -I.
$B/tests/%.o: flags += -Itests -Ilib -I. -DTEP_VERSION='"$(shell pkg-config --modversion libtraceevent)"'
$B/plugins/%.o: flags += -fvisibility=hidden
$B/lib/plug/%.o: flags += -DPLUGIN_DIR='"$(libdir)/ktrail/plugins"'

$B/%.o: %.c
	$(if $(strip $(absent)),$(error missing: $(strip $(absent)); 'make deps' installs it))
	@mkdir -p $(@D)
	$(call Q,CC)$(CC) $(CPPFLAGS) $(flags) $(CFLAGS) -c -o $@ $<

$B/libktrail.a: $(lib_o)
	$(call Q,AR)rm -f $@ && $(AR) rcs $@ $^

# Only declarations in public headers are exported; before 1.0 each version has its own version node.
$B/libktrail.map: $(wildcard lib/include/ktrail/*.h)
	@mkdir -p $(@D)
	$(call Q,MAP){ echo 'KTRAIL_$(version) { global:'; cat $^ | sed -n '/^static/d; s/^extern .*\b\(kt_[a-z0-9_]*\)\[.*/\1;/p; s/(/(\n/gp' | \
		sed -n 's/^\(kt_[a-z0-9_]*;\)$$/\1/p; s/.*\b\(kt_[a-z0-9_]*\)($$/\1;/p' | sort -u; echo 'local: *; };'; } >$@

$B/libktrail.so: $(lib_o) $B/libktrail.map
	$(call Q,LD)$(link) -shared -Wl,-soname,$(soname) -Wl,-Bsymbolic -Wl,--version-script=$B/libktrail.map $(PKG_LIBS)

$B/ktrail: $(cmd_o) $(tui_o) $B/libktrail.a
	$(call Q,LD)$(link) $(PKG_LIBS)

# Plugins that others can write to are never loaded, so a umask of 002 must not make them writable.
$B/plugins/%.so: $B/plugins/%.o
	$(call Q,LD)$(link) -shared && chmod go-w $@ $(@D)
plugins: $(plugins)

$B/tests/unit/test_%: $B/tests/unit/test_%.o $(test_o) $B/cmd/args/opts.o $B/tui/terminal/surface.o $B/libktrail.a
	$(call Q,LD)$(link) -lcmocka $(PKG_LIBS)

# Tests of the viewer are linked with the whole viewer.
$B/tests/unit/test_view_%: $B/tests/unit/test_view_%.o $(test_o) $(tui_o) $B/libktrail.a
	$(call Q,LD)$(link) -lcmocka $(PKG_LIBS)

# The library that makes system calls fail in tests is built without sanitizers
$B/tests/refuse/%.o: flags += -DKT_REFUSE_SO
$B/tests/refuse/%.o: CFLAGS := $(filter-out -fsanitize% -fno-sanitize%,$(CFLAGS))
$B/tests/refuse.so: $B/tests/refuse/refuse.o
	$(call Q,LD)$(CC) $(filter-out -fsanitize%,$(LDFLAGS)) -shared -o $@ $^ -ldl

$B/tests/bench/%: $B/tests/bench/%.o $B/libktrail.a
	$(call Q,LD)$(link) $(PKG_LIBS)

$B/man/%.1: Documentation/%.md Documentation/man.awk Documentation/expand.awk $(wildcard Documentation/options/*.md)
	@mkdir -p $(@D)
	$(call Q,MAN)awk -f Documentation/expand.awk $< | LC_ALL=C awk -v version=$(version) -v page=$* -f Documentation/man.awk >$@
$B/man/ktrail-filters.7: Documentation/filter.md
$B/man/ktrail-%.7: Documentation/%.md
$B/man/ktrail-%.5: Documentation/%.md
$(man5) $(man7): Documentation/man.awk
	@mkdir -p $(@D)
	$(call Q,MAN)LC_ALL=C awk -v version=$(version) -v name=$(basename $(@F)) -v number=$(subst .,,$(suffix $@)) \
		-f Documentation/man.awk $(filter %.md,$^) >$@

unit-tests: $(tests) $B/tests/refuse.so $B/tests/bench/inflate
check: all unit-tests
	@B=$B SAN=$(SAN) tests/run $(T)
check-all: all unit-tests
	@B=$B SAN=$(SAN) KT_SET=all tests/run $(T)
	$(if $(T)$(SAN),,@FUZZ_SECONDS=$${FUZZ_SECONDS:-120} tests/fuzz/run || [ $$? = 77 ])
golden: all unit-tests
	@B=$B KT_GOLDEN=update tests/run $(T)
demo: all
	@B=$B tests/demo
bench: all $(benches)
	@B=$B tests/bench/run $(T)
fuzz:
	@tests/fuzz/run $(T)
mutate: all
	@B=$B tests/mutate $(T)
error-sites:
	@T='$(T)' tests/error-sites
deps:
	@tests/deps all

install: all $(man1) $(man5) $(man7)
	install -d $(addprefix $(DESTDIR),$(bindir) $(libdir)/pkgconfig $(libdir)/ktrail/plugins $(incdir)/ktrail $(addprefix $(mandir)/man,1 5 7))
	install -m 755 $B/ktrail $(DESTDIR)$(bindir)
	install -m 644 $B/libktrail.a $(DESTDIR)$(libdir)
	install -m 755 $B/libktrail.so $(DESTDIR)$(libdir)/libktrail.so.$(version)
	ln -sf libktrail.so.$(version) $(DESTDIR)$(libdir)/$(soname)
	ln -sf $(soname) $(DESTDIR)$(libdir)/libktrail.so
	install -m 644 lib/include/ktrail/*.h $(DESTDIR)$(incdir)/ktrail
	install -D -m 644 cmd/completion/ktrail.bash $(DESTDIR)$(datdir)/bash-completion/completions/ktrail
	install -D -m 644 cmd/completion/_ktrail $(DESTDIR)$(datdir)/zsh/site-functions/_ktrail
	install -D -m 644 cmd/completion/ktrail.fish $(DESTDIR)$(datdir)/fish/vendor_completions.d/ktrail.fish
	sed 's|@prefix@|$(prefix)|; s|@libdir@|$(libdir)|; s|@incdir@|$(incdir)|; s|@version@|$(version)|' \
		lib/libktrail.pc.in >$(DESTDIR)$(libdir)/pkgconfig/libktrail.pc
	$(if $(plugins),install -m 755 $(plugins) $(DESTDIR)$(libdir)/ktrail/plugins)
	install -m 644 $(man1) $(DESTDIR)$(mandir)/man1
	install -m 644 $(man5) $(DESTDIR)$(mandir)/man5
	install -m 644 $(man7) $(DESTDIR)$(mandir)/man7
	install -D -m 644 Documentation/capture.service $(DESTDIR)$(datdir)/doc/ktrail/capture.service

uninstall:
	rm -rf $(addprefix $(DESTDIR),$(bindir)/ktrail $(libdir)/libktrail.* $(libdir)/pkgconfig/libktrail.pc \
		$(libdir)/ktrail $(incdir)/ktrail $(mandir)/man1/ktrail.1 $(mandir)/man1/ktrail-*.1 $(mandir)/man5/ktrail-*.5 $(mandir)/man7/ktrail-*.7 \
		$(datdir)/bash-completion/completions/ktrail $(datdir)/zsh/site-functions/_ktrail \
		$(datdir)/fish/vendor_completions.d/ktrail.fish $(datdir)/doc/ktrail)

clean:
	rm -rf build build-*

.PHONY: all plugins unit-tests check check-all golden demo bench fuzz mutate error-sites deps install uninstall clean
.SECONDARY:
-include $(patsubst %.o,%.d,$(lib_o) $(cmd_o) $(tui_o) $(test_o) $(plugins:.so=.o) $(tests:=.o) $(benches:=.o))
