#!/usr/bin/env bash
# simsm smi prints what nvidia-smi would; programs under simsm run find it by that name.
. tests/tools/cli.sh

uuid=GPU-73696d73-6d00-0000-0000-000000000000
expect() # LINE WORD...
{
    local line=$1
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || fail "$*: status $?"
    grep -qxF -- "$line" "$scratch/out" || fail "$*: no line '$line'"
    [ ! -s "$scratch/err" ] || fail "$* prints $(cat "$scratch/err")"
}
refuse() # MESSAGE WORD...
{
    local message=$1 status=0
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    { [ $status -eq 2 ] && grep -qF -- "$message" "$scratch/err"; } || fail "$*: status $status"
}

expect "GPU 0: Tesla T4 (UUID: $uuid)" smi t4 -L
expect "GPU 0: Tesla T4 (UUID: $uuid)" smi t4 -L -i "$uuid"
expect "NVIDIA H200" smi h200 --query-gpu=name --format=csv,noheader # gpu.device_name
expect "|   0  Tesla T4                       Off |   00000000:01:00.0 Off |                  N/A |" smi t4
[ "$(awk 'NR > 1 { print length }' "$scratch/out" | sort -u)" = 91 ] || fail "the table is not straight"
expect "name, memory.total [MiB], power.draw [W]" smi t4 --query-gpu=gpu_name,memory.total,power.draw --format=csv
expect "Tesla T4, 16384 MiB, [N/A]" smi t4 --query-gpu=name,memory.total,power.draw --format=csv,noheader
expect "16384, 7.5, Default" smi t4 "--query-gpu=memory.total, compute_cap, compute_mode" --format=csv,nounits
expect "memory.total" smi --help-query-gpu
refuse "'nosuch' is no field" smi t4 --query-gpu=name,nosuch --format=csv
refuse "'' is no field" smi t4 --query-gpu=name,, --format=csv
expect "Tesla T4" smi t4 --query-gpu=name --format=noheader
expect "name" smi t4 --query-gpu=name
refuse "found 'xml'" smi t4 --query-gpu=name --format=csv,xml
refuse "--format is of --query-gpu" smi t4 --format=csv
refuse "there is no such GPU" smi t4 --id 1
refuse "name a configuration" smi
refuse 'no configuration "nosuch"' smi nosuch
SIMSM_CONFIG=nosuch refuse 'no configuration "nosuch"' smi
[ "$(wc -l <"$scratch/err")" = 1 ] || fail "a wrong environment: $(cat "$scratch/err")"

# A program, and a shell, ask about the GPU on which they run; a configuration that is named is another.
expect "Tesla T4, 1024" run t4 --quiet --device-memory 1GiB -- nvidia-smi --query-gpu=name,memory.total --format=csv,noheader,nounits
expect "GPU 0: Tesla T4 (UUID: $uuid)" run t4 --quiet --any -- sh -c 'nvidia-smi -L'
(
    eval "$("$SIMSM" env h200 --device-memory 1GiB)"
    nvidia-smi --query-gpu=memory.total --format=csv,noheader >"$scratch/out"
    "$SIMSM" smi t4 --query-gpu=memory.total --format=csv,noheader >>"$scratch/out"
)
[ "$(cat "$scratch/out")" = "1024 MiB
16384 MiB" ] || fail "the shell of simsm env"
