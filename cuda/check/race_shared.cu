// Races in the shared memory of a block: between warps, between lanes of a warp, with copies that
// run by themselves (cp.async), and the ways to do without a race. check_case.h says how a case is
// written; hopper.cu has clusters, mbarriers and bulk copies.
#include "check_case.h"

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

// ---- Missing barriers of the block ----

__global__ void rotate_raw(const int *in, int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = in[threadIdx.x];               // FAULT
    out[threadIdx.x] = s[(threadIdx.x + 32) % 128]; // FAULT
}

CASE(read_after_write, FAULTY, "race",
     "Each warp reads what the next warp writes, without a barrier")
{
    device_array<int> in(numbers(128)), out(128);
    rotate_raw<<<1, 128>>>(in, out);
}

__global__ void rotate_war(int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const int next = s[(threadIdx.x + 32) % 128]; // FAULT
    s[threadIdx.x] = next + 1;                    // FAULT
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

CASE(write_after_read, FAULTY, "race", "Warps overwrite words that another warp may not have read")
{
    device_array<int> out(128);
    rotate_war<<<1, 128>>>(out);
}

__global__ void last_warp_wins(int *out)
{
    __shared__ int winner;
    if (threadIdx.x % 32 == 0)
        winner = threadIdx.x; // FAULT
    __syncthreads();
    out[threadIdx.x] = winner;
}

CASE(write_after_write, FAULTY, "race", "Four warps write different values to the same word")
{
    device_array<int> out(128);
    last_warp_wins<<<1, 128>>>(out);
}

__global__ void tree_without_barrier(const int *in, int *out)
{
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int step = 128; step > 0; step /= 2)
        if ((int)threadIdx.x < step)
            s[threadIdx.x] += s[threadIdx.x + step]; // FAULT
    if (threadIdx.x == 0)
        *out = s[0];
}

CASE(reduction_without_barriers, FAULTY, "race", "A tree of sums has no barrier between its levels")
{
    device_array<int> in(numbers(256)), out(1);
    tree_without_barrier<<<1, 256>>>(in, out);
}

__global__ void sum_last_warp(const int *in, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        volatile int *v = s;
        v[threadIdx.x] += v[threadIdx.x + 32]; // FAULT
        v[threadIdx.x] += v[threadIdx.x + 16]; // FAULT
        v[threadIdx.x] += v[threadIdx.x + 8];  // FAULT
        v[threadIdx.x] += v[threadIdx.x + 4];  // FAULT
        v[threadIdx.x] += v[threadIdx.x + 2];  // FAULT
        v[threadIdx.x] += v[threadIdx.x + 1];  // FAULT
    }
    if (threadIdx.x == 0)
        *out = s[0];
}

CASE(reduction_in_last_warp, FAULTY, "race",
     "The last warp of a reduction relies on lanes in step, with volatile and no __syncwarp()")
{
    device_array<int> in(numbers(64)), out(1);
    sum_last_warp<<<1, 64>>>(in, out);
}

__global__ void tiles_without_second_barrier(const int *in, int *out, int n)
{
    __shared__ int tile[128];
    int sum = 0;
    for (int i = 0; i < n; i += 128) {
        tile[threadIdx.x] = in[i + threadIdx.x]; // FAULT
        __syncthreads();
        for (int k = 0; k < 128; k++)
            sum += tile[k] * (k + 1); // FAULT
    }
    out[threadIdx.x] = sum;
}

CASE(tile_overwritten, FAULTY, "race", "A loop loads the next tile while other warps read the tile")
{
    device_array<int> in(numbers(512)), out(128);
    tiles_without_second_barrier<<<1, 128>>>(in, out, 512);
}

