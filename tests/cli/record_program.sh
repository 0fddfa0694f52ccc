#!/usr/bin/env bash
# simsm record of a CUDA program, compiled here where there is an nvcc: its recording runs in the
# cycles that its launches took. What needs no nvcc is tested everywhere.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. tests/tools/programs.sh

fail()
{
    echo "$*"
    exit 1
}

refused() # WORDS ARGUMENT...
{
    local words=$1 status=0
    shift
    "$SIMSM" record "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] || fail "simsm record $*: status $status: $(cat "$scratch/err")"
    grep -qF -- "$words" "$scratch/err" || fail "simsm record $*: no '$words' in: $(cat "$scratch/err")"
}

refused "name the recording to write" t4 -- /bin/true
refused "name a configuration and a program" t4 -o "$scratch/a.smtr" --
refused "unrecognized option" t4 -o "$scratch/a.smtr" --timeline x -- /bin/true
refused "/nosuch/x: cannot be written: No such file" t4 -o /nosuch/x -- /bin/true
refused "$scratch: is a directory" t4 -o "$scratch" -- /bin/true
refused "--output -: the standard output belongs to the program" t4 -o - -- /bin/true
refused "uses no CUDA runtime" t4 -o "$scratch/a.smtr" -- /bin/true
[ ! -e "$scratch/a.smtr" ] || fail "a recording of nothing"

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "there is no nvcc: no programs were compiled"; exit 77; }
allow_sanitizer

# The rows of launches: the program has copies too, its recording has not.
launches() # TABLE
{
    awk -F, '$2 == "kernel"' "$1"
}

# With --repeats, because the launches of a recording are all timed.
for name in runtime graphs; do
    LD_PRELOAD='' "$nvcc" -O2 -arch=sm_75 -cudart shared -o "$scratch/$name" "tests/data/cuda/$name.cu" >"$scratch/log" 2>&1 ||
        fail "$name: $(cat "$scratch/log")"
    "$SIMSM" run t4 --quiet --repeats --table "$scratch/timed.csv" -- "$scratch/$name" \
        >"$scratch/out" 2>"$scratch/err" || fail "$name: $(cat "$scratch/err")"
    "$SIMSM" record t4 -o "$scratch/recorded.smtr" -- "$scratch/$name" >"$scratch/out" 2>"$scratch/err" ||
        fail "$name: $(cat "$scratch/err")"
    grep -qx "PASS $name" "$scratch/out" || fail "$name does not pass while it is recorded"
    grep -Eq 'recorded.smtr: [0-9]+ kernel launches, .* bytes for each$' "$scratch/err" || fail "nothing is said of it"
    if grep -qx 'Launches' "$scratch/err"; then fail "tables of launches that are only recorded"; fi
    launches "$scratch/timed.csv" >"$scratch/expected"
    [ "$(wc -l <"$scratch/expected")" -gt 2 ] || fail "$name has no launches"
    "$SIMSM" t4 "$scratch/recorded.smtr" --quiet --table "$scratch/replay.csv" || fail "$name: the recording fails"
    launches "$scratch/replay.csv" | diff "$scratch/expected" - || fail "$name: the recording is another run"
done

# The first launch of a program translates its pages on a GPU that does so, wherever it was recorded.
for entries in 0 16; do
    "$SIMSM" record t4 --set tlb.entries=$entries -o "$scratch/$entries.smtr" -- "$scratch/runtime" >"$scratch/out" 2>"$scratch/err" ||
        fail "tlb.entries=$entries: $(cat "$scratch/err")"
    "$SIMSM" t4 "$scratch/$entries.smtr" --quiet --set tlb.entries=16 --table "$scratch/$entries.csv" || fail "the recording fails"
done
"$SIMSM" t4 "$scratch/0.smtr" --quiet --table "$scratch/none.csv" || fail "the recording fails"
launches "$scratch/0.csv" | diff - <(launches "$scratch/16.csv") || fail "the recording depends on tlb.entries"
if launches "$scratch/0.csv" | cmp -s - <(launches "$scratch/none.csv"); then fail "no launch translates its pages"; fi
