#!/bin/bash
# deps.t - the message of `make` on a machine that lacks packages: one line, and what to do
. tests/kt_test.sh

# A machine that has only these programs, whatever its package manager is
mkdir "$KT_TMP/bin"
for tool in bash env grep mktemp rm cat awk tail make mkdir touch sh sed; do
	ln -s "$(type -P $tool)" "$KT_TMP/bin/"
done
program() { printf '#!/bin/sh\n%s\n' "$2" >"$KT_TMP/bin/$1"; chmod +x "$KT_TMP/bin/$1"; }
program nproc 'echo 2'
for tool in dpkg-query rpm pacman apk dnf apt-cache; do program $tool 'exit 1'; done
on_it() { run env -i PATH="$KT_TMP/bin" B="$KT_TMP/build" "$@"; }

program id 'echo 1000'
on_it tests/deps build
is "$status:$out" "1:" "without root and sudo it fails"
like "$err" '^deps: not root, and there is no sudo; still missing: gcc make [^'$'\n'']*$' "in one line that names the reason and the missing packages"
program sudo 'exit 1'
on_it tests/deps build </dev/null
like "$status:$err" '^1:deps: not root, and sudo wants a password; still missing: [^'$'\n'']*$' "also if sudo asks for a password without a terminal"

program id 'echo 0'
for tool in apt-get dnf pacman apk; do
	program $tool "echo $tool >>'$KT_TMP/called'; echo 'Err:1 http://mirror.invalid stable InRelease'
		echo \"  Temporary failure resolving 'mirror.invalid'\" >&2; exit 100"
done
on_it tests/deps build
is "$status" 1 "without network it fails"
like "$err" '^deps: no network; still missing: gcc make [^'$'\n'']*$' "in one line"
[ "$(wc -l <"$KT_TMP/called")" -le 2 ]
ok $? "and does not retry"

# Packages that only some tests need may be missing.
program dpkg-query 'case $* in *busybox* | *qemu*) exit 1 ;; esac; printf installed'
program rpm 'case $* in *busybox* | *qemu*) exit 1 ;; esac'
program pacman 'case $* in *busybox* | *qemu* | -S*) exit 1 ;; esac'
on_it tests/deps build
is "$status:$out$err" "0:" "it does nothing if the packages for a build are installed"
if [ "$(sed -n 's/^ID=//p' /etc/os-release)" = debian ]; then
	on_it tests/deps check
	like "$status:$err" '^0:deps: no network; tests skip what needs: busybox' "and tests run without packages that only some need"
fi

# plain make
run env -i PATH="$KT_TMP/bin" make B="$KT_TMP/build"
like "$status:$err" "2:.*missing: a C compiler \(cc\) pkg-config; 'make deps' installs it" "make without a compiler names the reason"
is "$(wc -l <<<"$err")" 1 "in one line"
done_testing
