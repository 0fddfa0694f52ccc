#!/usr/bin/env bash
# A launch that repeats an earlier one exactly has its figures without being timed again.
set -eu

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
cat >"$scratch/again.cu" <<'TEXT'
#include <cstdio>
__global__ void work(const int *from, int *to, int step)
{
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += from[(threadIdx.x * step + i) % 1024];
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void read_clock(long long *to) { *to = clock64(); }
__global__ void say(int n) { printf("said %d\n", n); }
int main()
{
    int *data;
    long long *time;
    cudaMalloc(&data, 4 * 8192);
    cudaMalloc(&time, 8);
    for (int i = 0; i < 6; i++)
        work<<<16, 64>>>(data, data + 4096, i == 3 ? 7 : 1);
    for (int i = 0; i < 3; i++)
        read_clock<<<1, 1>>>(time);
    for (int i = 0; i < 3; i++)
        say<<<1, 1>>>(5);
    return cudaDeviceSynchronize() != cudaSuccess;
}
TEXT
LD_PRELOAD='' "$nvcc" -arch=sm_75 -cudart shared -o "$scratch/again" "$scratch/again.cu" >"$scratch/log" 2>&1 ||
    fail "again: $(cat "$scratch/log")"
"$SIMSM" run t4 --full --report "$scratch/report" --table "$scratch/once.csv" -- "$scratch/again" >"$scratch/out"
"$SIMSM" run t4 --repeats --table "$scratch/each.csv" -- "$scratch/again" >"$scratch/out2" 2>"$scratch/err"
cmp "$scratch/out" "$scratch/out2" || fail "a launch that is not timed prints something else"
[ "$(cat "$scratch/out")" = "said 5
said 5
said 5" ] || fail "printed: $(cat "$scratch/out")"
grep -o 'launch [0-9]*, [a-z_]*: repeats launch [0-9]* exactly' "$scratch/report" >"$scratch/copies"
[ "$(cat "$scratch/copies")" = "launch 3, work: repeats launch 2 exactly
launch 5, work: repeats launch 2 exactly
launch 6, work: repeats launch 2 exactly
launch 12, say: repeats launch 11 exactly" ] || fail "copies: $(cat "$scratch/copies")"
grep -q '^ *5  work .* as launch 2, exactly$' "$scratch/report" || fail "the table does not say so: $(cat "$scratch/report")"
# number, name, cycles and warp instructions are the same, timed or not
for file in once each; do
    awk -F, '{ print $1, $3, $13, $15 }' "$scratch/$file.csv" >"$scratch/$file"
done
diff "$scratch/once" "$scratch/each" || fail "a copy has other figures"
[ "$(awk -F, '$2 == "kernel" && $12 == 1' "$scratch/each.csv" | wc -l)" -eq 12 ] || fail "--repeats does not time all"

# Kernels of one name, whose instructions have the same places, lanes and addresses, are not copies of
# one another: FFMA and MUFU take other times.
cat >"$scratch/named.cu" <<'TEXT'
__global__ void work(float *to)
{
    float value = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < 64; i++)
        asm volatile(STEP : "+f"(value));
    to[threadIdx.x] = value;
}
extern "C" void launch(float *to) { work<<<1, 32>>>(to); }
TEXT
cat >"$scratch/names.cu" <<'TEXT'
#include <dlfcn.h>
int main(int count, char **library)
{
    float *data;
    cudaMalloc(&data, 128);
    for (int l = 1; l < count; l++) {
        void *handle = dlopen(library[l], RTLD_NOW | RTLD_LOCAL);
        for (int i = 0; handle && i < 3; i++)
            ((void (*)(float *))dlsym(handle, "launch"))(data);
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
TEXT
build() # OUTPUT SOURCE OPTION...
{
    LD_PRELOAD='' "$nvcc" -arch=sm_75 -cudart shared -o "$scratch/$1" "$scratch/$2" "${@:3}" >"$scratch/log" 2>&1 ||
        fail "$1: $(cat "$scratch/log")"
}
build fma.so named.cu '-DSTEP="fma.rn.f32 %0, %0, %0, %0;"' -shared -Xcompiler -fPIC
build ex2.so named.cu '-DSTEP="ex2.approx.ftz.f32 %0, %0;"' -shared -Xcompiler -fPIC
build names names.cu -ldl
"$SIMSM" run t4 --quiet --table "$scratch/once.csv" -- "$scratch/names" "$scratch/fma.so" "$scratch/ex2.so"
"$SIMSM" run t4 --quiet --repeats --table "$scratch/each.csv" -- "$scratch/names" "$scratch/fma.so" "$scratch/ex2.so"
awk -F, '$2 == "kernel" { print $1, $13, $15 }' "$scratch/once.csv" >"$scratch/once"
awk -F, '$2 == "kernel" { print $1, $13, $15 }' "$scratch/each.csv" >"$scratch/each"
diff "$scratch/once" "$scratch/each" || fail "a launch has the figures of another kernel"
[ "$(awk '{ print $2 }' "$scratch/each" | sort -u | wc -l)" -ge 2 ] && [ "$(wc -l <"$scratch/each")" -eq 6 ] ||
    fail "not two kernels that differ: $(cat "$scratch/each")"
[ "$(awk '{ print $3 }' "$scratch/each" | sort -u | wc -l)" -eq 1 ] || fail "not as many instructions: $(cat "$scratch/each")"

# The short report counts the copies.
"$SIMSM" run t4 -- "$scratch/again" >"$scratch/out" 2>"$scratch/err"
grep -qx '4 launches repeat earlier ones exactly, and take its time; .*' "$scratch/err" || fail "copies: $(cat "$scratch/err")"
grep -qE '^  work +16 +64 +6 ' "$scratch/err" || fail "no line of the kind: $(cat "$scratch/err")"

# With a file of all figures each launch is timed, and has its line.
"$SIMSM" run t4 --quiet --json "$scratch/j.jsonl" -- "$scratch/again" >"$scratch/out"
[ "$(grep -c '^{"format": 1, .*}$' "$scratch/j.jsonl")" -eq 12 ] || fail "lines: $(wc -l "$scratch/j.jsonl")"
[ "$(grep -o '"number": [0-9]*' "$scratch/j.jsonl" | tr -dc '0-9\n' | tr '\n' ' ')" = "1 2 3 4 5 6 7 8 9 10 11 12 " ] ||
    fail "numbers of launches"
