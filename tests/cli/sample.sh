# --sample: which launches and blocks are timed, what the others count for, files, and what is
# refused.
. tests/tools/cli.sh

refused() # WORDS ARGUMENT...
{
    words=$1 code=0
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
    [ "$code" -eq 2 ] || fail "expected status 2, got $code: $*"
    grep -qF -- "$words" "$scratch/err" || fail "no '$words': $*"
}

# Twelve launches that execute the same, and thirty that access other memory.
for i in $(seq 12); do
    echo kernel.traceg
done >"$scratch/same.g"
cp tests/data/accelsim/list.traceg "$scratch/kernel.traceg"
for i in $(seq 10 39); do
    sed "s/0x00007f10/0x00007f$i/g" "$scratch/kernel.traceg" >"$scratch/kernel-$i.traceg"
    echo "kernel-$i.traceg"
done >"$scratch/alike.g"

# The sum of column 13, and the rows with a mark in column 21.
cycles() # TABLE
{
    awk -F, 'NR > 1 { sum += $13 } END { print sum }' "$1"
}
marked() # MARK TABLE
{
    awk -F, -v mark="$1" 'NR == 1 { while ($++i != "mark" && i < NF); } $i == mark' "$2" | wc -l
}

for name in same alike; do
    "$SIMSM" t4 "$scratch/$name.g" --quiet --table "$scratch/$name.full.csv" || fail "$name: the full run"
    for again in 1 2; do
        "$SIMSM" t4 "$scratch/$name.g" --sample --full --table "$scratch/$name.$again.csv" \
            --json "$scratch/$name.jsonl" >"$scratch/$name.$again" || fail "$name: --sample"
        mv "$scratch/$name.sample.json" "$scratch/$name.sample.$again"
    done
    cmp "$scratch/$name.1" "$scratch/$name.2" || fail "$name: two reports differ"
    cmp "$scratch/$name.sample.1" "$scratch/$name.sample.2" || fail "$name: two JSON files differ"
done

# What does the same takes the same time, to the cycle.
[ "$(cycles "$scratch/same.full.csv")" -eq "$(cycles "$scratch/same.1.csv")" ] || fail "copies are not exact"
[ "$(marked copy "$scratch/same.1.csv")" -eq 11 ] || fail "not 11 copies"
grep -q '^ *12 .*as launch 1, exactly$' "$scratch/same.1" || fail "the report does not say so"
[ "$(grep -o '"number": [0-9]*' "$scratch/same.jsonl")" = '"number": 1' ] || fail "not one line, of the timed launch"

# What does alike is extrapolated, and the interval holds the full run's sum.
[ "$(marked extrapolated "$scratch/alike.1.csv")" -ge 15 ] || fail "too few are extrapolated"
[ "$(marked copy "$scratch/alike.1.csv")" -eq 0 ] || fail "other addresses are no copies"
full=$(cycles "$scratch/alike.full.csv")
sed -n 's/^    "\(low\|high\)": \([0-9.]*\).*/\1 \2/p' "$scratch/alike.sample.1" | sort >"$scratch/interval"
awk -v full="$full" '$1 == "high" { high = $2 } $1 == "low" { low = $2 }
    END { exit !(low < full && full < high && high - low < 0.05 * full) }' "$scratch/interval" ||
    fail "$full cycles, and the interval is $(cat "$scratch/interval")"
grep -q 'extrapolated$' "$scratch/alike.1" || fail "the report does not say so"
grep -q '95 % interval' "$scratch/alike.1" || fail "no interval in the report"

# A number of the object "total", or of the only timed launch, of a JSON file.
value() # FILE KEY
{
    grep -o "\"$2\": [0-9.]*" "$1" | head -n 1 | cut -d' ' -f2
}
# What was estimated holds what was counted.
holds() # FILE FULL WHAT
{
    awk -v low="$(value "$1" low)" -v high="$(value "$1" high)" -v full="$2" \
        'BEGIN { exit !(low < full && full < high && high - low < 0.06 * full) }' ||
        fail "$3: $2 cycles, and the interval is $(value "$1" low) to $(value "$1" high)"
}

# One launch of 80 waves: a part of its blocks is timed, whatever the threads.
few="t4 traces/bench/vecadd.trace --set gpu.sms=2 --param n=16"
"$SIMSM" $few --quiet --json "$scratch/full.json" || fail "vecadd: the full run"
for threads in 1 2 3; do
    "$SIMSM" $few --sample --threads $threads --full --json "$scratch/part.jsonl" >"$scratch/out" ||
        fail "vecadd: --sample"
    [ $threads -eq 1 ] && mkdir "$scratch/one" && cp "$scratch"/part*.json* "$scratch/out" "$scratch/one"
    for file in part.jsonl part.sample.json out; do
        cmp "$scratch/one/$file" "$scratch/$file" || fail "--threads $threads: another $file"
    done
