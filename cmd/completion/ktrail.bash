# bash completion for ktrail: asks ktrail itself what could be typed next
# shellcheck shell=bash

# The words of a line into $words, and into $quote the one that is still open. bash cuts its own
# COMP_WORDS at ':' and '=', ktrail does not.
_ktrail_words() {
	local line=$1 c i open=
	words=('')
	quote=
	for ((i = 0; i < ${#line}; i++)); do
		c=${line:i:1}
		case $quote$c in
		"''" | '""') quote= ;;
		"'" | '"') quote=$c open=1 ;;
		'"\' | '\') i=$((i + 1)) words[-1]+=${line:i:1} ;;
		[[:space:]]) [ -z "$open${words[-1]}" ] || words+=('') open= ;;
		*) words[-1]+=$c ;;
		esac
	done
}

_ktrail() {
	local words quote word candidates status front='' i
	_ktrail_words "${COMP_LINE:0:COMP_POINT}"
	words=("${words[@]:1}")
	word=${words[${#words[@]}-1]}
	candidates=$("${COMP_WORDS[0]}" __complete -- "${words[@]}" 2>/dev/null)
	status=$?
	if [ $status = 3 ]; then
		compopt -o default
		COMPREPLY=()
		return
	fi
	# outside of quotes, what ends with the last ':' or '=' is a word of its own for bash
	if [ -z "$quote" ]; then
		case $word in *[:=]*) front=${word%"${word##*[:=]}"} ;; esac
	fi
	mapfile -t COMPREPLY <<<"$candidates"
	[ -n "$candidates" ] || COMPREPLY=()
	COMPREPLY=("${COMPREPLY[@]#"$front"}")
	for i in "${!COMPREPLY[@]}"; do
		[ -n "$quote" ] || printf -v "COMPREPLY[i]" %q "${COMPREPLY[i]}"
	done
	case "${COMPREPLY[*]}" in *[:=\(]) compopt -o nospace ;; esac
}
complete -F _ktrail ktrail
