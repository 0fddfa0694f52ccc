// AES-128 in counter mode, four tables of 1 KB: in shared memory, and once more in constant memory.
//
// Shows 160 look-ups per block of 16 bytes, at random words: bank conflicts, and in constant memory
// one word after the other.
#include "verify.h"

__constant__ uint32_t constant_tables[1024];

__host__ __device__ inline uint4 encrypt(const uint32_t *tables, const uint32_t *keys, uint4 x)
{
    x.x ^= keys[0], x.y ^= keys[1], x.z ^= keys[2], x.w ^= keys[3];
    for (int round = 1; round < 10; round++) {
        const uint32_t in[4] = {x.x, x.y, x.z, x.w};
        uint32_t out[4];
        for (int k = 0; k < 4; k++)
            out[k] = tables[in[k] >> 24] ^ tables[256 + (in[(k + 1) % 4] >> 16 & 255)] ^
                     tables[512 + (in[(k + 2) % 4] >> 8 & 255)] ^
                     tables[768 + (in[(k + 3) % 4] & 255)] ^ keys[4 * round + k];
        x = {out[0], out[1], out[2], out[3]};
    }
    const uint32_t in[4] = {x.x, x.y, x.z, x.w};
    uint32_t out[4];
    for (int k = 0; k < 4; k++) // the second table has the substituted byte in its low byte
        out[k] = ((tables[256 + (in[k] >> 24)] & 255) << 24 |
                  (tables[256 + (in[(k + 1) % 4] >> 16 & 255)] & 255) << 16 |
                  (tables[256 + (in[(k + 2) % 4] >> 8 & 255)] & 255) << 8 |
                  (tables[256 + (in[(k + 3) % 4] & 255)] & 255)) ^
                 keys[40 + k];
    return {out[0], out[1], out[2], out[3]};
}

__global__ void aes_shared(const uint32_t *keys, uint4 *out)
{
    __shared__ uint32_t tables[1024], key[44];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        tables[k] = constant_tables[k];
    if (threadIdx.x < 44)
        key[threadIdx.x] = keys[threadIdx.x];
    __syncthreads();
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = encrypt(tables, key, make_uint4(0x01234567u, 0x89abcdefu, 0, i));
}

__global__ void aes_constant(const uint32_t *keys, uint4 *out)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = encrypt(constant_tables, keys, make_uint4(0x01234567u, 0x89abcdefu, 0, i));
}

static uint8_t times(uint8_t a, uint8_t b) // in the field of 256 elements
{
    uint8_t product = 0;
    for (; b; b >>= 1, a = (uint8_t)(a << 1 ^ (a & 128 ? 0x1b : 0)))
        product ^= b & 1 ? a : 0;
    return product;
}

static uint8_t substitute(uint8_t a)
{
    uint8_t inverse = 0, s = 0x63;
    for (int b = 1; b < 256; b++)
        if (times(a, (uint8_t)b) == 1)
            inverse = (uint8_t)b;
    for (int k = 0; k < 5; k++)
        s ^= (uint8_t)(inverse << k | inverse >> (8 - k));
    return s;
}

int main()
{
    const int n = 16896;
    verify::Program program("aes");
    std::vector<uint32_t> tables(1024), keys = {0x2b7e1516u, 0x28aed2a6u, 0xabf71588u, 0x09cf4f3cu};
    uint8_t box[256];
    for (int a = 0; a < 256; a++) {
        uint32_t s = box[a] = substitute((uint8_t)a), two = times(box[a], 2);
        uint32_t word = two << 24 | s << 16 | s << 8 | (two ^ s);
        for (int t = 0; t < 4; t++)
            tables[256 * t + a] = t ? word >> 8 * t | word << (32 - 8 * t) : word;
    }
    for (uint32_t k = 4, constant = 1; k < 44; k++) {
        uint32_t w = keys[k - 1];
        if (k % 4 == 0) {
            w = (uint32_t)box[w >> 16 & 255] << 24 | box[w >> 8 & 255] << 16 | box[w & 255] << 8 |
                box[w >> 24];
            w ^= constant << 24;
            constant = times((uint8_t)constant, 2);
        }
        keys.push_back(keys[k - 4] ^ w);
    }
    // The first example of FIPS 197.
    uint4 known =
        encrypt(tables.data(), keys.data(), {0x3243f6a8u, 0x885a308du, 0x313198a2u, 0xe0370734u});
    program.holds("the standard's example", known.x == 0x3925841du && known.w == 0x196a0b32u);
    std::vector<uint32_t> want;
    for (uint32_t i = 0; i < n; i++) {
        uint4 x = encrypt(tables.data(), keys.data(), {0x01234567u, 0x89abcdefu, 0, i});
        want.insert(want.end(), {x.x, x.y, x.z, x.w});
    }
    verify::must(cudaMemcpyToSymbol(constant_tables, tables.data(), 4096), "cudaMemcpyToSymbol");
    verify::Buffer<uint32_t> device_keys(keys), out(4 * n);
    aes_shared<<<n / 128, 128>>>(device_keys.data, (uint4 *)out.data);
    program.launched("aes_shared");
    program.equal("word", program.output("shared", out), want);
    aes_constant<<<n / 128, 128>>>(device_keys.data, (uint4 *)out.data);
    program.launched("aes_constant");
    program.equal("word", program.output("constant", out), want);
    return program.finish();
}
