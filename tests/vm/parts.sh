# parts.sh - in a guest: run each script of this folder, one after the other
# shellcheck shell=bash
for part in *.sh; do
	echo "# part ${part%.sh} at $(cut -d. -f1 /proc/uptime) s"
	KT_TMP=/tmp/kt/${part%.sh}
	mkdir -p "$KT_TMP"
	# one that hangs must not stop the others
	KT_TMP=$KT_TMP timeout $(($(cat /seconds) * 2 / 3)) bash "./$part" 2>&1
	echo "# part ends with status $? at $(cut -d. -f1 /proc/uptime) s"
done
