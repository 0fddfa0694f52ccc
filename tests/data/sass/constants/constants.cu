// An LDC whose lanes read two lines of constants: one that only DRAM has, and one that the cache of
// the GPC has, because the load before has brought its neighbour.
__constant__ unsigned table[4096];

extern "C" __global__ void two_lines(unsigned *out, unsigned cold)
{
    unsigned near = 4 * cold, first = table[near];
    out[threadIdx.x] = table[(threadIdx.x ? near + 16 : cold) + (first & 1)];
}
