#!/usr/bin/env bash
# `simsm tui` where there is no terminal; tests/viz/tui_check.c drives it in one. $VIEW is the viewer.
. tests/tools/cli.sh
[ -n "${VIEW-}" ] || exit 77

refused() # STATUS WORDS COMMAND...: exit status and message; the standard input and output are no terminal
{
    local wanted=$1 words=$2 status=0
    shift 2
    "$SIMSM" tui "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "simsm tui $*: exit status $status, not $wanted"
    grep -qF -- "$words" "$scratch/err" || fail "simsm tui $*: no word of '$words'"
    [ ! -s "$scratch/out" ] || fail "simsm tui $*: it prints"
}

"$SIMSM" t4 traces/lessons/latency.trace --timeline "$scratch/run.smtl" --quiet
refused 1 "is not a terminal: simsm timeline FILE" "$scratch/run.smtl"
refused 2 "Usage: simsm tui FILE.smtl"
refused 2 "absent.smtl" "$scratch/absent.smtl"
refused 2 "expected one of: overview timeline lanes" "$scratch/run.smtl" --screen nothing
head -c 100 "$scratch/run.smtl" >"$scratch/short.smtl"
refused 2 "short.smtl" "$scratch/short.smtl"
