// Matrix product C = A B^T of f16 with f32 sums by the tensor cores of a warp group, in five
// versions: tiles copied by threads, tiles copied by TMA, several tiles ahead, a warp group that
// only copies for two that multiply, and blocks that stay and fetch tiles of C.
//
// Shows wgmma, TMA, mbarrier and setmaxnreg, each version with one more of what fast kernels of
// Hopper do. Values are small integers, so that every sum is exact and must come out equal.
#include "hopper.h"

#include <cuda_fp16.h>

using namespace hopper;

const int depth = 64; // columns of A and B in a tile: 128 bytes
const int group = 128, half_rows = 64, rows = 128, columns = 128; // of C for a group, for a block
const int row_bytes = 128, half_tile = half_rows * row_bytes, tile = rows * row_bytes;
const int stages = 4;

/// What a group of threads has of C, which begins at (row, column).
__device__ void write(float *c, int n, int row, int column, const uint32_t (&d)[64])
{
    for (int i = 0; i < 64; i += 2)
        *(float2 *)&c[(size_t)(row + row_of(i)) * n + column + column_of(i)] =
            make_float2(__uint_as_float(d[i]), __uint_as_float(d[i + 1]));
}

__global__ void __launch_bounds__(group)
    by_threads(const __half *a, const __half *b, float *c, int n, int k)
{
    __shared__ __align__(1024) uint8_t memory[half_tile + tile];
    const int row = half_rows * blockIdx.y, column = columns * blockIdx.x;
    uint32_t d[64];
    for (int at = 0; at < k; at += depth) {
#pragma unroll
        for (int j = 0; j < (half_rows + columns) * 8 / group; j++) {
            int i = j * group + threadIdx.x, line = i / 8, part = i % 8; // 16 bytes, swizzled
            const __half *from = line < half_rows ? &a[(size_t)(row + line) * k]
                                                  : &b[(size_t)(column + line - half_rows) * k];
            *(uint4 *)&memory[line * row_bytes + (part ^ line % 8) * 16] =
                *(const uint4 *)&from[at + part * 8];
        }
        fence_proxy();
        __syncthreads();
        multiply<F16_128>(d, shared_address(memory), shared_address(memory + half_tile), at != 0);
        product_end(d);
        __syncthreads();
    }
    write(c, n, row, column, d);
}

__global__ void __launch_bounds__(group)
    by_tma(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c,
           int n, int k)
{
    __shared__ __align__(1024) uint8_t memory[half_tile + tile];
    __shared__ uint64_t barrier;
    const uint32_t to = shared_address(memory), full = shared_address(&barrier);
    const int row = half_rows * blockIdx.y, column = columns * blockIdx.x;
    uint32_t d[64];
    if (threadIdx.x == 0) {
        init(full, 1);
        fence_init();
    }
    __syncthreads();
    for (int t = 0; t < k / depth; t++) {
        if (threadIdx.x == 0) {
            expect(full, half_tile + tile);
            load(to, a, full, t * depth, row);
            load(to + half_tile, b, full, t * depth, column);
        }
        await(full, t & 1);
        multiply<F16_128>(d, to, to + half_tile, t != 0);
        product_end(d);
        __syncthreads();
    }
    write(c, n, row, column, d);
}

struct Ahead {
    uint8_t a[stages][half_tile], b[stages][tile];
    uint64_t full[stages];
};

__global__ void __launch_bounds__(group)
    ahead(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c,
          int n, int k)
{
    extern __shared__ __align__(1024) uint8_t memory[];
    Ahead &shared = *(Ahead *)memory;
    const int row = half_rows * blockIdx.y, column = columns * blockIdx.x, tiles = k / depth;
    auto bring = [&](int t) {
        const uint32_t full = shared_address(&shared.full[t % stages]);
        expect(full, half_tile + tile);
        load(shared_address(shared.a[t % stages]), a, full, t * depth, row);
        load(shared_address(shared.b[t % stages]), b, full, t * depth, column);
    };
    uint32_t d[64];
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; s++)
            init(shared_address(&shared.full[s]), 1);
        fence_init();
        for (int t = 0; t < stages && t < tiles; t++)
            bring(t);
    }
    __syncthreads();
    for (int t = 0; t < tiles; t++) {
        const int s = t % stages;
        await(shared_address(&shared.full[s]), t / stages & 1);
        multiply<F16_128>(d, shared_address(shared.a[s]), shared_address(shared.b[s]), t != 0);
        product_wait<1>(); // the product before this one no longer reads its tiles
        __syncthreads();
        if (threadIdx.x == 0 && t > 0 && t - 1 + stages < tiles)
            bring(t - 1 + stages);
    }
    product_end(d);
    write(c, n, row, column, d);
}

