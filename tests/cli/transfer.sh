#!/usr/bin/env bash
# An H100 and an H200 made of facts of the product and of the other GPU's values: some programs of
# cuda/verify take about as many cycles as the GPU did.
. tests/tools/cli.sh

# The configurations are what the rules make of them, to the last byte.
cp -r configs "$scratch/configs"
for gpu in a10 a100 gtx1080 l4 rtx3090 rtx4090 rtx5090 t4 "b200 --all"; do
    file=configs/${gpu% --all}.yaml
    # shellcheck disable=SC2086
    "$SIMSM" calibrate "$scratch/$file" ${gpu#"${gpu% --all}"} --from h200 >"$scratch/out" || fail "calibrate $gpu --from h200 fails"
    cmp "$file" "$scratch/$file" || fail "run: simsm calibrate $gpu --from h200"
done
grep -q '^values that change: 0, that stay: [1-9]' "$scratch/out" || fail "no count of values"
[ "$(wc -l <"$scratch/out")" = 2 ] || fail "values that stay are shown"

refused() # WORDS ARGUMENTS
{
    local status=0
    "$SIMSM" calibrate "${@:2}" -o "$scratch/none.yaml" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" = 2 ] || fail "calibrate ${*:2}: status $status instead of 2"
    grep -qF -- "$1" "$scratch/err" || fail "calibrate ${*:2}: expected '$1'"
    [ ! -e "$scratch/none.yaml" ] || fail "calibrate ${*:2} writes a file"
}

refused 'leave out --measure' h100 --from h200 --measure --data "$scratch"
refused '--all belongs to --from' h100 --all
refused 'h300' h100 --from h300
refused 'configs/gtx1080.yaml: --from takes values of a GPU that was measured, but gpu.timing of this configuration is published' h100 --from gtx1080
refused 'is transferred; name one' t4 --from a100 --all
printf 'base: %s\nl2: {latency: 300}\n' "$PWD/configs/h200.yaml" >"$scratch/derived.yaml"
refused 'is changed; name one' t4 --from "$scratch/derived.yaml"
refused '--from names the configuration that is to be changed' h100 --from ./configs/h100.yaml

# Clocks that nothing fits to: the message names the file, the rule and the key to look at.
sed 's/^  clock_mhz: 1980/  clock_mhz: 100000/' configs/h100.yaml >"$scratch/fast.yaml"
refused "$scratch/fast.yaml: l2.latency is scaled by gpu.clock_mhz (ns: h200 283 at 1980 MHz): 14293 is above" \
    "$scratch/fast.yaml" --from h200 --all
sed 's/^  clock_mhz: 1980/  clock_mhz: 100/' configs/h100.yaml >"$scratch/slow.yaml"
refused "$scratch/slow.yaml: l2.latency: 14 must be above" "$scratch/slow.yaml" --from h200 --all

# In another folder a file keeps its base, and with --all it says what it is.
"$SIMSM" calibrate b200 --from h200 -o "$scratch/elsewhere.yaml" >"$scratch/out" || fail "calibrate b200 -o fails"
"$SIMSM" config show "$scratch/elsewhere.yaml" >"$scratch/shown" || fail "a base is lost"
"$SIMSM" config show b200 | diff - "$scratch/shown" || fail "another base"
"$SIMSM" calibrate h100 --from h200 --all -o "$scratch/all.yaml" >"$scratch/out" || fail "calibrate h100 --all fails"
"$SIMSM" config show "$scratch/all.yaml" gpu.timing | grep -q transferred || fail "gpu.timing is not transferred"

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
grep -q '^gpu.launch_cycles  *2639  *950 ' "$scratch/out" || fail "launch_cycles is not scaled"
grep -q 'launch_cycles: 950 .*\[transferred\] ns: h200 1899 at 1980 MHz' "$scratch/h100.yaml" || fail "it is not written"
