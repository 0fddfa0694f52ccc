// Programs that use libraries of the CUDA toolkit: CUB, Thrust, libcu++, cooperative groups,
// products of matrices by warps. What the libraries do looks like faults in places: scans in one
// pass that wait for other blocks, shared memory that is used again, loads of what is not used. The
// faulty cases leave out what a library asks of its caller. check_case.h says how a case is
// written.
#include "check_case.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <mma.h>
#include <thrust/device_vector.h>
#include <thrust/sequence.h>
#include <thrust/transform_reduce.h>

namespace cg = cooperative_groups;

// ---- Faulty ----

__global__ void scan_storage_again(const int *in, int *out)
{
    using scan = cub::BlockScan<int, 128, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename scan::TempStorage storage;
    int value = in[threadIdx.x];
    scan(storage).InclusiveSum(value, value); // FAULT
    scan(storage).ExclusiveSum(value, value); // FAULT
    out[threadIdx.x] = value;
}

CASE(cub_storage_used_again, FAULTY, "race",
     "cub::BlockScan twice with the same storage, without a barrier between")
{
    device_array<int> in(128, 1), out(128);
    scan_storage_again<<<1, 128>>>(in, out);
}

__global__ void group_copy_unawaited(const int *in, int *out)
{
    __shared__ alignas(16) int tile[128];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile); // FAULT
    block.sync();
    out[threadIdx.x] = tile[127 - threadIdx.x]; // FAULT
    cg::wait(block);
}

CASE(group_copy_without_wait, FAULTY, "race",
     "cg::memcpy_async(), read after a barrier, without wait()")
{
    device_array<int> in(numbers(128)), out(128);
    group_copy_unawaited<<<1, 128>>>(in, out);
}

__global__ void pipeline_unawaited(const int *in, int *out)
{
    __shared__ int tile[128];
    auto pipeline = cuda::make_pipeline();
    pipeline.producer_acquire();
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), pipeline); // FAULT
    pipeline.producer_commit();
    __syncthreads();
    out[threadIdx.x] = tile[127 - threadIdx.x]; // FAULT
    pipeline.consumer_wait();
    pipeline.consumer_release();
}

CASE(pipeline_without_wait, FAULTY, "race",
     "A copy of cuda::pipeline is read before consumer_wait()")
{
    device_array<int> in(numbers(128)), out(128);
    pipeline_unawaited<<<1, 128>>>(in, out);
}

__global__ void multiply_early(const half *a, const half *b, float *c)
{
    using namespace nvcuda;
    __shared__ alignas(32) half x[16 * 16], y[16 * 16];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        x[i] = a[i]; // FAULT
        y[i] = b[i]; // FAULT
    }
    if (threadIdx.x < 32) {
        wmma::load_matrix_sync(fa, x, 16); // FAULT
        wmma::load_matrix_sync(fb, y, 16); // FAULT
        wmma::mma_sync(sum, fa, fb, sum);
        wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
    }
}

CASE(matrix_product_without_barrier, FAULTY, "race",
     "A warp multiplies tiles that two warps are loading")
{
    device_array<half> a(256, __float2half(1.0f)), b(256, __float2half(2.0f));
    device_array<float> c(256);
    multiply_early<<<1, 64>>>(a, b, c);
}

__global__ void add_in_block_scope(cuda::atomic<int, cuda::thread_scope_block> *count)
{
    count->fetch_add(1); // FAULT
}

CASE(atomic_of_block_scope, FAULTY, "race", "Blocks add to a cuda::atomic of the scope of a block")
{
    device_array<int> count(1, 0);
    add_in_block_scope<<<8, 64>>>((cuda::atomic<int, cuda::thread_scope_block> *)count.data);
}

// ---- CUB ----

__global__ void block_reduce(const int *in, int *out)
{
    using reduce = cub::BlockReduce<int, 128>;
    __shared__ typename reduce::TempStorage storage;
    const int sum = reduce(storage).Sum(in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

CASE(cub_block_reduce, CORRECT, "race", "cub::BlockReduce")
{
    device_array<int> in(numbers(512)), out(4);
    block_reduce<<<4, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return 127 * 64 + i * 128 * 128; }), "sums");
}

__global__ void block_scan_twice(const int *in, int *out)
{
    using scan = cub::BlockScan<int, 128>;
    __shared__ typename scan::TempStorage storage;
    int value = in[threadIdx.x];
    scan(storage).InclusiveSum(value, value);
    __syncthreads();
    scan(storage).ExclusiveSum(value, value);
    out[threadIdx.x] = value;
}

CASE(cub_block_scan, CORRECT, "race",
     "cub::BlockScan twice, with a barrier before the same storage")
{
    device_array<int> in(128, 1), out(128);
    block_scan_twice<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return i * (i + 1) / 2; }), "sums");
}

