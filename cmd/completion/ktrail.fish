# fish completion for ktrail: asks ktrail itself what could be typed next
function __ktrail_complete
	set -l words (commandline -opc)
	set -l typed (commandline -ct)
	# a quote that is still open is not part of the word
	if string match -qr '^[\'"]' -- $typed
		set typed (string sub -s 2 -- $typed)
	else
		set typed (string unescape -- $typed; or echo $typed)
	end
	set -l candidates ($words[1] __complete -d -- $words[2..-1] "$typed" 2>/dev/null)
	if test $status -eq 3
		__fish_complete_path "$typed"
	else
		printf '%s\n' $candidates
	end
end
complete -c ktrail -f -a '(__ktrail_complete)'
