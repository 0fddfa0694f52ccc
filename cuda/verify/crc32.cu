// CRC-32 of 8448 messages of 128 bytes: with a table of 256 words in shared memory, one byte at a
// time, and with eight tables, eight bytes at a time.
//
// Shows chains of look-ups in shared memory with random bank conflicts.
#include "verify.h"

const int bytes = 128;

__host__ __device__ inline uint32_t entry(uint32_t byte, int table)
{
    for (int k = 0; k < 8 * (table + 1); k++)
        byte = byte >> 1 ^ (byte & 1 ? 0xedb88320u : 0);
    return byte;
}

__global__ void crc32(const uint32_t *messages, int n, int tables, uint32_t *out)
{
    __shared__ uint32_t table[8][256];
    for (int k = threadIdx.x; k < tables * 256; k += blockDim.x)
        table[k / 256][k % 256] = entry(k % 256, k / 256);
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t crc = 0xffffffffu;
    for (int w = 0; w < bytes / 4; w += 2) {
        uint32_t a = messages[w * n + i], b = messages[(w + 1) * n + i];
        if (tables == 8) {
            a ^= crc;
            crc = table[7][a & 255] ^ table[6][a >> 8 & 255] ^ table[5][a >> 16 & 255] ^
                  table[4][a >> 24] ^ table[3][b & 255] ^ table[2][b >> 8 & 255] ^
                  table[1][b >> 16 & 255] ^ table[0][b >> 24];
        } else {
            for (int k = 0; k < 32; k += 8)
                crc = table[0][(crc ^ a >> k) & 255] ^ crc >> 8;
            for (int k = 0; k < 32; k += 8)
                crc = table[0][(crc ^ b >> k) & 255] ^ crc >> 8;
        }
    }
    out[i] = ~crc;
}

int main()
{
    const int n = 8448;
    verify::Program program("crc32");
    std::vector<uint32_t> messages = verify::random_words(n * bytes / 4, 1), want;
    for (int i = 0; i < n; i++) {
        uint32_t crc = 0xffffffffu;
        for (int k = 0; k < bytes; k++)
            crc = entry((crc ^ messages[k / 4 * n + i] >> k % 4 * 8) & 255, 0) ^ crc >> 8;
        want.push_back(~crc);
    }
    verify::Buffer<uint32_t> from(messages), out(n);
    for (int tables : {1, 8}) {
        crc32<<<n / 64, 64>>>(from.data, n, tables, out.data);
        program.launched("crc32");
        program.equal("crc", program.output("crcs", out), want);
    }
    return program.finish();
}
