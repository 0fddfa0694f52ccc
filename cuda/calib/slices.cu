// Bytes per cycle of L2 slices, of the ways to them and of DRAM channels, by the pattern of a
// warp's accesses: sectors of a line, words of a sector, lines that other SMs request at the same
// time, pieces of DRAM rows. As in bandwidth.cu out[block] = cycles of the timed phase. Expected
// code: the body of the loop has STEPS times the instruction named beside the kernel.
#include "walk.cuh"

/// Pattern of a warp's lanes: 2^`lanes` neighbouring lanes share a sector; 2^`sectors` sectors of
/// each line, `apart` bytes apart; lines `line` bytes apart.
__device__ __forceinline__ u32 pattern(u32 lanes, u32 sectors, u32 apart, u32 line)
{
    u32 lane = threadIdx.x & 31, sector = lane >> lanes;
    return (sector >> sectors) * line + (sector & ((1u << sectors) - 1)) * apart +
           (lane & ((1u << lanes) - 1)) * 4;
}

#define PATTERN(NAME, ACCESS)                                                                      \
    extern "C" __global__ void NAME(u64 *out, char *data, u32 lanes, u32 sectors, u32 apart,       \
                                    u32 line, u32 tiles, u32 warm, u32 timed, u32 after)           \
    {                                                                                              \
        u32 warps = blockDim.x / 32, bytes = (32u >> lanes >> sectors) * line;                     \
        char *own = data + pattern(lanes, sectors, apart, line) + threadIdx.x / 32 * bytes;        \
        walk(out, {tiles, tiles, 0, 1, warm, timed, after}, [=](u32 tile, int) {                   \
            return ACCESS(own + (u64)tile * warps * bytes);                                        \
        });                                                                                        \
    }
// LDG.E.STRONG.GPU, STG.E
PATTERN(load_pattern, load_l2)
PATTERN(store_pattern, store_32)

/// The SMs of a group read the same `tiles` tiles of blockDim.x x 16 bytes, past L1
/// (LDG.E.128.STRONG.GPU). Group: SM number div `neighbours`, or mod `groups` if `neighbours` is 0.
/// Each SM begins `lag` tiles behind the previous SM.
extern "C" __global__ void load_together(u64 *out, char *data, u32 neighbours, u32 groups, u32 tiles, u32 lag,
                                         u32 warm, u32 timed, u32 after)
{
    u32 sm;
    asm("mov.u32 %0, %%smid;" : "=r"(sm));
    u32 group = neighbours ? sm / neighbours : sm % groups;
    char *own = data + ((u64)group * tiles * blockDim.x + threadIdx.x) * 16;
    u32 bytes = blockDim.x * 16;
    walk(out, {tiles, 0, lag, 1, warm, timed, after},
         [=](u32 tile, int) { return load_l2_128(own + (u64)tile * bytes); });
}

/// Pieces of 2^`shift` bytes at random places of 2^`bits` bytes. Each warp has its own pieces, 16
/// bytes per lane, in succession (LDG.E.128; STG.E.128).
#define PIECES(NAME, ACCESS)                                                                       \
    extern "C" __global__ void NAME(u64 *out, char *data, u32 bits, u32 shift, u32 warm,           \
                                    u32 timed, u32 after)                                          \
    {                                                                                              \
        u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;                                   \
        u32 at = (threadIdx.x & 31) * 16;                                                          \
        walk(out, {1, 0, 0, 0, warm, timed, after}, [&](u32, int) {                                \
            u64 piece = (u64)warp << 20 | at >> shift;                                             \
            u64 place = piece * 0x9E3779B97F4A7C15u;                                               \
            place ^= place >> 29;                                                                  \
            place = (place * 0xBF58476D1CE4E5B9u) >> (64 - bits);                                  \
            place = (place >> shift << shift) + (at & ((1u << shift) - 1));                        \
            at += 512;                                                                             \
            return ACCESS(data + place);                                                           \
        });                                                                                        \
    }
PIECES(load_pieces, load_128)
PIECES(store_pieces, store_128)

/// Loads and stores of whole tiles in order: of STEPS accesses, `stores` are stores, `behind` bytes
/// behind the loads.
#define MIX(NAME, STORES)                                                                          \
    extern "C" __global__ void NAME(u64 *out, char *data, u32 tiles, u32 behind_mb, u32 warm,      \
                                    u32 timed, u32 after)                                          \
    {                                                                                              \
        char *own = data + threadIdx.x * 16;                                                       \
        u32 bytes = blockDim.x * 16;                                                               \
        walk(out, {tiles, 0, 1, 132, warm, timed, after}, [=](u32 tile, int k) {                   \
            char *at = own + (u64)tile * bytes;                                                    \
            return k % 4 < STORES ? store_128(at + ((u64)behind_mb << 20)) : load_128(at);         \
        });                                                                                        \
    }
MIX(mix_1, 1)
MIX(mix_2, 2)
MIX(mix_3, 3)
MIX(mix_4, 4)

/// Finds the address bits that choose the half of L2: out[bit] is 1 if an atomic operation on the
/// line 2^(12 + bit) bytes behind an address of whole 2 MB takes much longer or shorter than at
/// that address, else 0 (ATOMG.E.ADD).
extern "C" __global__ void owner(u32 *out, char *data, u32 bits)
{
    char *base = (char *)(((u64)data + 0x1FFFFF) & ~(u64)0x1FFFFF);
    u32 first = 0;
#pragma unroll 1
    for (u32 bit = 0; bit <= bits; bit++) {
        u32 *at = (u32 *)(base + (bit == 0 ? 0 : (u64)2048 << bit)), least = ~0u;
#pragma unroll 1
        for (int i = 0; i < 8; i++) {
            u64 start = clock_now();
            wait_for(atomicAdd(at, 0));
            u32 cycles = (u32)(clock_now() - start);
            least = cycles < least ? cycles : least;
        }
        if (bit == 0)
            first = least;
        else
            out[bit - 1] = least > first + 90 || first > least + 90;
    }
}
