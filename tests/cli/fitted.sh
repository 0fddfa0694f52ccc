#!/usr/bin/env bash
# The configuration of the H200 is what its rules make of the recorded points, to the last byte.
. tests/tools/cli.sh

cp -r configs "$scratch/configs"
"$SIMSM" calibrate "$scratch/configs/h200.yaml" >"$scratch/out" 2>"$scratch/err" || fail "simsm calibrate h200 fails"
! grep 'the nearest there is' "$scratch/out" || fail "a point is out of the range of its rule"
cmp configs/h200.yaml "$scratch/configs/h200.yaml" || fail "run: simsm calibrate h200"
