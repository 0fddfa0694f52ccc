/*
 * Bulk reductions (cp.reduce.async.bulk) of numbers of all kinds: prints op,type,hash of what
 * they leave in global memory. simsm must print the same (tests/cli/hopper.sh).
 *
 *     nvcc -std=c++17 -arch=sm_90a -o bulk_reductions cuda/probe/bulk_reductions.cu
 */
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

#include "async.cuh"

enum { THREADS = 256, WORDS = 4096, ROUNDS = 16 };

#define REDUCTIONS(DO)                                                                             \
    DO(add, u32)                                                                                   \
    DO(add, s32)                                                                                   \
    DO(add, u64)                                                                                   \
    DO(add, f32)                                                                                   \
    DO(add, f64)                                                                                   \
    DO(add.noftz, f16)                                                                             \
    DO(add.noftz, bf16)                                                                            \
    DO(min, u32)                                                                                   \
    DO(min, s32)                                                                                   \
    DO(min, u64)                                                                                   \
    DO(min, s64)                                                                                   \
    DO(min, f16)                                                                                   \
    DO(min, bf16)                                                                                  \
    DO(max, u32)                                                                                   \
    DO(max, s32)                                                                                   \
    DO(max, u64)                                                                                   \
    DO(max, s64)                                                                                   \
    DO(max, f16)                                                                                   \
    DO(max, bf16)                                                                                  \
    DO(inc, u32)                                                                                   \
    DO(dec, u32)                                                                                   \
    DO(and, b32)                                                                                   \
    DO(and, b64)                                                                                   \
    DO(or, b32)                                                                                    \
    DO(or, b64)                                                                                    \
    DO(xor, b32)                                                                                   \
    DO(xor, b64)
#define CASE(op, type)                                                                             \
    if (which == number++)                                                                         \
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." #op "." #type           \
                     " [%1], [%0], %2;" ::"r"(shared_address(from)),                               \
                     "l"(out), "r"(WORDS * 4)                                                      \
                     : "memory");
#define NAME(op, type) #op "," #type,

static const char *const names[] = {REDUCTIONS(NAME)};

__global__ void reduce(int which, int round, uint32_t *out)
{
    __shared__ __align__(128) uint32_t from[WORDS];
    int number = 0;
    for (int i = threadIdx.x; i < WORDS; i += THREADS)
        from[i] = mixed(round * WORDS + i + 7919777);
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    if (threadIdx.x)
        return;
    REDUCTIONS(CASE)
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;");
}

int main()
{
    static uint32_t host[WORDS];
    uint32_t *out;
    if (cudaMalloc(&out, sizeof host))
        return 1;
    printf("op,type,hash\n");
    for (int which = 0; which < (int)(sizeof names / sizeof names[0]); which++) {
        uint64_t hash = 14695981039346656037u;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < WORDS; i++)
                host[i] = mixed(round * WORDS + i);
            cudaMemcpy(out, host, sizeof host, cudaMemcpyHostToDevice);
            reduce<<<1, THREADS>>>(which, round, out);
            const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
            if (error) {
                fprintf(stderr, "%s: %s\n", names[which], cudaGetErrorString(error));
                return 1;
            }
            for (uint32_t word : host)
                hash = (hash ^ word) * 1099511628211u;
        }
        printf("%s,%016llx\n", names[which], (unsigned long long)hash);
    }
    return 0;
}
