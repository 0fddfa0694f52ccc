#!/usr/bin/env bash
# simsm config: list, show, keys; and the documentation that is made from it.
set -eu

fail()
{
    echo "config.sh: $*" >&2
    exit 1
}

# Runs simsm config with the arguments after STATUS and WORDS; its output must hold the words.
expect() # STATUS WORDS ARGUMENTS...
{
    local status=$1 words=$2 got=0
    shift 2
    "$SIMSM" config "$@" >"$said" 2>&1 || got=$?
    [ "$got" -eq "$status" ] || fail "$*: status $got, not $status: $(cat "$said")"
    grep -qF -- "$words" "$said" || fail "$*: '$words' is not in: $(cat "$said")"
}

said=$(mktemp)
folder=$(mktemp -d)
trap 'rm -rf "$said" "$folder"' EXIT

"$SIMSM" config keys --markdown | diff docs/configuration.md - ||
    fail "docs/configuration.md differs; make it with: simsm config keys --markdown"

for file in configs/*.yaml; do
    name=$(basename "$file" .yaml)
    expect 0 "$file" list
    expect 0 "gpu.sms" show "$name"
    if grep -qw "default" <("$SIMSM" config show "$name" | grep -vE '^(run|policy|what_if)\.'); then
        fail "$name leaves keys to their defaults"
    fi
done

expect 0 "7.5    40  configs/t4.yaml" list
expect 0 "sm.warp_slots" show t4 sm
if grep -q '^dram\.' "$said"; then fail "show t4 sm shows another section"; fi
expect 0 "dram.latency              496   cycle    measured  MT4G" show configs/t4.yaml dram
expect 0 "sm.warp_slots                8" show teaching8 sm
expect 0 "gpu.timing  measured    derived" show h200 gpu.timing
expect 0 "ops.fp32.interval" show t4 ops.fp32
if grep -qv '^ops\.fp32\.' "$said"; then fail "show t4 ops.fp32 shows another class"; fi
expect 0 "fetch.width [instruction/cycle]  a whole number from 1 to 4; default 2" keys

expect 2 "there is no configuration \"t5\"" show t5
expect 2 "drm: unknown section; the nearest known one is dram" show t4 drm
expect 2 "drm: unknown section; the nearest known one is dram" show t4 drm.latency
expect 2 "gpu.timin: unknown key; the nearest known one is gpu.timing" show t4 gpu.timin
expect 2 "ops.fp33: unknown opcode class; the nearest known one is fp32" show t4 ops.fp33
expect 2 "name the configuration to show" show
expect 2 "did you mean 'list'?" lists
expect 2 "name an action: list, show or keys"
expect 2 "too many arguments" show t4 sm more
expect 2 "list takes no argument, found 't4'" list t4
expect 2 "--markdown needs keys" show t4 --markdown
printf 'gpu:\n  smss: 3\n' >"$folder/bad.yaml"
expect 2 "$folder/bad.yaml:2:3: gpu.smss: unknown key; the nearest known one is gpu.sms" \
    show "$folder/bad.yaml"

# A report calls values measured only if they are those of the configuration that says so.
timing() # WORD CONFIG OPTIONS...
{
    "$SIMSM" "$2" traces/divergent.trace "${@:3}" >"$said" 2>&1 || fail "$*: $(cat "$said")"
    head -n 1 "$said" | grep -q " (timing $1)\$" || fail "$*: the report says $(head -n 1 "$said")"
}

timing measured h200
timing measured h200 --set l2.latency=283 --set gpu.timing=measured
timing changed h200 --set gpu.clock_mhz=500 --set l2.latency=300
timing changed h200 --set sm.scheduler=lrr
timing changed t4 --seed 2
timing measured h200 --set l2.latency=300 --set gpu.timing=measured
printf 'base: %s\n' "$PWD/configs/h200.yaml" >"$folder/mine.yaml"
timing measured "$folder/mine.yaml"
printf 'gpu:\n  name: Mine\n' >>"$folder/mine.yaml"
timing changed "$folder/mine.yaml"
expect 0 "gpu.timing  changed  " show "$folder/mine.yaml" gpu.timing
expect 0 "a file above the base changes values" show "$folder/mine.yaml" gpu.timing
printf '  timing: measured\n' >>"$folder/mine.yaml"
timing measured "$folder/mine.yaml"

# A name is found from anywhere, and also those that are not in the folder ./configs.
mkdir -p "$folder/elsewhere/configs"
(cd "$folder/elsewhere" && expect 0 "sm.warp_slots" show t4 sm)

# A file that cannot be read does not hide the others.
mkdir "$folder/configs"
cp configs/t4.yaml "$folder/configs/"
cp "$folder/bad.yaml" "$folder/configs/"
(cd "$folder" && "$SIMSM" config list) >"$said"
grep -qF "configs/bad.yaml:2:3:" "$said" || fail "list does not say what is wrong: $(cat "$said")"
grep -qF "Tesla T4" "$said" || fail "list does not show the good one: $(cat "$said")"

if [ -w /dev/full ]; then
    got=0
    "$SIMSM" config keys >/dev/full 2>"$said" || got=$?
    [ "$got" -eq 1 ] || fail "a full disk: status $got, not 1"
    grep -q "No space left" "$said" || fail "a full disk: $(cat "$said")"
fi
