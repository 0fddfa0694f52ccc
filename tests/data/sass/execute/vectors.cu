// Atomic additions of vectors, which sm_90 has.
extern "C" __global__ void add_vectors(float4 *four, float2 *two, float4 *old)
{
    const float t = threadIdx.x;
    atomicAdd(four, make_float4(1, 2, 3, t));
    atomicAdd(two, make_float2(0.5f, t));
    if (threadIdx.x == 31)
        *old = atomicAdd(four + 1, make_float4(4, 3, 2, 1));
}
