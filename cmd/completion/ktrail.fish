# fish completion for ktrail: asks ktrail itself what could be typed next
function __ktrail_complete
	set -l words (commandline -opc) (commandline -ct)
	set -l candidates ($words[1] __complete -d -- $words[2..-1] 2>/dev/null)
	if test $status -eq 3
		__fish_complete_path (commandline -ct)
	else
		printf '%s\n' $candidates
	end
end
complete -c ktrail -f -a '(__ktrail_complete)'