__global__ void multiply_tiles(const float *a, const float *b, float *c, int n)
{
    __shared__ float x[16][16], y[16][16];
    const int row = threadIdx.y, column = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        __syncthreads();
        x[row][column] = a[row * n + k + column];    // FAULT
        y[row][column] = b[(k + row) * 16 + column]; // FAULT
        for (int i = 0; i < 16; i++)
            sum += x[row][i] * y[i][column]; // FAULT
    }
    c[row * 16 + column] = sum;
}

CASE(matrix_tile_read_early, FAULTY, "race",
     "A product of matrices has no barrier between loading a tile and using it")
{
    device_array<float> a(16 * 32, 1.0f), b(32 * 16, 1.0f), c(256);
    multiply_tiles<<<1, dim3(16, 16)>>>(a, b, c, 32);
}

__global__ void double_buffer_one_missing(const int *in, int *out, int n)
{
    __shared__ int tile[2][128];
    int sum = 0, now = 0;
    tile[0][threadIdx.x] = in[threadIdx.x];
    for (int i = 128; i <= n; i += 128, now ^= 1) {
        if (i % 256 == 128)
            __syncthreads();
        if (i < n)
            tile[now ^ 1][threadIdx.x] = in[i + threadIdx.x]; // FAULT
        sum += tile[now][(threadIdx.x + 64) % 128];           // FAULT
    }
    out[threadIdx.x] = sum;
}

CASE(double_buffer_half_the_barriers, FAULTY, "race",
     "Two buffers in turn, with a barrier in every second pass only")
{
    device_array<int> in(numbers(1024)), out(128);
    double_buffer_one_missing<<<1, 128>>>(in, out, 1024);
}

__global__ void plain_histogram(const int *in, int *out)
{
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    bins[in[threadIdx.x] % 8]++; // FAULT
    __syncthreads();
    if (threadIdx.x < 8)
        out[threadIdx.x] = bins[threadIdx.x];
}

CASE(histogram_without_atomics, FAULTY, "race", "Threads count in shared memory with ++")
{
    device_array<int> in(numbers(256)), out(8);
    plain_histogram<<<1, 256>>>(in, out);
}

__global__ void parameter_by_thread_0(const int *in, int *out)
{
    __shared__ int scale;
    if (threadIdx.x == 0)
        scale = in[0];                          // FAULT
    out[threadIdx.x] = in[threadIdx.x] * scale; // FAULT
}

CASE(broadcast_without_barrier, FAULTY, "race", "Thread 0 writes what all read, without a barrier")
{
    device_array<int> in(128, 3), out(128);
    parameter_by_thread_0<<<1, 128>>>(in, out);
}

__global__ void peek_counter(int *out)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, 1);     // FAULT
    out[threadIdx.x] = count; // FAULT
}

CASE(read_beside_atomics, FAULTY, "race",
     "A plain read of a counter that other warps still count up")
{
    device_array<int> out(128);
    peek_counter<<<1, 128>>>(out);
}

__global__ void byte_and_word(int *out)
{
    __shared__ int words[32];
    if (threadIdx.x < 32)
        words[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        ((volatile char *)words)[4 * threadIdx.x + 2] = 1; // FAULT
    else
        out[threadIdx.x - 32] = words[threadIdx.x - 32]; // FAULT
}

CASE(byte_in_word, FAULTY, "race", "A warp writes bytes of words that another warp reads")
{
    device_array<int> out(32);
    byte_and_word<<<1, 64>>>(out);
}

__global__ void fence_alone(const int *in, int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = in[threadIdx.x]; // FAULT
    __threadfence_block();
    out[threadIdx.x] = s[127 - threadIdx.x]; // FAULT
}

CASE(fence_in_place_of_barrier, FAULTY, "race", "__threadfence_block() where a barrier is needed")
{
    device_array<int> in(numbers(128)), out(128);
    fence_alone<<<1, 128>>>(in, out);
}

__global__ void flag_without_fence(const int *in, int *out)
{
    __shared__ int data[32];
    __shared__ volatile int ready;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        data[lane] = in[lane]; // FAULT
        __syncwarp();
        if (lane == 0)
            ready = 1; // FAULT
    } else {
        for (int i = 0; i < 1 << 20 && !ready; i++) // FAULT
            ;
        out[lane] = data[31 - lane]; // FAULT
    }
}

