#!/usr/bin/env bash
# The tables of docs/metrics.md are those that the program runs on.
. tests/tools/cli.sh

"$SIMSM" metrics --markdown >"$scratch/printed"
sed -n '/^<!-- tables: begin -->$/,/^<!-- tables: end -->$/p' docs/metrics.md | sed '1d;$d' \
    >"$scratch/committed"
if ! diff -u "$scratch/committed" "$scratch/printed"; then
    echo "docs/metrics.md is out of date: replace its tables by 'simsm metrics --markdown'"
    exit 1
fi

# The list for people has the same figures.
"$SIMSM" metrics >"$scratch/list"
for name in smsp__inst_executed.sum gpu__time_duration.sum simsm__tail.pct; do
    grep -q "^$name \[" "$scratch/list" || { echo "simsm metrics does not list $name"; exit 1; }
done

# An argument that means nothing is refused.
if "$SIMSM" metrics surplus >/dev/null 2>"$scratch/said"; then
    echo "simsm metrics accepts an argument that means nothing"
    exit 1
fi
grep -q "surplus" "$scratch/said"
