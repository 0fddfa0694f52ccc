# --sample: which launches are timed, what the others count for, files, and what is refused.
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
    awk -F, -v mark="$1" '$21 == mark' "$2" | wc -l
}

for name in same alike; do
    "$SIMSM" t4 "$scratch/$name.g" --quiet --table "$scratch/$name.full.csv" || fail "$name: the full run"
    for again in 1 2; do
        "$SIMSM" t4 "$scratch/$name.g" --sample --brief --table "$scratch/$name.$again.csv" \
            --json "$scratch/$name.json" >"$scratch/$name.$again" || fail "$name: --sample"
        mv "$scratch/$name.sample.json" "$scratch/$name.sample.$again"
    done
    cmp "$scratch/$name.1" "$scratch/$name.2" || fail "$name: two reports differ"
    cmp "$scratch/$name.sample.1" "$scratch/$name.sample.2" || fail "$name: two JSON files differ"
done

# What does the same takes the same time, to the cycle.
[ "$(cycles "$scratch/same.full.csv")" -eq "$(cycles "$scratch/same.1.csv")" ] || fail "copies are not exact"
[ "$(marked copy "$scratch/same.1.csv")" -eq 11 ] || fail "not 11 copies"
grep -q '^ *12 .*as launch 1, exactly$' "$scratch/same.1" || fail "the report does not say so"
ls "$scratch"/same.1.json >/dev/null || fail "a timed launch has no JSON file"
[ ! -e "$scratch/same.2.json" ] || fail "a launch that was not timed has a JSON file"

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

refused "--sample and --functional" run t4 --sample --functional -- /bin/true
refused "--sample and --max-cycles" run t4 --sample --max-cycles 5 -- /bin/true
refused "--sample and --record" run t4 --sample --record "$scratch/x.smtr" -- /bin/true
refused "--sample and --max-cycles" t4 traces/divergent.trace --sample --max-cycles 5
