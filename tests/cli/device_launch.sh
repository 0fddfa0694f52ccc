#!/usr/bin/env bash
# Kernels that launch kernels (dynamic parallelism) do what they do on an H200, in every way to run them.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. tests/tools/programs.sh

fail()
{
    echo "$*"
    exit 1
}

allow_sanitizer
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "there is no nvcc: no programs were compiled"; exit 77; }
LD_PRELOAD='' "$nvcc" -arch=sm_90 -rdc=true -cudart shared -o "$scratch/launches" cuda/launches/launches.cu -lcudadevrt \
    >"$scratch/log" 2>&1 || fail "launches: $(cat "$scratch/log")"

recorded=cuda/data/h200/2026-11-26/launches.csv
grep -v '^time' "$recorded" >"$scratch/expected"
run() # FILE NAMES OPTION...
{
    local file=$1 names=$2
    shift 2
    # shellcheck disable=SC2086
    "$SIMSM" run h200 "$@" -- "$scratch/launches" $names >"$scratch/$file" 2>"$scratch/err" ||
        fail "launches $*: $(cat "$scratch/err")"
}
# A sanitizer takes ten times as long: it gets the cases without thousands of launches.
few="generations tails_in_order tail_behind_children tail_of_child in_streams sort area behind_it times"
all=${asan:+$few}
grep -E "^(${all:+case|}${all// /|})" "$scratch/expected" >"$scratch/wanted"
for options in --repeats --functional --concurrent; do
    run "out$options" "$all" $options
    grep -v '^time' "$scratch/out$options" | diff "$scratch/wanted" - || fail "launches $options: other results than on an H200"
done

# The same with other options, without the cases of thousands of launches.
run one "$few" --concurrent
run two "$few" --concurrent --threads 2 --check
cmp "$scratch/one" "$scratch/two" || fail "threads change the times of launches"
run sampled "$few" --sample
diff <(grep -v '^time' "$scratch/one") <(grep -v '^time' "$scratch/sampled") || fail "--sample changes results"

# What waits for a grid waits for all that it has launched, also in a graph.
LD_PRELOAD='' "$nvcc" -arch=sm_90 -rdc=true -cudart shared -o "$scratch/families" tests/data/cuda/families.cu -lcudadevrt \
    >"$scratch/log" 2>&1 || fail "families: $(cat "$scratch/log")"
for options in --warm --repeats --functional --concurrent --sample; do
    "$SIMSM" run h200 --report "$scratch/report" $options -- "$scratch/families" >"$scratch/out" 2>"$scratch/err" ||
        fail "families $options: $(cat "$scratch/out" "$scratch/err")"
done

# Launches take the time that they take on the GPU, within 15 %, if they share it.
for name in call first_child each_child tail; do
    for file in "$recorded" "$scratch/out--concurrent"; do
        awk -F, -v name=$name '$1 == "time" && $2 == name { sum += $3; n++ } END { print sum / n }' "$file"
    done | tr '\n' ' ' | awk -v name=$name '{ error = $2 / $1 - 1; if (error > 0.15 || error < -0.15) { print name ": " $0; exit 1 } }' ||
        fail "launches by kernels take another time"
done
