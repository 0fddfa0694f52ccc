// Stores 1, 4, 16 and 24 bytes of each sector of 32 bytes in an array of 8 MB, and a last time the
// second half of each.
//
// Shows what becomes of sectors of which only a part is written: whether L2 must read them from
// DRAM.
#include "verify.h"

__global__ void partial_sectors(uint8_t *data, uint32_t sectors, int bytes, uint32_t shift)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= sectors)
        return;
    uint8_t *sector = data + (size_t)(i ^ shift) * 32;
    if (bytes == 1)
        sector[i % 32] = (uint8_t)i;
    else if (bytes == 4)
        *(uint32_t *)(sector + i % 8 * 4) = i;
    else
        *(uint4 *)(sector + (shift != 0) * 16) = make_uint4(i, i, i, i);
    if (bytes == 24)
        *(uint2 *)(sector + 16) = make_uint2(i, i);
}

int main()
{
    const uint32_t sectors = (1u << 18) * (uint32_t)verify::size();
    verify::Program program("partial_sectors");
    verify::Buffer<uint8_t> data(32 * sectors);
    std::vector<uint8_t> want(32 * sectors, 0);
    for (int bytes : {1, 4, 16, 24}) {
        partial_sectors<<<sectors / 256, 256>>>(data.data, sectors, bytes, 0);
        program.launched("partial_sectors");
        for (uint32_t i = 0; i < sectors; i++) {
            int first = bytes == 1 ? i % 32 : bytes == 4 ? i % 8 * 4 : 0;
            for (int k = 0; k < bytes; k++)
                want[32 * i + first + k] = (uint8_t)(i >> k % 4 * 8);
        }
        program.equal("byte", program.output("bytes", data), want);
    }
    partial_sectors<<<sectors / 256, 256>>>(data.data, sectors, 16, sectors / 2);
    program.launched("partial_sectors");
    for (uint32_t i = 0; i < sectors; i++)
        for (int k = 0; k < 16; k++)
            want[32 * (i ^ sectors / 2) + 16 + k] = (uint8_t)(i >> k % 4 * 8);
    program.equal("byte", program.output("bytes", data), want);
    return program.finish();
}
