// Stores of parts of sectors that are merged on their way to L2: by the bytes they write, their
// distance, and the stores between them; and the cost of stores of rows. Metrics count the sectors
// that reach L2.
#include "walk.cuh"

/// Waits `times` times about 64 cycles, so that stores leave the SM.
__device__ __forceinline__ void rest(u32 &x, u32 times)
{
#pragma unroll 1
    for (u32 i = 0; i < times; i++)
#pragma unroll
        for (int k = 0; k < 16; k++)
            asm volatile("mad.lo.u32 %0, %0, %0, %0;" : "+r"(x));
}

__device__ __forceinline__ void put(char *at, u32 v, u32)
{
    asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(v) : "memory");
}
__device__ __forceinline__ void put(char *at, u32 v, unsigned char)
{
    asm volatile("st.global.u8 [%0], %1;" ::"l"(at), "r"(v) : "memory");
}
__device__ __forceinline__ void put(char *at, u32 v, u64)
{
    asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(at), "r"(v) : "memory");
}
__device__ __forceinline__ void put(char *at, u32 v, uint4)
{
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(v) : "memory");
}

/// Bytes between the tiles of a round. As a constant, neither tiles nor words cost instructions
/// between stores.
constexpr int TILE = 4096;

/// `rounds` times, after a barrier: the first `lanes` lanes, `apart` bytes apart, make WORDS stores
/// to each of TILES places, to all places before the next word, which is WORD bytes further. Then a
/// rest. Warps and rounds have places of their own.
template <class Type, int WORDS, int WORD, int TILES>
__device__ __forceinline__ void stores(char *data, u32 apart, u32 lanes, u32 rounds, u32 pause)
{
    u32 lane = threadIdx.x & 31, warps = blockDim.x / 32, x = threadIdx.x;
    char *own = data + ((u64)blockIdx.x * rounds * warps + threadIdx.x / 32) * TILES * TILE + lane * apart;
#pragma unroll 1
    for (u32 i = 0; i < rounds; i++) {
        __syncthreads();
        if (lane < lanes) {
#pragma unroll
            for (int n = 0; n < WORDS * TILES; n++)
                put(own + n % TILES * TILE + n / TILES * WORD, x, Type());
        }
        own += (u64)warps * TILES * TILE;
        rest(x, pause);
    }
}

#define STORES(NAME, TYPE, WORDS, WORD, TILES)                                                     \
    extern "C" __global__ void NAME(char *data, u32 apart, u32 lanes, u32 rounds, u32 pause)       \
    {                                                                                              \
        stores<TYPE, WORDS, WORD, TILES>(data, apart, lanes, rounds, pause);                       \
    }
STORES(words_4, u32, 4, 4, 1)
STORES(words_8, u32, 8, 4, 1)
STORES(bytes_8, unsigned char, 8, 1, 1)
STORES(wide_64, u64, 4, 8, 1)
STORES(wide_128, uint4, 2, 16, 1)
STORES(tiles_1, u32, 2, 4, 1)
STORES(tiles_2, u32, 2, 4, 2)
STORES(tiles_3, u32, 2, 4, 3)
STORES(tiles_4, u32, 2, 4, 4)
STORES(tiles_5, u32, 2, 4, 5)
STORES(tiles_6, u32, 2, 4, 6)
STORES(tiles_7, u32, 2, 4, 7)
STORES(tiles_8, u32, 2, 4, 8)

/// After a barrier, the warps of a block store the 4-byte words of the same places.
extern "C" __global__ void of_warps(char *data, u32 apart, u32 lanes, u32 rounds, u32 pause)
{
    u32 lane = threadIdx.x & 31, x = threadIdx.x;
    char *own = data + threadIdx.x / 32 * 4 + lane * apart;
#pragma unroll 1
    for (u32 i = 0; i < rounds; i++, own += TILE) {
        __syncthreads();
        if (lane < lanes)
            put(own, x, u32());
        rest(x, pause);
    }
}