struct Ring {
    uint8_t a[stages][tile], b[stages][tile];
    uint64_t full[stages], empty[stages];
};

__device__ void init_ring(Ring &ring)
{
    for (int s = 0; s < stages; s++) {
        init(shared_address(&ring.full[s]), 1);
        init(shared_address(&ring.empty[s]), 2 * group / 32); // each warp that multiplies
    }
}

/// Copies the tiles of a row and a column; `t` counts over all of the ring's.
__device__ void fill(Ring &ring, int &t, const CUtensorMap &a, const CUtensorMap &b, int row,
                     int column, int tiles)
{
    for (int i = 0; i < tiles; i++, t++) {
        const int s = t % stages;
        const uint32_t full = shared_address(&ring.full[s]);
        if (t >= stages)
            await(shared_address(&ring.empty[s]), (t / stages - 1) & 1);
        expect(full, 2 * tile);
        load(shared_address(ring.a[s]), a, full, i * depth, row);
        load(shared_address(ring.b[s]), b, full, i * depth, column);
    }
}

/// Multiplies them. Two groups share a tile of A, and use all of B.
__device__ void drain(Ring &ring, int &t, uint32_t (&d)[64], int who, int tiles)
{
    for (int i = 0; i < tiles; i++, t++) {
        const int s = t % stages;
        await(shared_address(&ring.full[s]), t / stages & 1);
        multiply<F16_128>(d, shared_address(ring.a[s] + who * half_tile), shared_address(ring.b[s]),
                          i != 0);
        product_wait<1>();
        if (i > 0 && threadIdx.x % 32 == 0)
            arrive(shared_address(&ring.empty[(t - 1) % stages]));
    }
    product_end(d);
    if (threadIdx.x % 32 == 0)
        arrive(shared_address(&ring.empty[(t - 1) % stages]));
}

__global__ void __launch_bounds__(3 * group, 1)
    specialised(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                float *c, int n, int k)
{
    extern __shared__ __align__(1024) uint8_t memory[];
    Ring &ring = *(Ring *)memory;
    const int row = rows * blockIdx.y, column = columns * blockIdx.x;
    int t = 0;
    if (threadIdx.x == 0) {
        prefetch(a);
        prefetch(b);
        init_ring(ring);
        fence_init();
    }
    __syncthreads();
    if (threadIdx.x < group) {
        fewer_registers<40>();
        if (threadIdx.x == 0)
            fill(ring, t, a, b, row, column, k / depth);
    } else {
        more_registers<232>();
        const int who = threadIdx.x / group - 1;
        uint32_t d[64];
        drain(ring, t, d, who, k / depth);
        write(c, n, row + who * half_rows, column, d);
    }
}

struct Persistent {
    Ring ring;
    alignas(1024) uint8_t c[2][columns / 32][half_tile]; // of each group, 32 columns together
    int next[2];                                         // tiles of C
    uint64_t known[2], seen[2];
};

