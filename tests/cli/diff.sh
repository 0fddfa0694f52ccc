#!/usr/bin/env bash
# simsm diff and check-speed: outcomes of recorded and of new runs, their tables and formats, the
# budget, and what both refuse.
. tests/tools/cli.sh

data=tests/data/diff

# The first line of an outcome.
outcome() # SENTENCE ARGUMENT...
{
    local expected=$1
    shift
    "$SIMSM" diff "$@" >"$scratch/out" 2>"$scratch/err" || fail "diff $*: status $?"
    [ "$(head -n 1 "$scratch/out")" = "$expected" ] || fail "diff $*: expected '$expected'"
}

shows() # WORDS
{
    grep -qF -- "$1" "$scratch/out" || fail "no '$1'"
}

refused() # STATUS WORDS ARGUMENT...
{
    local expected=$1 words=$2 status=0
    shift 2
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$expected" ] || fail "simsm $*: status $status, not $expected"
    grep -qF -- "$words" "$scratch/err" || fail "simsm $*: no '$words'"
}

# Recorded launches of cuda/verify/transpose.cu: scattered stores against a tile in shared memory; a
# tile whose columns lie in one bank against one without conflicts.
outcome "1.66 times faster; stores went from 32 to 4 sectors a request." \
    "$data/plain.json" "$data/tiles.jsonl" --kernels-b swizzled
shows "transpose_plain -> transpose_swizzled (16x8x1, 32x8x1)"
shows "removed  STG.E desc[UR4][R4.64+0x20], R15"
shows "transpose.cu:37"
shows "out[(x0 + y + j) * height + y0 + x] = words[x][x ^ (y + j)];"
outcome "1.66 times slower; stores went from 4 to 32 sectors a request." \
    "$data/tiles.jsonl" "$data/plain.json" --kernels-a swizzled
mkdir "$scratch/conflicts" "$scratch/padded"
sed -n 1p "$data/tiles.jsonl" >"$scratch/conflicts/run.1.json"
sed -n 2p "$data/tiles.jsonl" >"$scratch/padded/run.1.json"
outcome "16.2 % less time; bank conflicts went from 16.5 to 1 times the passes needed." \
    "$scratch/conflicts" "$scratch/padded"

# The same kernel with the same sizes, but other registers, is another instance of a template; one
# launch twice is one row with two launches.
outcome "As fast, to the cycle." "$data/tiles.jsonl" "$data/tiles.jsonl"
shows "3 kernels with less than 1 % of difference."
cat "$data/plain.json" "$data/plain.json" >"$scratch/twice.json"
outcome "2.00 times slower; launches went from 1 to 2." "$data/plain.json" "$scratch/twice.json"
shows "B: $scratch/twice.json on H200-SXM-141GB, 2 launches, 17.0 k cycles"

# Less than the threshold is noise.
sed 's/"cycles": 8494/"cycles": 8450/' "$data/plain.json" >"$scratch/near.json"
outcome "As fast: 0.52 % less time." "$data/plain.json" "$scratch/near.json"
"$SIMSM" diff "$data/plain.json" "$scratch/near.json" --threshold 0.1% >"$scratch/out"
grep -q '^0.5 % less time; ' "$scratch/out" || fail "a threshold of 0.1 %"

# Markdown and JSON.
"$SIMSM" diff --markdown "$data/plain.json" "$data/tiles.jsonl" --kernels-b swizzled >"$scratch/out"
shows '**1.66 times faster; stores went from 32 to 4 sectors a request.**'
shows '<details><summary>transpose_plain -> transpose_swizzled (16x8x1, 32x8x1)</summary>'
shows '| l1tex\_\_average\_t\_sectors\_per\_request\_pipe\_lsu\_mem\_global\_op\_st.ratio | 32 | 4 | -87.5 % |'
"$SIMSM" diff --json - "$data/plain.json" "$data/tiles.jsonl" --kernels-b swizzled >"$scratch/out"
shows '"rule": "STORE_SECTORS"'
if command -v python3 >/dev/null; then
    python3 -c '
