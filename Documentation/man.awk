# man.awk - a page of Documentation/ as a manual page; awk -v version=V -f man.awk ktrail-NAME.md
#
# Understands what our pages use: "# NAME" and "## Sub" headings, paragraphs, indented or fenced code,
# "- item" lists, "term" lines followed by ":   text", tables, **bold**, *italic*, `code`.

function text(s) {
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	while (match(s, /\*\*[^*]+\*\*/))
		s = substr(s, 1, RSTART - 1) "\\fB" substr(s, RSTART + 2, RLENGTH - 4) "\\fR" substr(s, RSTART + RLENGTH)
	while (match(s, /`[^`]+`/))
		s = substr(s, 1, RSTART - 1) "\\fB" substr(s, RSTART + 1, RLENGTH - 2) "\\fR" substr(s, RSTART + RLENGTH)
	while (match(s, /(^|[ (])\*[^* ][^*]*\*/)) {
		lead = substr(s, RSTART, 1) == "*" ? 0 : 1
		s = substr(s, 1, RSTART - 1 + lead) "\\fI" substr(s, RSTART + lead + 1, RLENGTH - lead - 2) "\\fR" substr(s, RSTART + RLENGTH)
	}
	while (match(s, /\[[^]]*\]\([^)]*\)/)) {
		link = substr(s, RSTART + 1, RLENGTH)
		sub(/\].*/, "", link)
		s = substr(s, 1, RSTART - 1) link substr(s, RSTART + RLENGTH)
	}
	sub(/^[.']/, "\\\\\\&&", s)
	return s
}

function verbatim(s) {
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	sub(/^[.']/, "\\\\\\&&", s)
	return s
}

function code(on) {
	if (on != in_code)
		print on ? ".PP\n.RS 4\n.nf" : ".fi\n.RE"
	in_code = on
}

NR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.md$/, "", name)
	printf ".TH \"%s\" \"1\" \"\" \"ktrail %s\" \"ktrail\"\n.nh\n.ad l\n", toupper(name), version
}

/^```/                  { fenced = !fenced; code(fenced); next }
fenced                  { print verbatim($0); next }
/^(    |\t)/ && (blank || in_code) && !item {
	code(1)
	sub(/^(    |\t)/, "")
	print verbatim($0)
	blank = 0
	next
}
/^$/ {
	blank = 1
	if (in_code)
		held++
	next
}
in_code                 { code(0) }
{ held = 0 }
/^# ktrail/             { next }
/^## /                  { sub(/^## /, ""); print ".SH " toupper($0); item = blank = 0; next }
/^# /                   { sub(/^# /, ""); print ".SH " toupper($0); item = blank = 0; next }
/^###+ /                { sub(/^###+ /, ""); print ".SS " $0; item = blank = 0; next }
/^\|[-| :]+\|$/         { next }
/^\|/ {
	gsub(/^\| *| *\|$/, "")
	n = split($0, cell, / *\| */)
	print ".TP\n" text(cell[1])
	row = ""
	for (i = 2; i <= n; i++)
		row = row (i > 2 ? "; " : "") text(cell[i])
	print row
	blank = 0
	next
}
/^:   /                 { sub(/^:   */, ""); print text($0); item = 1; blank = 0; next }
/^ *[-*] /              { sub(/^ *[-*] /, ""); print ".IP \\(bu 2\n" text($0); item = 1; blank = 0; next }
{
	line = $0
	if (item && line ~ /^ /) {
		sub(/^ +/, "", line)
		print (blank ? ".IP\n" : "") text(line)
	} else {
		# a term: the next line starts with ":   "
		if ((getline following) > 0) {
			if (following ~ /^:   /) {
				print ".TP\n" text(line)
				sub(/^:   */, "", following)
				print text(following)
				item = 1
				blank = 0
				next
			}
			print (blank ? ".PP\n" : "") text(line)
			item = 0
			if (following == "")
				blank = 1
			else {
				blank = 0
				print text(following)
			}
			next
		}
		print (blank ? ".PP\n" : "") text(line)
	}
	blank = 0
}
