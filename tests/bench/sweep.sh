#!/usr/bin/env bash
# What a sweep loses to anything but simulating.
#
#   sweep.sh SIMSM [POINTS [SECONDS [JOBS]]]     otherwise 60 points of 0.5 s, one job
#   sweep.sh --pack SIMSM FOLDER                 all that this needs, to be taken to another machine
#
# Processor time is what the jobs have: wall time x JOBS. What of it was simulation is found in two
# ways: by the seconds that the points themselves report, and by plain `simsm CONFIG TRACE` of a
# sample of them, as many at a time. The rest is lost: to planning, processes, the database, and to
# jobs that have nothing left to do at the end.
#
# The whole measurement, on a machine with 16 processors and nothing else to do, where neither a compiler
# nor simsm's libraries are needed:
#
#   tests/bench/sweep.sh --pack build/release/simsm folder
#   bash folder/sweep.sh folder/simsm 1000 1 16
set -euo pipefail
shopt -s inherit_errexit # also in $(...)
export LC_ALL=C # decimal points

here=$(cd "$(dirname "$0")" && pwd)
traces=$here/../../traces/bench
[ -d "$traces" ] || traces=$here/traces # packed

pack() # SIMSM FOLDER
{
    mkdir -p "$2/traces" "$2/lib"
    cp "$1" "$2/simsm.bin"
    cp "$here/sweep.sh" "$2/"
    cp "$traces"/*.trace "$2/traces/"
    "$1" t4 --dump-config="$2/t4.yaml"
    # The C library and its loader too: those of the other machine may be older.
    ldd "$1" | sed -nE 's/.* => (\/[^ ]*) .*/\1/p; s/^[[:space:]]*(\/[^ ]*) .*/\1/p' | xargs -I{} cp {} "$2/lib/"
    printf '#!/bin/sh\nhere=$(dirname "$0")\nexec "$here"/lib/ld-linux*.so.* --library-path "$here/lib" "$here/simsm.bin" "$@"\n' >"$2/simsm"
    chmod +x "$2/simsm"
}

