// Passes a structure of 192 bytes by value through functions that are not inlined.
//
// Shows copies of structures on the stack: stores and loads of local memory around each call.
#include "verify.h"

struct State {
    uint32_t word[48];
};

__host__ __device__ __noinline__ State rotate(State state, uint32_t by)
{
    State turned;
    for (uint32_t k = 0; k < 48; k++)
        turned.word[k] = state.word[(k + by) % 48] + k;
    return turned;
}

__host__ __device__ __noinline__ State mix(State state, uint32_t key)
{
    for (int k = 1; k < 48; k++)
        state.word[k] ^= state.word[k - 1] * 5 + key;
    return state;
}

__host__ __device__ inline uint32_t run(uint32_t seed, int rounds)
{
    State state;
    for (uint32_t k = 0; k < 48; k++)
        state.word[k] = seed * (k + 1);
    for (int r = 0; r < rounds; r++)
        state = mix(rotate(state, state.word[0] % 48), (uint32_t)r);
    return state.word[47];
}

__global__ void big_struct(uint32_t *out, int rounds)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = run(i, rounds);
}

int main()
{
    const int threads = 4224, rounds = 6;
    verify::Program program("big_struct");
    verify::Buffer<uint32_t> out(threads);
    big_struct<<<threads / 32, 32>>>(out.data, rounds);
    program.launched("big_struct");
    std::vector<uint32_t> want;
    for (int i = 0; i < threads; i++)
        want.push_back(run((uint32_t)i, rounds));
    program.equal("word", program.output("words", out), want);
    return program.finish();
}
