#!/usr/bin/env bash
# simsm calibrate --measure: tables of points, and measuring them on a GPU, which a library that stands
# in for its driver plays here (tests/data/calibrate/driver.c).
. tests/tools/cli.sh

# Runs simsm, expects the status, and leaves its output in $scratch/out and $scratch/err.
expect()
{
    local want=$1 status=0
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$want" ] || fail "simsm $*: status $status instead of $want"
}

said()
{
    grep -qF -- "$1" "$scratch/err" || fail "'$1' is not in the message"
}

tables=$scratch/tables
mkdir -p "$tables/sm_75"
cp tests/data/sass/execute/kernels.sm_75.cubin "$tables/sm_75/clocks.cubin"
cat >"$tables/clocks.yaml" <<'YAML'
kernels: clocks.cu
defaults: {shows: the test, unit: cycles, kind: latency, kernel: vecadd, grid: 1, block: 32}
points:
  - name: taken       # each way to take a number; the run's is 10 launches, and the entry's number
    buffers: {c: {count: 4, type: u32}, a: {count: 4, fill: iota}}
    arguments: [buffer: c, buffer: a, buffer: a, {i32: 4}]
    each: {take: [min, max, mean, median, sum, first, last, range, span, pairs_mean]}
    result: {of: c, take: $take}
  - name: scaled_$by
    buffers: {c: {count: 4, type: u32, fill: value, value: 1000}}
    arguments: [buffer: c, buffer: c, buffer: c, {i32: "$(2*by - 2)"}]
    each: {by: [1, 2]}
    result: {of: c, take: {index: "$(by+1)"}, offset: 1000, over: $by}
  - {name: rate, buffers: {c: {count: 4, type: u32}}, arguments: [buffer: c, buffer: c, buffer: c, i32: 4],
     result: {of: c, take: first, per: 200}, kind: throughput, unit: bytes/cycle}
  - name: order
    kind: order
    buffers: {c: {count: 4, type: u32}}
    arguments: [buffer: c, buffer: c, buffer: c, {i32: 4}]
    result: {of: c, take: list, skip: 1, step: 2}
  - name: bad
    each: {blocks: [2, 3, 4, 5]}
    grid: $blocks
    buffers: {c: {count: 4, type: u32}}
    arguments: [buffer: c, buffer: c, buffer: c, {i32: 4}]
    result: {of: c, take: min}
  - name: large
    buffers: {c: {size: 64 GiB, type: u32}}
    arguments: [buffer: c, buffer: c, buffer: c, {i32: 4}]
    result: {of: c, take: min}
  - {name: counted, buffers: {c: {count: 4}}, arguments: [buffer: c, buffer: c, buffer: c, i32: 4],
     result: {metric: sm__cycles_elapsed.max, over: 2}}
  - name: arguments
    buffers: {c: {count: 4, type: u32}}
    arguments: [buffer: c]
    result: {of: c, take: min}
YAML

# Without a GPU there is one message.
expect 1 calibrate t4 --measure --tables "$tables" --data "$scratch"
said "measuring needs a GPU"
# The folder is looked for before that.
expect 2 calibrate t4 --measure --tables "$tables" --data "$scratch/none"
said "$scratch/none: this folder does not exist; create it"
expect 2 calibrate t4 --tables "$tables" --data "$scratch/none"
said "$scratch/none: this folder does not exist; name the folder"

mkdir "$scratch/driver"
"$CC" -shared -fPIC -o "$scratch/driver/libcuda.so.1" tests/data/calibrate/driver.c
export LD_LIBRARY_PATH=$scratch/driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 # the driver's own

# Launches are numbered within a process; the first of each point is not counted.
expect 0 calibrate t4 --measure --tables "$tables" --data "$scratch" --repeat 3 --seconds 1
row()
{
    grep -F -- "clocks,$1,$2" "$scratch/calib.csv" >/dev/null ||
        fail "no row $1,$2 in: $(cat "$scratch/calib.csv")"
}
row 'taken[take=min]' 'cycles,30,20,40,3,'
row 'taken[take=max]' 'cycles,73,63,83,3,'
row 'taken[take=mean]' 'cycles,111.5,101.5,121.5,3,'
row 'taken[take=median]' 'cycles,151.5,141.5,161.5,3,'
row 'taken[take=sum]' 'cycles,766,726,806,3,'
row 'taken[take=first]' 'cycles,230,220,240,3,'
row 'taken[take=last]' 'cycles,273,263,283,3,'
row 'taken[take=range]' 'cycles,3,3,3,3,'
row 'taken[take=span]' 'cycles,3,3,3,3,'
row 'taken[take=pairs_mean]' 'cycles,1,1,1,3,'
row scaled_1 'cycles,432,422,442,3,'
row scaled_2 'cycles,236.5,231.5,241.5,3,'
row rate 'bytes/cycle,0.392156863,0.384615385,0.4,3,'
row order 'cycles,541 543,,,3,runs differ'
row 'bad[blocks=2]' 'cycles,,,,0,kernel: CUDA_ERROR_ILLEGAL_ADDRESS'
row 'bad[blocks=3]' 'cycles,,,,0,"the kernel did not end within 1 seconds'
row 'bad[blocks=4]' 'cycles,,,,0,"the kernel did not end'
row 'bad[blocks=5]' 'cycles,30,20,40,3,'
row large 'cycles,,,,0,buffer c: CUDA_ERROR_OUT_OF_MEMORY'
row arguments 'cycles,,,,0,"vecadd has 4 parameters'
grep -q '^GPU: A GPU of paper, compute capability 7.5' "$scratch/MANIFEST.calib" || fail "no MANIFEST"

