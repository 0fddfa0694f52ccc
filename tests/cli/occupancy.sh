#!/usr/bin/env bash
# simsm occupancy: figures, files, refusals.
. tests/tools/cli.sh

# A small GPU of our own, so that the test does not depend on what is shipped: a T4's SM.
cat >"$scratch/gpu.yaml" <<'YAML'
gpu: {name: Test GPU, compute_capability: 7.5, sms: 40, clock_mhz: 1590}
sm:
  warp_slots: 32
  max_blocks: 16
  max_threads: 1024
  l1_shared_bytes: 98304
  shared_bytes: 65536
  shared_per_block_optin: 65536
  carveouts: [32768, 65536]
l2: {bytes: 4194304, slices: 32, latency: 188}
dram: {channels: 8, bandwidth_gbs: 320, latency: 500}
YAML

run() { "$SIMSM" occupancy "$scratch/gpu.yaml" "$@"; }

# has TEXT ARGUMENTS...: the output has a line with TEXT, runs of blanks counting as one.
has()
{
    local text=$1
    shift
    run "$@" >"$scratch/out" || fail "'$*' failed"
    tr -s ' ' <"$scratch/out" | grep -qF -- "$text" || fail "'$*' does not say '$text': $(cat "$scratch/out")"
}

kernel=(--threads 128 --regs 71 --smem 512)
has "occupancy 87.5 %: 28 of 32 warps per SM" "${kernel[@]}"
has "resident 7 blocks of 4 warps" "${kernel[@]}"
has "limited by registers" "${kernel[@]}"
has "> registers 7" "${kernel[@]}"
has "shared memory 128" "${kernel[@]}"
has "shared memory 64" "${kernel[@]}" --carveout 32KB
has "shared memory 64" "${kernel[@]}" --carveout 50%
has "registers per thread 71 -> 64 7 -> 8 blocks, 28 -> 32 warps (100 %)" "${kernel[@]}"
has "up to 72 registers per thread, 9 KiB" "${kernel[@]}"
has "shared memory 4" --threads 128 --regs 32 --smem 12KB --static 4096
has "the last warp of a block has 6 of its 32 lanes" --threads 70 --regs 16
has "best: 32 of 32 warps (100 %) with blocks of" --advise --regs 64
has "> 512 " --advise --regs 64
has "at most 64 registers per thread for 32 of 32 warps" --launch-bounds 256,4
has "= 2048 registers per warp" --launch-bounds 256,4

# The table of limits: alone with a configuration alone, 15 rows below a heading.
run >"$scratch/out"
[ "$(wc -l <"$scratch/out")" = 16 ] || fail "the property table has not 15 rows: $(cat "$scratch/out")"
has "most blocks per SM 16 blocks"
has "warp allocation granularity 4 warps"

# Three curves, unless they are not wanted; nothing wider than 100 columns; ASCII on demand.
run "${kernel[@]}" --advise --launch-bounds 256,4 >"$scratch/out"
[ "$(grep -c "this kernel: 28 warps" "$scratch/out")" = 3 ] || fail "there are not three curves"
[ "$(LC_ALL=C.UTF-8 wc -L <"$scratch/out")" -le 100 ] || fail "a line is wider than 100 columns"
run "${kernel[@]}" --advise --ascii | LC_ALL=C grep -q '[^ -~]' && fail "--ascii is not ASCII"
run "${kernel[@]}" --no-plot | grep -q "this kernel" && fail "--no-plot plots"

# Files: the current point once for each curve; the drawing has three panels; JSON holds together.
run "${kernel[@]}" --no-plot --advise --launch-bounds 256,4 \
    --csv "$scratch/c.csv" --svg "$scratch/c.svg" --json "$scratch/c.json" >"$scratch/out"
[ "$(grep -c ',1$' "$scratch/c.csv")" = 3 ] || fail "the CSV does not mark one point a curve"
grep -q '^threads_per_block,128,7,28,87.5,registers,1$' "$scratch/c.csv" || fail "wrong CSV"
grep -q '^threads_per_block,1024,0,0,0,registers,0$' "$scratch/c.csv" || fail "wrong CSV"
[ "$(wc -l <"$scratch/c.csv")" = $((1 + 32 + 255 + 257)) ] || fail "wrong number of CSV rows"
[ "$(grep -c 'class="title"' "$scratch/c.svg")" = 3 ] || fail "the SVG has not three panels"
grep -q '"blocks": 7' "$scratch/c.json" || fail "wrong JSON"
if command -v python3 >/dev/null; then
    python3 - "$scratch/c.json" "$scratch/c.svg" <<'PYTHON' || fail "JSON or SVG does not hold together"
