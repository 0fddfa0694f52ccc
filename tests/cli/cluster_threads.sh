#!/usr/bin/env bash
# Blocks of a cluster in SMs that different threads simulate: the values of an H100. With ThreadSanitizer: no
# data race.
set -eu
. tests/tools/hopper.sh

compile clusters cuda/probe/clusters.cu
"$SIMSM" run h100 --quiet --threads=3 -- "$scratch/clusters" >"$scratch/out" 2>"$scratch/err" ||
    fail "$(cat "$scratch/err")"
cmp "$scratch/out" cuda/data/h100/2026-11-26/clusters.csv