CASE(flag_in_shared_memory, FAULTY, "race", "A warp waits for a volatile flag, without any fence")
{
    device_array<int> in(numbers(32)), out(32);
    flag_without_fence<<<1, 64>>>(in, out);
}

__global__ void transpose_early(const int *in, int *out)
{
    __shared__ int tile[32][33];
    for (int y = threadIdx.y; y < 32; y += 8)
        tile[y][threadIdx.x] = in[y * 32 + threadIdx.x]; // FAULT
    for (int y = threadIdx.y; y < 32; y += 8)
        out[y * 32 + threadIdx.x] = tile[threadIdx.x][y]; // FAULT
}

CASE(transpose_without_barrier, FAULTY, "race", "A transpose reads its tile without a barrier")
{
    device_array<int> in(numbers(1024)), out(1024);
    transpose_early<<<1, dim3(32, 8)>>>(in, out);
}

__global__ void scan_one_barrier(const int *in, int *out)
{
    __shared__ int s[128];
    const int i = threadIdx.x;
    s[i] = in[i];
    for (int step = 1; step < 128; step *= 2) {
        __syncthreads();
        if (i >= step)
            s[i] += s[i - step]; // FAULT
    }
    out[i] = s[i];
}

CASE(scan_with_one_barrier, FAULTY, "race", "A scan in place has one barrier for a step, not two")
{
    device_array<int> in(128, 1), out(128);
    scan_one_barrier<<<1, 128>>>(in, out);
}

__global__ void overlapping_parts(int *out, int shift)
{
    extern __shared__ int dynamic[];
    int *first = dynamic, *second = dynamic + shift;
    if (threadIdx.x < 64)
        first[threadIdx.x] = 1; // FAULT
    else
        second[threadIdx.x - 64] = 2; // FAULT
    __syncthreads();
    out[threadIdx.x] = threadIdx.x < 64 ? first[threadIdx.x] : second[threadIdx.x - 64];
}

CASE(parts_overlap, FAULTY, "race", "Two arrays in dynamic shared memory overlap by 16 elements")
{
    device_array<int> out(128);
    overlapping_parts<<<1, 128, 512>>>(out, 48);
}

__global__ void matrix_fragment(const unsigned *in, unsigned *out)
{
    __shared__ alignas(16) unsigned tile[64];
    tile[threadIdx.x] = in[threadIdx.x]; // FAULT
    if (threadIdx.x < 32) {
        unsigned a, b;
        const unsigned row = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x % 16 * 4]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" // FAULT
                     : "=r"(a), "=r"(b)
                     : "r"(row)
                     : "memory");
        out[threadIdx.x] = a + b;
    }
}

CASE(ldmatrix_without_barrier, FAULTY, "race", "ldmatrix reads rows that another warp writes")
{
    device_array<unsigned> in(64, 1u), out(32);
    matrix_fragment<<<1, 64>>>(in, out);
}

// ---- Lanes of a warp ----

__global__ void exchange_in_warp(const int *in, int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = in[threadIdx.x];      // FAULT
    out[threadIdx.x] = s[threadIdx.x ^ 1]; // FAULT
}

CASE(exchange_without_syncwarp, FAULTY, "race",
     "Lanes of a warp exchange words without __syncwarp()")
{
    device_array<int> in(numbers(32)), out(32);
    exchange_in_warp<<<1, 32>>>(in, out);
}

__global__ void shuffle_between(const int *in, int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = in[threadIdx.x]; // FAULT
    const int other = __shfl_xor_sync(0xffffffffu, in[threadIdx.x], 1);
    out[threadIdx.x] = s[threadIdx.x ^ 1] + other; // FAULT
}

