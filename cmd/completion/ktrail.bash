# bash completion for ktrail: asks ktrail itself what could be typed next
# shellcheck shell=bash
_ktrail() {
	local line=${COMP_LINE:0:COMP_POINT} word words candidates status
	# bash cuts words at ':' and '=', ktrail does not: cut the line ourselves
	read -ra words <<<"$line"
	[[ $line != *[[:space:]] ]] || words+=('')
	words=("${words[@]:1}")
	word=${words[${#words[@]}-1]}
	candidates=$("${COMP_WORDS[0]}" __complete -- "${words[@]}" 2>/dev/null)
	status=$?
	if [ $status = 3 ]; then
		compopt -o default
		COMPREPLY=()
		return
	fi
	# what stands in front of the last ':' or '=' is a word of its own for bash
	local front=''
	case $word in *[:=]*) front=${word%"${word##*[:=]}"} ;; esac
	mapfile -t COMPREPLY <<<"$candidates"
	[ -n "$candidates" ] || COMPREPLY=()
	COMPREPLY=("${COMPREPLY[@]#"$front"}")
	case "${COMPREPLY[*]}" in *[:=]) compopt -o nospace ;; esac
}
complete -F _ktrail ktrail
