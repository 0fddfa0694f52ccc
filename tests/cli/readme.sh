#!/usr/bin/env bash
# What the first page shows, in each language, is what the program prints; the files that it names
# are there; the figures of its tables are the same in each language.
set -eu

for page in README.md README.zh.md; do
    bash tests/tools/run_blocks "$page"
    mapfile -t files < <(sed -nE 's/.*\]\(([^)#:]+)\).*/\1/p' "$page" | sort -u)
    [ "${#files[@]}" -gt 5 ] || { echo "$page: its links were not found"; exit 1; }
    for file in "${files[@]}"; do
        [ -e "$file" ] || { echo "$page names $file, which does not exist"; exit 1; }
    done
done

figures() { sed -nE 's/^\| .* \| ([0-9.]+ ?%?) \|$/\1/p' "$1"; }
[ "$(figures README.md | wc -l)" -gt 5 ] || { echo "README.md: the figures of its tables were not found"; exit 1; }
[ "$(figures README.md)" = "$(figures README.zh.md)" ] ||
    { echo "README.zh.md: the figures of its tables are not those of README.md"; exit 1; }
