#!/usr/bin/env bash
# What the first page shows is what the program prints, and the files that it names are there.
set -eu

bash tests/tools/run_blocks README.md
mapfile -t files < <(sed -nE 's/.*\]\(([^)#:]+)\).*/\1/p' README.md | sort -u)
[ "${#files[@]}" -gt 5 ] || { echo "README.md: its links were not found"; exit 1; }
for file in "${files[@]}"; do
    [ -e "$file" ] || { echo "README.md names $file, which does not exist"; exit 1; }
done
