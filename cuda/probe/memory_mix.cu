// How long traffic with memory takes: loads beside stores, in order and by chance, and stores that
// fill sectors in part. Each launch is a case; a profiler gives its cycles and bytes.
//
//   nvcc -arch=sm_90 -o memory_mix memory_mix.cu
//   ncu --cache-control all --clock-control none --csv --page raw
//       --metrics sm__cycles_elapsed.max,dram__bytes_read.sum,dram__bytes_write.sum memory_mix
//
// The program prints a line for each launch, in their order. The first launch uses all pages, so
// that later ones do not wait for translations.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

typedef uint32_t u32;
typedef uint64_t u64;

constexpr u64 MB = 1 << 20, GB = 1 << 30;
constexpr int SMS = 132;

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "memory_mix: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static char *data;
static u32 *sink;

__device__ u32 word_of(u32 value)
{
    return value;
}

__device__ u32 word_of(uint4 value)
{
    return value.x ^ value.y ^ value.z ^ value.w;
}

__device__ void make(u32 &value, u32 word)
{
    value = word;
}

__device__ void make(uint4 &value, u32 word)
{
    value = make_uint4(word, word + 1, word + 2, word + 3);
}

__global__ void touch(const char *data, u64 bytes, u32 *sink)
{
    u32 sum = 0;
    for (u64 at = ((u64)blockIdx.x * blockDim.x + threadIdx.x) * MB; at < bytes; at += (u64)gridDim.x * blockDim.x * MB)
        sum += *(const u32 *)(data + at);
    if (sum == 12345)
        *sink = sum;
}

// Loads R arrays and stores W others, in order, an element a thread and round.
template <int R, int W, typename T> __global__ void in_order(char *data, u64 apart, u32 count, u32 *sink)
{
    u32 rest = 0;
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        u32 sum = i;
#pragma unroll
        for (int k = 0; k < R; k++)
            sum += word_of(((const T *)(data + k * apart))[i]);
        T value;
        make(value, sum);
#pragma unroll
        for (int k = 0; k < W; k++)
            ((T *)(data + (R + k) * apart))[i] = value;
        rest ^= sum;
    }
    if (W == 0 && rest == 12345)
        *sink = rest;
}

// Places of `bytes` bytes by chance, each at most once, among `places` (a power of two).
__device__ u64 place(u32 i, u64 places, u32 bytes)
{
    return ((u64)i * 2654435769u & (places - 1)) * bytes;
}

enum Kind { LOAD, STORE, BOTH };

// Each thread loads, stores or updates `each` places of `apart` bytes: `bytes` of each (4, 16, 32).
template <Kind kind> __global__ void by_chance(char *data, u64 places, u32 apart, u32 bytes, u32 each, u32 *sink)
{
    const u32 thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    u32 sum = thread;
#pragma unroll 4
    for (u32 k = 0; k < each; k++) {
        char *at = data + place(thread + k * threads, places, apart);
        if (kind != STORE)
            sum += bytes == 4 ? *(u32 *)at : word_of(*(uint4 *)at) + (bytes == 32 ? word_of(((uint4 *)at)[1]) : 0);
        if (kind == LOAD)
            continue;
        if (bytes == 4) {
            *(u32 *)at = sum;
        } else {
            ((uint4 *)at)[0] = make_uint4(sum, sum, sum, sum);
            if (bytes == 32)
                ((uint4 *)at)[1] = make_uint4(sum, sum, sum, sum);
        }
    }
    if (kind == LOAD && sum == 12345)
        *sink = sum;
}

// Each warp loads, stores or copies whole lines by chance.
template <Kind kind> __global__ void lines(char *data, u64 places, u32 each, u32 *sink)
{
    const u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
    u32 sum = warp;
#pragma unroll 4
    for (u32 k = 0; k < each; k++) {
        u32 *at = (u32 *)(data + place(warp + k * warps, places, 128)) + threadIdx.x % 32;
        if (kind != STORE)
            sum += *at;
        if (kind != LOAD)
            at[kind == BOTH ? GB / 4 : 0] = sum;
    }
    if (kind == LOAD && sum == 12345)
        *sink = sum;
}

// Stores `bytes` of each `apart` bytes, in order.
__global__ void parts(char *data, u32 apart, u32 bytes, u32 count)
{
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    char *at = data + (u64)i * apart;
    if (bytes == 4) {
        *(u32 *)at = i;
    } else {
        *(uint4 *)at = make_uint4(i, i, i, i);
        if (bytes > 16)
            *(uint2 *)(at + 16) = make_uint2(i, i);
        if (bytes > 24)
            *(uint2 *)(at + 24) = make_uint2(i, i);
    }
}

