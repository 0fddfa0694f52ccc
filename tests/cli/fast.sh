# --fast: near the full model on traces that come with simsm, the same again and without skipping.
. tests/tools/cli.sh

cycles() # CSV
{
    sed -n 's/^sm__cycles_elapsed.max,[^,]*,\([0-9]*\).*/\1/p' "$1"
}

few=(traces/divergent.trace --param rounds=1 --set gpu.sms=10)
for gpu in t4 h200; do
    "$SIMSM" $gpu "${few[@]}" --quiet --csv "$scratch/full.csv" || fail "$gpu: the full run"
    "$SIMSM" $gpu "${few[@]}" --quiet --fast --check --csv "$scratch/fast.csv" || fail "$gpu: --fast"
    "$SIMSM" $gpu "${few[@]}" --quiet --memory fast --no-skip --csv "$scratch/again.csv" ||
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
# Where nothing waits for anything else, latencies are those of the full model.
for gpu in t4 h200; do
    for trace in tests/golden/late_join.trace tests/golden/invalidate.trace; do
        for model in full fast; do
            "$SIMSM" $gpu "$trace" --quiet --memory $model --csv "$scratch/$model.csv" || fail "$gpu $trace"
        done
        awk -v full="$(cycles "$scratch/full.csv")" -v fast="$(cycles "$scratch/fast.csv")" \
            'BEGIN { exit !(full > 0 && fast > 0.99 * full && fast < 1.01 * full) }' ||
            fail "$gpu $trace: $(cycles "$scratch/full.csv") cycles, and $(cycles "$scratch/fast.csv") with --fast"
    done
done
"$SIMSM" t4 "${few[@]}" --fast --full >"$scratch/report" || fail "the report"
grep -q '^memory fast, ' "$scratch/report" || fail "the report does not say so"
grep -q '  L1 - L2 .* %' "$scratch/report" || fail "the report has no caches"
