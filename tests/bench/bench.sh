#!/usr/bin/env bash
# How fast simsm simulates, and in how much memory: `./dev bench [--quick] [--out FILE]`.
#
#   bench.sh BUILD [--quick] [--out FILE]
#
# Each kernel of traces/bench is made long enough for five seconds, by its `param`, and simulated on
# a T4 and an H200, three times on one core without a timeline and three times with one, the two in
# turn. Before each round the yardstick is timed: a fixed loop of dependent integer steps.
# `steps/inst`, the steps that the machine could have done in the time of one simulated warp
# instruction, compares between machines and moments; the other figures are of this machine alone.
# FILE (BUILD/bench.csv) gets a row for each kernel and GPU, and what has changed since the last run
# on the same processor is said (compare.awk). Then the speed of machine code (kernels/): executed,
# executed and timed, and replayed from a recording; that of matrix products; and that of packing
# streams. --quick runs a tenth of a second once, and keeps no rows unless it gets a FILE.
set -euo pipefail

build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
kernels=(fma divergent mixed vecadd scatter)
gpus=(t4 h200)
rounds=3 seconds=5 steps=1000000000 out=$build/bench.csv
while [ $# -gt 0 ]; do
    case $1 in
    --quick) rounds=1 seconds=0.1 steps=100000000
        [ "$out" != "$build/bench.csv" ] || out= ;;
    --out) out=${2:?--out takes a file}
        shift ;;
    *) echo "bench: unknown argument: $1 (there are --quick and --out FILE)" >&2
        exit 2 ;;
    esac
    shift
done
date=$(date -u +%Y-%m-%dT%H:%M:%SZ)
version=$("$build/simsm" --version | head -n 1)
git -C "$root" rev-parse --git-dir >/dev/null 2>&1 && version="$version $(git -C "$root" describe --always --dirty)"
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1 | tr ',' ' ')

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints the middle one of the numbers given.
median()
{
    printf '%s\n' "$@" | sort -g | sed -n "$((($# + 1) / 2))p"
}

calculate() # EXPRESSION
{
    awk "BEGIN { printf \"%.12g\", ($1) }"
}

# Prints the length that a trace of traces/bench has by itself: its param n.
length_of() # TRACE
{
    sed -nE 's/^ *param +n *=? *([0-9]+).*/\1/p' "$1"
}

# Writes a kernel with another length.
stretch() # KERNEL LENGTH
{
    sed -E "s/^( *param +n *=? *)[0-9]+/\1$2/" "$root/traces/bench/$1.trace" >"$scratch/$1.trace"
}

# Simulates a kernel; prints warp instructions, CPU seconds, peak memory in kB.
simulate() # GPU KERNEL [OPTION...]
{
    "$build/tests/bench/bench_measure" "$scratch/run.json" "$build/simsm" "$root/configs/$1.yaml" \
        "$scratch/$2.trace" --memory full --json "$scratch/run.json" "${@:3}"
}

# Finds a length that takes at least the wanted time, from below: a short run tells little of a
# long one, so each step is bounded.
make_long() # GPU KERNEL
{
    local length took
    length=$(length_of "$root/traces/bench/$2.trace")
    [ -n "$length" ] || { echo "bench: traces/bench/$2.trace has no 'param n'" >&2; exit 1; }
    length=$(calculate "int($length / 100) + 1")
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        stretch "$2" "$length"
        took=$(simulate "$1" "$2" | cut -d' ' -f2)
        [ "$(calculate "$took >= $seconds")" -eq 0 ] || return 0
        length=$(awk -v now="$length" -v took="$took" -v want="$seconds" 'BEGIN {
            factor = took < 0.01 ? 10 : 1.15 * want / took
            printf "%d", now * (factor > 20 ? 20 : factor) + 1
        }')
    done
    echo "bench: traces/bench/$2.trace does not get longer with its param" >&2
    exit 1
}

# How far apart the rounds are, in percent of the middle one; nothing for a single round.
spread() # NUMBER...
{
    [ $# -lt 2 ] ||
        printf '%s\n' "$@" | sort -g | awk -v middle="$(median "$@")" '
            NR == 1 { least = $1 }
            { most = $1 }
            END { printf "%.1f", 100 * (most - least) / middle }'
}

keep_row() # GPU KERNEL YARDSTICK INSTRUCTIONS SECONDS STEPS NOISE KILOBYTES TIMELINE
{
    [ -n "$out" ] || return 0
    [ -s "$out" ] || echo "date,version,processor,rounds,gpu,kernel,yardstick_ns,minst_per_second,\
steps_per_inst,noise_percent,peak_mb,timeline_factor" >>"$out"
    awk -v head="$date,$version,$processor,$rounds,$1,$2" -v loop="$3" -v steps="$steps" -v inst="$4" \
        -v plain="$5" -v cost="$6" -v noise="$7" -v memory="$8" -v timeline="$9" 'BEGIN {
            printf "%s,%.4f,%.4f,%.3f,%s,%.1f,%.3f\n", head, loop / steps * 1e9, inst / plain / 1e6, cost,
                noise, memory / 1024, timeline / plain
        }' >>"$out"
}

