// Rows of numbers, each spread over a cluster of blocks, are normalised: floats to mean 0 and
// variance 1, integers to the sum 0. Shows reductions over a cluster through distributed shared
// memory: partial sums that every block fetches from all others, and partial sums that every block
// adds to those of all others (remote atomics).
#include "verify.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

const int block = 256, warps = block / 32, columns = 16384;
const unsigned full_mask = 0xffffffffu;

template <typename T> __device__ T warp_sum(T value, int lanes = 32)
{
    for (int offset = lanes / 2; offset > 0; offset /= 2)
        value += __shfl_xor_sync(full_mask, value, offset);
    return value;
}

/// The sum of `mine` over all threads of the cluster. `partial` must be another one than last time.
template <int blocks> __device__ float cluster_sum(float mine, float *partial)
{
    __shared__ float of_warps[warps];
    const cg::cluster_group cluster = cg::this_cluster();
    const int lane = threadIdx.x % 32;
    mine = warp_sum(mine);
    if (lane == 0)
        of_warps[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = warp_sum(of_warps[lane % warps], warps);
        if (lane == 0)
            *partial = mine;
    }
    cluster.sync();
    return warp_sum(*cluster.map_shared_rank(partial, lane % blocks), blocks);
}

template <int blocks>
__global__ void __cluster_dims__(blocks, 1, 1) fetch_sums(const float4 *in, float4 *out, int rows)
{
    const int each = columns / 4 / blocks / block; // float4 of a thread
    __shared__ float partials[2];
    const cg::cluster_group cluster = cg::this_cluster();
    const int first = cluster.block_rank() * each * block + threadIdx.x;
    for (int row = blockIdx.x / blocks; row < rows; row += gridDim.x / blocks) {
        const size_t at = (size_t)row * (columns / 4) + first;
        float4 x[each];
        float sum = 0.0f, squares = 0.0f;
#pragma unroll
        for (int i = 0; i < each; i++) {
            x[i] = in[at + i * block];
            sum += (x[i].x + x[i].y) + (x[i].z + x[i].w);
        }
        const float mean = cluster_sum<blocks>(sum, &partials[0]) * (1.0f / columns);
#pragma unroll
        for (int i = 0; i < each; i++) {
            x[i] = {x[i].x - mean, x[i].y - mean, x[i].z - mean, x[i].w - mean};
            squares += x[i].x * x[i].x + x[i].y * x[i].y + x[i].z * x[i].z + x[i].w * x[i].w;
        }
        const float variance = cluster_sum<blocks>(squares, &partials[1]) * (1.0f / columns);
        const float scale = rsqrtf(variance + 1e-5f);
#pragma unroll
        for (int i = 0; i < each; i++)
            out[at + i * block] = {x[i].x * scale, x[i].y * scale, x[i].z * scale, x[i].w * scale};
    }
    cluster.sync(); // others may still read the last partial sum
}

template <int blocks>
__global__ void __cluster_dims__(blocks, 1, 1) send_sums(const int4 *in, int4 *out, int rows)
{
    const int each = columns / 4 / blocks / block; // int4 of a thread
    __shared__ int totals[3];                      // one in use, one to be made zero, one just read
    const cg::cluster_group cluster = cg::this_cluster();
    const int first = cluster.block_rank() * each * block + threadIdx.x, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        totals[0] = 0;
    cluster.sync();
    int turn = 0;
    for (int row = blockIdx.x / blocks; row < rows; row += gridDim.x / blocks) {
        const size_t at = (size_t)row * (columns / 4) + first;
        int4 x[each];
        int sum = 0;
#pragma unroll
        for (int i = 0; i < each; i++) {
            x[i] = in[at + i * block];
            sum += x[i].x + x[i].y + x[i].z + x[i].w;
        }
        sum = warp_sum(sum);
        if (lane < blocks)
            atomicAdd(cluster.map_shared_rank(&totals[turn], lane), sum);
        const int next = turn == 2 ? 0 : turn + 1;
        if (threadIdx.x == 0)
            totals[next] = 0;
        cluster.sync();
        const int mean = totals[turn] / columns;
#pragma unroll
        for (int i = 0; i < each; i++)
            out[at + i * block] = {x[i].x - mean, x[i].y - mean, x[i].z - mean, x[i].w - mean};
        turn = next;
    }
}

int main()
{
    const int rows = 96 * verify::size(), blocks = 128;
    verify::Program program("hopper_cluster_sum");
    const size_t n = (size_t)rows * columns;
    std::vector<float> in = verify::random_floats(n, 1);
    std::vector<int> numbers(n), want_numbers(n);
    std::vector<double> want(n);
    for (int r = 0; r < rows; r++) {
        float *row = &in[(size_t)r * columns];
        double mean = 0.0, variance = 0.0;
        for (int c = 0; c < columns; c++) {
            row[c] = row[c] * (1 + r % 5) + r % 7;
            mean += row[c] / (double)columns;
        }
        for (int c = 0; c < columns; c++)
            variance += (row[c] - mean) * (row[c] - mean) / columns;
        const double scale = 1.0 / std::sqrt(variance + 1e-5);
        for (int c = 0; c < columns; c++)
            want[(size_t)r * columns + c] = (row[c] - mean) * scale;
    }
    for (int r = 0; r < rows; r++) {
        int *row = &numbers[(size_t)r * columns], sum = 0;
        for (int c = 0; c < columns; c++) {
            row[c] = (int)(verify::random_word(2, r * columns + c) % 2001) - 1000 + 17 * r;
            sum += row[c];
        }
        for (int c = 0; c < columns; c++)
            want_numbers[(size_t)r * columns + c] = row[c] - sum / columns;
    }
    verify::Buffer<float> from(in), to(n);
    verify::Buffer<int> from_numbers(numbers), to_numbers(n);

    fetch_sums<8><<<blocks, block>>>((const float4 *)from.data, (float4 *)to.data, rows);
    program.launched("fetch_sums<8>");
    program.close("fetched by 8", program.output("fetched_8", to), want, 1e-4, 1e-4);
    fetch_sums<4><<<blocks, block>>>((const float4 *)from.data, (float4 *)to.data, rows);
    program.launched("fetch_sums<4>");
    program.close("fetched by 4", program.output("fetched_4", to), want, 1e-4, 1e-4);
    send_sums<8><<<blocks, block>>>((const int4 *)from_numbers.data, (int4 *)to_numbers.data, rows);
    program.launched("send_sums<8>");
    program.equal("sent by 8", program.output("sent_8", to_numbers), want_numbers);
    return program.finish();
}
