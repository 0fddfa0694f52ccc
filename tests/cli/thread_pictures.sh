#!/usr/bin/env bash
# Pictures of threads, shuffles, the parts of an SM, and the formula of latency hiding.
. tests/tools/cli.sh

shows() # LINE ARGUMENT...
{
    local line=$1
    shift
    "$SIMSM" threads "$@" >"$scratch/out" || fail "threads $* failed"
    grep -qxF -- "$line" "$scratch/out" || fail "threads $*: no line '$line'"
}
shows "y   1 1111111111111111111111112222222222222222" 40x2
shows "block of 40 x 2 x 1: 80 threads in 3 warps; the last has 16 of 32 lanes" 40x2
shows "block of 1 x 1 x 1: 1 thread in 1 warp; the last has 1 of 32 lanes" 1
shows "z 7" 8x4x8
[ "$(grep -cx 'y   . 77777777' "$scratch/out")" = 4 ] || fail "the last slice is not warp 7"
shows "y   0 0000000000000000" 16x64
[ "$(grep -c 'vvvv' "$scratch/out")" = 2 ] || fail "1024 threads do not end with warp 31"
shows "   4  from  4  5  6  7  .  .  .  ." 8 --shuffle down
shows "   4  from  .  .  .  .  0  1  2  3" 8 --shuffle up
grep -q "Lane 7 alone has the sum" "$scratch/out" || fail "up: the sum is not in lane 7"
shows "   1  from  1  0" 2 --shuffle xor
grep -q "All lanes have the sum" "$scratch/out" || fail "xor: not all lanes have the sum"
"$SIMSM" threads 32 --shuffle down >"$scratch/out"
grep -q "Lane 0 alone has the sum" "$scratch/out" || fail "down: the sum is not in lane 0"

# The words that lanes touch: sectors of four lines, passes of a bank.
shows "stride 8: 32 sectors in 8 lines; 12.5 % of the bytes that move are used" 32 --sectors 1,8
shows "line 1  4 . . . . . . . | 5 . . . . . . . | 6 . . . . . . . | 7 . . . . . . ." 32 --sectors 8
shows "stride 3: 12 sectors in 3 lines; 33.33 % of the bytes that move are used" 32 --sectors 3
shows "stride 64: 32 sectors in 32 lines; 12.5 % of the bytes that move are used" 32 --sectors 64
shows "stride 6: 2 passes; banks in use: 16 of 32" 32 --banks 6
shows "stride 33: 1 pass; banks in use: 32 of 32" 32 --banks 33
shows "and 24 more passes like these" 32 --banks 32

# SVG: a square for each thread, a line for each lane that gives.
"$SIMSM" threads 10x3x2 --svg "$scratch/block.svg" >"$scratch/out"
[ "$(grep -c '^<rect x=' "$scratch/block.svg")" = 60 ] || fail "the SVG has not 60 threads"
"$SIMSM" threads 8 --shuffle down --svg "$scratch/tree.svg" >"$scratch/out"
[ "$(grep -c 'stroke="#0072b2"' "$scratch/tree.svg")" = $((4 + 6 + 7)) ] || fail "the SVG has not 17 gifts"
"$SIMSM" threads 32 --banks 1,2 --svg "$scratch/banks.svg" >"$scratch/out"
[ "$(grep -c 'class="used"' "$scratch/banks.svg")" = 64 ] || fail "the SVG has not 64 words"
if command -v xmllint >/dev/null; then
    xmllint --noout "$scratch/block.svg" "$scratch/tree.svg" "$scratch/banks.svg" || fail "the SVG is not XML"
fi

wrong() # TEXT COMMAND...
{
    local text=$1 status=0
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" = 2 ] || fail "$*: status $status"
    grep -qF -- "$text" "$scratch/err" || fail "$*: no '$text'"
}
wrong "no shape of a block" threads 0
wrong "no shape of a block" threads 33x32
wrong "no shape of a block" threads 8x8x8x1
wrong "no shape of a block" threads 1x1x65
wrong "no shape of a block" threads 16x
wrong "expected down, up or xor" threads 32 --shuffle left
wrong "the lanes of one warp" threads 64 --shuffle down
wrong "the lanes of one warp" threads 12 --shuffle down
wrong "a warp has at most 32" threads 64 --sectors 1
wrong "expected at most 8 strides from 1 to 64" threads 32 --sectors 65
wrong "expected at most 8 strides from 1 to 64" threads 32 --banks 1,
wrong "expected at most 8 strides from 1 to 64" threads 32 --banks 1,1,1,1,1,1,1,1,1
wrong "give one of" threads 32 --banks 1 --sectors 1
wrong "name the shape" threads
wrong "name of an output file is empty" threads 32 --svg=

# The parts of an SM in one cycle.
"$SIMSM" teaching8 traces/lessons/walkthrough.trace --quiet --timeline "$scratch/walk.smtl"
"$SIMSM" timeline "$scratch/walk.smtl" --cycle 403 >"$scratch/out"
for line in "  scheduler  issues slot 2, warp 2 of block 0: FADD R1, R4, R2 (line 27)" \
    "  2  slots   wait: 0 1" "  4  slots   long_scoreboard: 4 5 6 7" \
    "  under way  4 memory instructions not answered yet"; do
    grep -qxF -- "$line" "$scratch/out" || fail "timeline --cycle: no line '$line'"
done
"$SIMSM" timeline "$scratch/walk.smtl" --cycle 100 | grep -q "scheduler  issues nothing" || fail "cycle 100 issues"
wrong "is not recorded" timeline "$scratch/walk.smtl" --cycle 100000
"$SIMSM" t4 traces/lessons/branch.trace --quiet --timeline "$scratch/part.smtl" --timeline-sm 1 \
    --timeline-cycles 100:200
wrong "SM 0 is not recorded here" timeline "$scratch/part.smtl" --sm 0 --cycle 150
wrong "cycle 99 of SM 1 is not recorded; cycles 100 to 199 are" timeline "$scratch/part.smtl" --cycle 99
wrong "expected the number of a cycle" timeline "$scratch/walk.smtl" --cycle x
wrong "leave out --cycles" timeline "$scratch/walk.smtl" --cycle 5 --cycles 1:2
"$SIMSM" h100 traces/lessons/copy_ahead.sm_90a.cubin --launch traces/lessons/copy_ahead.yaml --sms 2 \
    --param stages=8 --quiet --timeline "$scratch/ahead.smtl"
"$SIMSM" timeline "$scratch/ahead.smtl" --cycle 11000 >"$scratch/out"
grep -qx "beside the warps" "$scratch/out" || fail "no copies are under way"
[ "$(grep -c "TMA load of" "$scratch/out")" = 6 ] || fail "not 6 copies are under way"
[ "$(grep -c "Product by warp" "$scratch/out")" = 3 ] || fail "not 3 products are under way"

# The curve: 100 % from 101 warps on.
sweep=(sweep teaching traces/lessons/latency.trace --vary "param.n=1,32" --no-plot)
"$SIMSM" "${sweep[@]}" --metric smsp__issue_active.avg.pct_of_peak_sustained_active --hiding 400:4 \
    --svg "$scratch/curve.svg" >"$scratch/out"
grep -qF 'n c / (L + c)' "$scratch/curve.svg" || fail "the SVG has no formula"
[ "$(grep -c '<circle' "$scratch/curve.svg")" = 2 ] || fail "the SVG has not two points"
wrong "expected L:C" "${sweep[@]}" --hiding 400
wrong "expected L:C" "${sweep[@]}" --hiding 400:0
wrong "plot that metric" "${sweep[@]}" --hiding 400:4
