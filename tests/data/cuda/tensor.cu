/*
 * Tensor copies (TMA): each block loads a tile of a matrix with a swizzle of 128 bytes, adds a
 * border of zeros around the matrix, transposes the tile, and stores it; then adds it to a sum.
 * Prints PASS tensor. With an argument there is a mistake: "column", "negative", "map",
 * "box", "operation".
 */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>

enum { TILE = 32, ROWS = 100, COLUMNS = 76, THREADS = 128, BORDER = 4 };

__device__ uint32_t shared_address(const void *pointer)
{
    return (uint32_t)__cvta_generic_to_shared(pointer);
}

/* Returns the place of an element of a tile under the swizzle: 16 bytes move together. */
__device__ int swizzled(int row, int column)
{
    return row * TILE + ((column / 4 ^ row % 8) * 4 + column % 4);
}

__device__ void store(const CUtensorMap *map, const float *tile, int column, int row, bool add)
{
    if (add)
        asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
                     "[%0, {%1, %2}], [%3];" ::"l"(map),
                     "r"(column), "r"(row), "r"(shared_address(tile))
                     : "memory");
    else
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], "
                     "[%3];" ::"l"(map),
                     "r"(column), "r"(row), "r"(shared_address(tile))
                     : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;");
}

__global__ void transpose(const __grid_constant__ CUtensorMap from,
                          const __grid_constant__ CUtensorMap to,
                          const __grid_constant__ CUtensorMap sum, int shift, int down, int bytes)
{
    __shared__ __align__(1024) float in[TILE * TILE + 32], out[TILE * TILE];
    __shared__ __align__(8) uint64_t barrier;
    const int column = blockIdx.x * TILE - BORDER, row = blockIdx.y * TILE - BORDER;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)));
        asm volatile("fence.mbarrier_init.release.cluster;");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                         shared_address(&barrier)),
                     "r"(TILE * TILE * 4)
                     : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(in) + bytes),
                     "l"(&from), "r"(column + shift), "r"(row), "r"(shared_address(&barrier))
                     : "memory");
    }
    __syncthreads();
    uint32_t over = 0;
    while (!over)
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 "
                     "%0, 1, 0, p;}"
                     : "=r"(over)
                     : "r"(shared_address(&barrier))
                     : "memory");
    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS)
        out[i % TILE * TILE + i / TILE] = in[swizzled(i / TILE, i % TILE)];
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    if (threadIdx.x)
        return;
    store(&to, out, blockIdx.y * TILE, blockIdx.x * TILE + down, false);
    store(&sum, out, 0, 0, true);
}

static decltype(&cuTensorMapEncodeTiled) encode;

static bool make(CUtensorMap *map, float *address, int columns, int rows,
                 CUtensorMapSwizzle swizzle, CUtensorMapDataType type)
{
    const cuuint64_t size[2] = {(cuuint64_t)columns, (cuuint64_t)rows};
    const cuuint64_t stride[1] = {(cuuint64_t)columns * sizeof(float)};
    const cuuint32_t box[2] = {TILE, TILE}, step[2] = {1, 1};
    return encode(map, type, 2, address, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                  swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

/* The matrix with its border, transposed; its rows end behind whole tiles. */
enum {
    OUT_COLUMNS = (ROWS + BORDER + TILE - 1) / TILE * TILE,
    OUT_ROWS = (COLUMNS + BORDER + TILE - 1) / TILE * TILE
};

static float element(int row, int column)
{
    const bool inside = row >= 0 && row < ROWS && column >= 0 && column < COLUMNS;
    return inside ? (float)(row * 1000 + column) : 0;
}

static bool check(const std::vector<float> &out, const std::vector<float> &sum)
{
    std::vector<float> expected(TILE * TILE);
    for (int i = 0; i < OUT_ROWS; i++)
        for (int j = 0; j < OUT_COLUMNS; j++) {
            const float value = element(j - BORDER, i - BORDER);
            expected[i % TILE * TILE + j % TILE] += value;
            if (out[i * OUT_COLUMNS + j] != value)
                return false;
        }
    return expected == sum;
}

int main(int argc, char **argv)
{
    const char *mistake = argc > 1 ? argv[1] : "";
    std::vector<float> in(ROWS * COLUMNS), out(OUT_ROWS * OUT_COLUMNS), sum(TILE * TILE);
    float *from, *to, *total;
    CUtensorMap from_map, to_map, sum_map;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000,
                                         cudaEnableDefault, &found))
        return 1;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        in[i] = element(i / COLUMNS, i % COLUMNS);
    cudaMalloc(&from, in.size() * 4);
    cudaMalloc(&to, out.size() * 4);
    cudaMalloc(&total, sum.size() * 4);
    cudaMemcpy(from, in.data(), in.size() * 4, cudaMemcpyHostToDevice);
    cudaMemset(total, 0, sum.size() * 4);
    const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    const CUtensorMapDataType sum_type = strcmp(mistake, "operation") ? type : /* has no sums */
                                             CU_TENSOR_MAP_DATA_TYPE_INT64;
    if (!make(&from_map, from, COLUMNS, ROWS, CU_TENSOR_MAP_SWIZZLE_128B, type) ||
        !make(&to_map, to, OUT_COLUMNS, OUT_ROWS, CU_TENSOR_MAP_SWIZZLE_NONE, type) ||
        !make(&sum_map, total, TILE, TILE, CU_TENSOR_MAP_SWIZZLE_NONE, sum_type))
        return 1;
    if (!strcmp(mistake, "map"))
        memset(&from_map, 0xff, sizeof from_map);
    transpose<<<dim3(OUT_ROWS / TILE, OUT_COLUMNS / TILE), THREADS>>>(
        from_map, to_map, sum_map, !strcmp(mistake, "column") ? 1 : 0,
        !strcmp(mistake, "negative") ? -1 : 0, !strcmp(mistake, "box") ? 64 : 0);
    cudaMemcpy(out.data(), to, out.size() * 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(sum.data(), total, sum.size() * 4, cudaMemcpyDeviceToHost);
    const cudaError_t error = cudaGetLastError();
    if (error) {
        printf("%s\n", cudaGetErrorName(error));
        return 1;
    }
    puts(check(out, sum) ? "PASS tensor" : "FAIL tensor");
    return 0;
}
