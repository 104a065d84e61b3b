#!/bin/bash
# rules.t - an option that would have no effect is misuse, except under the name trace-cmd
. tests/kt_test.sh
. tests/kt_fake.sh
fake_tracefs
data=tests/data/6.12-events.dat
ln -s "$(realpath "$KTRAIL")" "$KT_TMP/trace-cmd"

# refused "WORDS…" REGEX: status 2, and one line that says which option
refused() {
	# shellcheck disable=SC2086
	run "$KTRAIL" $1
	is "$status" 2 "$1 is misuse"
	like "${err%%$'\n'*}" "$2" "… with the reason"
}

refused "record -G -e sched true"                     '--global-irqs|-G only changes how a profile is printed'
refused "record --by-comm -e sched true"              'by-comm only changes how a profile is printed'
refused "record -S -e sched true"                     '--only-given goes with --profile'
refused "record --module ext4 -e sched true"          '--module goes with -l or -n or -g'
refused "start -a -e sched"                           '-a is about recording into a file'
refused "start -s 100 -e sched"                       '-s is about recording'
refused "start --fork -e sched"                       '--fork needs a command'
refused "set --date -e sched"                         '--date is about recording'
refused "stream --proc-map -e sched true"             '--proc-map is about recording'
refused "report --top 3 $data"                        '--top goes with --profile'
refused "profile --functions -O stacktrace true"      '-O has no effect with --functions'
refused "profile -o x --stderr true"                  '--output and --stderr exclude each other'
refused "extract -l vfs_read"                         '-l comes too late'
refused "report --by-comm $data"                      '--by-comm goes with --profile'
refused "report --stat --uname $data"                 '--stat and --uname exclude each other'
refused "report --cpus -F sched $data"                '--filter has no effect with --cpus'
refused "report --last-event -F sched $data"          '--filter has no effect with --last-event'
refused "report --stat --cpu 0 $data"                 '--cpu has no effect with --stat'
refused "report --profile --columns $data"            'exclude each other'
refused "report -R -n sched_switch $data"             '--plain-event has no effect with --raw'
refused "report -v $data"                             '--exclude goes with --filter'
refused "report -F sched -v $data"                    '-v needs a -F after it'
refused "report -T $data"                             '--filter-test goes with --filter'
refused "report --json -T -F sched $data"             '--filter-test has no effect with --json'
refused "hist -s hits -i $data"                       '--sort has no effect with --input'
refused "dump --all -v $data"                         '--all has no effect with --validate'
refused "dump -i $data $data"                         'one file at a time'
refused "split -c -i $data -o $KT_TMP/o"              '-c goes with -s or -m'
refused "split -t -i $data -o $KT_TMP/o"              '-t goes with -B'
refused "list -t --proto"                             '--proto goes with -f'
refused "list -e --full"                              '--full goes with -F'
refused "list -C -N"                                  'go with -P'
refused "list -P -c"                                  'exclude each other'
refused "show --tracing_on --current_tracer"          'exclude each other'
refused "show -c 0 --tracing_on"                      'exclude each other'
refused "buffer show --percent 5"                     '--percent goes with `set`'
refused "buffer --percent 5"                          '--percent goes with `set`'
refused "probe list -f"                               '-f is for del'
refused "filter set --json x y"                       '--json goes with `list`'
refused "state save --json x"                         '--json goes with `show`'
refused "state show --last"                           '--last goes with `restore`'

for words in "report --cpus --first-event -t" "report --uname --version" "report --events --event sched" \
	     "report --json -t" "report --profile -G --json" "report --columns --cpu 0" "report -F sched -T" \
	     "report --json -l" "report -t -l --stat" "report --json --stat" "report --layout 3.1 --stat" "report -v -F sched --json"; do
	# shellcheck disable=SC2086
	run "$KTRAIL" $words "$data"
	is "$status" 0 "$words is accepted"
done
run env KTRAIL_INSTANCE=one "$KTRAIL" hist -i "$data"
is "$status" 0 "a default instance does not count as an option"

for words in "report -G" "report --by-comm" "report --stat --uname" "report --cpus -F sched" "report -F sched -v"; do
	# shellcheck disable=SC2086
	run "$KT_TMP/trace-cmd" $words "$data"
	is "$status" 0 "trace-cmd $words is accepted"
done
run "$KT_TMP/trace-cmd" start -a -s 100 -e sched
is "$status" 0 "trace-cmd start -a -s is accepted"

run "$KTRAIL" list -e 'sched:sched_switch' -F -l
like "$out" 'format|field' "-F and -l together list both"
like "$out" $'\nnone' "… the filter too"
done_testing