CASE(shuffle_as_fence, FAULTY, "race", "A shuffle between write and read does not order memory")
{
    device_array<int> in(numbers(32)), out(32);
    shuffle_between<<<1, 32>>>(in, out);
}

__global__ void branches_of_a_warp(int *out)
{
    __shared__ volatile int word;
    if (threadIdx.x == 0)
        word = 0;
    __syncwarp();
    if (threadIdx.x < 16)
        word = threadIdx.x == 3 ? 1 : 2; // FAULT
    else
        out[threadIdx.x] = word; // FAULT
}

CASE(two_branches, FAULTY, "race", "Half of a warp writes the word that the other half reads")
{
    device_array<int> out(32);
    branches_of_a_warp<<<1, 32>>>(out);
}

__global__ void stack_in_warp(int *out)
{
    __shared__ int items[64], top;
    if (threadIdx.x == 0)
        top = 0;
    __syncwarp();
    items[top + threadIdx.x] = threadIdx.x; // FAULT
    if (threadIdx.x == 31)
        top += 32; // FAULT
    __syncwarp();
    out[threadIdx.x] = items[top - 1 - threadIdx.x];
}

CASE(stack_of_a_warp, FAULTY, "race", "A lane moves the top of a stack that others are reading")
{
    device_array<int> out(32);
    stack_in_warp<<<1, 32>>>(out);
}

// ---- Named barriers ----

__device__ void bar_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ void bar_arrive(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void different_barriers(const int *in, int *out)
{
    __shared__ int s[64];
    if (threadIdx.x < 64) {
        s[threadIdx.x] = in[threadIdx.x]; // FAULT
        bar_sync(1, 64);
    } else {
        bar_sync(2, 64);
        out[threadIdx.x - 64] = s[threadIdx.x - 64]; // FAULT
    }
}

CASE(named_barrier_of_its_own, FAULTY, "race", "Producers and consumers wait at different barriers")
{
    device_array<int> in(numbers(64)), out(64);
    different_barriers<<<1, 128>>>(in, out);
}

__global__ void half_a_barrier(const int *in, int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = in[threadIdx.x]; // FAULT
    bar_sync(1 + threadIdx.x / 64, 64);
    out[threadIdx.x] = s[127 - threadIdx.x]; // FAULT
}

CASE(named_barrier_of_half, FAULTY, "race",
     "Each half of the block waits, and reads the other half")
{
    device_array<int> in(numbers(128)), out(128);
    half_a_barrier<<<1, 128>>>(in, out);
}

__global__ void ring_without_free(const int *in, int *out, int rounds)
{
    __shared__ int slot[32];
    const int lane = threadIdx.x % 32;
    for (int i = 0; i < rounds; i++) {
        if (threadIdx.x < 32) {
            slot[lane] = in[i * 32 + lane]; // FAULT
            bar_arrive(1 + i % 2, 64);
        } else {
            bar_sync(1 + i % 2, 64);
            out[i * 32 + lane] = slot[31 - lane]; // FAULT
        }
        if (i % 2)
            __syncthreads();
    }
}

CASE(named_barrier_without_free, FAULTY, "race",
     "Consumers wait for a full slot, producers do not wait for a free one")
{
    device_array<int> in(numbers(256)), out(256);
    ring_without_free<<<1, 64>>>(in, out, 8);
}

// ---- cp.async ----

__global__ void async_without_wait(const int4 *in, int4 *out)
{
    __shared__ int4 tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16); // FAULT
    __pipeline_commit();
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x]; // FAULT
}

CASE(async_copy_without_wait, FAULTY, "race", "cp.async and a barrier, but no wait for the copies")
{
    device_array<int4> in(64, make_int4(1, 2, 3, 4)), out(64);
    async_without_wait<<<1, 64>>>(in, out);
}

__global__ void async_without_barrier(const int4 *in, int4 *out)
{
    __shared__ int4 tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16); // FAULT
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[63 - threadIdx.x]; // FAULT
}

