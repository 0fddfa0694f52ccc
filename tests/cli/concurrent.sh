#!/usr/bin/env bash
# simsm run --concurrent: work of several streams overlaps and takes the times that a GPU takes; times
# depend neither on threads nor on how fast the host is.
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
    "$SIMSM" run "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] || fail "simsm run $*: status $status, expected 2: $(cat "$scratch/err")"
    grep -qF -- "$words" "$scratch/err" || fail "simsm run $*: no '$words' in: $(cat "$scratch/err")"
}

refused "--concurrent is of timed launches, and --functional times none" t4 --concurrent --functional -- /bin/true
refused "--concurrent lets launches share the GPU, and --timeline looks at each alone" t4 --concurrent --timeline "$scratch/x" -- /bin/true
refused "--concurrent lets launches share the GPU, and --sample looks at each alone" t4 --concurrent --sample -- /bin/true
refused "--concurrent lets launches share the GPU, and --max-cycles looks at each alone" t4 --concurrent --max-cycles 9 -- /bin/true
refused "--concurrent keeps caches warm, and --warm does no more" t4 --concurrent --warm -- /bin/true
refused "--program needs --concurrent" t4 --program "$scratch/x.json" -- /bin/true
refused "ends neither in .json (a trace for simsm-view and Perfetto) nor in .csv" t4 --concurrent --program "$scratch/x.svg" -- /bin/true
refused "/nosuch/x.csv: cannot be written" t4 --concurrent --program /nosuch/x.csv -- /bin/true
[ "$(ls "$scratch")" = "err
out" ] || fail "something was written: $(ls "$scratch")"

allow_sanitizer

kernels=tests/data/sass/execute/kernels
# Programs that do not know of it: code that is registered, two threads, a graph, mistakes; the driver.
program() # NAME LIBRARY CODES OPTION...
{
    local name=$1 library=$2 codes=$3
    shift 3
    [ -x "$scratch/$name" ] || LD_PRELOAD='' "${CC:-cc}" -pthread -o "$scratch/$name" -Wl,--allow-shlib-undefined \
        "tests/data/cuda/$name.c" "$BUILD/cuda/$library"
    "$SIMSM" run t4 --concurrent --quiet "$@" -- "$scratch/$name" $codes \
        >"$scratch/out" 2>"$scratch/err" || fail "$name $*: $(cat "$scratch/out" "$scratch/err")"
    grep -qx "PASS $name" "$scratch/out" || fail "$name $*: $(cat "$scratch/out" "$scratch/err")"
}
ASAN_OPTIONS=detect_leaks=1 program registered libcudart.so.13 $kernels.sm_75.cubin
program registered libcudart.so.13 $kernels.sm_75.cubin --check --threads 3
program driver libcuda.so.1 "$kernels.sm_75.cubin $kernels.sm_90.cubin"

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "there is no nvcc: no programs were compiled"; exit 77; }
compile() # NAME SOURCE OPTION...
{
    local name=$1 source=$2
    shift 2
    LD_PRELOAD='' "$nvcc" -O2 -cudart shared -o "$scratch/$name" "$@" "$source" >"$scratch/log" 2>&1 ||
        fail "$name: $(cat "$scratch/log")"
}

for name in runtime graphs beside shared_stream; do
    compile "$name" "tests/data/cuda/$name.cu" -arch=sm_75
    "$SIMSM" run t4 --concurrent -- "$scratch/$name" >"$scratch/out" 2>"$scratch/err" ||
        fail "$name: $(cat "$scratch/out" "$scratch/err")"
    grep -qx "PASS $name" "$scratch/out" || fail "$name: $(cat "$scratch/out" "$scratch/err")"
done

# Two kernels of which one waits for the other: alone they cannot end.
"$SIMSM" run t4 --quiet -- "$scratch/beside" >"$scratch/alone" 2>&1 && fail "kernels that meet end alone"

# What happens when does not depend on threads or the host's speed; all formats tell of it.
"$SIMSM" run t4 --concurrent --full --report "$scratch/report" --program "$scratch/1.csv" -- "$scratch/beside" >"$scratch/1"
"$SIMSM" run t4 --concurrent --quiet --threads 2 --program "$scratch/2.csv" -- "$scratch/beside" 300 >"$scratch/2"
cmp "$scratch/1" "$scratch/2" || fail "events differ: $(diff "$scratch/1" "$scratch/2")"
cmp "$scratch/1.csv" "$scratch/2.csv" || fail "the program takes another time: $(diff "$scratch/1.csv" "$scratch/2.csv")"
for words in "Other launches shared the GPU" "of it two or more at a time" "^  stream 3 " "^  host "; do
    grep -q "$words" "$scratch/report" || fail "the report does not say '$words': $(cat "$scratch/report")"
done
awk -F, 'NR > 1 && $1 != "call" && $1 != "call that waits" { print $1 }' "$scratch/1.csv" | sort -u | tr '\n' ' ' >"$scratch/kinds"
[ "$(cat "$scratch/kinds")" = "copy to device copy to host fill host function kernel " ] || fail "kinds: $(cat "$scratch/kinds")"
awk -F, '$5 < $4 { exit 1 }' "$scratch/1.csv" || fail "something ends before it begins"
"$SIMSM" run t4 --concurrent --quiet --program "$scratch/p.json" -- "$scratch/beside" >"$scratch/out"
if command -v python3 >"$scratch/out"; then
    python3 - "$scratch" <<'TEXT'
