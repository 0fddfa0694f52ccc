// Eight cases behind one indirect branch, written as PTX: every lane takes its own sequence.
//
// Shows a jump through a table of code addresses in constant memory (BRX), and what is left of a
// warp when its lanes go eight ways.
#include "verify.h"

const int rounds = 24;

__device__ unsigned step(unsigned choice, unsigned x)
{
    asm volatile("{\n"
                 "table: .branchtargets A, B, C, D, E, F, G, H;\n"
                 "    brx.idx %1, table;\n"
                 "A:  mad.lo.u32 %0, %0, 3, 1;  bra DONE;\n"
                 "B:  shl.b32 %0, %0, 1;        bra DONE;\n"
                 "C:  popc.b32 %0, %0;          bra DONE;\n"
                 "D:  brev.b32 %0, %0;          bra DONE;\n"
                 "E:  not.b32 %0, %0;           bra DONE;\n"
                 "F:  mul.hi.u32 %0, %0, 77777; bra DONE;\n"
                 "G:  xor.b32 %0, %0, 12345;    bra DONE;\n"
                 "H:  add.u32 %0, %0, 1000003;\n"
                 "DONE:\n"
                 "}"
                 : "+r"(x)
                 : "r"(choice));
    return x;
}

static unsigned host_step(unsigned choice, unsigned x)
{
    unsigned bits = 0, reversed = 0;
    for (int i = 0; i < 32; i++) {
        bits += x >> i & 1;
        reversed |= (x >> i & 1) << (31 - i);
    }
    const unsigned results[8] = {x * 3 + 1, x << 1,     bits,
                                 reversed,  ~x,         (unsigned)((uint64_t)x * 77777 >> 32),
                                 x ^ 12345, x + 1000003};
    return results[choice];
}

/// Depends on the round too, so that no value repeats for ever.
__host__ __device__ static unsigned choose(unsigned x, int r)
{
    return (x ^ x >> 3 ^ x >> 9 ^ (unsigned)r) % 8;
}

__global__ void jump_table(const unsigned *in, unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
#pragma unroll 1
    for (int r = 0; r < rounds; r++)
        x = step(choose(x, r), x);
    out[i] = x;
}

int main()
{
    const int n = 4096 * verify::size();
    verify::Program program("jump_table");
    std::vector<uint32_t> in = verify::random_words(n, 1), want;
    verify::Buffer<unsigned> from(in), to(n);

    jump_table<<<n / 128, 128>>>(from.data, to.data);
    program.launched("jump_table");

    for (uint32_t x : in) {
        for (int r = 0; r < rounds; r++)
            x = host_step(choose(x, r), x);
        want.push_back(x);
    }
    program.equal("x", program.output("x", to), want);
    return program.finish();
}