bench() # GPU KERNEL
{
    local loops=() plain=() cost=() timeline=() memory=()
    local line loop instructions time kilobytes noise
    make_long "$1" "$2"
    for ((round = 0; round < rounds; round++)); do
        line=$("$build/tests/bench/bench_loop" "$steps")
        loop=${line% *}
        line=$(simulate "$1" "$2")
        read -r instructions time kilobytes <<<"$line"
        loops+=("$loop")
        plain+=("$time")
        cost+=("$(calculate "$time / $instructions / ($loop / $steps)")")
        memory+=("$kilobytes")
        line=$(simulate "$1" "$2" --timeline "$scratch/run.smtl")
        read -r _ time _ <<<"$line"
        timeline+=("$time")
    done
    noise=$(spread "${cost[@]}")
    set -- "$1" "$2" "$(median "${loops[@]}")" "$instructions" "$(median "${plain[@]}")" \
        "$(median "${cost[@]}")" "$noise" "$(median "${memory[@]}")" "$(median "${timeline[@]}")"
    awk -v gpu="$1" -v kernel="$2" -v inst="$4" -v plain="$5" -v cost="$6" -v noise="${7:-?}" \
        -v memory="$8" -v timeline="$9" 'BEGIN {
            printf "%-6s %-10s %12.1f %9.2f %14.2f %11.1f %8s %9.1f %12.3f\n", gpu, kernel, inst / 1e6, plain,
                inst / plain / 1e6, cost, noise, memory / 1024, timeline / plain
        }'
    keep_row "$@"
}

echo "machine: $processor"
printf '%-6s %-10s %12s %9s %14s %11s %8s %9s %12s\n' GPU kernel 'M warp inst' seconds 'M inst/second' \
    steps/inst '+- %' 'peak MB' 'timeline x'
for gpu in "${gpus[@]}"; do
    for kernel in "${kernels[@]}"; do
        bench "$gpu" "$kernel"
    done
done
printf '%s\n' "seconds: CPU time of one core, median of $rounds; steps/inst: steps of the fixed loop in the time" \
    "of one warp instruction; +-: how far apart the rounds are in it; timeline x: time with --timeline of all" \
    "SMs / time without"
if [ -n "$out" ]; then
    awk -f "$here/compare.awk" "$out"
    echo "rows of all runs: $out"
fi

# Prints CPU seconds of a command that runs the kernel of which run.json has the instructions.
cpu_seconds() # COMMAND...
{
    "$build/tests/bench/bench_measure" "$scratch/run.json" "$@" | cut -d' ' -f2
}

# Machine code: executed alone, executed and timed, and its recording timed.
bench_code() # GPU ARCH KERNEL STEPS
{
    local kernel=$3 executed=() timed=() replayed=() instructions
    local launch=("$here/kernels/kernels.sm_$2.cubin" --param "launch=$here/kernels/$3.yaml" --param "n=$4")
    local run=("$build/simsm" "$root/configs/$1.yaml")
    "${run[0]}" record "${run[1]}" "${launch[@]}" -o "$scratch/$kernel.smtr" --quiet
    "${run[@]}" "${launch[@]}" --quiet --json "$scratch/run.json"
    instructions=$("$build/tests/bench/bench_measure" "$scratch/run.json" /bin/true | cut -d' ' -f1)
    for ((round = 0; round < rounds; round++)); do
        executed+=("$(cpu_seconds "${run[@]}" "${launch[0]}" --launch "$here/kernels/$kernel.yaml" \
            --param "n=$4" --functional --quiet)")
        timed+=("$(cpu_seconds "${run[@]}" "${launch[@]}" --quiet)")
        replayed+=("$(cpu_seconds "${run[@]}" "$scratch/$kernel.smtr" --quiet)")
    done
    awk -v gpu="$1" -v kernel="$kernel" -v inst="$instructions" -v executed="$(median "${executed[@]}")" \
        -v timed="$(median "${timed[@]}")" -v replayed="$(median "${replayed[@]}")" \
        -v bytes="$(wc -c <"$scratch/$kernel.smtr")" 'BEGIN {
            printf "%-6s %-12s %12.1f %14.2f %14.2f %14.2f %12.3f %12.4f\n", gpu, kernel, inst / 1e6,
                inst / executed / 1e6, inst / timed / 1e6, inst / replayed / 1e6, timed / replayed,
                bytes / inst
        }'
}

