// Attention of many heads, softmax(Q K^T / 8) V, without and with a causal mask: a warp copies
// tiles of K and V into rings in shared memory (TMA), two warp groups have 64 queries each. Shows
// two products of warp groups (wgmma) in a row, of which the second takes what the first has left
// in registers, V with rows along K, and the running maximum of a softmax over registers.
#include "hopper.h"

#include <cuda_fp16.h>

const int dim = 64, tile = 128; // columns; queries and keys of a tile
const int groups = 2, consumers = groups * 128, threads = consumers + 32;
const int stages = 2;
const uint32_t row_bytes = dim * sizeof(__half), tile_bytes = tile * row_bytes;
const uint32_t shared_bytes = 1024 + (1 + 2 * stages) * tile_bytes + (1 + 4 * stages) * 8;

// D (m64n64) += A B, A in registers, B in rows of 64 columns
WGMMA_RS(Weigh, 32, 32, 33, 34, 35, 36, 37, "m64n64k16.f32.f16.f16", ", 1, 1, 1")

/// Where things lie in shared memory.
struct Places {
    uint32_t base; // a multiple of 1024

    __device__ uint32_t q() const
    {
        return base;
    }
    __device__ uint32_t k(int slot) const
    {
        return base + (1 + slot) * tile_bytes;
    }
    __device__ uint32_t v(int slot) const
    {
        return base + (1 + stages + slot) * tile_bytes;
    }
    __device__ uint32_t barrier(int i) const
    {
        return base + (1 + 2 * stages) * tile_bytes + i * 8;
    }
    __device__ uint32_t q_full() const
    {
        return barrier(0);
    }
    __device__ uint32_t k_full(int slot) const
    {
        return barrier(1 + slot);
    }
    __device__ uint32_t v_full(int slot) const
    {
        return barrier(1 + stages + slot);
    }
    __device__ uint32_t k_empty(int slot) const
    {
        return barrier(1 + 2 * stages + slot);
    }
    __device__ uint32_t v_empty(int slot) const
    {
        return barrier(1 + 3 * stages + slot);
    }
};

__device__ void bring(const Places &at, const CUtensorMap &q, const CUtensorMap &k,
                      const CUtensorMap &v, int query, int head, int tiles)
{
    expect(at.q_full(), tile_bytes);
    hopper::load(at.q(), q, at.q_full(), 0, query, head);
    for (int t = 0; t < tiles; t++) {
        const int slot = t % stages, before = (t / stages + 1) & 1;
        if (t >= stages)
            await(at.k_empty(slot), before);
        expect(at.k_full(slot), tile_bytes);
        hopper::load(at.k(slot), k, at.k_full(slot), 0, t * tile, head);
        if (t >= stages)
            await(at.v_empty(slot), before);
        expect(at.v_full(slot), tile_bytes);
        hopper::load(at.v(slot), v, at.v_full(slot), 0, t * tile, head);
    }
}

/// The warp no longer needs what lies in a slot.
__device__ __forceinline__ void release(uint32_t empty)
{
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        hopper::arrive(empty);
}

/// The registers may be used from here on, not earlier.
template <int n> __device__ __forceinline__ void arrived(uint32_t (&d)[n])
{
#pragma unroll
    for (int i = 0; i < n; i++)
        asm volatile("" : "+r"(d[i])::"memory");
}

__device__ __forceinline__ float power_of_2(float x)
{
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}

__device__ __forceinline__ uint32_t pair(float low, float high)
{
    const __half2 two = __floats2half2_rn(low, high);
    return *(const uint32_t *)&two;
}

/// The first row of V that step `step` of a product needs: 16 rows to each.
__device__ __forceinline__ uint64_t rows_of_v(uint32_t address, int step)
{
    return hopper::rows_128(address, step * 16 * row_bytes);
}

