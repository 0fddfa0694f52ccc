// Matrix products C = A B^T of three types on the tensor cores of a warp group: bf16 and E4M3 with
// f32 sums, s8 with s32 sums; one warp group copies tiles by TMA, two multiply.
//
// Shows wgmma of operands of one and two bytes by one kernel: a tile has rows of 128 bytes, and a
// product takes 32 bytes of them, whatever the type. Values are small integers, so that every sum
// is exact and must come out equal.
#include "hopper.h"

#include <cuda_bf16.h>
#include <cuda_fp8.h>

using namespace hopper;

const int group = 128, half_rows = 64, rows = 128, columns = 128; // of C for a group, for a block
const int row_bytes = 128, half_tile = half_rows * row_bytes, tile = rows * row_bytes;
const int stages = 4;

struct Ring {
    uint8_t a[stages][tile], b[stages][tile];
    uint64_t full[stages], empty[stages];
};

/// `depth` elements are a row of a tile; sums are written as their bits.
template <typename Product>
__global__ void __launch_bounds__(3 * group, 1)
    multiply_all(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                 uint32_t *c, int n, int tiles, int depth)
{
    extern __shared__ __align__(1024) uint8_t memory[];
    Ring &ring = *(Ring *)memory;
    const int row = rows * blockIdx.y, column = columns * blockIdx.x;
    if (threadIdx.x == 0) {
        prefetch(a);
        prefetch(b);
        for (int s = 0; s < stages; s++) {
            init(shared_address(&ring.full[s]), 1);
            init(shared_address(&ring.empty[s]), 2 * group / 32); // each warp that multiplies
        }
        fence_init();
    }
    __syncthreads();
    if (threadIdx.x < group) {
        fewer_registers<40>();
        if (threadIdx.x != 0)
            return;
        for (int t = 0; t < tiles; t++) {
            const int s = t % stages;
            const uint32_t full = shared_address(&ring.full[s]);
            if (t >= stages)
                await(shared_address(&ring.empty[s]), (t / stages - 1) & 1);
            expect(full, 2 * tile);
            load(shared_address(ring.a[s]), a, full, t * depth, row);
            load(shared_address(ring.b[s]), b, full, t * depth, column);
        }
    } else {
        more_registers<232>();
        const int who = threadIdx.x / group - 1;
        uint32_t d[64];
        for (int t = 0; t < tiles; t++) {
            const int s = t % stages;
            await(shared_address(&ring.full[s]), t / stages & 1);
            multiply<Product>(d, shared_address(ring.a[s] + who * half_tile),
                              shared_address(ring.b[s]), t != 0);
            product_wait<1>(); // the product before this one no longer reads its tiles
            if (t > 0 && threadIdx.x % 32 == 0)
                arrive(shared_address(&ring.empty[(t - 1) % stages]));
        }
        product_end(d);
        for (int i = 0; i < 64; i += 2)
            *(uint2 *)&c[(size_t)(row + who * half_rows + row_of(i)) * n + column + column_of(i)] =
                make_uint2(d[i], d[i + 1]);
    }
}

/// Multiplies integers from -most to most as elements T, and compares the sums as type Sum.
template <typename Product, typename T, typename Sum>
void check(verify::Program &program, const char *name, CUtensorMapDataType type, int most)
{
    const int m = 1280 * verify::size(), n = 1664, depth = row_bytes / (int)sizeof(T),
              k = 20 * depth;
    const std::vector<int16_t> left = random_integers((size_t)m * k, 1, most),
                               right = random_integers((size_t)n * k, 2, most);
    verify::Buffer<T> a(as<T>(left)), b(as<T>(right));
    verify::Buffer<Sum> c((size_t)m * n);
    const cuuint64_t wide = k, high = m, across = n;
    const cuuint32_t in_row = depth, in_column = rows;
    const CUtensorMap map_a = tensor_map(type, a.data, {wide, high}, {in_row, in_column}),
                      map_b = tensor_map(type, b.data, {wide, across}, {in_row, in_column});
    allow_shared(multiply_all<Product>, sizeof(Ring));
    multiply_all<Product><<<dim3(n / columns, m / rows), 3 * group, sizeof(Ring)>>>(
        map_a, map_b, (uint32_t *)c.data, n, k / depth, depth);
    program.launched(name);
    program.equal(name, program.output(name, c), as<Sum>(product(left, right, m, n, k)));
}

int main()
{
    verify::Program program("hopper_gemm_types");
    const CUtensorMapDataType bytes = CU_TENSOR_MAP_DATA_TYPE_UINT8;
    check<BF16_128, __nv_bfloat16, float>(program, "bf16", CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 16);
    check<E4M3_128, __nv_fp8_e4m3, float>(program, "e4m3", bytes, 2);
    check<S8_128, int8_t, int>(program, "s8", bytes, 127);
    return program.finish();
}