CASE(async_copy_without_barrier, FAULTY, "race",
     "Threads wait for their own copies, and read those of others without a barrier")
{
    device_array<int4> in(64, make_int4(1, 2, 3, 4)), out(64);
    async_without_barrier<<<1, 64>>>(in, out);
}

__global__ void async_own_without_wait(const int4 *in, int4 *out)
{
    __shared__ int4 tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16); // FAULT
    __pipeline_commit();
    out[threadIdx.x] = tile[threadIdx.x]; // FAULT
}

CASE(async_copy_read_by_itself, FAULTY, "race", "Each thread reads its own copy before it is done")
{
    device_array<int4> in(64, make_int4(1, 2, 3, 4)), out(64);
    async_own_without_wait<<<1, 64>>>(in, out);
}

__global__ void async_two_stages(const int *in, int *out, int tiles, int behind)
{
    __shared__ int tile[2][64];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][i], &in[i], 4); // FAULT
    __pipeline_commit();
    int sum = 0;
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles)
            __pipeline_memcpy_async(&tile[(k + 1) % 2][i], &in[(k + 1) * 64 + i], 4); // FAULT
        __pipeline_commit();
        if (behind)
            __pipeline_wait_prior(2);
        else
            __pipeline_wait_prior(1);
        __syncthreads();
        sum += tile[k % 2][63 - i]; // FAULT
        __syncthreads();
    }
    out[i] = sum;
}

CASE(async_copy_wait_for_too_few, FAULTY, "race",
     "A pipeline of two stages lets two groups of copies be on their way, not one")
{
    device_array<int> in(numbers(512)), out(64);
    async_two_stages<<<1, 64>>>(in, out, 8, 1);
}

__global__ void async_overwrites(const int *in, int *out)
{
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = in[i];
    __syncthreads();
    const int other = tile[63 - i];                    // FAULT
    __pipeline_memcpy_async(&tile[i], &in[64 + i], 4); // FAULT
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[i] = other + tile[63 - i];
}

CASE(async_copy_overwrites, FAULTY, "race", "cp.async overwrites words that others may still read")
{
    device_array<int> in(numbers(128)), out(64);
    async_overwrites<<<1, 64>>>(in, out);
}

__global__ void async_no_commit(const int *in, int *out)
{
    __shared__ int tile[64];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&tile[i], &in[i], 4); // FAULT
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[i] = tile[63 - i]; // FAULT
}

CASE(async_copy_without_commit, FAULTY, "race",
     "The copies are in no group, so the wait is for none")
{
    device_array<int> in(numbers(64)), out(64);
    async_no_commit<<<1, 64>>>(in, out);
}

// ---- Benign ----

__global__ void all_write_same(const int *in, int *out)
{
    __shared__ int found;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (in[threadIdx.x] % 3 == 0)
        found = 1;
    __syncthreads();
    out[threadIdx.x] = found;
}

CASE(same_value_from_many, BENIGN, "race", "Many threads set the same flag to the same value")
{
    device_array<int> in(numbers(128)), out(128);
    all_write_same<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int) { return 1; }), "the flag");
}

__global__ void every_thread_clears(int *out)
{
    __shared__ int count;
    count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    __syncthreads();
    out[threadIdx.x] = count;
}

CASE(every_thread_clears, BENIGN, "race", "Every thread writes 0 to a counter before they count")
{
    device_array<int> out(128);
    every_thread_clears<<<1, 128>>>(out);
    expect(all(out.host(), [](int) { return 128; }), "the count");
}

// ---- Correct ----

__global__ void tree_with_barriers(const int *in, int *out)
{
    __shared__ int s[256];
    s[threadIdx.x] = in[threadIdx.x];
    for (int step = 128; step > 0; step /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < step)
            s[threadIdx.x] += s[threadIdx.x + step];
    }
    if (threadIdx.x == 0)
        *out = s[0];
}

