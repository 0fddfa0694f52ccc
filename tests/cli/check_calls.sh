#!/usr/bin/env bash
# simsm check names where the program allocates, frees, launches and fails: with debugging
# information, without it, in all formats, and with a runtime inside of the program.
. tests/tools/hopper.sh
source=$PWD/tests/data/cuda/host_calls.cu

build() # NAME OPTION...
{
    local name=$1
    shift
    LD_PRELOAD='' "$nvcc" -std=c++17 -lineinfo -gencode arch=compute_90a,code=sm_90a "$@" \
        -o "$scratch/$name" "$source" >"$scratch/log" 2>&1 || fail "$name: $(cat "$scratch/log")"
}

check() # NAME OPTION...
{
    local name=$1 status=0
    shift
    "$SIMSM" check h200 "$@" -- "$scratch/$name" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 1 ] || fail "$name: status $status, not 1: $(cat "$scratch/err")"
}

line_of() # MARK
{
    grep -n "// $1\$" "$source" | cut -d: -f1
}

# Finds a text, in which @MARK stands for the line with this mark, in what was printed or in FILE.
says() # TEXT [FILE]
{
    local text=$1 file=${2-$scratch/err} mark
    while [[ $text =~ @([A-Z]+) ]]; do
        mark=${BASH_REMATCH[1]}
        text=${text/@$mark/$(line_of "$mark")}
    done
    grep -qE -- "$text" "$file" || fail "no '$text' in: $(cat "$file")"
}

build plain -g -O0 -cudart shared
build fast -g -O2 -cudart shared
build inside -g -O2
for program in plain fast inside; do
    check "$program" --sarif "$scratch/$program.sarif" --junit "$scratch/$program.xml"
    says "launched at $source:@LAUNCHED, main"
    says "inlined at $source:@INLINED"
    says "allocated at $source:@ALLOCATED, buffer"
    says "called at $source:@MADE, make"
    says "called at $source:@LOST, main"
    says "freed at $source:@FREED, main"
    says "called at $source:@AGAIN, main"
    says "called at $source:@DIRECTION, main"
    says "api/copy-direction"
    ! grep -qE "cuda_runtime|_start|device_stub" "$scratch/err" || fail "$program: names what is not the program's"
    says "\"startLine\": @ALLOCATED\$" "$scratch/$program.sarif"
    says "\"startLine\": @LAUNCHED\$" "$scratch/$program.sarif"
    says "\"uri\": \"tests/data/cuda/host_calls.cu\"" "$scratch/$program.sarif"
    says "freed at $source:@FREED, main" "$scratch/$program.xml"
done
check fast --as compute-sanitizer
says "Saved host backtrace up to driver entry point at allocation time"
says "Host Frame: make in $source:@MADE \[0x[0-9a-f]+\] in $scratch/fast"

# Without -g there are symbols; without symbols there are offsets.
build bare -O2 -cudart shared
check bare
says "launched at main\+0x[0-9a-f]+ in $scratch/bare"
says "allocated at make\+0x[0-9a-f]+ in $scratch/bare"
strip "$scratch/bare"
check bare
says "allocated at $scratch/bare\+0x[0-9a-f]+"

# Suppressions match calls: the line, a caller, the call that an inlined function's code belongs to.
printf '%s\n' "leak  */host_calls.cu:$(line_of LOST)" "memory/invalid-free main" \
    "race/global  */host_calls.cu:$(line_of INLINED)" >"$scratch/known"
check fast --suppressions "$scratch/known"
says "api/copy-direction"
says "1 error, 1 warning, .* suppressed"
! grep -q leak/device "$scratch/err" || fail "a caller is not suppressed"
