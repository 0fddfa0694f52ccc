#!/usr/bin/env bash
# The scripts of cuda/verify and cuda/calib/profile: wrong arguments end in one message and status 2,
# before anything is built.
. tests/tools/cli.sh

# Runs a script; expects the status and the words of a message, and no traces of what is inside.
expect() # STATUS WORDS SCRIPT ARGUMENTS...
{
    local status=0
    "cuda/$3" "${@:4}" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    [ "$status" = "$1" ] || fail "${*:3}: status $status instead of $1"
    grep -qF -- "$2" "$scratch/err" || fail "${*:3}: expected '$2'"
    ! sed "s|$scratch||g" "$scratch/err" | grep -qE 'Traceback|line [0-9]+:|/tmp/tmp[.]|fatal' || fail "${*:3}: no message for users"
    [ ! -s "$scratch/out" ] || fail "${*:3}: prints results"
}

data=cuda/data/h200/2026-11-21
mkdir "$scratch/runs" "$scratch/bin"
touch "$scratch/runs/saxpy.jsonl"

expect 2 'board SIMSM TABLE' verify/board
expect 2 "expected the table board or worst, found 'foo'" verify/board "$SIMSM" foo H200 "$scratch/runs" "$data" -
expect 2 "$scratch/none: has no results" verify/board "$SIMSM" board H200 "$scratch/none" "$data" -
expect 2 "$scratch/none: has no results" verify/board "$SIMSM" board H200 "$scratch/runs" "$data" "$scratch/none"
expect 2 "$scratch/verify.csv: does not exist" verify/board "$SIMSM" worst H200 "$scratch/runs" "$scratch" -
expect 2 "/none: is no program" verify/board /none board H200 "$scratch/runs" "$data" -
expect 2 "simsm: $scratch/runs/saxpy.jsonl" verify/board "$SIMSM" board H200 "$scratch/runs" "$data" -

expect 2 'ratio [-j N]' verify/ratio
expect 2 'ratio [-j N]' verify/ratio -x
expect 2 "-j: expected a number" verify/ratio -j x "$SIMSM" "$scratch" t4=. h200=.
expect 2 '/none: this folder does not exist' verify/ratio "$SIMSM" "$scratch" t4="$scratch" h200=/none
expect 2 'there is no configuration "t5"' verify/ratio "$SIMSM" "$scratch" t5="$scratch" h200="$scratch"

expect 2 'ablation [-j N]' verify/ablation
expect 2 "-j: expected a number" verify/ablation -j 0 "$SIMSM" h200 "$data"
expect 2 '/none/verify.csv: does not exist' verify/ablation "$SIMSM" h200 /none
expect 2 'no mechanism has these words' verify/ablation "$SIMSM" h200 "$data" nosuch
expect 2 'there is no configuration "h300"' verify/ablation "$SIMSM" h300 "$data"

expect 2 'profile SIMSM CONFIG' calib/profile
expect 2 '/none: this folder does not exist' calib/profile "$SIMSM" h200 /none

expect 2 'build [-j N]' verify/build
expect 2 "there is no program 'nosuch'" verify/build "$scratch/built" nosuch
expect 2 "-j: expected a number" verify/build -j many "$scratch/built"
expect 2 'built DIR' verify/built -x
expect 2 "there is no program 'nosuch'" verify/built "$scratch/built" nosuch

expect 2 '/none: this folder does not exist' verify/run -b /none "$SIMSM" h200 "$data"
expect 2 '/none: is no program' verify/run /none h200 "$data"
expect 2 "-j: expected a number" verify/run -j x "$SIMSM" h200 "$data"
expect 2 'there is no configuration "h300"' verify/run "$SIMSM" h300 "$data"

expect 2 'transfer [-l]' verify/transfer
expect 2 'there is no configuration "h300"' verify/transfer "$SIMSM" h300 h200 "$data"
expect 2 'configs/none.yaml: cannot read' verify/transfer "$SIMSM" configs/none.yaml h200 "$data"
expect 2 'configs/t4.yaml: --from takes values' verify/transfer "$SIMSM" h200 configs/t4.yaml "$data"
expect 2 '/none: is no program' verify/transfer /none h100 h200 "$data"
expect 2 '/none: this folder does not exist' verify/transfer -b /none "$SIMSM" configs/h100.yaml h200 "$data"

# A compiler that knows 7.5 and 9.0, and compiles nothing.
printf '#!/bin/sh\ncase $1 in --version) ;; --list-gpu-code) printf "sm_75\\nsm_90\\n" ;; *) echo nvcc fails >&2; exit 1 ;; esac\n' >"$scratch/bin/nvcc"
# A GPU that nvidia-smi tells of, and none.
printf '#!/bin/sh\necho "NVIDIA Paper"\n' >"$scratch/bin/nvidia-smi"
chmod +x "$scratch/bin"/*
export NVCC=$scratch/bin/nvcc
expect 2 "-a: expected compute capabilities that nvcc compiles for (75 90), found 'foo'" verify/build -a "75 foo" "$scratch/built"
[ ! -e "$scratch/built" ] || fail "a folder is made before the arguments are checked"
expect 1 'nvcc fails' verify/build -a 75 "$scratch/built" saxpy

record=(verify/record --out "$scratch/recorded")
PATH=$scratch/bin:$PATH expect 2 "--only: there is no program 'sxpy' in $PWD/cuda/verify; is saxpy meant?" "${record[@]}" --only saxpy,sxpy
PATH=$scratch/bin:$PATH expect 2 '--built: /none: this folder does not exist' "${record[@]}" --built /none
PATH=$scratch/bin:$PATH expect 2 '--out: ' verify/record --out "$scratch/runs/saxpy.jsonl/data"
printf '#!/bin/sh\nexit 9\n' >"$scratch/bin/nvidia-smi"
PATH=$scratch/bin:$PATH expect 1 'record: there is no GPU here' "${record[@]}"
[ ! -e "$scratch/recorded" ] || fail "record makes a folder without a GPU"
