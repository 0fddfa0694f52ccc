// Bandwidth of L2 and of DRAM, of one SM and of all SMs. Every block walks through tiles of a
// buffer in three phases. The middle phase is timed, while all blocks are busy: out[block] = its
// cycles. SM clocks differ, so the result is the bytes of a block over its own cycles. Grid: one
// block for each SM that takes part. Expected code: the body of the loop has STEPS times the
// instruction named beside the kernel.
#include "walk.cuh"

/// Words of neighbouring threads are `lane_bytes` apart; a tile has blockDim.x x lane_bytes bytes.
#define WALK(NAME, ...)                                                                            \
    extern "C" __global__ void NAME(u64 *out, char *data, u32 lane_bytes, u32 tiles, u32 base,     \
                                    u32 begin, u32 step, u32 warm, u32 timed, u32 after)           \
    {                                                                                              \
        u32 tile_bytes = blockDim.x * lane_bytes;                                                  \
        char *own = data + threadIdx.x * lane_bytes;                                               \
        walk(out, {tiles, base, begin, step, warm, timed, after}, [=](u32 tile, int k) {           \
            char *at = own + (u64)tile * tile_bytes;                                               \
            return __VA_ARGS__;                                                                    \
        });                                                                                        \
    }
// LDG.E, .128; past L1: .STRONG.GPU
WALK(read_32, load_32(at))
WALK(read_128, load_128(at))
WALK(read_l2_32, load_l2(at))
WALK(read_l2_128, load_l2_128(at))
// STG.E, .128
WALK(write_32, store_32(at))
WALK(write_128, store_128(at))
// LDG.E.128 and STG.E.128: as many loads as stores, or three loads for each store. Stores go to a
// second buffer, behind the tiles of the loads.
WALK(mix_even, k % 2 ? store_128(at + (u64)tiles * tile_bytes) : load_128(at))
WALK(mix_reads, k % 4 == 3 ? store_128(at + (u64)tiles * tile_bytes) : load_128(at))

/// Words at random places of 2^`bits` sectors; each lane chooses its own place (LDG.E).
extern "C" __global__ void read_random(u64 *out, char *data, u32 bits, u32 warm, u32 timed,
                                       u32 after)
{
    u32 state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345;
    walk(out, {1, 0, 0, 0, warm, timed, after}, [&](u32, int) {
        state = state * 1664525u + 1013904223u;
        return load_32(data + (u64)(state >> (32 - bits)) * 32);
    });
}

/// All SMs repeatedly read `lines` lines, `apart` bytes apart, from L2 (LDG.E.STRONG.GPU); each
/// warp begins at another line. Few lines lie in few slices. keep = 7: a warp reads one sector of
/// each line.
extern "C" __global__ void hot_lines(u64 *out, char *data, u32 lines, u32 apart, u32 keep, u32 warm,
                                     u32 timed, u32 after)
{
    const char *own = data + 4 * (threadIdx.x & keep);
    u32 begin = threadIdx.x / 32 * 5 % lines;
    walk(out, {lines, 0, 7, 1, warm, timed, after}, [=](u32 tile, int) {
        u32 line = tile + begin >= lines ? tile + begin - lines : tile + begin;
        return load_l2(own + (u64)line * apart);
    });
}