__global__ void block_sort(int *keys)
{
    using sort = cub::BlockRadixSort<int, 128, 2>;
    __shared__ typename sort::TempStorage storage;
    int mine[2] = {keys[2 * threadIdx.x], keys[2 * threadIdx.x + 1]};
    sort(storage).Sort(mine);
    keys[2 * threadIdx.x] = mine[0];
    keys[2 * threadIdx.x + 1] = mine[1];
}

CASE(cub_block_sort, CORRECT, "race", "cub::BlockRadixSort")
{
    std::vector<int> values = numbers(256);
    for (int &v : values)
        v = v * 37 % 256;
    device_array<int> keys(values);
    block_sort<<<1, 128>>>(keys);
    expect(all(keys.host(), [](int i) { return i; }), "keys");
}

/// Runs an algorithm of CUB with the temporary memory that it asks for.
template <typename Algorithm> static void with_storage(Algorithm run)
{
    size_t bytes = 0;
    MUST(run(nullptr, bytes));
    device_array<char> storage(bytes);
    MUST(run((void *)storage.data, bytes));
    MUST(cudaDeviceSynchronize());
}

CASE(cub_device_scan, CORRECT, "race", "cub::DeviceScan, whose blocks wait for those before them")
{
    const int n = 100000;
    device_array<int> in(n, 1), out(n);
    with_storage([&](void *storage, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(storage, bytes, in.data, out.data, n);
    });
    expect(all(out.host(), [](int i) { return i + 1; }), "sums");
}

struct one_of_four {
    __device__ bool operator()(int v) const
    {
        return v % 4 == 1;
    }
};

CASE(cub_device_select, CORRECT, "race", "cub::DeviceSelect keeps what a condition says")
{
    const int n = 20000;
    device_array<int> in(numbers(n)), out(n, -1), count(1);
    with_storage([&](void *storage, size_t &bytes) {
        return cub::DeviceSelect::If(storage, bytes, in.data, out.data, count.data, n,
                                     one_of_four());
    });
    expect(count.host()[0] == n / 4, "the count");
    expect(all(out.host(), [n](int i) { return i < n / 4 ? 4 * i + 1 : -1; }), "elements");
}

CASE(cub_device_histogram, CORRECT, "race", "cub::DeviceHistogram")
{
    const int n = 20000;
    device_array<int> in(numbers(n)), bins(10);
    with_storage([&](void *storage, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(storage, bytes, in.data, bins.data, 11, 0, n, n);
    });
    expect(all(bins.host(), [](int) { return 2000; }), "bins");
}

CASE(cub_device_sort, CORRECT, "race", "cub::DeviceRadixSort")
{
    const int n = 20000;
    std::vector<int> values;
    for (int i = 0; i < n; i++)
        values.push_back((int)((long long)i * 7919 % n));
    device_array<int> in(values), out(n);
    with_storage([&](void *storage, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(storage, bytes, in.data, out.data, n);
    });
    expect(all(out.host(), [](int i) { return i; }), "keys");
}

// ---- Thrust ----

struct modulo_7 {
    __device__ int operator()(int v) const
    {
        return v % 7;
    }
};

CASE(thrust_transform_reduce, CORRECT, "leak",
     "thrust::device_vector and thrust::transform_reduce()")
{
    thrust::device_vector<int> values(5000);
    thrust::sequence(values.begin(), values.end());
    const int sum = thrust::transform_reduce(values.begin(), values.end(), modulo_7(), 0,
                                             cuda::std::plus<int>());
    int expected = 0;
    for (int i = 0; i < 5000; i++)
        expected += i % 7;
    expect(sum == expected, "the sum");
}

// ---- libcu++ ----

