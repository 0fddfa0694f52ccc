# Random kernels whose blocks talk to one another: the same figures and memory on any number of threads
# and with --no-skip; locks hold, with and without time; recordings come to their end.
. tests/tools/cli.sh
cp tests/data/sass/talk/talk.sm_90.cubin tests/data/sass/talk/talk.yaml "$scratch"

# run COMMAND...: may fail only if the test fails
run()
{
    "$SIMSM" "$@" --quiet >"$scratch/said" 2>&1 || fail "seed $seed: $*: $(head -n 3 "$scratch/said")"
}

# timed OUT OPTIONS...
timed()
{
    local out=$1
    shift
    run h200 "$scratch/talk.sm_90.cubin" --launch "$scratch/talk.yaml" --param "seed=$seed" \
        --set "gpu.sms=$sms" --csv "$scratch/$out.csv" --check "$@"
    cat "$scratch/state.bin" "$scratch/out.bin" >"$scratch/$out.bin"
}

# locks_hold HOW: no lock is held, and its increments are all there (struct shared_state of talk.cu)
locks_hold()
{
    local -a word
    mapfile -t word < <(od -A n -v -t u4 -w4 "$scratch/state.bin")
    local sum=0 i
    for ((i = 64; i < 72; i++)); do
        [ "${word[i]}" -eq 0 ] || fail "seed $seed, $1: lock $((i - 64)) is held"
        sum=$((sum + word[i + 8]))
    done
    [ "$sum" -eq "${word[80]}" ] || fail "seed $seed, $1: $sum increments under locks, not ${word[80]}"
    [ "$sum" -gt 0 ] || fail "seed $seed, $1: no lock was taken"
}

for seed in ${SEEDS:-0 1 2 3 4 5}; do
    sms=$((seed % 5 + 2))
    timed one
    locks_hold "timed"
    for how in "--threads 2" "--threads 3" --no-skip; do
        # shellcheck disable=SC2086
        timed other $how
        cmp -s "$scratch/one.csv" "$scratch/other.csv" || fail "seed $seed, $how: other figures"
        cmp -s "$scratch/one.bin" "$scratch/other.bin" || fail "seed $seed, $how: other results"
    done
    run h200 "$scratch/talk.sm_90.cubin" --launch "$scratch/talk.yaml" --param "seed=$seed" \
        --set "gpu.sms=$sms" --functional
    locks_hold "without time"
    run record h200 "$scratch/talk.sm_90.cubin" --param "launch=$scratch/talk.yaml" \
        --param "seed=$seed" --set "gpu.sms=$sms" -o "$scratch/talk.smtr"
    run h200 "$scratch/talk.smtr" --set "gpu.sms=$sms" --csv "$scratch/one.csv" --check
    run h200 "$scratch/talk.smtr" --set "gpu.sms=$sms" --csv "$scratch/other.csv" --threads 3
    cmp -s "$scratch/one.csv" "$scratch/other.csv" || fail "seed $seed, recorded: other figures"
    rm "$scratch/talk.smtr"
done
