#!/usr/bin/env bash
# "-" as an output is the standard output, for all commands: it gets what the file would get, and
# nothing else; two outputs cannot have it.
. tests/tools/cli.sh
here=$PWD
data=$here/tests/data/compare
trace=$here/traces/lessons/waves.trace
cd "$scratch"

same() # OPTION COMMAND...: what OPTION FILE writes is what OPTION - prints
{
    local option=$1
    shift
    "$SIMSM" "$@" "$option" wanted >out 2>err || fail "$* $option wanted: status $?"
    [ -s wanted ] || fail "$* $option: nothing is written"
    "$SIMSM" "$@" "$option" - >printed 2>err || fail "$* $option -: status $?"
    # How it was written is told in pictures.
    cmp -s <(grep -v '<?simsm' wanted) <(grep -v '<?simsm' printed) || fail "$* $option -: not what the file gets"
    [ ! -e - ] || fail "$* $option -: a file of that name"
    rm wanted
}
twice() # COMMAND...: refused
{
    local status=0
    "$SIMSM" "$@" >out 2>err || status=$?
    [ "$status" -eq 2 ] && [ ! -s out ] && grep -qF "would overwrite" err || fail "$*: not refused"
}

compare=(compare "$data/app.jsonl" "$data/raw.csv")
for option in --csv --json --svg; do
    same "$option" "${compare[@]}"
    same "$option" occupancy t4 --threads 128 --regs 71
done
twice "${compare[@]}" --csv - --json -
twice occupancy t4 --threads 128 --regs 71 --csv - --svg -
for option in --csv --svg; do
    same "$option" sweep t4 "$trace" --vary gpu.sms=1,2 --jobs 1
done
twice sweep t4 "$trace" --vary gpu.sms=1,2 --csv - --svg -
same --csv t4 "$trace" --sms 1 --quiet
printf 'configs: [t4]\nkernels: [%s]\nvary: {gpu.sms: [1, 2]}\n' "$trace" >s.yaml
"$SIMSM" sweep s.yaml --quiet || fail "the sweep"
same --csv results s.sqlite
same --json results s.sqlite
same --svg results s.sqlite --rows gpu.sms --draw curves
twice results s.sqlite --csv - --json -
status=0
"$SIMSM" record t4 "$trace" -o - >out 2>err || status=$?
[ "$status" -eq 2 ] && [ ! -s out ] && grep -q 'cannot go to the standard output' err || fail "a recording on the standard output"