template <bool causal>
__global__ void __launch_bounds__(threads)
    attention(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
              const __grid_constant__ CUtensorMap v, float *out, int length)
{
    extern __shared__ uint8_t shared[];
    const Places at = {(shared_address(shared) + 1023) & ~1023u};
    const int query = blockIdx.x * tile, head = blockIdx.y;
    const int tiles = causal ? blockIdx.x + 1 : length / tile;
    if (threadIdx.x == 0) {
        for (int i = 0; i < 1 + 4 * stages; i++)
            hopper::init(at.barrier(i), i < 1 + 2 * stages ? 1 : consumers / 32);
        hopper::fence_init();
    }
    __syncthreads();
    if (threadIdx.x >= consumers) {
        if (threadIdx.x == consumers)
            bring(at, q, k, v, query, head, tiles);
        return;
    }

    const float scale = 0.125f * 1.44269504f; // of exponents of 2
    const int first = threadIdx.x / 128 * 64; // the group's first query in the tile
    float highest[2] = {-INFINITY, -INFINITY}, sum[2] = {0.0f, 0.0f}; // of two rows
    uint32_t o[32] = {};
    await(at.q_full(), 0);
    for (int t = 0; t < tiles; t++) {
        const int slot = t % stages, phase = (t / stages) & 1;
        uint32_t scores[64];
        await(at.k_full(slot), phase);
        hopper::multiply<hopper::F16_128>(scores, at.q() + first * row_bytes, at.k(slot), false);
        hopper::product_wait<0>();
        arrived(scores);
        release(at.k_empty(slot));

        float s[64], before[2] = {highest[0], highest[1]}, shrink[2];
#pragma unroll
        for (int i = 0; i < 64; i++)
            s[i] = __uint_as_float(scores[i]);
        if (causal && t == tiles - 1) {
#pragma unroll
            for (int i = 0; i < 64; i++)
                if (hopper::column_of(i) + i % 2 > first + hopper::row_of(i))
                    s[i] = -INFINITY;
        }
#pragma unroll
        for (int i = 0; i < 64; i++)
            highest[i / 2 % 2] = fmaxf(highest[i / 2 % 2], s[i]);
#pragma unroll
        for (int h = 0; h < 2; h++) {
            highest[h] = fmaxf(highest[h], __shfl_xor_sync(0xffffffffu, highest[h], 1));
            highest[h] = fmaxf(highest[h], __shfl_xor_sync(0xffffffffu, highest[h], 2));
            shrink[h] = power_of_2((before[h] - highest[h]) * scale);
            sum[h] *= shrink[h];
        }
        operands with[8];
#pragma unroll
        for (int i = 0; i < 64; i++) {
            const int h = i / 2 % 2;
            s[i] = power_of_2(s[i] * scale - highest[h] * scale);
            sum[h] += s[i];
            if (i % 2)
                with[i / 8].regs[i / 2 % 4] = pair(s[i - 1], s[i]);
        }
#pragma unroll
        for (int i = 0; i < 32; i++)
            o[i] = __float_as_uint(__uint_as_float(o[i]) * shrink[i / 2 % 2]);

        await(at.v_full(slot), phase);
        hopper::product_fence();
#pragma unroll
        for (int i = 0; i < 8; i++) {
            with[i].b = rows_of_v(at.v(slot), i);
            with[i].adds = 1;
            Weigh::run(o, with[i]);
        }
        hopper::product_commit();
        hopper::product_wait<0>();
        arrived(o);
        release(at.v_empty(slot));
    }

#pragma unroll
    for (int h = 0; h < 2; h++) {
        sum[h] += __shfl_xor_sync(0xffffffffu, sum[h], 1);
        sum[h] += __shfl_xor_sync(0xffffffffu, sum[h], 2);
        sum[h] = 1.0f / sum[h];
    }
#pragma unroll
    for (int i = 0; i < 32; i += 2) {
        const size_t row = (size_t)head * length + query + first + hopper::row_of(i);
        const float by = sum[i / 2 % 2];
        *(float2 *)&out[row * dim + hopper::column_of(i)] = {__uint_as_float(o[i]) * by,
                                                             __uint_as_float(o[i + 1]) * by};
    }
}

/// Random halves, and the same as floats.
static std::vector<__half> random_halves(size_t n, uint32_t seed, float limit,
                                         std::vector<float> &floats)
{
    std::vector<__half> halves(n);
    floats = verify::random_floats(n, seed, -limit, limit);
    for (size_t i = 0; i < n; i++) {
        halves[i] = __float2half(floats[i]);
        floats[i] = __half2float(halves[i]);
    }
    return halves;
}

/// Attention of one head, without and with the mask.
static void reference(const float *q, const float *k, const float *v, float *all, float *causal,
                      int length)
{
    std::vector<float> turned(dim * length), weights(length);
    for (int j = 0; j < length; j++)
        for (int c = 0; c < dim; c++)
            turned[c * length + j] = k[j * dim + c];
    for (int i = 0; i < length; i++) {
        float sums[dim] = {}, sum = 0.0f;
        std::fill(weights.begin(), weights.end(), 0.0f);
        for (int c = 0; c < dim; c++)
            for (int j = 0; j < length; j++)
                weights[j] += q[i * dim + c] * turned[c * length + j];
        for (int j = 0; j < length; j++) {
            const float weight = std::exp(weights[j] * 0.125f);
            sum += weight;
            for (int c = 0; c < dim; c++)
                sums[c] += weight * v[j * dim + c];
            if (j == i)
                for (int c = 0; c < dim; c++)
                    causal[i * dim + c] = sums[c] / sum;
        }
        for (int c = 0; c < dim; c++)
            all[i * dim + c] = sums[c] / sum;
    }
}

int main()
{
    const int heads = 16 * verify::size(), length = 1024;
    const size_t n = (size_t)heads * length * dim;
    verify::Program program("hopper_attention");
    std::vector<float> q, k, v, want(n), want_causal(n);
    verify::Buffer<__half> device_q(random_halves(n, 1, 2.0f, q));
    verify::Buffer<__half> device_k(random_halves(n, 2, 2.0f, k));
    verify::Buffer<__half> device_v(random_halves(n, 3, 1.0f, v));
    verify::Buffer<float> out(n);
    for (int head = 0; head < heads; head++) {
        const size_t at = (size_t)head * length * dim;
        reference(&q[at], &k[at], &v[at], &want[at], &want_causal[at], length);
    }
    const auto map = [&](const verify::Buffer<__half> &of) {
        return hopper::tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, of.data,
                                  {dim, (cuuint64_t)length, (cuuint64_t)heads}, {dim, tile, 1});
    };
    const CUtensorMap map_q = map(device_q), map_k = map(device_k), map_v = map(device_v);
    const dim3 blocks(length / tile, heads);

    hopper::allow_shared(attention<false>, shared_bytes);
    attention<false><<<blocks, threads, shared_bytes>>>(map_q, map_k, map_v, out.data, length);
    program.launched("attention<false>");
    program.close("out", program.output("out", out), want, 1e-3, 5e-4);
    hopper::allow_shared(attention<true>, shared_bytes);
    attention<true><<<blocks, threads, shared_bytes>>>(map_q, map_k, map_v, out.data, length);
    program.launched("attention<true>");
    program.close("causal out", program.output("causal", out), want_causal, 1e-3, 5e-4);
    return program.finish();
}
