// Matrix product C = A B^T of f16 with f32 sums in clusters of blocks: blocks of a row of the
// cluster need the same tile of A, those of a column the same tile of B, and each brings a part of
// it to all of them.
//
// Shows TMA with multicast, and barriers at which the blocks of a cluster tell each other that
// tiles may be overwritten. Values are small integers, so that every sum is exact and must come out
// equal.
#include "hopper.h"

#include <cuda_fp16.h>

using namespace hopper;

const int depth = 64; // columns of A and B in a tile: 128 bytes
const int group = 128, half_rows = 64, rows = 128, columns = 128; // of C for a group, for a block
const int row_bytes = 128, half_tile = half_rows * row_bytes, tile = rows * row_bytes;
const int stages = 4;

struct Ring {
    uint8_t a[stages][tile], b[stages][tile];
    uint64_t full[stages], empty[stages];
};

/// Clusters are X blocks wide and Y blocks high.
template <int X, int Y>
__global__ void __cluster_dims__(X, Y, 1) __launch_bounds__(3 * group, 1)
    in_clusters(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                float *c, int n, int k)
{
    extern __shared__ __align__(1024) uint8_t memory[];
    Ring &ring = *(Ring *)memory;
    const int row = rows * blockIdx.y, column = columns * blockIdx.x, tiles = k / depth;
    const uint32_t x = cluster_rank() % X, y = cluster_rank() / X;
    const int peers = X + Y - 1; // blocks of this one's row and column, with itself
    if (threadIdx.x == 0) {
        prefetch(a);
        prefetch(b);
        for (int s = 0; s < stages; s++) {
            init(shared_address(&ring.full[s]), 1);
            init(shared_address(&ring.empty[s]), peers * 2 * group / 32);
        }
        fence_init();
    }
    cluster_sync();
    if (threadIdx.x < group) {
        fewer_registers<40>();
        const uint16_t same_row = ((1 << X) - 1) << y * X;
        uint16_t same_column = 0;
        for (int i = 0; i < Y; i++)
            same_column |= 1 << (x + i * X);
        for (int t = 0; t < tiles && threadIdx.x == 0; t++) {
            const int s = t % stages;
            const uint32_t full = shared_address(&ring.full[s]);
            if (t >= stages)
                await(shared_address(&ring.empty[s]), (t / stages - 1) & 1);
            expect(full, 2 * tile);
            load_multicast(shared_address(ring.a[s] + x * (tile / X)), a, full, same_row, t * depth,
                           row + x * (rows / X));
            load_multicast(shared_address(ring.b[s] + y * (tile / Y)), b, full, same_column,
                           t * depth, column + y * (columns / Y));
        }
        __syncwarp();
    } else {
        more_registers<232>();
        const int who = threadIdx.x / group - 1, lane = threadIdx.x % 32;
        const uint32_t other = lane - X + (lane - X >= (int)y); // its place in the column
        const uint32_t peer = lane < X ? y * X + lane : x + other * X;
        const uint32_t empty = map_rank(shared_address(ring.empty), lane < peers ? peer : 0);
        uint32_t d[64];
        for (int t = 0; t < tiles; t++) {
            const int s = t % stages;
            await(shared_address(&ring.full[s]), t / stages & 1);
            multiply<F16_128>(d, shared_address(ring.a[s] + who * half_tile),
                              shared_address(ring.b[s]), t != 0);
            product_wait<1>(); // the product before this one no longer reads its tiles
            if (t > 0 && lane < peers)
                release_remote(empty + (t - 1) % stages * (uint32_t)sizeof(uint64_t));
        }
        product_end(d);
        for (int i = 0; i < 64; i += 2)
            *(float2 *)&c[(size_t)(row + who * half_rows + row_of(i)) * n + column + column_of(i)] =
                make_float2(__uint_as_float(d[i]), __uint_as_float(d[i + 1]));
    }
    cluster_sync(); // no block ends while others still arrive at its barriers
}

/// A, B and the product that is expected.
struct Problem {
    int m, n, k;
    std::vector<int16_t> left, right;
    verify::Buffer<__half> a, b;
    std::vector<float> want;

    Problem(int height, int width, int length)
        : m(height), n(width), k(length), left(random_integers((size_t)m * k, 1, 8)),
          right(random_integers((size_t)n * k, 2, 8)), a(as<__half>(left)), b(as<__half>(right)),
          want(as<float>(product(left, right, m, n, k)))
    {
    }
};

template <int X, int Y> void check(verify::Program &program, const char *name, const Problem &p)
{
    verify::Buffer<float> c((size_t)p.m * p.n);
    const CUtensorMapDataType f16 = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    const cuuint64_t wide = p.k, high = p.m, across = p.n;
    const CUtensorMap map_a = tensor_map(f16, p.a.data, {wide, high}, {depth, rows / X}),
                      map_b = tensor_map(f16, p.b.data, {wide, across}, {depth, columns / Y});
    allow_shared(in_clusters<X, Y>, sizeof(Ring));
    in_clusters<X, Y><<<dim3(p.n / columns, p.m / rows), 3 * group, sizeof(Ring)>>>(
        map_a, map_b, c.data, p.n, p.k);
    program.launched(name);
    program.equal(name, program.output(name, c), p.want);
}

int main()
{
    verify::Program program("hopper_multicast");
    const Problem problem(1024 * verify::size(), 1536, 1536);
    check<2, 1>(program, "clusters_2x1", problem);
    check<1, 2>(program, "clusters_1x2", problem);
    check<2, 2>(program, "clusters_2x2", problem);
    return program.finish();
}
