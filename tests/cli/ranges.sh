#!/usr/bin/env bash
# NVTX ranges and cudaProfilerStart divide the report of a program: NVTX 3 as headers, and the functions
# of libnvToolsExt.so.1.
. tests/tools/cli.sh
. tests/tools/programs.sh

# Each function of NVIDIA's library is there: a program that is bound at once must start.
nm -D --defined-only "$BUILD/cuda/libnvToolsExt.so.1" | sed -n 's/.* T //p' | sort >"$scratch/functions"
[ "$(grep -c '^nvtx' "$scratch/functions")" -eq 64 ] || fail "functions: $(cat "$scratch/functions")"
allow_sanitizer

# The old library, linked to a program that uses no CUDA: what its functions return.
cat >"$scratch/old.c" <<'TEXT'
#include <stdint.h>
#include <stdio.h>
int nvtxRangePushA(const char *name), nvtxRangePop(void);
uint64_t nvtxRangeStartA(const char *name);
void nvtxRangeEnd(uint64_t range), nvtxMarkA(const char *name), nvtxNameOsThreadA(uint32_t id, const char *name);
int main(void)
{
    nvtxMarkA("mark");
    nvtxNameOsThreadA(1, "main");
    const int outer = nvtxRangePushA("a"), inner = nvtxRangePushA("b");
    nvtxRangeEnd(nvtxRangeStartA("c"));
    const int first = nvtxRangePop(), second = nvtxRangePop();
    printf("%d %d %d %d %d\n", outer, inner, first, second, nvtxRangePop());
    return 0;
}
TEXT
LD_PRELOAD='' "${CC:-cc}" -o "$scratch/old" "$scratch/old.c" -Wl,-z,now "$BUILD/cuda/libnvToolsExt.so.1"
"$SIMSM" run t4 --any -- "$scratch/old" >"$scratch/out" 2>"$scratch/err" || fail "the old library"
[ "$(cat "$scratch/out")" = "0 1 1 0 -1" ] || fail "levels of ranges"

# Python reads what fits PyTorch to the device, and then its own sitecustomize, as without.
mkdir "$scratch/python"
echo 'print("mine")' >"$scratch/python/sitecustomize.py"
PYTHONPATH=$scratch/python "$SIMSM" run t4 --any --quiet -- python3 -c \
    'import sys; print(any(type(finder).__name__ == "AfterImport" for finder in sys.meta_path))' \
    >"$scratch/out" 2>"$scratch/err" || fail "Python"
[ "$(cat "$scratch/out")" = "mine
True" ] || fail "Python: other files were read"

# A Python program that Ctrl-C ends has its report.
status=0
"$SIMSM" run t4 --any -- python3 -c 'import ctypes, os, signal, time
context = ctypes.c_void_p()
driver = ctypes.CDLL("libcuda.so.1")
assert driver.cuInit(0) == 0 and driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert driver.cuCtxSetCurrent(context) == 0 and driver.cuCtxSynchronize() == 0
os.kill(os.getpid(), signal.SIGINT)
time.sleep(60)' >"$scratch/out" 2>"$scratch/err" || status=$?
[ $status -eq 130 ] && grep -q 'launched no kernel' "$scratch/err" ||
    fail "interrupted Python: $status: $(cat "$scratch/err")"

# A measurement of Triton calls what it measures twice, and once where no launch is timed.
mkdir "$scratch/python/triton"
touch "$scratch/python/triton/__init__.py"
cat >"$scratch/python/triton/testing.py" <<'TEXT'
class Event:
    def __init__(self, enable_timing):
        self.record = lambda: None

    def elapsed_time(self, _end):
        return 0.5


class runtime:
    class driver:
        class active:
            @staticmethod
            def get_device_interface():
                return active_interface


class active_interface:
    Event = Event
    synchronize = staticmethod(lambda: None)


def _summarize_statistics(times, _quantiles, _mode):
    return times
TEXT
for options in --functional --repeats; do
    PYTHONPATH=$scratch/python "$SIMSM" run t4 --any --quiet $options -- python3 -c '
from triton.testing import do_bench
calls = []
print(do_bench(lambda: calls.append(1)), len(calls))' >"$scratch/out" 2>"$scratch/err" || fail "Triton $options"
    cat "$scratch/out" >>"$scratch/measured"
done
[ "$(cat "$scratch/measured")" = "mine
[0.5] 1
mine
[0.5] 2" ] || fail "measurements: $(cat "$scratch/measured")"

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "there is no nvcc: no programs were compiled"; exit 77; }
LD_PRELOAD='' "$nvcc" -arch=sm_75 -cudart shared -o "$scratch/ranges" tests/data/cuda/ranges.cu >"$scratch/log" 2>&1 || {
    grep -q 'nvtx3' "$scratch/log" || fail "ranges: $(cat "$scratch/log")"
    echo "this toolkit has no NVTX 3: no programs were compiled"
    exit 77
}
cat >"$scratch/expected" <<'TEXT'
1,
2,step
3,step/wéite 😀
4,
5,layers:mlp
6,inner
7,step
8,step/wéite 😀
9,
10,layers:mlp
11,inner
12,cudaProfilerStart/a/b, "quoted"
13,
TEXT
for options in --repeats --concurrent; do
    "$SIMSM" run t4 $options --table "$scratch/table.csv" --json "$scratch/all.jsonl" -- "$scratch/ranges" \
        >"$scratch/out" 2>"$scratch/err" || fail "ranges $options"
    grep -qx 'PASS ranges' "$scratch/out" || fail "ranges $options"
    grep '^[0-9]*,kernel,' "$scratch/table.csv" | sort -n |
        sed -E 's/^([0-9]+),kernel,.*,,(.*)$/\1,\2/; s/,"(.*)"$/,\1/; s/""/"/g' >"$scratch/found"
    diff "$scratch/expected" "$scratch/found" >"$scratch/out" || fail "$options: the ranges of launches"
    [ "$(grep -c '"range": "step/w' "$scratch/all.jsonl")" -eq 2 ] || fail "$options: no ranges in JSON"
    # A range has its passes, and what is in it below it.
    awk '/^  step / && $2 == 2 { step = NR }
        /^    first +1 +64 +2 / && step == NR - 1 { in_step = NR }
        /^    wéite 😀 +2 / { nested = NR }
        /^      second +1 +64 +2 / && nested == NR - 1 { in_nested = NR }
        /^  \(outside of ranges\) +4 / { outside = NR }
        END { exit !(step && in_step + nested && in_nested && outside) }' "$scratch/err" || fail "$options: the table"
    grep -qE '^  cudaProfilerStart +1 ' "$scratch/err" || fail "$options: no range of the profiler"
done
