#!/usr/bin/env bash
# simsm CONFIG TRACE: report, exports, options, and every way in which a run can end.
. tests/tools/cli.sh

trace=$scratch/small.trace
long=$scratch/long.trace

cat >"$trace" <<'TRACE'
kernel small
grid 30
block 96
registers 32
shared 1024
buffer x = 1M
repeat 6 {
    LDG R4, [x + 4 * thread]
    lanes 0-15 {
        FFMA R1, R4, R3, R1
    } else {
        FADD R1, R4, R3
    }
    STS [4 * lane], R1
    BAR.SYNC 0
    LDS R5, [4 * lane]
}
STG [x + 4 * thread], R1
EXIT
TRACE

cat >"$long" <<'TRACE'
param trips = 1000000
kernel long
grid 4
block 256
registers 24
loop trips {
    FFMA R0, R8, R9, R0
}
EXIT
TRACE

# Runs simsm, expects the status, and leaves its output in $scratch/out and $scratch/err.
expect() # STATUS ARGUMENTS...
{
    wanted=$1
    shift
    got=0
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || got=$?
    [ "$got" = "$wanted" ] ||
        fail "simsm $*: status $got, expected $wanted: $(cat "$scratch/err")"
}

# The same for a mistake of the user: status 2, a message with WORDS, and nothing on stdout.
refuse() # WORDS ARGUMENTS...
{
    words=$1
    shift
    expect 2 "$@"
    grep -qF -- "$words" "$scratch/err" || fail "simsm $*: '$(cat "$scratch/err")' lacks '$words'"
    [ ! -s "$scratch/out" ] || fail "simsm $*: refused, but wrote to the standard output"
}

says() # WORDS
{
    grep -qF -- "$1" "$scratch/out" || fail "the report lacks '$1': $(cat "$scratch/out")"
}

# The value of a member of a JSON file that has one member on each line.
member() # FILE NAME
{
    sed -nE "s/^ *\"$2\": ([^,]*),?\$/\\1/p" "$1" | head -n 1
}

