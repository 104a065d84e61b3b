#!/bin/bash
# bisect.t - the example of ktrail-bisect(1): its scripts boot the kernel that each commit names, until the first bad one
. tests/kt_test.sh
# shellcheck disable=SC2154
page=$PWD/Documentation/ktrail-bisect.md

new=$(tests/vm/run -k 6.12) && old=$(tests/vm/run -k 6.1) || { echo "1..0 # SKIP ${new:-}${old:-}"; exit 0; }
command -v git >/dev/null || { echo "1..0 # SKIP no git here"; exit 0; }
${CC:-cc} -x c -o "$KT_TMP/workload" - <<'TXT' || exit 1
/* Linux 6.10 has mseal(), number 462 */
long syscall(long nr, ...);
int main(void) { for (int i = 0; i < 3; i++) syscall(462, 0L, 0L, 0L); return 0; }
TXT

# script NAME: the block of the page that begins with its name
script() {
	awk -v name="$1" '
		/^    / { text = text substr($0, 5) "\n"; on += index($0, "    # " name " ") == 1; next }
		on { exit }
		{ text = "" }
		END { printf "%s", text }' "$page" >"$1"
	chmod +x "$1"
}

export HOME=$KT_TMP PATH=${KTRAIL%/*}:$KT_TMP:$PATH GIT_CONFIG_NOSYSTEM=1
export ACCEL=tcg APPEND='mitigations=off no_timer_check'	# as in tests/vm/run
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
mkdir "$KT_TMP/linux" && cd "$KT_TMP/linux" || exit 1
script in-qemu
script make-guest
run ./make-guest workload
is "$status:$(ls guest/bin | paste -sd' ')" "0:busybox ktrail workload" "the page's script makes a guest" || note "$err"

git init -q . && cat >.git/info/exclude <<<$'in-qemu\nmake-guest\nguest'
for image in "$new" "$new" "$old" "$old"; do
	echo "$image" >kernel
	git add kernel && git commit -q --allow-empty -m "$image"
done
planted=$(git rev-parse HEAD^)
git bisect start HEAD HEAD~3 >/dev/null 2>&1
run git bisect run ktrail bisect -F -m 'errors(syscall mseal) == 0 and count(syscall mseal) == 3' \
	--good-fails 1% --bad-fails 99% --error 2% --vm 'KERNEL=$(cat kernel) ./in-qemu' -- workload
is "$status:$(grep 'is the first bad' <<<"$out")" "0:$planted is the first bad commit" "the kernel that lacks the system call is found" ||
	note "$out $err"
like "$(cut -f3-8 .git/ktrail-bisect/steps)" $'holds\t1\t0\t0\t0, 3\t' "a kernel that has it is good"
like "$(cut -f3-8 .git/ktrail-bisect/steps)" $'fails\t1\t1\t0\t3, 3\t' "one that lacks it is bad"
like "$out" 'The last good and the first bad commit:' "and both can be compared"
done_testing