import json, sys
diff = json.load(open(sys.argv[1]))
kernel = diff["kernels"][0]
assert diff["time_ratio"] < 0.61 and kernel["a"]["cycles"] == 8494, diff["time_ratio"]
assert kernel["states"]["long_scoreboard"][0] == 4320100
assert any(line["b"] is None for line in kernel["instructions"])
assert any(line["a"]["line"] == 13 and line["b"]["line"] == 34 for line in kernel["sources"] if line["a"])
' "$scratch/out" 2>"$scratch/err" || fail "--json"
fi

# Traces are simulated first; timelines of the same runs say the same.
traces=traces/lessons
outcome "4.41 times faster; active lanes went from 2.65 to 32 of 32 an instruction (divergence)." \
    t4 "$traces/sum_thread0.trace" : "$traces/sum_shuffle.trace"
shows "A: $traces/sum_thread0.trace on Tesla T4, 1 launch"
for name in sum_thread0 sum_shuffle; do
    "$SIMSM" t4 "$traces/$name.trace" --quiet --timeline "$scratch/$name.smtl"
done
head -n 1 "$scratch/out" >"$scratch/first"
"$SIMSM" diff "$scratch/sum_thread0.smtl" "$scratch/sum_shuffle.smtl" >"$scratch/out"
[ "$(head -n 1 "$scratch/out")" = "$(cat "$scratch/first")" ] || fail "timelines say something else"
outcome "As fast, to the cycle." t4 --sms 4 --set sm.scheduler=lrr "$traces/branch.trace" : "$traces/branch.trace"
shows "with --set gpu.sms=4 --set sm.scheduler=lrr"
ls "${TMPDIR:-/tmp}"/simsm-diff-* >/dev/null 2>&1 && fail "a folder is left"

# The budget.
base=$scratch/base.jsonl
refused 2 "there is no such baseline; write it with --write" check-speed --baseline "$base" t4 "$traces/branch.trace"
"$SIMSM" check-speed --baseline "$base" --write t4 "$traces/branch.trace" >"$scratch/out"
shows "wrote 1 kernels"
[ "$(wc -l <"$base")" -eq 2 ] || fail "lines of a baseline"
grep -q '^{"kernel":"branch","grid":\[' "$base" || fail "a line of a baseline"
"$SIMSM" check-speed --baseline "$base" t4 "$traces/branch.trace" >"$scratch/out" || fail "the same is slower"
shows "Within the budget of 1 %: 0 of 1 kernels take longer"
cp "$base" "$scratch/first.jsonl"
"$SIMSM" check-speed --baseline "$base" --write t4 "$traces/branch.trace" >"$scratch/out"
cmp -s "$base" "$scratch/first.jsonl" || fail "a renewed baseline differs without a reason"

"$SIMSM" check-speed --baseline "$base" --write "$scratch/padded" >"$scratch/out"
status=0
"$SIMSM" check-speed --baseline "$base" --max-slowdown 5% "$scratch/conflicts" >"$scratch/out" || status=$?
[ "$status" -eq 1 ] || fail "19 % more time has status $status"
shows "Over the budget of 5 %: 1 of 1 kernels"
shows "transpose_tile: 6148 instead of 5149 cycles (+19.4 %): bank conflicts went from 1 to 16.5 times"
"$SIMSM" check-speed --baseline "$base" --max-slowdown 20 "$scratch/conflicts" >"$scratch/out" || fail "20 % allow 19 %"