CASE(reduction, CORRECT, "race", "A tree of sums in place with a barrier for each level")
{
    device_array<int> in(numbers(256)), out(1);
    tree_with_barriers<<<1, 256>>>(in, out);
    expect(out.host()[0] == 255 * 128, "the sum");
}

__global__ void sum_with_syncwarp(const int *in, int *out)
{
    __shared__ int s[64];
    const int i = threadIdx.x;
    s[i] = in[i];
    __syncthreads();
    for (int step = 32; i < 32 && step > 0; step /= 2) {
        const int sum = s[i] + s[i + step];
        __syncwarp();
        s[i] = sum;
        __syncwarp();
    }
    if (i == 0)
        *out = s[0];
}

CASE(reduction_with_syncwarp, CORRECT, "race", "The last warp of a reduction uses __syncwarp()")
{
    device_array<int> in(numbers(64)), out(1);
    sum_with_syncwarp<<<1, 64>>>(in, out);
    expect(out.host()[0] == 63 * 32, "the sum");
}

__global__ void double_buffer(const int *in, int *out, int n)
{
    __shared__ int tile[2][128];
    int sum = 0;
    for (int i = 0; i < n; i += 128) {
        int *now = tile[i / 128 % 2];
        now[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        sum += now[127 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

CASE(double_buffer_one_barrier, CORRECT, "race",
     "Two buffers in turn need one barrier in each pass")
{
    device_array<int> in(1024, 2), out(128);
    double_buffer<<<1, 128>>>(in, out, 1024);
    expect(all(out.host(), [](int) { return 16; }), "sums");
}

__global__ void neighbour_bytes(const int *in, int *out)
{
    __shared__ alignas(4) unsigned char s[128];
    s[threadIdx.x % 4 * 32 + threadIdx.x / 4] = (unsigned char)in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

CASE(bytes_of_one_word, CORRECT, "race", "Different warps write the bytes of the same words")
{
    device_array<int> in(128, 9), out(128);
    neighbour_bytes<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int) { return 9; }), "bytes");
}

__global__ void memory_used_twice(const int *in, float *out)
{
    __shared__ union {
        int whole[128];
        float parts[128];
    } s;
    const int i = threadIdx.x;
    s.whole[i] = in[i];
    __syncthreads();
    const int other = s.whole[127 - i];
    __syncthreads();
    s.parts[127 - i] = 0.5f * (float)other;
    __syncthreads();
    out[i] = s.parts[i];
}

CASE(union_in_turn, CORRECT, "race", "The same shared memory holds integers, then floats")
{
    device_array<int> in(numbers(128));
    device_array<float> out(128);
    memory_used_twice<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return 0.5f * (float)i; }), "halves");
}

__global__ void ring_with_barriers(const int *in, int *out, int rounds)
{
    __shared__ int slot[2][32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < rounds; i++) {
            bar_sync(3 + i % 2, 64); // free
            slot[i % 2][lane] = in[i * 32 + lane];
            bar_arrive(1 + i % 2, 64); // full
        }
    } else {
        bar_arrive(3, 64);
        bar_arrive(4, 64);
        for (int i = 0; i < rounds; i++) {
            bar_sync(1 + i % 2, 64);
            out[i * 32 + lane] = slot[i % 2][31 - lane];
            if (i + 2 < rounds)
                bar_arrive(3 + i % 2, 64);
        }
    }
}

CASE(producer_and_consumer, CORRECT, "race",
     "A producer and a consumer warp pass slots by named barriers, bar.sync and bar.arrive")
{
    device_array<int> in(numbers(256)), out(256);
    ring_with_barriers<<<1, 64>>>(in, out, 8);
    expect(all(out.host(), [](int i) { return i / 32 * 32 + 31 - i % 32; }), "slots");
}

