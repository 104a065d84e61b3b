# expand.awk - a page with the sections that it shares with others; awk -f expand.awk PAGE
#
# A line that is nothing but a link to a file below options/ stands for that file.
match($0, /^\[[^\]]*\]\(options\/[^)]*\)$/) {
	file = FILENAME
	if (!sub(/[^\/]*$/, "", file))
		file = ""
	part = $0
	sub(/.*\(/, "", part)
	sub(/\)$/, "", part)
	nr = 0
	while ((getline line < (file part)) > 0) {
		print line
		nr++
	}
	close(file part)
	if (!nr) {
		print FILENAME ":" FNR ": no file " part >"/dev/stderr"
		exit 1
	}
	next
}
{ print }