# Mistakes.
refused 2 "use the same, or renew the baseline with --write" check-speed --baseline "$base" t4 "$traces/branch.trace"
refused 2 "name the baseline: --baseline FILE" check-speed t4 "$traces/branch.trace"
refused 2 "name what to check" check-speed --baseline "$base"
refused 2 "expected a percentage" check-speed --baseline "$base" --max-slowdown x t4 "$traces/branch.trace"
refused 2 "name two runs" diff "$data/plain.json"
refused 2 "cannot be opened: No such file" diff "$data/plain.json" "$scratch/nosuch.json"
refused 2 "neither JSON of --json nor a timeline: object 1, line 1" diff "$data/plain.json" "$traces/branch.trace"
refused 2 "has no kernel of this name" diff "$data/plain.json" "$data/tiles.jsonl" --kernels-b nosuch
refused 2 "is no regular expression" diff "$data/plain.json" "$data/tiles.jsonl" --kernels-b '('
refused 2 "is for runs that are simulated here" diff "$data/plain.json" "$data/tiles.jsonl" --sms 4
refused 2 "on both sides of the colon" diff t4 "$traces/branch.trace" :
refused 2 "write -- before a program" diff t4 "$traces/branch.trace" : "$traces/branch.trace" more
refused 2 "ended with status 2" diff t4 "$traces/nosuch.trace" : "$traces/branch.trace"
refused 2 "uses no CUDA runtime" diff t4 -- /bin/true : /bin/true
refused 2 "was stopped before its end" diff "$data/plain.json" <(sed 's/"complete": true/"complete": false/' "$data/plain.json")
echo '{}' >"$scratch/empty.json"
refused 2 "this is no run that simsm wrote with --json" diff "$scratch/empty.json" "$data/plain.json"
: >"$scratch/empty.json"
refused 2 "has no timed launch" diff "$scratch/empty.json" "$data/plain.json"
refused 2 "--json would overwrite A" diff "$data/plain.json" "$scratch/empty.json" --json "$data/plain.json"

# Programs are run first: a wider load for each thread. What they print does not mix with the outcome.
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "there is no nvcc: no programs were compared"; exit 0; }
. tests/tools/programs.sh
cat >"$scratch/app.cu" <<'CODE'
#include <cstdio>
__global__ void scale(float *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i * STRIDE] *= 2;
}
int main(int, char **argv)
{
    float *data;
    cudaMalloc(&data, 4 * 8 * 65536);
    scale<<<256, 256>>>(data);
    std::printf("done %s\n", argv[1]);
    return cudaDeviceSynchronize() != cudaSuccess;
}
CODE
for stride in 1 8; do
    LD_PRELOAD='' "$nvcc" -arch=sm_90 -lineinfo -cudart shared -DSTRIDE=$stride -o "$scratch/app$stride" "$scratch/app.cu" \
        >"$scratch/err" 2>&1 || fail "nvcc"
done
allow_sanitizer
"$SIMSM" diff h200 -- "$scratch/app8" one : "$scratch/app1" two >"$scratch/out" 2>"$scratch/err" ||
    fail "programs: status $?"
head -n 1 "$scratch/out" | grep -Eq '(loads|stores) went from 32 to 4 sectors a request' || fail "programs"
shows "app8 one on H200"
shows "data[i * STRIDE] *= 2;"
grep -q '^done two' "$scratch/err" || fail "the output of a program"
for stride in 1 8; do
    mkdir "$scratch/folder$stride"
    "$SIMSM" run h200 --quiet --json "$scratch/folder$stride/run.jsonl" -- "$scratch/app$stride" x >/dev/null 2>&1 ||
        fail "run --json: status $?"
done
"$SIMSM" diff "$scratch/folder8" "$scratch/folder1" >"$scratch/out" 2>"$scratch/err" || fail "folders: status $?"
head -n 1 "$scratch/out" | grep -Eq '(loads|stores) went from 32 to 4 sectors a request' || fail "folders"
"$SIMSM" check-speed --baseline "$scratch/app.jsonl" --write h200 -- "$scratch/app1" one >"$scratch/out" 2>"$scratch/err"
status=0
"$SIMSM" check-speed --markdown --baseline "$scratch/app.jsonl" --max-slowdown 5% h200 -- "$scratch/app8" one \
    >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" -eq 1 ] || fail "a slower program has status $status"
shows "**Over the budget of 5 %: 1 of 1 kernels"
