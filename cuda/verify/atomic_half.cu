// Adds pairs of halves and of bfloat16 into 512 and 32768 pairs of sums with atomics.
//
// Shows packed atomic additions, one instruction for two sums. The numbers are small and whole, so
// that all sums are exact in any order.
#include "verify.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void add_half(__half2 *sums, uint32_t places, uint32_t n)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sums[i * 5 % places], __floats2half2_rn((float)(i % 3), 1.0f));
}

__global__ void add_bfloat(__nv_bfloat162 *sums, uint32_t places, uint32_t n)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sums[i * 5 % places], __floats2bfloat162_rn((float)(i % 3), 1.0f));
}

int main()
{
    const uint32_t n = 98304;
    verify::Program program("atomic_half");
    for (uint32_t places : {512u, 32768u}) {
        std::vector<float> want(2 * places, 0.0f), got;
        for (uint32_t i = 0; i < n; i++) {
            want[i * 5 % places * 2] += (float)(i % 3);
            want[i * 5 % places * 2 + 1] += 1.0f;
        }
        verify::Buffer<__half2> halves(places);
        add_half<<<n / 256, 256>>>(halves.data, places, n);
        program.launched("add_half");
        for (__half2 pair : program.output("halves", halves)) {
            got.push_back(__low2float(pair));
            got.push_back(__high2float(pair));
        }
        program.equal("half", got, want);

        const uint32_t fewer = places == 512 ? n / 2 : n; // 8 bits: whole numbers up to 256
        want.assign(2 * places, 0.0f), got.clear();
        for (uint32_t i = 0; i < fewer; i++) {
            want[i * 5 % places * 2] += (float)(i % 3);
            want[i * 5 % places * 2 + 1] += 1.0f;
        }
        verify::Buffer<__nv_bfloat162> bfloats(places);
        add_bfloat<<<fewer / 256, 256>>>(bfloats.data, places, fewer);
        program.launched("add_bfloat");
        for (__nv_bfloat162 pair : program.output("bfloats", bfloats)) {
            got.push_back(__low2float(pair));
            got.push_back(__high2float(pair));
        }
        program.equal("bfloat", got, want);
    }
    return program.finish();
}