printf '\n%-6s %-12s %12s %14s %14s %14s %12s %12s\n' GPU 'machine code' 'M warp inst' 'M executed/s' \
    'M timed/s' 'M replayed/s' 'timed x' 'bytes/inst'
while read -r gpu arch name length; do
    bench_code "$gpu" "$arch" "$name" "$(calculate "int($length * $seconds / 5) + 1")"
done <<'END'
t4 75 float_loop 4000
t4 75 integer_loop 4000
t4 75 copy 10000000
h200 90 float_loop 4000
h200 90 integer_loop 4000
h200 90 product 1000
h200 90 scatter 100
h200 90 atomics 200
h200 90 queue 200000
h200 90 pipeline 1500
END
printf '%s\n' "executed: without timing; timed x: time of executing and timing / time of timing the recording"

# Matrix products: executed alone, executed and timed.
bench_matrix() # KERNEL MULTIPLY-ADDS TURNS: of a warp in a product; of 4 products
{
    local executed=() timed=()
    printf '%s\n' "kernel: $1" "grid: 132" "block: 128" "buffers: {out: {count: 67584, type: u32}}" \
        "arguments: [{buffer: out}, {i32: $3, name: n}]" >"$scratch/$1.yaml"
    local run=("$build/simsm" "$root/configs/h200.yaml" "$here/kernels/matrix.sm_90a.cubin" \
        --launch "$scratch/$1.yaml" --quiet)
    for ((round = 0; round < rounds; round++)); do
        executed+=("$(cpu_seconds "${run[@]}" --functional)")
        timed+=("$(cpu_seconds "${run[@]}")")
    done
    awk -v kernel="$1" -v adds="$(calculate "132 * 4 * 4 * $2 * $3 / 1e9")" \
        -v executed="$(median "${executed[@]}")" -v timed="$(median "${timed[@]}")" 'BEGIN {
            printf "%-12s %12.3f %14.2f %14.2f %12.3f\n", kernel, adds, adds / executed, adds / timed, timed / executed
        }'
}

printf '\n%-12s %12s %14s %14s %12s\n' 'products' 'G mul-adds' 'G executed/s' 'G timed/s' 'timed x'
while read -r name adds turns; do
    bench_matrix "$name" "$adds" "$(calculate "int($turns * $seconds / 5) + 1")"
done <<'END'
mma_f16 2048 600
mma_bf16 2048 600
mma_tf32 1024 600
mma_s8 4096 600
mma_b1 32768 600
wgmma_f16 32768 60
wgmma_bf16 32768 60
wgmma_tf32 16384 60
wgmma_e4m3 65536 60
wgmma_s8 65536 60
wgmma_b1 524288 60
END
printf '%s\n' "executed: without timing; timed x: time of executing and timing / time of executing"
printf '\n%-10s %10s %14s %16s\n' streams bytes/inst 'M packed/s' 'M unpacked/s'
"$build/tests/bench/bench_streams" "$(calculate "$seconds / 5")" "$root"/traces/bench/*.trace

# The viewer: one SM of a long run, some ten million state changes.
if [ -x "$build/tests/bench/bench_frames" ]; then
    sed -E "s/^( *param +n *=? *)[0-9]+/\1$(calculate "int(57 * $seconds / 5) + 1")/" \
        "$root/traces/bench/mixed.trace" >"$scratch/view.trace"
    "$build/simsm" "$root/configs/t4.yaml" "$scratch/view.trace" --sms 2 --timeline-sm 0 \
        --timeline "$scratch/view.smtl" --quiet
    line=$("$build/tests/bench/bench_frames" "$scratch/view.smtl")
    printf '\n%-10s %12s %12s\n' viewer 'mean ms' 'worst ms'
    for entry in $line; do
        case $entry in
        *:*/*) times=${entry#*:}
            printf '%-10s %12s %12s\n' "${entry%%:*}" "${times%/*}" "${times#*/}" ;;
        esac
    done
    awk -v line="$line" -v bytes="$(wc -c <"$scratch/view.smtl")" 'BEGIN {
        n = split(line, field, " ")
        printf "%.1f M state changes in %.1f MB, %.2f bytes each; first whole picture after %d ms; peak %d MB\n",
            field[1] / 1e6, bytes / 1e6, bytes / field[1], field[2], field[n]
    }'
    printf '%s\n' "CPU time of a frame of 1920 x 1080 on each screen, in a flight from the whole run to single cycles and back"
fi