if [ "${1:-}" = --pack ]; then
    [ $# -eq 3 ] || { echo "sweep: --pack SIMSM FOLDER is expected" >&2; exit 2; }
    pack "$2" "$3"
    exit
fi
[ $# -ge 1 ] && [ -x "$1" ] || { echo "sweep: which simsm? sweep.sh SIMSM [POINTS [SECONDS [JOBS]]]" >&2; exit 2; }

simsm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
points=${2:-60} seconds=${3:-0.5} jobs=${4:-1}
config=t4
[ ! -f "$here/t4.yaml" ] || config=$here/t4.yaml
kernels=(fma divergent mixed vecadd scatter)
scratch=${SWEEP_SCRATCH:-} # of the call that this one is part of
if [ -z "$scratch" ]; then
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
fi

calculate() # EXPRESSION
{
    awk "BEGIN { printf \"%.6f\", ($1) }"
}

# Prints the real seconds of a command.
time_of() # COMMAND...
{
    local begin=$EPOCHREALTIME
    "$@" >"$scratch/out" || { cat "$scratch/out" >&2; exit 1; }
    calculate "${EPOCHREALTIME} - $begin"
}

# Prints a value for `param n` of a kernel with which it takes about the wanted time.
length_of() # KERNEL
{
    local length=4 took
    for _ in 1 2 3 4 5 6 7 8; do
        took=$(time_of "$simsm" "$config" "$traces/$1.trace" --param "n=$length" --quiet)
        [ "$(calculate "$took > 0.7 * $seconds")" != 1.000000 ] || break
        length=$(awk -v now="$length" -v took="$took" -v want="$seconds" 'BEGIN {
            factor = want / took
            printf "%d", now * (factor > 8 ? 8 : factor) + 1
        }')
    done
    echo "$length"
}

# The spec: what varies changes the time of a point little, and makes a point of its own of each value.
write_spec()
{
    local kernel length
    printf 'configs: [%s]\nkernels:\n' "$config"
    for kernel in "${kernels[@]}"; do
        length=$(length_of "$kernel")
        printf '  - {trace: %s/%s.trace, param: {n: %s}}\n' "$traces" "$kernel" "$length"
    done
    printf 'vary: {dram.latency: 200:%d:1}\n' $((200 + each - 1))
}

# Memory that the process of the sweep itself has, in kB, a line now and then. Nothing is
# started for it but `sleep`: it is not to take time from what is measured.
watch_memory() # PROCESS
{
    local key value
    while [ -e "/proc/$1/status" ]; do
        while read -r key value _; do
            [ "$key" != VmRSS: ] || echo "$value"
        done <"/proc/$1/status"
        sleep 1
    done 2>/dev/null >"$scratch/memory"
}

# Prints the processor seconds of all that this shell had waited for when it called `times`.
processor_seconds()
{
    awk <"$scratch/times" 'NR == 2 { gsub("[ms]", " "); print 60 * $1 + $2 + 60 * $3 + $4 }'
}

# Point, seconds, processor seconds and peak memory of all points, a line each.
figures()
{
    "$simsm" results "$scratch/s.sqlite" --value sm__cycles_elapsed.max --csv - |
        awk -F, 'NR > 1 { print $2, $(NF - 2), $(NF - 1), $NF }'
}

# Runs a point by itself, prints its real seconds.
plain() # POINT
{
    local folder=$scratch/$1
    mkdir "$folder"
    "$simsm" results "$scratch/s.sqlite" --rerun "$1" | sed -n 's/^simsm point/point/p' >"$folder/words"
    "$simsm" results "$scratch/s.sqlite" --config "$1" >"$folder/point-$1.yaml"
    local words
    read -ra words <"$folder/words"
    cd "$folder"
    local begin=$EPOCHREALTIME
    "$simsm" "${words[@]}" --quiet
    calculate "${EPOCHREALTIME} - $begin"
    echo
}

if [ -n "${SWEEP_SCRATCH:-}" ]; then
    plain "$2"
    exit
fi

each=0 # points of a kernel
[[ ! $points =~ ^[1-9][0-9]{0,7}$ ]] || each=$((points / ${#kernels[@]}))
[ "$each" -gt 0 ] || { echo "sweep: POINTS: a number, at least ${#kernels[@]}, is expected, found '$points'" >&2; exit 2; }
points=$((each * ${#kernels[@]}))
write_spec >"$scratch/s.yaml"
echo "$points points of about $seconds s, $jobs at a time; $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(getconf _NPROCESSORS_ONLN) processors"

times >"$scratch/times"
processors=$(processor_seconds)
begin=$EPOCHREALTIME
"$simsm" sweep "$scratch/s.yaml" --jobs "$jobs" --quiet &
sweep=$!
watch_memory "$sweep" &
wait "$sweep"
wall=$(calculate "$EPOCHREALTIME - $begin")
times >"$scratch/times"
processors=$(calculate "$(processor_seconds) - $processors")
wait
figures >"$scratch/figures"
[ "$(wc -l <"$scratch/figures")" -eq "$points" ] || { echo "sweep: points are missing" >&2; exit 1; }

# The sample: spread over all, each job some of them.
sample=$((points / 20 + 3 * jobs + 5))
sample=$((sample < points ? sample : points))
awk -v every="$(calculate "$points / $sample")" 'NR > next_one { print; next_one += every }' "$scratch/figures" >"$scratch/sample"
cut -d' ' -f1 "$scratch/sample" |
    SWEEP_SCRATCH=$scratch xargs -P "$jobs" -n 1 bash "$0" "$simsm" >"$scratch/plain"

awk -v wall="$wall" -v jobs="$jobs" -v processors="$processors" -v plain="$(awk '{ s += $1 } END { print s }' "$scratch/plain")" \
    -v first="$(head -n 1 "$scratch/memory")" -v last="$(tail -n 1 "$scratch/memory")" '
    NR == FNR { sampled += $2; samples++; next }
    { sum += $2; cpu += $3; peak = $4 > peak ? $4 : peak }
    END {
        had = wall * jobs
        by_plain = sum / sampled * plain
        printf "wall time x jobs   %10.2f s\n", had
        printf "points, themselves %10.2f s  lost %.2f %%\n", sum, 100 * (1 - sum / had)
        printf "points, plain      %10.2f s  lost %.2f %%  (from %d of them: %.2f s, themselves %.2f s)\n", by_plain,
            100 * (1 - by_plain / had), samples, plain, sampled
        printf "processors used    %10.2f s, %.2f s of it by points, themselves: lost %.2f %%\n", processors, cpu,
            100 * (1 - cpu / processors)
        printf "memory             %10.1f MB of the sweep in the end, %.1f MB in the beginning; %.1f MB of a point at most\n",
            last / 1024, first / 1024, peak / 1048576
    }' "$scratch/sample" "$scratch/figures"
