#!/usr/bin/env bash
# Where the time of a simulation goes: `./dev bench --profile KERNEL [GPU]`.
#
#   profile.sh BUILD KERNEL [GPU]
#
# KERNEL is one of traces/bench, GPU a configuration (t4). BUILD has line numbers. Two tables by group
# of files (groups.awk): the time, as perf samples it, of the kernel as it is; and instructions and
# cache misses of a tenth of it, as valgrind's cachegrind counts them in a model of this processor's
# caches. Each is left out where its tool does not work.
set -euo pipefail

build=$1 kernel=${2:-} gpu=${3:-t4}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
trace=$root/traces/bench/$kernel.trace config=$root/configs/$gpu.yaml
for file in "$trace" "$config"; do
    [ -f "$file" ] || { echo "bench: --profile KERNEL [GPU]: there is no $file" >&2; exit 2; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Where samples are: addresses in the program's file, each with its file of the source, inlined or not.
time_by_file()
{
    local map address offset hits
    map=$(perf script -i "$scratch/perf.data" --show-mmap-events 2>/dev/null |
        sed -nE "s|.*MMAP2.*\[(0x[0-9a-f]+)\(.*\) @ ([0-9a-fx]+) .* r-xp $build/simsm.*|\1 \2|p" | head -n 1)
    read -r address offset <<<"$map"
    perf script -i "$scratch/perf.data" -F ip 2>/dev/null | sort | uniq -c | while read -r hits ip; do
        printf '%d 0x%x\n' "$hits" $((16#$ip - address + offset))
    done >"$scratch/hits"
    cut -d' ' -f2 "$scratch/hits" | addr2line -e "$build/simsm" | sed 's/:.*//' |
        paste -d' ' <(cut -d' ' -f1 "$scratch/hits") -
}

if perf record -q -F 997 -o "$scratch/perf.data" "$build/simsm" "$config" "$trace" --quiet 2>/dev/null; then
    echo "$kernel on $gpu: time"
    time_by_file | awk -f "$here/groups.awk"
else
    echo "bench: no times: perf does not work here" >&2
fi

# cachegrind's file has lines of counts below the file of each: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw.
misses_by_file()
{
    awk '$1 ~ /^f[lie]=/ { file = substr($0, 4) }
        /^[0-9]/ { ir[file] += $2; near[file] += $6 + $9; far[file] += $7 + $10 }
        END { for (file in ir) print ir[file], near[file], far[file], file }' "$scratch/grind"
}

length=$(sed -nE 's/^ *param +n *=? *([0-9]+).*/\1/p' "$trace")
if command -v valgrind >/dev/null && valgrind --tool=cachegrind --cache-sim=yes \
    --cachegrind-out-file="$scratch/grind" "$build/simsm" "$config" "$trace" --quiet \
    --param "n=$((length / 10 + 1))" 2>"$scratch/log"; then
    printf '%s: %-10s %10s %10s\n' "$kernel on $gpu" instr. 'L1 misses' 'LL misses'
    misses_by_file | awk -f "$here/groups.awk"
    sed -nE 's/^==[0-9]+== ((I +refs|D1 +misses|LLd misses|D refs|D1  miss rate|LLd miss rate):.*)/\1/p' "$scratch/log"
else
    echo "bench: no misses: valgrind does not work here" >&2
fi
