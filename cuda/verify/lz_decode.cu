// Unpacks blocks of an LZ-like format: literals and copies of earlier bytes, one warp per block of
// 2 KB; lane 0 reads the commands, all lanes copy.
//
// Shows work that is serial but for the copying: broadcasts, byte accesses, and loads that follow
// stores to the same bytes.
#include "verify.h"

const int unpacked = 2048, packed = 2560;

/// A command is three bytes, length, distance (two bytes); distance 0: `length` literals follow.
__global__ void lz_decode(const uint8_t *in, uint8_t *out)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, at = 0;
    const uint8_t *from = in + warp * packed;
    uint8_t *to = out + warp * unpacked;
    for (int done = 0; done < unpacked;) {
        int command = lane == 0 ? from[at] | from[at + 1] << 8 | from[at + 2] << 16 : 0;
        command = __shfl_sync(0xffffffffu, command, 0);
        int length = command & 255, distance = command >> 8;
        at += 3;
        for (int k = lane; k < length; k += 32)
            to[done + k] = distance ? to[done - distance + k % distance] : from[at + k];
        __syncwarp();
        at += distance ? 0 : length;
        done += length;
    }
}

/// Packs random commands, and unpacks them into `out`.
static std::vector<uint8_t> pack(uint32_t seed, uint8_t *out)
{
    std::vector<uint8_t> in;
    uint32_t word = 0;
    for (int done = 0; done < unpacked;) {
        uint32_t random = verify::random_word(seed, word++);
        int length = std::min((int)(random % 60 + 4), unpacked - done), distance = 0;
        if (done > 0 && random >> 8 & 3)
            distance = (int)(random >> 12) % std::min(done, 1000) + 1;
        in.insert(in.end(), {(uint8_t)length, (uint8_t)distance, (uint8_t)(distance >> 8)});
        for (int k = 0; k < length; k++, done++) {
            out[done] = distance ? out[done - distance] : (uint8_t)(random >> k % 24);
            if (!distance)
                in.push_back(out[done]);
        }
    }
    in.resize(packed, 0);
    return in;
}

int main()
{
    const int blocks = 528;
    verify::Program program("lz_decode");
    std::vector<uint8_t> in, want(blocks * unpacked);
    for (int b = 0; b < blocks; b++) {
        std::vector<uint8_t> one = pack((uint32_t)b, &want[b * unpacked]);
        in.insert(in.end(), one.begin(), one.end());
    }
    verify::Buffer<uint8_t> from(in), to(want.size());
    lz_decode<<<blocks / 4, 128>>>(from.data, to.data);
    program.launched("lz_decode");
    program.equal("byte", program.output("bytes", to), want);
    return program.finish();
}
