#!/usr/bin/env bash
# simsm sweep: one row for each point, mistakes refused before anything runs, files that are whole or
# absent, and what is done is kept on Ctrl-C.
. tests/tools/cli.sh
cp traces/lessons/waves.trace "$scratch/w.trace"
cp configs/t4.yaml "$scratch/m.yaml"

refuse() # TEXT ARGUMENTS...
{
    local text=$1 status=0
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] || fail "status $status, not 2: $*"
    grep -qF -- "$text" "$scratch/err" || fail "no '$text' in: $(cat "$scratch/err")"
    [ ! -s "$scratch/out" ] || fail "something ran before this was refused: $*"
}

"$SIMSM" sweep t4 "$scratch/w.trace" --vary gpu.sms=1:3:1 --vary sm.scheduler=gto,lrr \
    --no-plot --csv "$scratch/s.csv" >"$scratch/out"
[ "$(wc -l <"$scratch/out")" -eq 7 ] || fail "six points and a head expected: $(cat "$scratch/out")"
[ "$(grep -c ',ok,' "$scratch/s.csv")" -eq 6 ] || fail "six finished points expected in the CSV"

# A plot is over the last ascending key, sizes too; a line is named by the other keys.
"$SIMSM" sweep t4 "$scratch/w.trace" --set gpu.sms=1 --vary run.seed=1,2 --vary param.rounds=1K,2K \
    --param n=1 --svg "$scratch/s.svg" >"$scratch/plot"
grep -q '>param.rounds, K<' "$scratch/s.svg" || fail "sizes are not plotted"
grep -q '>seed 1<' "$scratch/s.svg" || fail "the line is not named by its key"

# The same table whatever the number of threads.
"$SIMSM" sweep t4 "$scratch/w.trace" --vary gpu.sms=1:3:1 --vary sm.scheduler=gto,lrr \
    --no-plot --jobs 1 >"$scratch/one"
cmp "$scratch/one" "$scratch/out" || fail "the number of threads changes the table"

refuse 'expects a whole number' sweep t4 "$scratch/w.trace" --vary gpu.sms=1,x
refuse 'unknown section' sweep t4 "$scratch/w.trace" --vary foo=1,2
refuse 'given twice' sweep t4 "$scratch/w.trace" --vary gpu.sms=1 --vary gpu.sms=2
refuse 'cannot read this trace' sweep t4 "$scratch/none.trace" --vary gpu.sms=1,2
refuse 'would overwrite the trace' sweep t4 "$scratch/w.trace" --vary gpu.sms=1,2 --csv "$scratch/w.trace"
refuse 'would overwrite --csv' sweep t4 "$scratch/w.trace" --vary gpu.sms=1,2 --csv "$scratch/f" --svg "$scratch/f"
refuse 'would overwrite the configuration' occupancy "$scratch/m.yaml" --threads 128 --regs 40 --csv "$scratch/m.yaml"
cmp -s configs/t4.yaml "$scratch/m.yaml" || fail "the configuration has changed"

# Ctrl-C: the first point is done, the second would take minutes. More signals change nothing.
for signal in "INT 130" "TERM 143"; do
    read -r name wanted <<<"$signal"
    status=0
    bash -c '
        trap - INT
        "$0" "${@:2}" &
        sleep 3
        for i in 1 2 3 4 5 6; do kill -s "$1" $! 2>/dev/null || true; sleep 0.02; done
        wait $!' "$SIMSM" "$name" sweep t4 traces/divergent.trace --set gpu.sms=4 --jobs 1 \
        --vary param.rounds=1,100000 --no-plot --csv "$scratch/i.csv" >"$scratch/out" 2>/dev/null || status=$?
    [ "$status" -eq "$wanted" ] || fail "SIG$name: status $status, not $wanted"
    grep -q '^1,ok,' "$scratch/i.csv" || fail "SIG$name: the finished point is lost"
    grep -q '^100000,stopped,' "$scratch/i.csv" || fail "SIG$name: the stopped point is not named"
    for left in "$scratch"/*.part; do
        [ ! -e "$left" ] || fail "SIG$name: $left is left over"
    done
    rm "$scratch/i.csv"
done