__global__ void pipeline_of_block(const int *in, int *out, int tiles)
{
    using shared_state = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
    __shared__ alignas(shared_state) char state[sizeof(shared_state)];
    __shared__ alignas(16) int tile[2][128];
    cg::thread_block block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, (shared_state *)state);
    int sum = 0;
    for (int ahead = 0, now = 0; now < tiles; now++) {
        for (; ahead < tiles && ahead < now + 2; ahead++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, tile[ahead % 2], in + ahead * 128,
                               cuda::aligned_size_t<16>(sizeof tile[0]), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += tile[now % 2][127 - threadIdx.x];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

CASE(pipeline_of_block, CORRECT, "race", "cuda::pipeline of two stages, shared by a block")
{
    device_array<int> in(numbers(1024)), out(128);
    pipeline_of_block<<<1, 128>>>(in, out, 8);
    expect(all(out.host(), [](int i) { return 8 * (127 - i) + 128 * 28; }), "sums");
}

__global__ void pipeline_of_thread(const int *in, int *out, int tiles)
{
    __shared__ int tile[2][128];
    auto pipeline = cuda::make_pipeline();
    int sum = 0;
    for (int ahead = 0, now = 0; now < tiles; now++) {
        for (; ahead < tiles && ahead < now + 2; ahead++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(&tile[ahead % 2][threadIdx.x], &in[ahead * 128 + threadIdx.x],
                               sizeof(int), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += tile[now % 2][threadIdx.x];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

CASE(pipeline_of_thread, CORRECT, "race", "cuda::pipeline of each thread, for words of its own")
{
    device_array<int> in(numbers(1024)), out(128);
    pipeline_of_thread<<<1, 128>>>(in, out, 8);
    expect(all(out.host(), [](int i) { return 8 * i + 128 * 28; }), "sums");
}

__global__ void meet_at_latch(int *data, cuda::latch<cuda::thread_scope_device> *latch, int *out)
{
    data[blockIdx.x] = blockIdx.x + 1;
    latch->arrive_and_wait();
    out[blockIdx.x] = data[gridDim.x - 1 - blockIdx.x];
}

__global__ void make_latch(cuda::latch<cuda::thread_scope_device> *latch, int count)
{
    new (latch) cuda::latch<cuda::thread_scope_device>(count);
}

CASE(latch_of_device, CORRECT, "race", "Blocks meet at a cuda::latch in global memory")
{
    cuda::latch<cuda::thread_scope_device> *latch;
    device_array<int> data(8, 0), out(8);
    MUST(cudaMalloc(&latch, sizeof *latch));
    make_latch<<<1, 1>>>(latch, 8);
    meet_at_latch<<<8, 1>>>(data, latch, out);
    expect(all(out.host(), [](int i) { return 8 - i; }), "words");
    MUST(cudaFree(latch));
}

__global__ void one_at_a_time(cuda::binary_semaphore<cuda::thread_scope_device> *semaphore,
                              int *value)
{
    semaphore->acquire();
    *value += 1;
    semaphore->release();
}

__global__ void make_semaphore(cuda::binary_semaphore<cuda::thread_scope_device> *semaphore)
{
    new (semaphore) cuda::binary_semaphore<cuda::thread_scope_device>(1);
}

CASE(semaphore_of_device, CORRECT, "race", "A cuda::binary_semaphore guards a word")
{
    cuda::binary_semaphore<cuda::thread_scope_device> *semaphore;
    device_array<int> value(1, 0);
    MUST(cudaMalloc(&semaphore, sizeof *semaphore));
    make_semaphore<<<1, 1>>>(semaphore);
    one_at_a_time<<<16, 1>>>(semaphore, value);
    expect(value.host()[0] == 16, "the value");
    MUST(cudaFree(semaphore));
}

// ---- Cooperative groups ----

__global__ void group_copy(const int *in, int *out)
{
    __shared__ alignas(16) int tile[128];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile);
    cg::wait(block);
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

CASE(group_copy, CORRECT, "race", "cg::memcpy_async() of a block, and cg::wait()")
{
    device_array<int> in(numbers(128)), out(128);
    group_copy<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return 127 - i; }), "the tile");
}

__global__ void group_scan(const int *in, int *out)
{
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int before = cg::exclusive_scan(warp, in[threadIdx.x], cg::plus<int>());
    out[threadIdx.x] = before + cg::reduce(warp, in[threadIdx.x], cg::greater<int>());
}

CASE(group_scan, CORRECT, "sync", "Scans and reductions of tiles of 32 threads")
{
    device_array<int> in(128, 2), out(128);
    group_scan<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return 2 * (i % 32) + 2; }), "sums");
}

__global__ void labelled_groups(const int *in, int *counts)
{
    const cg::coalesced_group active = cg::coalesced_threads();
    const cg::coalesced_group same = cg::labeled_partition(active, in[threadIdx.x] % 5);
    if (same.thread_rank() == 0)
        atomicAdd(&counts[in[threadIdx.x] % 5], (int)same.size());
}

CASE(labelled_groups, CORRECT, "sync", "Lanes form groups by value, and one of each group counts")
{
    device_array<int> in(numbers(160)), counts(5, 0);
    labelled_groups<<<1, 160>>>(in, counts);
    expect(all(counts.host(), [](int) { return 32; }), "counts");
}

// ---- Products of matrices ----

__global__ void multiply_by_warps(const half *a, const half *b, float *c, int n)
{
    using namespace nvcuda;
    __shared__ alignas(32) half x[16 * 16], y[16 * 16];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < 256; i += blockDim.x) {
            x[i] = a[i / 16 * n + k + i % 16];
            y[i] = b[(k + i / 16) * 16 + i % 16];
        }
        __syncthreads();
        if (threadIdx.x < 32) {
            wmma::load_matrix_sync(fa, x, 16);
            wmma::load_matrix_sync(fb, y, 16);
            wmma::mma_sync(sum, fa, fb, sum);
        }
        __syncthreads();
    }
    if (threadIdx.x < 32)
        wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

CASE(matrix_product, CORRECT, "race", "Two warps load tiles, one warp multiplies them by wmma")
{
    const int n = 64;
    device_array<half> a(16 * n, __float2half(1.0f)), b(16 * n, __float2half(2.0f));
    device_array<float> c(256);
    multiply_by_warps<<<1, 64>>>(a, b, c, n);
    expect(all(c.host(), [n](int) { return 2.0f * n; }), "the product");
}