import csv, json, sys
events = json.load(open(sys.argv[1] + "/p.json"))["traceEvents"]
work = [e for e in events if e["ph"] == "X" and e["tid"]]
rows = list(csv.DictReader(open(sys.argv[1] + "/1.csv")))
assert len(work) == sum(r["stream"] != "0" for r in rows), "other work than in the table"
assert all(e["dur"] >= 0 for e in work)
TEXT
fi

# The viewer reads the program, and a launch whose timeline was recorded alone.
if [ -n "${VIEW-}" ]; then
    "$VIEW" "$scratch/p.json" --csv "$scratch/seen.csv"
    cmp "$scratch/1.csv" "$scratch/seen.csv" || fail "the viewer reads another table: $(diff "$scratch/1.csv" "$scratch/seen.csv")"
    "$SIMSM" run t4 --quiet --launches 2:3 --timeline "$scratch/p.smtl" -- "$scratch/beside" >"$scratch/out" 2>&1 || true
    "$VIEW" "$scratch/p.json" --keys "g =2 return return" --csv "$scratch/entered.csv"
    "$VIEW" "$scratch/p.2.smtl" --screen timeline --csv "$scratch/alone.csv"
    cmp "$scratch/entered.csv" "$scratch/alone.csv" || fail "the launch is another one"
fi

# Mistakes of kernels give the errors that a GPU gives.
compile errors tests/data/cuda/errors.cu -arch=sm_75
recorded=cuda/data/h200/2026-11-21/errors.csv
case $("$nvcc" --version) in
*'release 11.'*) column=2 ;;
*'release 12.'*) column=3 ;;
*) column=4 ;;
esac
"$SIMSM" run t4 --concurrent --quiet -- "$scratch/errors" >"$scratch/errors.csv" 2>"$scratch/err"
sed -n 's/: after,.*//p' "$recorded" | while read -r name; do
    "$SIMSM" run t4 --concurrent --quiet -- "$scratch/errors" "$name" </dev/null >>"$scratch/errors.csv" 2>>"$scratch/err"
done
awk -F, -v c=$column 'NR > 1 { print $1 "," ($c != "" ? $c : $4) }' "$recorded" >"$scratch/expected"
diff "$scratch/expected" "$scratch/errors.csv" || fail "mistakes give other errors than on a GPU"

# Copies during which no kernel can run have a price, in each way to look at a program.
compile copies tests/data/cuda/copies.cu -arch=sm_75
copies() # HOW REASON
{
    local reason="no kernel runs beside them: $2" how
    for how in --concurrent --repeats; do
        "$SIMSM" run t4 "$how" --report "$scratch/report" --table "$scratch/table" -- "$scratch/copies" "$1" >"$scratch/out" 2>"$scratch/err" ||
            fail "copies $1 $how: $(cat "$scratch/out" "$scratch/err")"
        tr -s ' \n' '  ' <"$scratch/report" >"$scratch/line"
        if [ "$2" ]; then
            grep -q "copies alone .*$reason" "$scratch/line" || fail "copies $1 $how: no '$reason' in $(cat "$scratch/report")"
        elif grep -q "copies alone" "$scratch/report"; then
            fail "copies $1 $how: copies that overlap have a price: $(cat "$scratch/report")"
        fi
    done
}
copies call "the call waits for the copy"
grep -q "^,copy,host to device,.*,65536,cudaMemcpy,call waits,$" "$scratch/table" || fail "the table does not say why copies run alone: $(cat "$scratch/table")"
copies pageable "the memory of the host is pageable"
copies default "the copies are in the default stream"
copies streams ""
"$SIMSM" why t4 --json "$scratch/why.json" -- "$scratch/copies" call >"$scratch/out" 2>"$scratch/err" || fail "why: $(cat "$scratch/err")"
grep -q "^The program: copies that run alone cost at most [0-9.]* % of the time" "$scratch/out" || fail "why does not price copies: $(cat "$scratch/out")"
grep -q '"advice": "copies_alone"' "$scratch/why.json" || fail "why --json does not price copies: $(cat "$scratch/why.json")"
"$SIMSM" why t4 -- "$scratch/copies" streams >"$scratch/out" 2>"$scratch/err" || fail "why: $(cat "$scratch/err")"
grep -q "copies that run alone" "$scratch/out" && fail "why prices copies that overlap: $(cat "$scratch/out")"

# Calls that a capture forbids end it, as on a GPU.
compile capture tests/data/cuda/capture.cu -arch=sm_75
for how in --concurrent --functional; do
    "$SIMSM" run t4 $how --quiet -- "$scratch/capture" >"$scratch/capture.csv" 2>"$scratch/err"
    diff cuda/data/h200/2026-11-26/capture.csv "$scratch/capture.csv" || fail "$how: captures end otherwise than on a GPU"
done

# Times of an H200, within 10 %.
command -v python3 >"$scratch/out" || { echo "there is no python3: no times were compared"; exit 77; }
compile streams cuda/streams/streams.cu -arch=sm_90 -std=c++17
"$SIMSM" run h200 --concurrent --quiet -- "$scratch/streams" nothing chain_tiny event_2 legacy graph_chain \
    both_ways two_to_device within_64m fill_4k copy_beside >"$scratch/streams.csv" 2>"$scratch/err" ||
    fail "streams: $(cat "$scratch/err")"
cuda/streams/compare cuda/data/h200/2026-11-26/streams.csv "$scratch/streams.csv" >"$scratch/out" ||
    fail "order: $(cat "$scratch/out")"
grep -q '^10 of 10 cases within 10 %' "$scratch/out" || fail "times: $(cat "$scratch/out")"
