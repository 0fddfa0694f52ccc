#!/usr/bin/env bash
# libnvidia-ml.so.1: what it exports, and what it tells of the simulated GPU.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. tests/tools/programs.sh

fail()
{
    echo "$*"
    exit 1
}

if nm -D --defined-only "$BUILD/cuda/libnvidia-ml.so.1" | awk '$2 ~ /[TW]/ { print $3 }' | grep -v '^nvml[A-Z]'; then
    fail "libnvidia-ml.so.1 exports more than NVML"
fi
LD_PRELOAD='' "${CC:-cc}" -o "$scratch/nvml" -Wl,--allow-shlib-undefined tests/data/cuda/nvml.c \
    "$BUILD/cuda/libnvidia-ml.so.1" "$BUILD/cuda/libcuda.so.1"
allow_sanitizer
"$SIMSM" run t4 --quiet --device-memory 1GiB -- "$scratch/nvml" >"$scratch/out" 2>"$scratch/err" ||
    fail "nvml: $(cat "$scratch/out" "$scratch/err")"
[ "$(cat "$scratch/out")" = "PASS nvml" ] || fail "nvml: $(cat "$scratch/out" "$scratch/err")"

# Without simsm run there is no GPU.
cat >"$scratch/none.c" <<'C'
int nvmlInit_v2(void);
int main(void) { return nvmlInit_v2(); }
C
LD_PRELOAD='' "${CC:-cc}" -o "$scratch/none" -Wl,--allow-shlib-undefined "$scratch/none.c" "$BUILD/cuda/libnvidia-ml.so.1"
status=0
LD_LIBRARY_PATH=$BUILD/cuda "$scratch/none" 2>"$scratch/err" || status=$?
{ [ "$status" -eq 9 ] && grep -q 'which GPU?' "$scratch/err"; } || fail "no GPU: status $status: $(cat "$scratch/err")"
