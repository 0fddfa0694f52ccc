// Function calls that are not inlined: recursion with a stack in local memory, and calls through
// function pointers.
//
// Shows CALL, RET, spills to local memory, and indirect calls whose target differs between lanes.
#include "verify.h"

typedef unsigned (*Function)(unsigned);

__host__ __device__ __noinline__ static unsigned triple(unsigned x)
{
    return x * 3u + 1u;
}

__host__ __device__ __noinline__ static unsigned mix(unsigned x)
{
    return (x ^ x >> 5) * 0x45d9f3bu;
}

__host__ __device__ __noinline__ static unsigned halve(unsigned x)
{
    return x / 2u - 7u;
}

/// Ackermann's function, for small m and n.
__host__ __device__ __noinline__ static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

/// Writes the addresses of the three functions: only the GPU knows them.
__global__ void fill(Function *table)
{
    table[0] = triple;
    table[1] = mix;
    table[2] = halve;
}

__global__ void calls(const Function *table, const unsigned *in, unsigned *out, unsigned *deep)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
    for (int k = 0; k < 6; k++)
        x = table[x % 3](x);
    out[i] = x;
    deep[i] = ackermann(in[i] % 3, in[i] / 3 % 5);
}

int main()
{
    const int n = 8192 * verify::size();
    const Function functions[] = {triple, mix, halve};
    verify::Program program("calls");
    std::vector<uint32_t> in = verify::random_words(n, 1), want, want_deep;
    verify::Buffer<unsigned> from(in), to(n), deep(n);
    verify::Buffer<Function> table(3);

    fill<<<1, 1>>>(table.data);
    program.launched("fill");
    calls<<<n / 128, 128>>>(table.data, from.data, to.data, deep.data);
    program.launched("calls");

    for (uint32_t word : in) {
        unsigned x = word;
        for (int k = 0; k < 6; k++)
            x = functions[x % 3](x);
        want.push_back(x);
        want_deep.push_back(ackermann(word % 3, word / 3 % 5));
    }
    program.equal("out", program.output("out", to), want);
    program.equal("deep", program.output("deep", deep), want_deep);
    return program.finish();
}
