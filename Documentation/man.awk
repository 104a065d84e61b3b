# man.awk - a page of Documentation/ as a manual page
#
# awk -f expand.awk ktrail-NAME.md | awk -v version=V -v page=ktrail-NAME -f man.awk
# Pages that are not of a command: -v name=ktrail-NAME -v number=7; their "# Title" becomes the NAME.
#
# Understands what the pages use: "# HEADING", "## Sub", paragraphs, indented or fenced code, "- item",
# a term with its ": description" on the next line, tables, **bold**, *italic*, `code`, [link](url).

# Wraps what stands between two marks of that width in a font: mark is a regular expression.
function font(s, re, width, name,    out) {
	while (match(s, re)) {
		out = out substr(s, 1, RSTART - 1) "\\f" name substr(s, RSTART + width, RLENGTH - 2 * width) "\\fR"
		s = substr(s, RSTART + RLENGTH)
	}
	return out s
}

function verbatim(s) {
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	if (s ~ /^[.']/)
		s = "\\&" s
	return s
}

function text(s,    link) {
	s = verbatim(s)
	s = font(s, "`[^`]+`", 1, "B")
	s = font(s, "[*][*][^*]+[*][*]", 2, "B")
	while (match(s, /\[[^\]]*\]\([^)]*\)/)) {
		link = substr(s, RSTART + 1, RLENGTH - 2)
		sub(/\].*/, "", link)
		s = substr(s, 1, RSTART - 1) link substr(s, RSTART + RLENGTH)
	}
	return s
}

# Columns that a line takes, in the C locale: the bytes of UTF-8 that begin a character
function width(s) {
	gsub(/[\200-\277]/, "", s)
	return length(s)
}

# A line of code is kept until the block ends; blank lines wait until more of it comes.
function code_line(s) {
	while (blanks-- > 0 && lines)
		block[++lines] = ""
	blanks = 0
	block[++lines] = s
	if (width(s) > widest)
		widest = width(s)
	in_code = 1
}

# Lines that would go beyond 80 columns are indented less: a screen begins at the left edge.
function code_end(    i) {
	print ".PP\n.RS " (widest > 69 ? 0 : 4) (widest > 73 ? "\n.in 0" : "") "\n.nf"
	for (i = 1; i <= lines; i++)
		print verbatim(block[i])
	print ".fi\n.RE"
	in_code = lines = widest = 0
}

# The line before is held back until it is known whether a description follows.
function flush_line() {
	if (held != "")
		print text(held)
	held = ""
}

function paragraph() {
	if (blanks && !in_list)
		print ".PP"
	else if (blanks)
		print ".IP"
	blanks = 0
}

FNR == 1 {
	titled = name != ""
	if (!titled) {
		name = page
		number = 1
	}
	printf ".TH \"%s\" \"%s\" \"\" \"ktrail %s\" \"ktrail\"\n.nh\n.ad l\n", toupper(name), number, version
}
titled && FNR == 1 {
	title = substr($0, 3)
	print ".SH NAME\n" verbatim(name) " \\- " tolower(substr(title, 1, 1)) text(substr(title, 2))
	print ".SH DESCRIPTION"
	next
}
titled && !fenced     { sub(/^##/, "#") }

/^```/ {
	flush_line()
	fenced = !fenced
	if (!fenced)
		code_end()
	next
}
fenced                { code_line($0); next }
/^!\[/                { next }			# a picture
/^$/                  { flush_line(); blanks++; next }
/^(    |\t)/ && (blanks || in_code) {
	sub(/^(    |\t)/, "")
	if (section == "SYNOPSIS") {	# wrapped, unlike an example
		print ".HP 8\n" text($0)
		next
	}
	code_line($0)
	next
}
in_code               { code_end(); blanks = 1 }
/^# /                 { flush_line(); section = toupper(substr($0, 3)); print ".SH " section; in_list = blanks = 0; next }
/^##+ /               { flush_line(); sub(/^#+ /, ""); print ".SS " $0; in_list = blanks = 0; next }
/^: +/ {
	print ".TP\n" text(held)
	held = ""
	sub(/^: +/, "")
	print text($0)
	in_list = 1
	blanks = 0
	next
}
/^ *[-*] /            { flush_line(); sub(/^ *[-*] /, ""); print ".IP \\(bu 3\n" text($0); in_list = 1; blanks = 0; next }
/^\|[-| :]+\|$/       { next }
/^\|/ {
	flush_line()
	gsub(/^\| *| *\|$/, "")
	n = split($0, cell, / *\| */)
	print ".TP\n" text(cell[1])
	for (i = 2; i <= n; i++)
		print text(cell[i])
	in_list = 1
	blanks = 0
	next
}
{
	flush_line()
	if ($0 !~ /^ /)
		in_list = 0
	paragraph()
	sub(/^ +/, "")
	held = $0
}
END {
	flush_line()
	if (in_code)
		code_end()
}