__global__ void halves_by_barriers(const int *in, int *out)
{
    __shared__ int s[128];
    const int half = threadIdx.x / 64;
    s[threadIdx.x] = in[threadIdx.x];
    bar_sync(1 + half, 64);
    out[threadIdx.x] = s[half * 64 + 63 - threadIdx.x % 64];
}

CASE(named_barriers_of_halves, CORRECT, "race", "Each half of the block waits for itself alone")
{
    device_array<int> in(numbers(128)), out(128);
    halves_by_barriers<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return i / 64 * 64 + 63 - i % 64; }), "halves");
}

__global__ void async_and_barrier(const int4 *in, int4 *out)
{
    __shared__ int4 tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

CASE(async_copy, CORRECT, "race", "cp.async, a wait for it, and a barrier")
{
    std::vector<int4> values;
    for (int i = 0; i < 64; i++)
        values.push_back(make_int4(i, 0, 0, -i));
    device_array<int4> in(values), out(64);
    async_and_barrier<<<1, 64>>>(in, out);
    bool right = true;
    const std::vector<int4> found = out.host();
    for (int i = 0; i < 64; i++)
        right &= found[i].x == 63 - i && found[i].w == i - 63;
    expect(right, "the tile, backwards");
}

CASE(async_copy_two_stages, CORRECT, "race",
     "A pipeline of two stages, in which one group of copies is on its way while the other is read")
{
    device_array<int> in(numbers(512)), out(64);
    async_two_stages<<<1, 64>>>(in, out, 8, 0);
    expect(all(out.host(), [](int i) { return 8 * (63 - i) + 64 * 28; }), "sums");
}

__global__ void async_own(const int *in, int *out)
{
    __shared__ int tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x];
}

CASE(async_copy_for_itself, CORRECT, "race",
     "A thread waits for its own copy, and needs no barrier")
{
    device_array<int> in(numbers(64)), out(64);
    async_own<<<1, 64>>>(in, out);
    expect(all(out.host(), [](int i) { return i; }), "the tile");
}

__global__ void count_then_read(const int *in, int *out)
{
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x] % 8], 1);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x % 8];
}

CASE(atomics_then_reads, CORRECT, "race", "Atomics, a barrier, plain reads of the same words")
{
    device_array<int> in(numbers(256)), out(256);
    count_then_read<<<1, 256>>>(in, out);
    expect(all(out.host(), [](int) { return 32; }), "bins");
}

__global__ void flags_by_or(const int *in, unsigned *out)
{
    __shared__ unsigned flags;
    if (threadIdx.x == 0)
        flags = 0;
    __syncthreads();
    atomicOr(&flags, 1u << in[threadIdx.x] % 32);
    __syncthreads();
    out[threadIdx.x] = flags;
}

CASE(flags_by_atomic_or, CORRECT, "race", "Threads set bits of the same word by atomicOr()")
{
    device_array<int> in(numbers(128));
    device_array<unsigned> out(128);
    flags_by_or<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int) { return ~0u; }), "bits");
}

__global__ void part_of_each_warp(const int *in, int *out)
{
    __shared__ int s[4][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    s[warp][lane] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = s[warp][31 - lane];
}

CASE(part_of_each_warp, CORRECT, "race", "Warps exchange words within their parts by __syncwarp()")
{
    device_array<int> in(numbers(128)), out(128);
    part_of_each_warp<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return i / 32 * 32 + 31 - i % 32; }), "words");
}

__global__ void flag_with_fences(const int *in, int *out)
{
    __shared__ int data[32];
    __shared__ int ready;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        data[lane] = in[lane];
        __syncwarp();
        if (lane == 0) {
            __threadfence_block();
            atomicExch_block(&ready, 1);
        }
    } else {
        if (lane == 0) {
            while (!atomicAdd_block(&ready, 0))
                ;
            __threadfence_block();
        }
        __syncwarp();
        out[lane] = data[31 - lane];
    }
}

