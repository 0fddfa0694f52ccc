#!/usr/bin/env bash
# simsm check: faulty and correct kernels of cuda/check, compiled where there is an nvcc; formats,
# tools, suppressions, statuses, and what it refuses.
. tests/tools/hopper.sh

refused() # WORDS ARGUMENT...
{
    local words=$1 status=0
    shift
    "$SIMSM" check "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 2 ] || fail "simsm check $*: status $status, not 2"
    grep -qF -- "$words" "$scratch/err" || fail "simsm check $*: no '$words' in: $(cat "$scratch/err")"
}

refused "name a configuration"
refused "uses no CUDA runtime" t4 -- /bin/true
refused "found 'races'" t4 --tool races --any -- /bin/true
refused "found 'memcheck'" t4 --as memcheck --any -- /bin/true
refused "--schedules: expected a whole number" t4 --schedules 0 --any -- /bin/true
refused "cannot be opened" t4 --suppressions "$scratch/nosuch" --any -- /bin/true
printf '# nothing\nrace/shred x\n' >"$scratch/wrong"
refused "wrong:2: expected KIND PATTERN" t4 --suppressions "$scratch/wrong" --any -- /bin/true
refused "--junit would overwrite --sarif" t4 --sarif "$scratch/x" --junit "$scratch/x" --any -- /bin/true

for name in race_shared race_global race_host init sync; do
    LD_PRELOAD='' "$nvcc" -std=c++17 -lineinfo -gencode arch=compute_90a,code=sm_90a -cudart shared \
        -DCHECK_SOURCE="\"$PWD/cuda/check/$name.cu\"" -o "$scratch/$name" "cuda/check/$name.cu" >"$scratch/log" 2>&1 ||
        fail "$name: $(cat "$scratch/log")"
done

# Checks a case of a program: the exit status, and words of what was printed.
checks() # STATUS WORDS PROGRAM CASE OPTION...
{
    local expected=$1 words=$2 program=$3 case=$4 status=0
    shift 4
    "$SIMSM" check h200 "$@" -- "$scratch/$program" "$case" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$expected" ] || fail "$program $case: status $status, not $expected: $(cat "$scratch/err")"
    [ -z "$words" ] || grep -qF -- "$words" "$scratch/err" || fail "$program $case: no '$words' in: $(cat "$scratch/err")"
}

checks 1 "[race/global" race_global last_block_without_fence
checks 0 "simsm check: 0 errors, 0 warnings, 0 notes in 1 launch" race_global last_block
checks 1 "by thread" race_global flag_without_fence
checks 1 "[race/streams" race_global streams_without_event
checks 1 "[init/shared" init shared_never_written
checks 1 "[race/global" race_global neighbours_of_zeros
checks 0 "0 errors" race_global stream_destroyed_early
checks 1 "[race/streams" race_global stream_after_destroyed
for case in masks_of_four_groups reduction_and_scan_of_tiles masks_by_match reduction_of_few_lanes; do
    checks 0 "0 errors, 0 warnings" sync $case
done
checks 1 "[sync/mask" sync masks_that_overlap
checks 1 "accessed at case_copied_by_host_early" race_host copied_by_host_early
checks 1 "[race/host" race_host reads_result_of_last_but_one
checks 1 "[race/host" race_global host_function_of_another_stream
for name in flag_beside_other_words event_behind_first_of_two halves_of_a_page own_signal_handler; do
    checks 0 "0 errors" race_host "$name"
done
checks 0 "0 errors" race_global last_block_without_fence --tool init,leak
checks 0 "[init/unused-in-part" init mostly_unused_array
checks 1 "========= Error: Race reported between" race_global last_block_without_fence --as compute-sanitizer

checks 1 "byte 128 of" race_shared read_after_write --schedules 3 --tool race/schedule
checks 0 "0 warnings" race_global last_block --schedules 3
printf 'race/global  *race_global.cu  # known\n' >"$scratch/known"
checks 0 "finding" race_global last_block_without_fence --suppressions "$scratch/known"

# How programs end, and findings that are counted or named one by one.
cat >"$scratch/ends.cu" <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

__global__ void neighbours(int *d)
{
    const int i = threadIdx.x;
    const int next = d[i + 1];
    asm volatile("" ::: "memory");
    d[i] = d[i] + next; // the last reader that is known is the writer
}
__global__ void half(int *d)
{
    int v = threadIdx.x;
    if (v < 16)
        v = __shfl_down_sync(0xffffffff, v, 1);
    d[threadIdx.x] = v;
}
__global__ void late(int *d)
{
    if (blockIdx.x == 0)
        d[0] = 1;
    else
        d[d[0] ? 1 : 1 << 28] = 1;
}
__global__ void twice()
{
    int *p = (int *)malloc(16);
    free(p);
    free(p);
}

int main(int, char **argument)
{
    const char *way = argument[1];
    int *d;
    cudaMalloc(&d, 1024);
    cudaMemset(d, 0, 1024);
    if (!strcmp(way, "half"))
        half<<<1, 32>>>(d);
    else if (!strcmp(way, "late"))
        late<<<4, 1>>>(d);
    else if (!strcmp(way, "twice"))
        twice<<<1, 1>>>();
    else
        neighbours<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    if (!strcmp(way, "abort"))
        abort();
    if (!strcmp(way, "throw"))
        throw 1;
    if (!strcmp(way, "quick"))
        quick_exit(0);
    if (!strcmp(way, "close"))
        close(2);
    if (!strcmp(way, "frees"))
        cudaFree(d + 1), cudaFree(d + 2);
    cudaFree(d);
}
END
LD_PRELOAD='' "$nvcc" -std=c++17 -lineinfo -arch=sm_90 -cudart shared -o "$scratch/ends" "$scratch/ends.cu" \
    >"$scratch/log" 2>&1 || fail "ends: $(cat "$scratch/log")"
for way in abort throw; do
    checks 134 "[race/global" ends "$way"
    ! grep -q "leak/" "$scratch/err" || fail "$way: a leak of a program that was killed: $(cat "$scratch/err")"
done
checks 1 "[leak/device" ends quick
checks 1 "[race/global" ends close
checks 1 "     read by another thread of the warp, launch 1" ends close
checks 1 "[sync/mask, 16 times]" ends half
checks 1 "__ballot_sync(mask, condition)" ends half
checks 1 "which is freed already" ends twice
checks 1 "it fails under schedule" ends late --schedules 8 --tool race/schedule
checks 1 "[race/global" ends close --report /dev/full
checks 1 "" ends frees --tool memory
[ "$(grep -c 'memory/invalid-free' "$scratch/err")" -eq 2 ] || fail "two frees: $(cat "$scratch/err")"

checks 1 "" race_global last_block_without_fence --sarif "$scratch/a.sarif" --junit "$scratch/a.xml" \
    --report "$scratch/a.txt"
grep -q '"ruleId": "race/global"' "$scratch/a.sarif" || fail "SARIF without the race"
grep -q '<failure message="Race in global memory' "$scratch/a.xml" || fail "JUnit without the race"
grep -q 'race_global.cu:' "$scratch/a.txt" || fail "the report names no line"