/// As words_4, but warp n begins n x `steps` steps of about 30 cycles after warp 0.
extern "C" __global__ void words_late(char *data, u32 apart, u32 lanes, u32 rounds, u32 pause, u32 steps)
{
    u32 lane = threadIdx.x & 31, warps = blockDim.x / 32, warp = threadIdx.x / 32, x = threadIdx.x;
    char *own = data + (u64)warp * TILE + lane * apart;
#pragma unroll 1
    for (u32 i = 0; i < rounds; i++, own += (u64)warps * TILE) {
        __syncthreads();
#pragma unroll 1
        for (u32 k = 0; k < warp * steps; k++)
            asm volatile("mad.lo.u32 %0, %0, %0, %0; mad.lo.u32 %0, %0, %0, %0; mad.lo.u32 %0, %0, %0, %0;" : "+r"(x));
        if (lane < lanes) {
#pragma unroll
            for (int n = 0; n < 4; n++)
                put(own + n * 4, x, u32());
        }
        rest(x, pause);
    }
}

/// As words_4, but warps do not wait for each other: before it stores, each warp rests for `pause`
/// x 0 to 15 steps of about 30 cycles, by warp and round.
extern "C" __global__ void words_free(char *data, u32 apart, u32 lanes, u32 rounds, u32 pause)
{
    u32 lane = threadIdx.x & 31, warps = blockDim.x / 32, warp = threadIdx.x / 32, x = threadIdx.x;
    char *own = data + (u64)warp * TILE + lane * apart;
#pragma unroll 1
    for (u32 i = 0; i < rounds; i++, own += (u64)warps * TILE) {
        u32 steps = ((warp + 1) * (i + 3) * 40503 >> 8 & 15) * pause;
#pragma unroll 1
        for (u32 k = 0; k < steps; k++)
            asm volatile("mad.lo.u32 %0, %0, %0, %0; mad.lo.u32 %0, %0, %0, %0; mad.lo.u32 %0, %0, %0, %0;" : "+r"(x));
        if (lane < lanes) {
#pragma unroll
            for (int n = 0; n < 4; n++)
                put(own + n * 4, x, u32());
        }
    }
}

/// Cycles of a load by warp `loader`, about 40 cycles after warp 0 has issued `count` stores to new
/// places behind the same barrier. The load is of words in L1 (`how` 0), in shared memory (1) or in
/// L2 (2).
extern "C" __global__ void behind(u64 *out, char *data, u32 apart, u32 count, u32 loader, u32 how)
{
    __shared__ u32 words[32];
    u32 lane = threadIdx.x & 31, warp = threadIdx.x / 32, x = threadIdx.x, value = 0;
    char *own = data + 65536 + lane * apart;
    words[lane] = lane;
    value = load_32(data + lane * 4);
#pragma unroll 1
    for (u32 i = 0; i < 4; i++, own += 64 * TILE) { // the last iteration counts
        rest(x, 100);
        wait_for(value + x);
        __syncthreads();
        if (warp == 0) {
#pragma unroll 1
            for (u32 k = 0; k < count; k += 4) {
#pragma unroll
                for (int n = 0; n < 4; n++)
                    put(own + (k + n) * TILE, x, u32());
            }
        } else if (warp == loader) {
            rest(x, 2);
            u64 start = clock_now();
            if (how == 1)
                asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(value) : "r"(shared_address(&words[lane])) : "memory");
            else
                value = how == 0 ? load_32(data + lane * 4) : load_l2(data + 128 + i * 512 + lane * 4);
            wait_for(value);
            out[0] = clock_now() - start;
        }
        __syncthreads();
    }
}

/// The two SMs of a TPC (numbers 2 n and 2 n + 1) store two words of the same places.
extern "C" __global__ void of_sms(char *data, u32 apart, u32 rounds)
{
    u32 sm, lane = threadIdx.x & 31, warps = blockDim.x / 32;
    asm("mov.u32 %0, %%smid;" : "=r"(sm));
    char *own = data + ((u64)(sm / 2) * rounds * warps + threadIdx.x / 32) * TILE + lane * apart + sm % 2 * 4;
#pragma unroll 1
    for (u32 i = 0; i < rounds; i++, own += warps * TILE) {
        __syncthreads();
        store_32(own);
    }
}