// Updates `bytes` (12) of each `apart` bytes, as words, in order.
__global__ void update(char *data, u32 apart, u32 count)
{
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float *at = (float *)(data + (u64)i * apart);
    for (int k = 0; k < 3; k++)
        at[k] += at[k + 4];
}

// Blocks of 8 warps move 32 lines each: loads of lines `from` bytes apart, stores `to` bytes apart.
template <Kind kind> __global__ void pitch(char *data, u64 from, u64 to, u32 across, u32 *sink)
{
    const u32 column = blockIdx.x % across, row = blockIdx.x / across;
    u32 value[4] = {};
#pragma unroll
    for (u32 k = 0; k < 4; k++) {
        const u32 line = row * 32 + threadIdx.x / 32 + k * 8;
        if (kind != STORE)
            value[k] = *((const u32 *)(data + line * from + column * 128) + threadIdx.x % 32);
    }
    __syncthreads();
    u32 sum = 0;
#pragma unroll
    for (u32 k = 0; k < 4; k++) {
        const u32 line = column * 32 + threadIdx.x / 32 + k * 8;
        if (kind != LOAD)
            *((u32 *)(data + GB + line * to + row * 128) + threadIdx.x % 32) = value[k];
        sum += value[k];
    }
    if (kind == LOAD && sum == 12345)
        *sink = sum;
}

static void done(const char *name, u64 a, u64 b, u64 c)
{
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    printf("%s,%llu,%llu,%llu\n", name, (unsigned long long)a, (unsigned long long)b, (unsigned long long)c);
}

template <int R, int W, typename T> static void order()
{
    char name[32];
    const u32 count = 48 * MB / sizeof(T);
    snprintf(name, sizeof name, "in_order_%d_%d", R, W);
    for (u32 warps : {4, 16, 64}) {
        in_order<R, W, T><<<warps == 4 ? SMS : SMS * warps / 8, warps == 4 ? 128 : 256>>>(data, 256 * MB, count, sink);
        done(name, sizeof(T), warps, 48);
    }
    in_order<R, W, T><<<count / 256, 256>>>(data, 256 * MB, count, sink);
    done(name, sizeof(T), 0, 48);
}

template <Kind kind> static void chance(const char *name)
{
    const u32 threads = 1 << 18;
    for (u64 footprint : {8 * MB, 64 * MB, GB, 4 * GB})
        for (u32 bytes : {4, 16, 32}) {
            by_chance<kind><<<threads / 256, 256>>>(data, footprint / 32, 32, bytes, 1, sink);
            done(name, bytes, footprint / MB, 0);
        }
    for (u32 bytes : {4, 32})
        for (u64 footprint : {64 * MB, 4 * GB}) {
            by_chance<kind><<<SMS, 128>>>(data, footprint / 32, 32, bytes, 16, sink);
            done(name, bytes, footprint / MB, 4);
        }
}

template <Kind kind> static void whole(const char *name)
{
    for (u64 footprint : {64 * MB, GB}) {
        lines<kind><<<SMS * 8, 256>>>(data, footprint / 128, 32, sink);
        done(name, 128, footprint / MB, 64);
        lines<kind><<<SMS, 128>>>(data, footprint / 128, 128, sink);
        done(name, 128, footprint / MB, 4);
    }
}

template <Kind kind> static void pitches(const char *name)
{
    for (u64 to : {4096, 65536}) {
        pitch<kind><<<16 * (to / 128), 256>>>(data, 2048, to, 16, sink);
        done(name, 2048, to, 0);
    }
}

int main()
{
    check(cudaMalloc(&sink, 4));
    check(cudaMalloc(&data, 4 * GB + MB));
    touch<<<SMS, 256>>>(data, 4 * GB, sink);
    done("touch", 0, 0, 0);
    order<1, 0, u32>(), order<0, 1, u32>(), order<1, 1, u32>(), order<2, 1, u32>(), order<1, 2, u32>();
    order<1, 0, uint4>(), order<0, 1, uint4>(), order<1, 1, uint4>(), order<2, 1, uint4>(), order<1, 2, uint4>();
    chance<LOAD>("chance_load"), chance<STORE>("chance_store"), chance<BOTH>("chance_update");
    whole<LOAD>("lines_load"), whole<STORE>("lines_store"), whole<BOTH>("lines_copy");
    for (u32 bytes : {4, 16, 24, 32})
        for (u32 mb : {2, 8, 32, 128}) {
            parts<<<mb * MB / 32 / 256, 256>>>(data, 32, bytes, mb * MB / 32);
            done("parts", 32, bytes, mb);
        }
    for (u32 apart : {32, 48, 64, 128}) {
        update<<<400128 / 256, 256>>>(data, apart, 400128);
        done("update", apart, 12, 400128);
    }
    pitches<LOAD>("pitch_load"), pitches<STORE>("pitch_store"), pitches<BOTH>("pitch_copy");
    return 0;
}
