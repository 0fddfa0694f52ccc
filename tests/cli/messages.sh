#!/usr/bin/env bash
# What the command says of its commands and of mistakes: help, names that are nearly right, options
# that contradict each other, and progress that is gone when other output follows.
. tests/tools/cli.sh

trace=traces/divergent.trace

refused() # WORDS ARGUMENT...
{
    local words=$1 status=0
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] || fail "simsm $*: status $status, expected 2"
    grep -qF -- "$words" "$scratch/err" || fail "simsm $*: no '$words'"
    [ ! -s "$scratch/out" ] || fail "simsm $*: refused, but wrote to the standard output"
}

# help is a command, and says what --help says; commands come before options.
"$SIMSM" help >"$scratch/help" 2>"$scratch/err" || fail "simsm help: status $?"
"$SIMSM" --help | cmp - "$scratch/help" || fail "simsm help differs from simsm --help"
"$SIMSM" help run >"$scratch/out" 2>"$scratch/err" || fail "simsm help run: status $?"
"$SIMSM" run --help | cmp - "$scratch/out" || fail "simsm help run differs from simsm run --help"
commands=$(grep -n '^  occupancy ' "$scratch/help" | cut -d: -f1)
options=$(grep -n '^      --json=FILE' "$scratch/help" | cut -d: -f1)
[ "$commands" -lt "$options" ] || fail "--help lists options before commands"
[ "$(awk 'length > 80' "$scratch/help" | wc -l)" -eq 0 ] || fail "a line of --help is longer than 80 letters"
sed -n '/^Commands/,/^$/p' "$scratch/help" | grep -vE '^(Commands|  [a-z-]+ +[^ ]|$)' && fail "a summary is wrapped"

# Names that are nearly right.
refused "did you mean 'occupancy'?" ocupancy
refused "describes its own launch; --launch is for machine code" t4 "$trace" --launch "$trace"
refused "did you mean 'occupancy'?" ocupancy t4 --threads 128
refused "did you mean 'occupancy'?" help ocupancy
refused "there is no command 'xyzzy'" help xyzzy
refused "the nearest name is h200" h20 "$trace"
refused "did you mean 'lrr'?" t4 "$trace" --set sm.scheduler=llr
refused "did you mean 'full'?" t4 "$trace" --set memory.model=ful
refused "--memory: expected ideal, fixed, full or fast, found 'ful'; did you mean 'full'?" t4 "$trace" --memory ful
refused "did you mean 'IPC'?" sweep t4 "$trace" --vary gpu.sms=1,2 --metric ipc
refused "did you mean 'IPC'?" sweep t4 "$trace" --vary gpu.sms=1,2 --plot ipc
counter=$("$SIMSM" metrics | sed -nE '/^Counters/,/^Metrics/s/^([a-z0-9_]+__[^ ]*) .*/\1/p' | sed q)
refused "'$counter' is a counter, and the table has metrics only" \
    sweep t4 "$trace" --vary gpu.sms=1,2 --metric "$counter"
refused "did you mean 'warm'?" calibrate t4 --launch warn
refused "did you mean 'always'?" timeline x.smtl --color alway
refused "did you mean 'info'?" trace inof "$trace"
refused "did you mean 'show'?" config shwo t4
refused "did you mean 'convert'?" trace covnert "$trace" x
cp configs/t4.yaml "$scratch/run"
(cd "$scratch" && "$SIMSM" ./run traces/none.trace) 2>&1 | grep -q "did you mean" && fail "a path is taken for a command"

# Options that contradict each other.
refused "--fast and --memory both set memory.model: leave one of them out" t4 "$trace" --fast --memory fixed
refused "--memory and --fast both set memory.model" t4 "$trace" --memory fixed --fast
refused "--memory is given twice: 'full' and 'fixed'" t4 "$trace" --memory full --memory fixed
refused "--full" t4 "$trace" --quiet --full
"$SIMSM" t4 "$trace" --fast --set memory.model=full --quiet || fail "--set behind --fast does not count"

# Progress of a sweep is gone when its table follows, also after Ctrl-C, and before a line of --verbose.
command -v script >/dev/null || { echo "script is not installed: no terminal to show progress on"; exit 77; }
on_terminal() # SECONDS WORDS ARGUMENT...: what is shown of progress is cleared before anything else
{
    local seconds=$1 words=$2
    shift 2
    rm -f "$scratch/typescript"
    script -qec "timeout --preserve-status -s INT $seconds '$SIMSM' $*" "$scratch/typescript" >/dev/null </dev/null || true
    tail -n +2 "$scratch/typescript" | sed '$d' >"$scratch/out"
    grep -q "$words" "$scratch/out" || fail "$*: no progress is shown"
    # After words of progress the next thing on the line is a return and a clearing of it.
    tr '\n' '~' <"$scratch/out" | grep -qP "${words}[^\r]*(~|\r(?!\033\[K))" && fail "$*: progress is left on the terminal"
    return 0
}
on_terminal 3 "of 2 points" sweep t4 "$trace" --set gpu.sms=4 --jobs 1 --vary param.rounds=1,100000 --no-plot
on_terminal 60 "of 2 points" sweep t4 "$trace" --set gpu.sms=4 --jobs 1 --vary param.rounds=1,2 --no-plot
cp "$trace" "$scratch/d.trace"
cat >"$scratch/s.yaml" <<'SPEC'
configs: [t4]
kernels: [{trace: d.trace, param: {rounds: 20}}]
set: {gpu.sms: 4}
seeds: 1:6:1
SPEC
on_terminal 120 "points done" sweep "$scratch/s.yaml" --jobs 1 --verbose