import json, sys, xml.dom.minidom
answer = json.load(open(sys.argv[1]))
assert answer["occupancy"]["limits"] == {"warps": 8, "registers": 7, "shared_memory": 128, "blocks": 16}
assert answer["occupancy"]["limited_by"] == ["registers"]
assert answer["next_better"][0]["to"] == 64
assert answer["launch_bounds"]["registers_per_thread"] == 64
assert [s["threads_per_block"] for s in answer["block_sizes"] if s["best"]] == [64, 128, 224, 448, 896]
xml.dom.minidom.parse(sys.argv[2])
PYTHON
fi

# shipped CONFIG THREADS REGISTERS BYTES BLOCKS WARPS LIMITERS: kernels worked out by hand.
shipped()
{
    "$SIMSM" occupancy "configs/$1.yaml" --threads "$2" --regs "$3" --smem "$4" >"$scratch/out" ||
        fail "configs/$1.yaml failed"
    tr -s ' ' <"$scratch/out" | grep -q "resident $5 block" || fail "$*: $(cat "$scratch/out")"
    grep -q ": $6 of " "$scratch/out" || fail "$*: $(cat "$scratch/out")"
    grep -q "limited by  $7\$" "$scratch/out" || fail "$*: $(cat "$scratch/out")"
    [ "$(LC_ALL=C.UTF-8 wc -L <"$scratch/out")" -le 100 ] || fail "$1: a line is wider than 100 columns"
}
shipped t4 128 71 512 7 28 registers
shipped t4 32 16 0 16 16 blocks
shipped gtx1080 1024 39 0 1 32 registers
shipped gtx1080 512 39 0 3 48 registers
shipped gtx1080 768 39 0 2 48 "warps and registers"
shipped rtx4090 70 16 0 16 48 warps
shipped rtx4090 32 16 0 24 24 blocks
shipped rtx4090 256 16 0 6 48 warps
shipped rtx4090 160 16 0 9 45 warps
shipped rtx4090 128 51 0 9 36 registers
shipped rtx4090 128 90 0 5 20 registers
shipped rtx4090 128 16 5000 12 48 warps
shipped a100 256 40 8192 6 48 registers
for gpu in h100 h200; do
    shipped $gpu 128 40 8192 12 48 registers
    shipped $gpu 256 32 0 8 64 "warps and registers"
    shipped $gpu 1024 20 8448 2 64 "warps and registers"
done

# refused TEXT ARGUMENTS...: exit status 2, TEXT on stderr, nothing on stdout, no file.
refused()
{
    local text=$1 status=0
    shift
    rm -f "$scratch/no.csv"
    run "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" = 2 ] || fail "'$*' ended with $status"
    grep -qF -- "$text" "$scratch/err" || fail "'$*' does not say '$text': $(cat "$scratch/err")"
    [ ! -s "$scratch/out" ] || fail "'$*' printed something"
    [ ! -e "$scratch/no.csv" ] || fail "'$*' left a file"
}

refused "expected a whole number from 1" --threads 0 --regs 16
refused "found '12x'" --threads 12x --regs 16
refused "found '-5'" --threads -5 --regs 16
refused "found '99999999999999999999'" --threads 99999999999999999999 --regs 16
refused "--threads needs --regs" --threads 128
refused "--regs needs --threads" --regs 16
refused "--smem needs --threads" --smem 16
refused "--csv needs --threads" --csv "$scratch/no.csv"
refused "'99999999999999' is too large" --threads 128 --regs 16 --smem 99999999999999
refused "found '12MB'" --threads 128 --regs 16 --smem 12MB
refused "found '101%'" --threads 128 --regs 16 --carveout 101%
refused "found '%'" --threads 128 --regs 16 --carveout %
refused "at most 65536" --threads 128 --regs 16 --carveout 100KB
refused "THREADS,BLOCKS" --launch-bounds 256
refused "holds 4 at most" --launch-bounds 256,5
refused "this is 32 too many" --threads 1056 --regs 16 --csv "$scratch/no.csv"
refused "this is 8192 too many" --threads 1024 --regs 65
refused "the most is 255" --threads 32 --regs 256
refused "the most is 255" --advise --regs 256
refused "at most 49152 bytes of static shared memory" --threads 32 --regs 16 --static 49153
refused "the most is 65536" --threads 32 --regs 16 --smem 64KB --static 1
refused "is a directory" --threads 32 --regs 16 --csv "$scratch"
status=0
"$SIMSM" occupancy 2>"$scratch/err" || status=$?
[ "$status" = 2 ] || fail "no configuration: ended with $status"
grep -q "name a configuration" "$scratch/err" || fail "no configuration: $(cat "$scratch/err")"
status=0
run "${kernel[@]}" >/dev/full 2>"$scratch/err" || status=$?
[ "$status" = 1 ] || fail "a full disk: ended with $status"
