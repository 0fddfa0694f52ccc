// Encodes 600 KB as base64 and decodes them again: three bytes and four letters per thread, with
// tables in shared memory.
//
// Shows byte loads and stores that neighbouring lanes combine, and look-ups with bank conflicts.
#include "verify.h"

__constant__ char letters[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

__global__ void encode(const uint8_t *in, uint32_t *out, int groups)
{
    __shared__ uint8_t table[64];
    if (threadIdx.x < 64)
        table[threadIdx.x] = letters[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= groups)
        return;
    uint32_t bits = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
    out[i] = table[bits >> 18] | table[bits >> 12 & 63] << 8 | table[bits >> 6 & 63] << 16 |
             (uint32_t)table[bits & 63] << 24;
}

__global__ void decode(const uint32_t *in, uint8_t *out, int groups)
{
    __shared__ uint8_t table[256];
    if (threadIdx.x < 64)
        table[(uint8_t)letters[threadIdx.x]] = threadIdx.x;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= groups)
        return;
    uint32_t word = in[i];
    uint32_t bits = table[word & 255] << 18 | table[word >> 8 & 255] << 12 |
                    table[word >> 16 & 255] << 6 | table[word >> 24];
    out[3 * i] = bits >> 16;
    out[3 * i + 1] = bits >> 8;
    out[3 * i + 2] = bits;
}

int main()
{
    const int groups = 200000 * verify::size();
    const char *host = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    verify::Program program("base64");
    std::vector<uint8_t> bytes;
    std::vector<uint32_t> want;
    for (uint32_t word : verify::random_words(groups, 1, 1 << 24)) {
        bytes.insert(bytes.end(), {(uint8_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word});
        want.push_back(host[word >> 18] | host[word >> 12 & 63] << 8 | host[word >> 6 & 63] << 16 |
                       (uint32_t)host[word & 63] << 24);
    }
    verify::Buffer<uint8_t> from(bytes), back(bytes.size());
    verify::Buffer<uint32_t> text(groups);
    encode<<<(groups + 255) / 256, 256>>>(from.data, text.data, groups);
    program.launched("encode");
    program.equal("letters", program.output("text", text), want);
    decode<<<(groups + 255) / 256, 256>>>(text.data, back.data, groups);
    program.launched("decode");
    program.equal("byte", program.output("bytes", back), bytes);
    return program.finish();
}
