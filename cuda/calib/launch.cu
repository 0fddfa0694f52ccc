// The cost of a launch besides its instructions: from the start of the launch to the first
// instruction of each block, and from the last EXIT to the end, as Nsight Compute counts cycles
// (sm__cycles_elapsed.max, sm__cycles_active.avg). Expected machine code: empty is EXIT alone;
// chain is a loop of 16 dependent FFMAs (4 cycles each) per iteration; store ends with one STG per
// warp; fresh is straight-line code that each warp runs once; touch is a load of one line per warp
// whose result is stored.

extern "C" __global__ void empty()
{
}

static __device__ float chained(float x, int turns)
{
#pragma unroll 1
    for (int turn = 0; turn < turns; turn++) {
#pragma unroll
        for (int i = 0; i < 16; i++)
            x = fmaf(x, x, 1.0f);
    }
    return x;
}

// The result is stored only if it is a number that never occurs.
extern "C" __global__ void chain(float *out, int turns)
{
    float x = chained((float)turns, turns);
    if (x == 0.5f)
        out[0] = x;
}

// As chain, but blocks with odd numbers run `more` iterations longer: shows which blocks get the
// freed places.
extern "C" __global__ void uneven(float *out, int turns, int more)
{
    float x = chained((float)turns, turns + (blockIdx.x % 2 ? more : 0));
    if (x == 0.5f)
        out[0] = x;
}

extern "C" __global__ void store(float *out)
{
    out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

extern "C" __global__ void touch(const float *in, float *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    if (x == 0.5f)
        out[0] = x;
}

// 512 dependent FFMAs in a row: 8 KB of code that has not run before.
extern "C" __global__ void fresh(float *out, float x)
{
#pragma unroll
    for (int i = 0; i < 512; i++)
        x = fmaf(x, x, 1.0f);
    if (x == 0.5f)
        out[0] = x;
}

// Shared memory makes the SM change its carve-out.
extern "C" __global__ void with_shared(float *out)
{
    extern __shared__ float words[];
    words[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    if (words[blockDim.x - 1 - threadIdx.x] == 0.5f)
        out[0] = 1.0f;
}