# Points that take a metric are launched for a profiler, and told to it.
expect 0 calibrate t4 --launch cold --tables "$tables"
[ "$(cat "$scratch/out")" = 'clocks,"counted",cycles,vecadd,sm__cycles_elapsed.max,0,2,0' ] || fail "--launch"
expect 0 calibrate t4 --launch warm --tables "$tables"
[ ! -s "$scratch/out" ] || fail "a point with cold caches is launched with warm ones"

# A table without kernels for this compute capability: its rows say so.
mkdir "$scratch/other"
cp "$tables/clocks.yaml" "$tables/newer.yaml"
expect 0 calibrate t4 --measure --tables "$tables" --data "$scratch/other" --repeat 1 newer/rate
grep -qF "newer,rate,bytes/cycle,,,,0,no kernels for compute capability 7.5: there is no $tables/sm_75/newer.cubin" \
    "$scratch/other/calib.csv" || fail "no note on kernels that are missing"
cp "$tables/newer.yaml" "$tables/absent.yaml"
expect 0 calibrate t4 --launch cold --tables "$tables"
[ "$(cut -d, -f1 "$scratch/out")" = clocks ] || fail "points without kernels are launched"
rm "$tables/newer.yaml" "$tables/absent.yaml"

# Some points alone: the others keep their rows. A kernel that empties L2 is no launch of theirs.
cp "$tables/sm_75/clocks.cubin" "$tables/sm_75/flush.cubin"
expect 0 calibrate t4 --measure --tables "$tables" --data "$scratch" --repeat 1 clocks/rate clocks/scaled_2
row rate 'bytes/cycle,5,5,5,1,' # the fourth launch: scaled_2 is before it
row order 'cycles,541 543,,,3,runs differ'
[ "$(wc -l <"$scratch/calib.csv")" = 21 ] || fail "rows are lost or twice there"
PROFILED=1 expect 0 calibrate t4 --launch cold --tables "$tables"
expect 2 calibrate t4 --measure --tables "$tables" --data "$scratch" clocks/rat
said "no table or point 'clocks/rat'"

# With another GPU, or none, nothing is measured, and what was measured before stays.
cp "$scratch/calib.csv" "$scratch/MANIFEST.calib" "$scratch/driver"
for names in '' clocks/rate; do
    expect 2 calibrate h200 --measure --tables "$tables" --data "$scratch" $names
    said "the GPU here is a A GPU of paper of compute capability 7.5"
    [ ! -s "$scratch/out" ] || fail "points are measured on another GPU"
done
LD_LIBRARY_PATH='' expect 1 calibrate t4 --measure --tables "$tables" --data "$scratch" clocks/rate
for file in calib.csv MANIFEST.calib; do
    cmp "$scratch/$file" "$scratch/driver/$file" || fail "$file is not what it was"
done

# Tables that are wrong, each with its place.
wrong()
{
    mkdir -p "$scratch/wrong"
    printf '%s\n' "$1" >"$scratch/wrong/w.yaml"
    expect 2 calibrate t4 --measure --tables "$scratch/wrong" --data "$scratch"
    said "w.yaml:$2"
}
head='kernels: w.cu
defaults: {shows: x, unit: cycles, kind: latency, kernel: k, grid: 1, block: 32, buffers: {c: {count: 4}}}
points:'
wrong "points: []" " kernels is missing"
wrong "$head []" " points is missing"
wrong "$head" "3:8: a list of points"
wrong "$head
  - {name: a, result: {of: d}}" "4: a: the result is of buffer 'd'"
wrong "$head
  - {name: a, result: {of: c, tak: min}}" "4:31: there is no key 'tak' here; is 'take' meant?"
wrong "$head
  - {name: a, result: {of: c, over: 0}}" "4:37: a number other than 0 is expected"
wrong "$head
  - {name: a, result: {of: c, take: {percentile: 101}}}" "4:50: 1 to 100 is expected"
wrong "$head
  - {name: a, result: {of: c, over: 2, per: 2}}" "4:23: a result has \`over\` or \`per\`"
wrong "$head
  - name: a
    grid: \$n
    result: {of: c}" "5: there is no 'n' in this point's \`each\`, which has nothing"
wrong "$head
  - name: a
    each: {n: [1]}

    grid: \$(n*)
    result: {of: c}" "7: '\$(n*)' is no formula"
wrong "$head
  - {name: a, result: {of: c}}
  - {name: a, result: {of: c}}" "5: there is a second point 'a'"
wrong "$head
  - {name: a, kind: order, result: {of: c}}" "4: a: \`kind: order\` and \`take: list\` belong together"
