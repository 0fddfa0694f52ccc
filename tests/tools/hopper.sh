# For tests of what only sm_90 has: a folder in $scratch, and programs compiled into it.
# shellcheck shell=bash
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. tests/tools/programs.sh

fail()
{
    echo "$*"
    exit 1
}

allow_sanitizer
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "there is no nvcc: no programs were compiled"; exit 77; }
compile() # NAME FILE
{
    LD_PRELOAD='' "$nvcc" -std=c++17 -gencode arch=compute_90a,code=sm_90a -cudart shared -o "$scratch/$1" "$2" \
        >"$scratch/log" 2>&1 || {
        grep -q "Unsupported gpu architecture" "$scratch/log" && { echo "nvcc knows no sm_90a"; exit 77; }
        fail "$1: $(cat "$scratch/log")"
    }
}
