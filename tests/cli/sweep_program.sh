#!/usr/bin/env bash
# A sweep over a CUDA program, compiled here where there is an nvcc: it is executed once for all
# configurations that it cannot tell apart, and its launches take the cycles that they take when the
# program runs. What a program does wrong is the reason of a row.
. tests/tools/cli.sh
. tests/tools/programs.sh

cat >"$scratch/s.yaml" <<'SPEC'
configs: [t4]
kernels:
  - {name: nothing, program: [/bin/true]}
  - {name: gone, program: [/bin/sh, -c, exit 3], seconds: 1}
SPEC
status=0
"$SIMSM" sweep "$scratch/s.yaml" >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" -eq 2 ] || fail "status $status, not 2"
grep -q "s.yaml:4:50: there is no key 'seconds'" "$scratch/err" || fail "the place of a mistake"
sed -i '/gone/d' "$scratch/s.yaml"
status=0
"$SIMSM" sweep "$scratch/s.yaml" >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" -eq 1 ] || fail "status $status, not 1"
"$SIMSM" results "$scratch/s.sqlite" --failed >"$scratch/out"
grep -q 'uses no CUDA runtime' "$scratch/out" || fail "no reason"

# A recording that failed is made again with --retry alone; its reason stays known.
again() # ARGUMENT...
{
    rm -f "$scratch"/s.recordings/*.log
    status=0
    "$SIMSM" sweep "$scratch/s.yaml" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 1 ] || fail "status $status, not 1"
    grep -qE '^1 point: 0 done, 1 failed; 0 of them in this run, in [0-9]+ s$' "$scratch/out" ||
        fail "the summary: $(cat "$scratch/out")"
    "$SIMSM" results "$scratch/s.sqlite" --failed | grep -q 'uses no CUDA runtime' || fail "the reason is lost: $*"
}
again
[ -z "$(find "$scratch/s.recordings" -name '*.log')" ] || fail "recorded again without --retry"
again --retry
[ -n "$(find "$scratch/s.recordings" -name '*.log')" ] || fail "not recorded again with --retry"

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "there is no nvcc: no programs were compiled"; exit 77; }
allow_sanitizer
mkdir "$scratch/app"
LD_PRELOAD='' "$nvcc" -O2 -arch=sm_75 -cudart shared -o "$scratch/app/vector_add" cuda/verify/vector_add.cu >"$scratch/log" 2>&1 ||
    fail "nvcc: $(cat "$scratch/log")"
cat >"$scratch/app/start" <<'SCRIPT'
#!/bin/sh
[ "$WORD" = "a b" ] && [ "$1" = "c d" ] && exec ./vector_add
echo "WORD is $WORD, $1" >&2
exit 4
SCRIPT
chmod +x "$scratch/app/start"
cat >"$scratch/p.yaml" <<'SPEC'
configs: [t4]
kernels:
  - {program: [app/start, c d], env: {WORD: a b}, folder: app, files: app/vector_add}
vary:
  sm.scheduler: [gto, lrr]
  l2.latency: [200, 300]
  gpu.sms: [2, 4]
SPEC
# A script shows no CUDA runtime of its own.
status=0
"$SIMSM" sweep "$scratch/p.yaml" >"$scratch/out" 2>"$scratch/err" || status=$?
"$SIMSM" results "$scratch/p.sqlite" >"$scratch/out"
[ "$status" -eq 0 ] || fail "status $status"
[ "$(grep -c ' done ' "$scratch/out")" -eq 8 ] || fail "eight points"
[ "$(find "$scratch/p.recordings" -name '*.smtr' | wc -l)" -eq 2 ] || fail "two recordings are enough"
point=$(awk '$5 == "lrr" && $6 == 300 && $7 == 4 { print $1 }' "$scratch/out")
cycles=$(awk -v point="$point" '$1 == point { print $9 }' "$scratch/out")
"$SIMSM" results "$scratch/p.sqlite" --rerun "$point" >"$scratch/again"
(cd "$scratch" && PATH=$(dirname "$SIMSM"):$PATH && sed "s|simsm run|simsm run --quiet --json $scratch/hand.json|" again | bash >/dev/null) ||
    fail "the command does not run: $(cat "$scratch/again")"
grep -q "\"cycles\": $cycles," "$scratch"/hand.*json || fail "not $cycles cycles"
sed -i 's/a b/e f/' "$scratch/p.yaml"
status=0
"$SIMSM" sweep "$scratch/p.yaml" >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" -eq 1 ] || fail "status $status, not 1"
"$SIMSM" results "$scratch/p.sqlite" --failed >"$scratch/out"
grep -q 'ended with status 4: WORD is e f, c d' "$scratch/out" || fail "no reason"