/// Each warp stores to places of its own, `lanes` lanes, `apart` bytes apart, in succession.
extern "C" __global__ void stream(u64 *out, char *data, u32 apart, u32 lanes, u32 warm, u32 timed, u32 after)
{
    u32 lane = threadIdx.x & 31, tile = lanes * apart, warps = blockDim.x / 32;
    char *own = data + lane * apart +
                (u64)(blockIdx.x * warps + threadIdx.x / 32) * tile * STEPS * (warm + timed + after);
    bool active = lane < lanes;
    walk(out, {1, 0, 0, 0, warm, timed, after}, [&](u32, int) {
        if (active)
            store_32(own);
        own += tile;
        return 0u;
    });
}

/// Cycles until a warp has issued COUNT stores to new places, after a rest.
#define BURST(COUNT)                                                                               \
    extern "C" __global__ void burst_##COUNT(u64 *out, char *data, u32 apart)                      \
    {                                                                                              \
        char *own = data + (threadIdx.x & 31) * apart;                                             \
        u64 start = 0;                                                                             \
        u32 x = threadIdx.x;                                                                       \
        for (int i = 0; i < 2; i++, own += COUNT * TILE) {                                         \
            rest(x, 200);                                                                          \
            start = clock_now();                                                                   \
            _Pragma("unroll") for (int k = 0; k < COUNT; k++) put(own + k * TILE, x, u32());       \
            start = clock_now() - start;                                                           \
        }                                                                                          \
        out[threadIdx.x / 32] = start;                                                             \
    }
BURST(16)
BURST(32)
BURST(64)
BURST(128)

/// Rows of a matrix, `row` bytes apart. Each warp stores 32 bits per lane: lane after lane in the
/// next row (`across` 1), or all lanes in one row. The warps of the GPU take 32 rows (1 row) each
/// of `rows`, then those rows of the next column, `column` bytes further, through `columns`
/// columns, and repeat.
extern "C" __global__ void store_rows(u64 *out, char *data, u32 across, u32 rows, u32 row, u32 column, u32 columns,
                                      u32 warm, u32 timed, u32 after)
{
    u32 lane = threadIdx.x & 31;
    u32 warps = gridDim.x * (blockDim.x / 32), warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    u32 parts = across ? rows / 32 : rows;
    char *own = data + (across ? (u64)lane * row : lane * 4);
    u32 step = 0;
    walk(out, {1, 0, 0, 0, warm, timed, after}, [&](u32, int) {
        u32 n = step++ * warps + warp;
        u32 part = n % parts, at = n / parts % columns;
        return store_32(own + (u64)part * (across ? 32 : 1) * row + (u64)at * column);
    });
}

/// All SMs copy successive lines to rows `row` bytes apart: warp after warp to the next of `rows`
/// rows, then to the next line of the rows; BATCH lines at a time, `rounds` times. Mode 1 only
/// loads, mode 2 only stores.
extern "C" __global__ void copy_rows(u64 *out, char *from, char *to, u32 rows, u32 row, u32 rounds, u32 mode)
{
    constexpr int BATCH = 8;
    u32 warps = gridDim.x * (blockDim.x / 32), n = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    u32 lane = threadIdx.x & 31, value[BATCH] = {}, sum = 0;
    __syncthreads();
    u64 start = clock_now();
#pragma unroll 1
    for (u32 i = 0; i < rounds; i++) {
        if (mode != 2) {
#pragma unroll
            for (int k = 0; k < BATCH; k++)
                value[k] = load_32(from + (u64)(n + k * warps) * 128 + lane * 4);
        }
#pragma unroll
        for (int k = 0; k < BATCH; k++, n += warps) {
            if (mode != 1)
                put(to + (u64)(n % rows) * row + n / rows * 128 + lane * 4, value[k], u32());
            sum += value[k];
        }
    }
    wait_for(sum);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = clock_now() - start;
}