CASE(flag_with_fences, CORRECT, "race", "A warp waits for a flag in shared memory, with fences")
{
    device_array<int> in(numbers(32)), out(32);
    flag_with_fences<<<1, 64>>>(in, out);
    expect(all(out.host(), [](int i) { return 31 - i; }), "words");
}

__global__ void barrier_object(const int *in, int *out)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(barrier) char storage[sizeof(barrier)];
    __shared__ int s[128];
    barrier *b = (barrier *)storage;
    if (threadIdx.x == 0)
        init(b, blockDim.x);
    __syncthreads();
    for (int round = 0; round < 4; round++) {
        s[threadIdx.x] = in[threadIdx.x] + round;
        b->arrive_and_wait();
        const int other = s[127 - threadIdx.x];
        b->arrive_and_wait();
        out[threadIdx.x] = other;
    }
}

CASE(barrier_object, CORRECT, "race", "cuda::barrier in place of __syncthreads(), over four phases")
{
    device_array<int> in(numbers(128)), out(128);
    barrier_object<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return 130 - i; }), "words");
}

__global__ void fragment_after_barrier(const unsigned *in, unsigned *out)
{
    __shared__ alignas(16) unsigned tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        unsigned a, b;
        const unsigned row = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x % 16 * 4]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(a), "=r"(b)
                     : "r"(row)
                     : "memory");
        out[threadIdx.x] = a + b;
    }
}

CASE(ldmatrix_after_barrier, CORRECT, "race", "ldmatrix reads rows of another warp after a barrier")
{
    device_array<unsigned> in(64, 1u), out(32);
    fragment_after_barrier<<<1, 64>>>(in, out);
    expect(all(out.host(), [](int) { return 2u; }), "fragments");
}

__global__ void tile_groups(const int *in, int *out)
{
    __shared__ int s[64];
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    s[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    out[threadIdx.x] = s[threadIdx.x / 8 * 8 + 7 - tile.thread_rank()];
}

CASE(tiles_of_eight, CORRECT, "race",
     "Groups of eight lanes exchange words by sync() of their tile")
{
    device_array<int> in(numbers(64)), out(64);
    tile_groups<<<1, 64>>>(in, out);
    expect(all(out.host(), [](int i) { return i / 8 * 8 + 7 - i % 8; }), "words");
}

__global__ void count_as_barrier(const int *in, int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = in[threadIdx.x];
    const int odd = __syncthreads_count(in[threadIdx.x] % 2);
    out[threadIdx.x] = s[127 - threadIdx.x] + odd;
}

CASE(barrier_that_counts, CORRECT, "race", "__syncthreads_count() is a barrier too")
{
    device_array<int> in(numbers(128)), out(128);
    count_as_barrier<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return 127 - i + 64; }), "words");
}

__global__ void overlapping_reads(const int *in, int *out)
{
    __shared__ alignas(16) int s[132];
    s[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 4)
        s[128 + threadIdx.x] = 0;
    __syncthreads();
    const int2 pair = *(const int2 *)&s[threadIdx.x / 2 * 2];
    const int4 four = *(const int4 *)&s[threadIdx.x / 4 * 4];
    out[threadIdx.x] = pair.x + four.w + s[threadIdx.x + 1];
}

CASE(overlapping_reads, CORRECT, "race", "Reads of 4, 8 and 16 bytes of the same words overlap")
{
    device_array<int> in(128, 1), out(128);
    overlapping_reads<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return i == 127 ? 2 : 3; }), "sums");
}

__global__ void own_words_only(int *out)
{
    __shared__ int s[128];
    for (int round = 0; round < 8; round++)
        s[threadIdx.x] = (round ? s[threadIdx.x] : 0) + round;
    out[threadIdx.x] = s[threadIdx.x];
}

CASE(own_words_only, CORRECT, "race",
     "Every thread writes and reads its own word, without barriers")
{
    device_array<int> out(128);
    own_words_only<<<1, 128>>>(out);
    expect(all(out.host(), [](int) { return 28; }), "sums");
}