done
"$SIMSM" $few --sample --no-skip --json "$scratch/every.json" >/dev/null || fail "--no-skip"
[ "$(value "$scratch/every.sample.json" cycles)" = "$(value "$scratch/part.sample.json" cycles)" ] ||
    fail "--no-skip: another number of cycles"
holds "$scratch/part.sample.json" "$(value "$scratch/full.json" cycles)" vecadd
[ "$(value "$scratch/part.jsonl" blocks_done)" -lt 200 ] || fail "too many blocks are timed"
grep -q '"complete": false' "$scratch/part.jsonl" || fail "a part of the blocks looks complete"
grep -q '"stopped_by": "--sample"' "$scratch/part.jsonl" || fail "nobody says why"
grep -q ' of 640 blocks timed$' "$scratch/out" || fail "the table does not say so"
# Counters of all blocks: what is executed is known, what DRAM reads is not quite.
[ "$(value "$scratch/part.sample.json" smsp__inst_executed.sum)" = \
    "$(value "$scratch/full.json" smsp__inst_executed.sum).0" ] || fail "instructions are not exact"
awk -v a="$(value "$scratch/part.sample.json" dram__bytes_read.sum)" \
    -v b="$(value "$scratch/full.json" dram__bytes_read.sum)" 'BEGIN { exit !(a < 1.02 * b && b < 1.02 * a) }' ||
    fail "other bytes read from DRAM"

# Where blocks cannot stand for others all are timed, and it is said why.
all_timed() # WORDS ARGUMENT...
{
    words=$1
    shift
    "$SIMSM" "$@" --quiet --json "$scratch/full.json" || fail "$*: the full run"
    "$SIMSM" "$@" --sample --json "$scratch/all.json" >"$scratch/out" || fail "$*: --sample"
    grep -q "all blocks timed: .*$words" "$scratch/out" || fail "$*: no '$words'"
    [ "$(value "$scratch/all.sample.json" cycles)" = "$(value "$scratch/full.json" cycles).0" ] ||
        fail "$*: not the cycles of the full run"
}
all_timed "waves of blocks, and 11 are needed" t4 traces/bench/vecadd.trace --param n=1
all_timed "blocks differ along the grid" t4 traces/lessons/imbalance_across.trace --set gpu.sms=2 --memory fixed

refused "--sample is for several" t4 tests/data/sass/waits/waits.sm_75.cubin \
    --launch tests/data/sass/waits/flag.yaml --sample
refused "--kernels needs a recording" t4 traces/divergent.trace --sample --kernels x
refused "--sample and --functional" run t4 --sample --functional -- /bin/true
refused "--sample and --max-cycles" run t4 --sample --max-cycles 5 -- /bin/true
refused "--sample and --max-cycles" t4 traces/divergent.trace --sample --max-cycles 5

# A program checks what its kernels compute: all blocks are executed, those that are not timed too.
if nm -D "$BUILD"/cuda/libcudart.so.13 2>/dev/null | grep -q __asan; then
    exit 0 # programs without AddressSanitizer cannot load a library with it
fi
cuda/verify/built "$scratch/programs" vector_add jacobi_f64 >"$scratch/out" 2>&1 || exit 0
unset LD_PRELOAD LD_LIBRARY_PATH
program="run h200 --set gpu.sms=6 --quiet --json $scratch/program.jsonl"
VERIFY_SIZE=4 "$SIMSM" $program -- "$scratch/programs/vector_add" >"$scratch/out" 2>"$scratch/err" ||
    fail "the program fails"
full=$(value "$scratch/program.jsonl" cycles)
VERIFY_SIZE=4 "$SIMSM" $program --sample -- "$scratch/programs/vector_add" >"$scratch/out" 2>"$scratch/err" ||
    fail "the program fails with --sample"
grep -q '^PASS' "$scratch/out" || fail "the program has other results"
grep -q '"complete": false' "$scratch/program.jsonl" || fail "all blocks of the program are timed"
holds "$scratch/program.sample.json" "$full" program

# What is heard of a launch while it is timed, and what is found out before, is the same: of two
# buffers in turn, the launches after the first two are copies (the very first translates addresses).
program="run h200 --set gpu.sms=40 --set tlb.entries=0 --quiet --table $scratch/program.csv"
"$SIMSM" $program -- "$scratch/programs/jacobi_f64" >"$scratch/out" 2>"$scratch/err" || fail "jacobi_f64 fails"
full=$(cycles "$scratch/program.csv")
"$SIMSM" $program --sample -- "$scratch/programs/jacobi_f64" >"$scratch/out" 2>"$scratch/err" ||
    fail "jacobi_f64 fails with --sample"
[ "$(marked copy "$scratch/program.csv")" -eq 10 ] || fail "no copies of a launch that was timed at once"
[ "$(cycles "$scratch/program.csv")" = "$full" ] || fail "jacobi_f64: copies are not exact"
