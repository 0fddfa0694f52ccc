# --fast: near the full model on traces that come with simsm, the same again and without skipping.
. tests/tools/cli.sh

cycles() # CSV
{
    sed -n 's/^sm__cycles_elapsed.max,[^,]*,\([0-9]*\).*/\1/p' "$1"
}

for gpu in t4 h200; do
    "$SIMSM" $gpu traces/divergent.trace --quiet --csv "$scratch/full.csv" || fail "$gpu: the full run"
    "$SIMSM" $gpu traces/divergent.trace --quiet --fast --check --csv "$scratch/fast.csv" || fail "$gpu: --fast"
    "$SIMSM" $gpu traces/divergent.trace --quiet --memory fast --no-skip --csv "$scratch/again.csv" ||
        fail "$gpu: --memory fast"
    for file in fast again; do # but for what is skipped
        grep -v '^simsm__.*visited' "$scratch/$file.csv" >"$scratch/$file"
    done
    diff "$scratch/fast" "$scratch/again" >"$scratch/out" || fail "$gpu: --no-skip changes the run"
    awk -v full="$(cycles "$scratch/full.csv")" -v fast="$(cycles "$scratch/fast.csv")" \
        'BEGIN { exit !(full > 0 && fast > 0.97 * full && fast < 1.03 * full) }' ||
        fail "$gpu: $(cycles "$scratch/full.csv") cycles, and $(cycles "$scratch/fast.csv") with --fast"
    grep '^dram__bytes_read.sum' "$scratch/fast.csv" | grep -qv ',0$' || fail "$gpu: there is no DRAM"
done
"$SIMSM" t4 traces/divergent.trace --fast >"$scratch/report" || fail "the report"
grep -q '^memory fast, ' "$scratch/report" || fail "the report does not say so"
grep -q 'L2 hit rate' "$scratch/report" || fail "the report has no caches"
