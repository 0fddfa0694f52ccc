// How long one try_wait of some lanes lasts that comes back in vain, while the other lanes of the warp wait
// elsewhere or have ended.
#include "async.cuh"
#include <cstdio>
__device__ __forceinline__ uint32_t try_once(uint32_t barrier)
{
    uint32_t done;
    asm volatile("{.reg .pred p;\n mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(barrier) : "memory");
    return done;
}
__global__ void measure(uint32_t lanes, int how, uint64_t *out)
{
    __shared__ uint64_t barrier;
    const uint32_t at = shared_address(&barrier);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
    __syncwarp();
    if (how == 2 && threadIdx.x >= lanes)
        return;
    if (threadIdx.x < lanes) {
        uint64_t begin = clock_now();
        uint32_t done = try_once(at);
        uint64_t took = clock_now() - begin;
        begin = clock_now();
        done += try_once(at);
        uint64_t again = clock_now() - begin;
        if (threadIdx.x == 0) { out[0] = took + done; out[1] = again; }
    } else if (how == 3) {
        uint64_t begin = clock_now();
        while (clock_now() - begin < 3000);
    }
    if (how == 1) __syncwarp();
    if (out[threadIdx.x] == 77) out[3] = 1;
}
int main()
{
    uint64_t *out, v[32] = {};
    cudaMalloc(&out, sizeof v);
    for (int how = 0; how < 4; how++)
        for (uint32_t lanes : {32u, 31u, 16u, 1u}) {
            for (int r = 0; r < 2; r++) { cudaMemset(out, 0, sizeof v); measure<<<1, 32>>>(lanes, how, out); }
            cudaMemcpy(v, out, sizeof v, cudaMemcpyDeviceToHost);
            printf("how %d lanes %u: %llu %llu\n", how, lanes, (unsigned long long)v[0], (unsigned long long)v[1]);
        }
    return cudaGetLastError();
}
