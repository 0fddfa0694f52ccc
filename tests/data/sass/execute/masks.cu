/* Warp-wide operations to which the lanes of a warp bring different masks: test_sass_exec_masks.c.
 * MANIFEST says how this is compiled. Launched with one warp; the lanes of a label have one mask. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

#define KERNEL extern "C" __global__ void
#define MASK __match_any_sync(0xffffffffu, label[threadIdx.x])
#define VALUE value[threadIdx.x]

KERNEL labeled_max(const int *label, const int *value, int *out)
{
    auto lanes = cg::labeled_partition(cg::coalesced_threads(), label[threadIdx.x]);
    out[threadIdx.x] = cg::reduce(lanes, VALUE, cg::greater<int>());
}

KERNEL ballot(const int *label, const int *value, int *out)
{
    unsigned mask = MASK;
    out[threadIdx.x] = (int)__ballot_sync(mask, VALUE & 1);
}

KERNEL match_any(const int *label, const int *value, int *out)
{
    unsigned mask = MASK;
    out[threadIdx.x] = (int)__match_any_sync(mask, VALUE & 1);
}

KERNEL match_all(const int *label, const int *value, int *out)
{
    int same;
    unsigned mask = MASK;
    out[threadIdx.x] = (int)__match_all_sync(mask, VALUE >> 4, &same);
}

/* The lanes of a mask come to the shuffle from two paths, the odd ones at different times. */
__device__ __noinline__ int first_value(unsigned mask, int value)
{
    return __shfl_sync(mask, value, __ffs((int)mask) - 1);
}
KERNEL apart(const int *label, const int *value, int *out)
{
    unsigned mask = MASK;
    int mine = VALUE, found;
    if (threadIdx.x & 1) {
        for (int i = 0; i < mine % 4; i++)
            atomicAdd(&out[32], 1);
        found = first_value(mask, mine);
    } else {
        found = first_value(mask, mine) + 1000;
        atomicAdd(&out[33], 1);
    }
    out[threadIdx.x] = found;
}

/* Wrong: the masks name lanes that bring another one. */
__device__ __noinline__ void sync_with(unsigned mask, int *out)
{
    __syncwarp(mask);
    out[threadIdx.x]++;
}
KERNEL unequal(int *out)
{
    if (threadIdx.x & 1) {
        atomicAdd(&out[32], 1);
        sync_with(0xffffffffu, out);
        atomicAdd(&out[32], 2);
    } else {
        sync_with(0xfffffffdu, out);
        atomicAdd(&out[33], 1);
    }
}