# --- a run that ends by itself ---
expect 0 t4 "$trace" --full --json "$scratch/a.json" --csv "$scratch/a.csv" --check
[ ! -s "$scratch/err" ] || fail "a good run writes to stderr: $(cat "$scratch/err")"
says "small on Tesla T4: compute capability 7.5, 40 SMs at 1590 MHz"
says "96 threads in 3 warps"
says "blocks, and room for"
says "540 of 1.08 k branches diverged"
says "What limits this kernel"
if grep -q INCOMPLETE "$scratch/out"; then fail "a whole run is called incomplete"; fi
[ "$(member "$scratch/a.json" complete)" = true ] || fail "JSON: not complete"
[ "$(head -n 1 "$scratch/a.csv")" = metric,unit,value,description ] || fail "CSV: no header"
ls "$scratch"/*.part 2>/dev/null && fail "a partial file is left"

# gpu.drain_cycles is time after the last answer to a store: without stores there is none.
for drain in 0 90000; do
    expect 0 t4 "$trace" --quiet --set gpu.drain_cycles=$drain --json "$scratch/small.$drain.json"
    expect 0 t4 "$long" --param trips=100 --quiet --set gpu.drain_cycles=$drain --json "$scratch/long.$drain.json"
done
[ "$(member "$scratch/long.0.json" cycles)" = "$(member "$scratch/long.90000.json" cycles)" ] || fail "a drain without stores"
[ "$(member "$scratch/small.90000.json" cycles)" -gt 90000 ] || fail "no drain after stores"

# The short report: at most 14 lines, no figure twice explained, the commands that show more.
expect 0 t4 "$trace"
says "small: 30 blocks of 96 threads on Tesla T4 (timing transferred)"
says "of an SM's 32 places for warps (of 32 threads each) are taken"
says "limit         Launch overhead"
says "try           1  do more work per launch"
says "next          simsm t4 $trace --full"
[ "$(wc -l <"$scratch/out")" -le 14 ] || fail "the short report has $(wc -l <"$scratch/out") lines"
if grep -q "$(printf '\033')" "$scratch/out"; then fail "colours in a file"; fi
expect 0 t4 "$trace" --color always
grep -q "$(printf '\033')\[1m" "$scratch/out" || fail "--color always: no colours"
refuse "--color: expected auto, always or never, found 'blue'" t4 "$trace" --color blue
if command -v script >/dev/null; then
    columns() # OPTION... : the longest line on a terminal of 64 columns, without colours
    {
        script -qc "stty cols 64; $* '$SIMSM' t4 '$trace'" "$scratch/typescript" </dev/null >"$scratch/out"
        sed "s/$(printf '\033')\[[0-9;]*[mK]//g" "$scratch/out" | tr -d '\r' | grep -v '^  next\|^ *simsm ' |
            awk '{ if (length > most) most = length } END { print most }'
    }
    [ "$(TERM=xterm columns)" -le 64 ] || fail "lines are longer than the terminal"
    grep -q "$(printf '\033')\[1m" "$scratch/out" || fail "no colours on a terminal"
    TERM=xterm columns env NO_COLOR=1 >/dev/null
    if grep -q "$(printf '\033')\[1m" "$scratch/out"; then fail "colours in spite of NO_COLOR"; fi
fi

# Nothing is lost: warp places, slot cycles, instructions.
a=$scratch/a.json
sum=0
for term in alive within_blocks across_blocks few_blocks partial_wave refill; do
    sum=$((sum + $(member "$a" "$term")))
done
[ "$sum" = "$(member "$a" capacity)" ] || fail "the gap's terms sum to $sum"
[ "$(member "$a" alive)" = "$(member "$a" 'sm__warps_active\.sum')" ] ||
    fail "the living warps of the gap are not those of the counter"
slots=$(sed -n '/^ "states": {/,/^ }/p' "$a" | awk -F': ' '/": [0-9]/ { sum += $2 } END { print sum }')
[ "$slots" = $((40 * 32 * $(member "$a" cycles))) ] || fail "the states' cycles sum to $slots"
issues=$(sed -n '/^ "lines": \[/,/^ \]/p' "$a" | awk -F': ' '/"issues"/ { sum += $2 } END { print sum }')
[ "$issues" = "$(member "$a" 'smsp__inst_executed\.sum')" ] || fail "the lines' issues sum to $issues"
grep -q "^smsp__inst_executed.sum,inst,$issues," "$scratch/a.csv" || fail "CSV and JSON differ"

# The same input gives the same bytes; skipping and watching change nothing that is counted.
expect 0 t4 "$trace" --json "$scratch/b.json" --quiet
[ ! -s "$scratch/out" ] || fail "--quiet prints"
cmp "$scratch/a.json" "$scratch/b.json"
expect 0 t4 "$trace" --json "$scratch/c.json" --quiet --no-skip --timeline "$scratch/c.smtl"
[ -s "$scratch/c.smtl" ] || fail "no timeline was written"
for file in a c; do
    grep -v '"visited_cycles"' "$scratch/$file.json" >"$scratch/$file.counted"
done
cmp "$scratch/a.counted" "$scratch/c.counted"
expect 0 t4 "$trace" --json - --quiet
cmp "$scratch/a.json" "$scratch/out"

# A dumped configuration reproduces the run that it was made from.
expect 0 t4 "$trace" --set sm.scheduler=lrr --sms 3 --memory fixed --seed 9 \
    --full --json "$scratch/set.json"
says "3 SMs"
says "memory fixed, scheduler lrr, dispatch round_robin, seed 9; options --set sm.scheduler=lrr --sms 3"
expect 0 t4 --set sm.scheduler=lrr --sms 3 --memory fixed --seed 9 \
    --dump-config="$scratch/dumped.yaml"
expect 0 "$scratch/dumped.yaml" "$trace" --json "$scratch/again.json"
for file in set again; do
    sed -n '/^ "run"/,$p' "$scratch/$file.json" >"$scratch/$file.counted"
done
cmp "$scratch/set.counted" "$scratch/again.counted"
expect 0 t4 --dump-config
"$SIMSM" t4 --dump-config >"$scratch/plain.yaml"
cmp "$scratch/out" "$scratch/plain.yaml"

# A parameter of the trace.
expect 0 t4 "$long" --param trips=3
says "--param trips=3"
refuse 'no param "laps"; it has trips' t4 "$long" --param laps=3

# A name cannot drive the terminal.
cp "$trace" "$scratch/n"$'\033\302\233'"ü.trace"
expect 0 t4 "$scratch/n"$'\033\302\233'"ü.trace"
says "/n???ü.trace"
expect 0 t4 "$scratch/n"$'\033\302\233'"ü.trace" --full
says "/n???ü.trace"

# --- a run that is stopped ---
expect 3 t4 "$long" --max-cycles 3000 --json "$scratch/stopped.json" --timeline "$scratch/stopped.smtl"
[ "$(head -c 10 "$scratch/out")" = INCOMPLETE ] || fail "a stopped run does not say so at the top"
says "stopped by --max-cycles 3000 after 3000 cycles"
[ "$(member "$scratch/stopped.json" complete)" = false ] || fail "JSON: complete"
expect 3 t4 "$long" --max-cycles 3000 --csv "$scratch/stopped.csv"
grep -q '^simsm__complete,,0,' "$scratch/stopped.csv" || fail "CSV: complete"
grep -q '^simsm__complete,,1,' "$scratch/a.csv" || fail "CSV: not complete"
[ "$(member "$scratch/stopped.json" cycles)" = 3000 ] || fail "JSON: not 3000 cycles"
[ -s "$scratch/stopped.smtl" ] || fail "a stopped run leaves no timeline"
expect 3 t4 "$long" --max-cycles 0
says "No instruction was executed"

# Ctrl-C: the report so far, whole files, status 130.
status=0
timeout --preserve-status -s INT 2 "$SIMSM" t4 "$long" --json "$scratch/int.json" \
    --timeline "$scratch/int.smtl" --timeline-sm 0 >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" = 130 ] || fail "Ctrl-C: status $status: $(cat "$scratch/err")"
says "INCOMPLETE: stopped by Ctrl-C"
grep -qxE 'simsm: stopped by Ctrl-C: after [0-9]+ cycles, when 0 of 4 blocks had ended; the files cover these cycles' \
    "$scratch/err" || fail "what stderr says: $(cat "$scratch/err")"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "progress is shown although stderr is no terminal"
[ "$(member "$scratch/int.json" stopped_by)" = '"Ctrl-C"' ] || fail "JSON: not stopped by Ctrl-C"
[ -s "$scratch/int.smtl" ] || fail "Ctrl-C leaves no timeline"
ls "$scratch"/*.part 2>/dev/null && fail "Ctrl-C leaves a partial file"

# A signal on another's heels changes nothing; the report says which stopped the run. env undoes what
# nohup has set. Signals are handled before the timeline is begun.
until_begun='until compgen -G "$3*.part" >/dev/null || ! kill -0 $! 2>/dev/null; do sleep 0.02; done'
for signal in "INT 130 Ctrl-C" "TERM 143 SIGTERM" "HUP 129 SIGHUP"; do
    read -r name wanted words <<<"$signal"
    status=0
    env --default-signal="$name" bash -c '
        "$0" "$1" "$2" --timeline "$3" &
        '"$until_begun"'
        for i in 1 2 3 4 5 6; do kill -s "$4" $! 2>/dev/null || true; sleep 0.02; done
        wait $!' "$SIMSM" t4 "$long" "$scratch/twice.smtl" "$name" \
        >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" = "$wanted" ] || fail "SIG$name: status $status: $(cat "$scratch/err")"
    says "INCOMPLETE: stopped by $words"
    ls "$scratch"/*.part 2>/dev/null && fail "SIG$name leaves a partial file"
done

# A SIGHUP that is ignored when the program starts, as under nohup, stays ignored.
status=0
bash -c '
    trap "" HUP
    "$0" "$1" "$2" --timeline "$3" &
    '"$until_begun"'
    kill -HUP $!
    kill -TERM $!
    wait $!' "$SIMSM" t4 "$long" "$scratch/nohup.smtl" >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" = 143 ] || fail "an ignored SIGHUP: status $status, not that of SIGTERM: $(cat "$scratch/err")"
says "INCOMPLETE: stopped by SIGTERM"

# Without a report one line says that a run was stopped, or that nothing was recorded.
expect 3 t4 "$long" --max-cycles 3000 --quiet
grep -qF "stopped by --max-cycles 3000 after 3000 cycles" "$scratch/err" || fail "--quiet hides a stop"
expect 3 t4 "$long" --max-cycles 3000 --timeline "$scratch/none.smtl" --timeline-cycles 5000:6000
grep -qF "the timeline is empty" "$scratch/err" || fail "an empty timeline is no matter"

# Progress is for terminals, and leaves none of it there.
if command -v script >/dev/null; then
    status=0
    timeout -s INT 20 script -qec "timeout --preserve-status -s INT 3 '$SIMSM' t4 '$long' --ascii" \
        "$scratch/typescript" >/dev/null </dev/null || status=$?
    grep -q "blocks done" "$scratch/typescript" || fail "no progress on a terminal ($status)"
    tr '\r' '\n' <"$scratch/typescript" | tail -n +2 | grep -qF "INCOMPLETE" ||
        fail "no report on a terminal after Ctrl-C"
fi

# --- outputs that cannot be written ---
expect 1 t4 "$trace" --json /dev/full
grep -qF "/dev/full: writing failed: No space left" "$scratch/err" || fail "full disk: $(cat "$scratch/err")"
expect 1 t4 "$trace" --timeline /dev/full
status=0
"$SIMSM" t4 "$trace" >/dev/full 2>"$scratch/err" || status=$?
[ "$status" = 1 ] || fail "full stdout: status $status"
grep -q "standard output failed" "$scratch/err" || fail "full stdout: $(cat "$scratch/err")"
grep -q "No space left" "$scratch/err" || fail "full stdout: $(cat "$scratch/err")"
for help in --help "trace --help" --version "t4 --dump-config"; do
    status=0
    # shellcheck disable=SC2086
    "$SIMSM" $help >/dev/full 2>"$scratch/err" || status=$?
    [ "$status" = 1 ] || fail "$help on a full disk: status $status"
    [ "$(grep -c "No space left" "$scratch/err")" = 1 ] || fail "$help: $(cat "$scratch/err")"
done
status=$("$SIMSM" t4 "$trace" 2>"$scratch/err" | true; echo "${PIPESTATUS[0]}")
[ ! -s "$scratch/err" ] || fail "closed pipe: $(cat "$scratch/err")"
[ "$status" = 0 ] || fail "closed pipe: status $status"
status=0
(ulimit -f 1 && "$SIMSM" t4 "$trace" --quiet --json "$scratch/big.json" 2>"$scratch/err") || status=$?
[ "$status" = 1 ] || fail "file-size limit: status $status"
ls "$scratch"/big.json* 2>/dev/null && fail "a file that could not be written is left"

# --- mistakes ---
refuse "name a configuration"
refuse "name a trace" t4
refuse "no?thi?ng.trace: cannot" t4 "$scratch/no"$'\033'"thi"$'\377'"ng.trace"
refuse "is a directory" configs "$trace"
refuse "unknown section; \`simsm config keys\`" t4 "$trace" --set =1
refuse "foo: unknown section; \`simsm config keys\`" t4 "$trace" --set foo=1
refuse "expected one configuration and one trace" t4 "$trace" "$trace"
refuse "write --dump-config=FILE" t4 "$trace" --dump-config "$scratch/x.yaml"
refuse "nothing.trace: cannot read this trace" t4 "$scratch/nothing.trace"
refuse "the name of the trace is empty" t4 ""
refuse "no configuration" t5 "$trace"
refuse "would overwrite the trace" t4 "$trace" --json "$scratch/../${scratch##*/}/small.trace"
refuse "would overwrite the configuration" t4 "$trace" --csv configs/t4.yaml
refuse "--csv would overwrite --json" t4 "$trace" --json "$scratch/same" --csv "$scratch/./same"
refuse "--timeline would overwrite --csv" t4 "$trace" --csv "$scratch/same" --timeline "$scratch/same"
refuse "cannot be written" t4 "$trace" --json "$scratch/none/x.json"
refuse "cannot be written" t4 "$trace" --timeline "$scratch/none/x.smtl"
refuse "is a directory" t4 "$trace" --csv "$scratch"
refuse "add --quiet" t4 "$trace" --json -
refuse "leave one of them out" t4 "$trace" --quiet --full
refuse "given twice" t4 "$trace" --json "$scratch/x" --json "$scratch/y"
refuse "sm.schedule" t4 "$trace" --set sm.schedule=gto
refuse "no policy 'best'" t4 "$trace" --set sm.scheduler=best
refuse "ideal, fixed, full" t4 "$trace" --memory perfect
refuse "below 1" t4 "$trace" --sms 0
refuse "expected a whole number" t4 "$trace" --max-cycles -1
refuse "expected a whole number" t4 "$trace" --max-cycles 10x
refuse "needs --timeline" t4 "$trace" --timeline-sm 0
refuse "is empty" t4 "$trace" --timeline "$scratch/x" --timeline-cycles 7:7
refuse "expected A:B" t4 "$trace" --timeline "$scratch/x" --timeline-cycles 7
refuse "SM 40" t4 "$trace" --timeline "$scratch/x" --timeline-sm 1,38:41
refuse "unrecognized option" t4 "$trace" --frobnicate
ls "$scratch/x" "$scratch/y" "$scratch/same" 2>/dev/null && fail "a refused run leaves a file"
exit 0
