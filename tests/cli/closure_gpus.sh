#!/usr/bin/env bash
# The shipped configurations beside what is known of their GPUs: no point is off that is not listed, and
# none is listed that has become good (docs/calibration.md). `simsm closure GPU --write-known` writes the
# lists anew.
. tests/tools/cli.sh

for data in cuda/data/*/published.csv cuda/data/*/*/calib.csv; do
    [ -e "$data" ] || continue
    gpu=${data#cuda/data/}
    gpu=${gpu%%/*}
    "$SIMSM" closure "configs/$gpu.yaml" --data "${data%/*}" --quick --off >"$scratch/out" ||
        fail "simsm closure $gpu --data ${data%/*} --quick --off"
    grep -qE '^judged +[1-9]' "$scratch/out" || fail "no point of $data was compared"
done
