// Matrix product C = A B^T of f16 with f32 sums, with few tiles of C and long rows of A and B: each
// block multiplies a slice of the rows, and adds its tile to C.
//
// Shows reductions of tensors by TMA (cp.reduce.async.bulk.tensor), by which many blocks add to the
// same tile at once. Values are small integers, so that sums are exact in any order and must come
// out equal.
#include "hopper.h"

#include <cuda_fp16.h>

using namespace hopper;

const int depth = 64;                            // columns of A and B in a tile: 128 bytes
const int group = 128, rows = 64, columns = 128; // of C for a block
const int row_bytes = 128, tile_a = rows * row_bytes, tile_b = columns * row_bytes;
const int stages = 4;

struct Shared {
    uint8_t a[stages][tile_a];
    union {
        uint8_t b[stages][tile_b];
        uint8_t c[columns / 32][rows * row_bytes]; // in the end; 32 columns together
    };
    uint64_t full[stages];
};

__global__ void __launch_bounds__(group)
    add_slice(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
              const __grid_constant__ CUtensorMap c, int tiles)
{
    extern __shared__ __align__(1024) uint8_t memory[];
    Shared &shared = *(Shared *)memory;
    const int row = rows * blockIdx.y, column = columns * blockIdx.x, from = tiles * blockIdx.z;
    auto bring = [&](int t) {
        const uint32_t full = shared_address(&shared.full[t % stages]);
        expect(full, tile_a + tile_b);
        load(shared_address(shared.a[t % stages]), a, full, (from + t) * depth, row);
        load(shared_address(shared.b[t % stages]), b, full, (from + t) * depth, column);
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
    __syncthreads();
    for (int i = 0; i < 64; i += 2) {
        const int y = row_of(i), x = column_of(i), part = x % 32 / 4 ^ y % 8; // swizzled
        *(float2 *)&shared.c[x / 32][y * row_bytes + part * 16 + x % 4 * 4] =
            make_float2(__uint_as_float(d[i]), __uint_as_float(d[i + 1]));
    }
    fence_proxy();
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < columns / 32; i++)
            reduce_add(c, shared_address(shared.c[i]), column + i * 32, row);
        commit();
        wait<0>();
    }
}

int main()
{
    const int m = 512 * verify::size(), n = 512, k = 8192;
    verify::Program program("hopper_split_k");
    const std::vector<int16_t> left = random_integers((size_t)m * k, 1, 8),
                               right = random_integers((size_t)n * k, 2, 8);
    const std::vector<float> want = as<float>(product(left, right, m, n, k));
    verify::Buffer<__half> a(as<__half>(left)), b(as<__half>(right));
    const CUtensorMapDataType f16 = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    const cuuint64_t wide = k, high = m, across = n;
    const CUtensorMap map_a = tensor_map(f16, a.data, {wide, high}, {depth, rows}),
                      map_b = tensor_map(f16, b.data, {wide, across}, {depth, columns});
    allow_shared(add_slice, sizeof(Shared));
    for (int slices : {8, 2}) {
        verify::Buffer<float> c((size_t)m * n);
        const CUtensorMap map_c =
            tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, c.data, {across, high}, {32, rows});
        add_slice<<<dim3(n / columns, m / rows, slices), group, sizeof(Shared)>>>(
            map_a, map_b, map_c, k / depth / slices);
        program.launched("add_slice");
        program.equal("c", program.output("c", c), want);
    }
    return program.finish();
}
