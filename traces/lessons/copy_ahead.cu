// The product of docs/lessons, lesson 12: copy while you multiply.
//
// A block computes 64 x 128 numbers of C = A B^T. A and B lie in memory as tiles of 64 columns,
// ready for the tensor cores. A warp of its own has the copy engine (TMA) bring them; `stages`
// tiles have room in shared memory. A warp group multiplies. With one stage the two take turns: a
// tile is copied, then multiplied. With more, copies run ahead of the products.
//
// copy_ahead.sm_90a.cubin was compiled from this file, in a tree at /simsm, by nvcc 13.0.88:
//     nvcc -cubin -O3 -lineinfo -std=c++17 -arch=sm_90a -o copy_ahead.sm_90a.cubin copy_ahead.cu
#include "../../cuda/probe/async.cuh"
#include "../../cuda/probe/wgmma.cuh"

WGMMA_SS(F16_128, 64, 64, 65, 66, "m64n128k16.f32.f16.f16", ", 1, 1, 0, 0")

constexpr int ROW = 128; // bytes of 64 columns
constexpr int TILE_A = 64 * ROW, TILE_B = 128 * ROW, TILE = TILE_A + TILE_B;
constexpr int GROUP = 128, MOST_STAGES = 8;

// A stage: its tiles have come (full), or are no longer needed (empty). Barriers have two phases.
struct Stage {
    int number = 0, phase = 0;

    __device__ void next(int stages)
    {
        if (++number == stages) {
            number = 0;
            phase ^= 1;
        }
    }
};

// Makes the barrier wait for `arrivals` in each phase.
__device__ void init(uint32_t barrier, uint32_t arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals)
                 : "memory");
}

__device__ void arrive(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// Brings `bytes` to shared memory; the barrier counts them when they have come.
__device__ void copy(uint32_t to, const char *from, uint32_t bytes, uint32_t barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}

// Says where a tile of rows of 128 bytes lies, swizzled; `at`: bytes into the row.
__device__ uint64_t descriptor(uint32_t address, uint32_t at)
{
    return (uint64_t)((address + at) >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

__device__ void multiply(uint32_t (&d)[64], uint32_t a, uint32_t b, bool first)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (uint32_t at = 0; at < ROW; at += 32)
        F16_128::run(d, {descriptor(a, at), descriptor(b, at), {}, !first || at});
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// The warp that copies: one of its threads is enough.
__device__ void copy_tiles(uint32_t tile, uint32_t full, uint32_t empty, const char *a,
                           const char *b, int tiles, int stages)
{
    Stage stage;
#pragma unroll 1
    for (int t = 0; t < tiles; t++, stage.next(stages)) {
        const uint32_t barrier = full + stage.number * 8, to = tile + stage.number * TILE;
        if (t >= stages)
            await(empty + stage.number * 8, stage.phase ^ 1);
        expect(barrier, TILE);
        copy(to, a + t * TILE_A, TILE_A, barrier);
        copy(to + TILE_A, b + t * TILE_B, TILE_B, barrier);
    }
}

// The warp group that multiplies. A stage is empty when its product is complete; with several
// stages the next product is in the queue of the tensor cores by then.
__device__ void multiply_tiles(uint32_t (&d)[64], uint32_t tile, uint32_t full, uint32_t empty,
                               int tiles, int stages)
{
    Stage stage, last;
#pragma unroll 1
    for (int t = 0; t < tiles; t++, stage.next(stages)) {
        const uint32_t at = tile + stage.number * TILE;
        await(full + stage.number * 8, stage.phase);
        multiply(d, at, at + TILE_A, t == 0);
        if (stages == 1)
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        else
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (threadIdx.x % 32 == 0 && (stages == 1 || t > 0))
            arrive(empty + last.number * 8);
        last = stage;
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

extern "C" __global__ void __launch_bounds__(GROUP + 32)
    copy_ahead(const char *a, const char *b, float *c, int tiles, int stages)
{
    extern __shared__ __align__(1024) char memory[];
    __shared__ uint64_t barriers[2 * MOST_STAGES];
    const uint32_t tile = shared_address(memory), full = shared_address(barriers);
    const uint32_t empty = full + MOST_STAGES * 8;
    if (threadIdx.x == 0) {
        for (int s = 0; s < MOST_STAGES; s++) {
            init(full + s * 8, 1);
            init(empty + s * 8, GROUP / 32);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x >= GROUP) {
        if (threadIdx.x == GROUP)
            copy_tiles(tile, full, empty, a + (size_t)blockIdx.x * tiles * TILE_A, b, tiles,
                       stages);
        return;
    }
    uint32_t d[64];
    multiply_tiles(d, tile, full, empty, tiles, stages);
    for (int i = 0; i < 64; i++) {
        asm volatile("" : "+r"(d[i])::"memory");
        c[((size_t)blockIdx.x * 64 + i) * GROUP + threadIdx.x] = __uint_as_float(d[i]);
    }
}
