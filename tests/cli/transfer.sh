#!/usr/bin/env bash
# An H100 and an H200 made of facts of the product and of the other GPU's values: some programs of
# cuda/verify take about as many cycles as the GPU did.
. tests/tools/cli.sh

# The configurations are what the rules make of them, to the last byte.
for gpu in a10 a100 gtx1080 l4 rtx3090 rtx4090 rtx5090 t4 "b200 --all"; do
    # shellcheck disable=SC2086
    "$SIMSM" calibrate ${gpu} --from h200 -o "$scratch/same.yaml" >"$scratch/out" || fail "calibrate $gpu --from h200 fails"
    cmp "configs/${gpu% --all}.yaml" "$scratch/same.yaml" || fail "run: simsm calibrate $gpu --from h200"
done

if nm -D "$BUILD"/cuda/libcudart.so.13 2>/dev/null | grep -q __asan; then
    echo "skipped: programs without AddressSanitizer cannot load a library with it"
    exit 77
fi
unset LD_PRELOAD LD_LIBRARY_PATH

programs=(saxpy scan_blelloch softmax matmul_tiled16 histogram_shared stencil_2d)
cuda/verify/built "$scratch/built" "${programs[@]}" >"$scratch/log" 2>&1 || {
    grep -q "there is no nvcc" "$scratch/log" && exit 77
    fail "cuda/verify/built fails"
}

within() # PERCENT TARGET FROM DATA
{
    local mean
    cuda/verify/transfer -l -b "$scratch/built" "$SIMSM" "$2" "$3" "cuda/data/$4" "${programs[@]}" >"$scratch/out" ||
        fail "$2 from $3 fails"
    mean=$(awk '$1 ~ /^[0-9.]+$/ && $NF == "sm__cycles_elapsed.max" { print $1; exit }' "$scratch/out")
    awk -v mean="$mean" -v most="$1" 'BEGIN { exit !(mean > 0 && mean < most) }' ||
        fail "$2 from $3: the cycles are $mean % off, expected less than $1 %"
}

within 8 h100 h200 h100/2026-11-26
within 8 h200 h100 h200/2026-11-21

# An untrue reference would show: at half the clock the launch takes half the cycles.
sed 's/^  clock_mhz: 1980/  clock_mhz: 990/' configs/h100.yaml >"$scratch/h100.yaml"
"$SIMSM" calibrate "$scratch/h100.yaml" --from h200 --all >"$scratch/out" || fail "calibrate --from fails"
grep -q '^gpu.launch_cycles  *2642  *950 ' "$scratch/out" || fail "launch_cycles is not scaled"
grep -q 'launch_cycles: 950 .*\[transferred\] ns: h200 1899 at 1980 MHz' "$scratch/h100.yaml" || fail "it is not written"

refused() # WORDS ARGUMENTS
{
    "$SIMSM" calibrate "${@:2}" >"$scratch/out" 2>"$scratch/err" && fail "calibrate ${*:2} is accepted"
    grep -q -- "$1" "$scratch/err" || fail "calibrate ${*:2}: expected '$1'"
}

refused 'without --measure' h100 --from h200 --measure --data "$scratch"
refused 'needs it' h100 --all
refused 'h300' h100 --from h300