__global__ void __launch_bounds__(3 * group, 1)
    persistent(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
               const __grid_constant__ CUtensorMap c, int *counter, int m, int n, int k)
{
    extern __shared__ __align__(1024) uint8_t memory[];
    Persistent &shared = *(Persistent *)memory;
    const int down = m / rows, all = down * (n / columns);
    int t = 0;
    if (threadIdx.x == 0) {
        prefetch(a);
        prefetch(b);
        prefetch(c);
        init_ring(shared.ring);
        for (int i = 0; i < 2; i++) {
            init(shared_address(&shared.known[i]), 1);
            init(shared_address(&shared.seen[i]), 2 * group / 32);
        }
        fence_init();
    }
    __syncthreads();
    if (threadIdx.x < group) {
        fewer_registers<40>();
        if (threadIdx.x != 0)
            return;
        for (int turn = 0, next = 0; next < all; turn++) {
            if (turn >= 2)
                await(shared_address(&shared.seen[turn % 2]), (turn / 2 - 1) & 1);
            next = atomicAdd(counter, 1);
            shared.next[turn % 2] = next;
            arrive(shared_address(&shared.known[turn % 2]));
            if (next < all)
                fill(shared.ring, t, a, b, next % down * rows, next / down * columns, k / depth);
        }
    } else {
        more_registers<232>();
        const int who = threadIdx.x / group - 1;
        const bool first = threadIdx.x % group == 0;
        for (int turn = 0;; turn++) {
            await(shared_address(&shared.known[turn % 2]), turn / 2 & 1);
            const int next = shared.next[turn % 2];
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                arrive(shared_address(&shared.seen[turn % 2]));
            if (next >= all)
                break;
            uint32_t d[64];
            drain(shared.ring, t, d, who, k / depth);
            if (first)
                wait_read<0>();
            named_sync(1 + who, group);
            for (int i = 0; i < 64; i += 2) {
                const int y = row_of(i), x = column_of(i), part = x % 32 / 4 ^ y % 8;
                *(float2 *)&shared.c[who][x / 32][y * row_bytes + part * 16 + x % 4 * 4] =
                    make_float2(__uint_as_float(d[i]), __uint_as_float(d[i + 1]));
            }
            fence_proxy();
            named_sync(1 + who, group);
            if (first) {
                for (int i = 0; i < columns / 32; i++)
                    store(c, shared_address(shared.c[who][i]), next / down * columns + i * 32,
                          next % down * rows + who * half_rows);
                commit();
            }
        }
        if (first)
            wait<0>();
    }
}

int main()
{
    const int m = 1792 * verify::size(), n = 1280, k = 1024; // more tiles of C than SMs
    verify::Program program("hopper_gemm");
    const std::vector<int16_t> left = random_integers((size_t)m * k, 1, 8),
                               right = random_integers((size_t)n * k, 2, 8);
    const std::vector<float> want = as<float>(product(left, right, m, n, k));
    verify::Buffer<__half> a(as<__half>(left)), b(as<__half>(right));
    verify::Buffer<float> c((size_t)m * n);
    verify::Buffer<int> counter(1);
    const CUtensorMapDataType f16 = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    const cuuint64_t wide = k, high = m, across = n;
    const CUtensorMap half_a = tensor_map(f16, a.data, {wide, high}, {depth, half_rows}),
                      map_a = tensor_map(f16, a.data, {wide, high}, {depth, rows}),
                      map_b = tensor_map(f16, b.data, {wide, across}, {depth, columns}),
                      map_c = tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, c.data, {across, high},
                                         {32, half_rows});
    auto check = [&](const char *kernel) {
        program.launched(kernel);
        program.equal(kernel, program.output(kernel, c), want);
        verify::must(cudaMemset(c.data, 0, c.count * sizeof(float)), "cudaMemset");
    };
    const dim3 halves(n / columns, m / half_rows), whole(n / columns, m / rows);

    by_threads<<<halves, group>>>(a.data, b.data, c.data, n, k);
    check("by_threads");
    by_tma<<<halves, group>>>(half_a, map_b, c.data, n, k);
    check("by_tma");
    allow_shared(ahead, sizeof(Ahead));
    ahead<<<halves, group, sizeof(Ahead)>>>(half_a, map_b, c.data, n, k);
    check("ahead");
    allow_shared(specialised, sizeof(Ring));
    specialised<<<whole, 3 * group, sizeof(Ring)>>>(map_a, map_b, c.data, n, k);
    check("specialised");
    cudaDeviceProp gpu;
    verify::must(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
    allow_shared(persistent, sizeof(Persistent));
    persistent<<<gpu.multiProcessorCount, 3 * group, sizeof(Persistent)>>>(map_a, map_b, map_c,
                                                                           counter.data, m, n, k);
    check("persistent");
    return program.finish();
}
