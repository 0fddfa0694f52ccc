// What the lanes of a warp can tell each other without memory: shuffles of four kinds and several
// widths, votes, matches, and reductions.
//
// Shows SHFL, VOTE, MATCH and, from compute capability 8.0 on, REDUX; also with half of the lanes.
#include "verify.h"

const unsigned full_mask = 0xffffffffu;
const int results = 16;

__device__ void exchange(unsigned value, unsigned *out)
{
    unsigned lane = threadIdx.x % 32;
    out[0] = __shfl_sync(full_mask, value, (int)(lane * 5 + 3));
    out[1] = __shfl_sync(full_mask, value, 3, 8);
    out[2] = __shfl_up_sync(full_mask, value, 3);
    out[3] = __shfl_up_sync(full_mask, value, 2, 16);
    out[4] = __shfl_down_sync(full_mask, value, 7);
    out[5] = __shfl_down_sync(full_mask, value, 1, 4);
    out[6] = __shfl_xor_sync(full_mask, value, 9);
    out[7] = __shfl_xor_sync(full_mask, value, 17, 16);
}

__device__ void vote(unsigned value, unsigned *out)
{
    out[0] = __ballot_sync(full_mask, value & 1);
    out[1] = (unsigned)__any_sync(full_mask, value % 64 == 0) * 2u +
             (unsigned)(__all_sync(full_mask, value % 64 != 0) != 0);
    out[2] = __match_any_sync(full_mask, value % 5);
    int same;
    out[3] = __match_all_sync(full_mask, threadIdx.x / 64, &same);
    out[3] ^= (unsigned)same;
}

__device__ void reduce(unsigned value, unsigned *out)
{
    unsigned lane = threadIdx.x % 32;
    if (lane % 2) { // half of the lanes meet, the others have gone on
        unsigned odd = 0xaaaaaaaau;
        out[0] = __ballot_sync(odd, value & 2);
        out[1] = __shfl_sync(odd, value, 31);
    } else {
        out[0] = out[1] = 0;
    }
    __syncwarp();
#if __CUDA_ARCH__ >= 800
    out[2] = __reduce_add_sync(full_mask, value) ^ __reduce_xor_sync(full_mask, value);
    out[3] = __reduce_max_sync(full_mask, (int)value) - __reduce_min_sync(full_mask, (int)value) +
             (__reduce_and_sync(full_mask, value | 1u) ^ __reduce_or_sync(full_mask, value));
#else
    unsigned sum = value, bits = value, both = value | 1u, any = value;
    int high = (int)value, low = (int)value;
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_xor_sync(full_mask, sum, offset);
        bits ^= __shfl_xor_sync(full_mask, bits, offset);
        both &= __shfl_xor_sync(full_mask, both, offset);
        any |= __shfl_xor_sync(full_mask, any, offset);
        high = max(high, __shfl_xor_sync(full_mask, high, offset));
        low = min(low, __shfl_xor_sync(full_mask, low, offset));
    }
    out[2] = sum ^ bits;
    out[3] = (unsigned)(high - low) + (both ^ any);
#endif
}

__global__ void warp_primitives(const unsigned *in, unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    exchange(in[i], out + i * results);
    vote(in[i], out + i * results + 8);
    reduce(in[i], out + i * results + 12);
}

/// What lane `lane` must get; `v` are the values of its warp.
static void expected(const unsigned *v, int lane, unsigned *out)
{
    out[0] = v[(lane * 5 + 3) % 32];
    out[1] = v[lane / 8 * 8 + 3];
    out[2] = v[lane >= 3 ? lane - 3 : lane];
    out[3] = v[lane % 16 >= 2 ? lane - 2 : lane];
    out[4] = v[lane + 7 < 32 ? lane + 7 : lane];
    out[5] = v[lane % 4 < 3 ? lane + 1 : lane];
    out[6] = v[lane ^ 9];
    // A partner in a lower segment is read, one in a higher segment is not.
    out[7] = v[lane < 16 ? lane : lane ^ 17];
    unsigned ballot = 0, second = 0, match = 0, sum = 0, bits = 0, both = ~0u, any = 0;
    int high = (int)v[0], low = (int)v[0], found = 0;
    for (int k = 0; k < 32; k++) {
        ballot |= (v[k] & 1) << k;
        second |= (v[k] >> 1 & 1) << k;
        match |= (unsigned)(v[k] % 5 == v[lane] % 5) << k;
        found |= v[k] % 64 == 0;
        sum += v[k];
        bits ^= v[k];
        both &= v[k] | 1u;
        any |= v[k];
        high = std::max(high, (int)v[k]);
        low = std::min(low, (int)v[k]);
    }
    out[8] = ballot;
    out[9] = found ? 2 : 1;
    out[10] = match;
    out[11] = full_mask ^ 1u; // all lanes of a warp share threadIdx.x / 64
    out[12] = lane % 2 ? second & 0xaaaaaaaau : 0;
    out[13] = lane % 2 ? v[31] : 0;
    out[14] = sum ^ bits;
    out[15] = (unsigned)high - (unsigned)low + (both ^ any);
}

int main()
{
    const int block = 128, n = 100 * block * verify::size();
    verify::Program program("warp_primitives");
    std::vector<uint32_t> in = verify::random_words(n, 1);
    verify::Buffer<unsigned> from(in), to((size_t)n * results);

    warp_primitives<<<n / block, block>>>(from.data, to.data);
    program.launched("warp_primitives");

    std::vector<unsigned> want((size_t)n * results);
    for (int i = 0; i < n; i++)
        expected(&in[i / 32 * 32], i % 32, &want[(size_t)i * results]);
    program.equal("result", program.output("results", to), want);
    return program.finish();
}
