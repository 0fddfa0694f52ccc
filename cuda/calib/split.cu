// Lanes that leave a loop with YIELD, as compilers make it of a loop with volatile accesses. An
// H200 does not keep them until the other lanes have left the loop. An iteration loads, YIELDs and
// stores (LDG.STRONG, YIELD, STG.STRONG, BRA). Lanes follow the links of a chain to its end and
// shorten it on the way.
#include "memory.cuh"

constexpr u32 TURNS = 8;

/// Word i of the chain is i - 1; lane l begins `spread` x l links from its end. The clock of a lane
/// behind the store goes to trace[iteration][lane], the clock behind the loop to labels[lane].
extern "C" __global__ void trace(u32 *trace, volatile u32 *parent, u32 *labels, u32 spread, u32 n)
{
    u32 vertex = spread * (threadIdx.x & 31) + 1, turn = 0;
    if (vertex >= n)
        return;
    parent[0] = 0;
    u32 up = parent[vertex];
    while (up != vertex) {
        u32 next = parent[up];
        parent[vertex] = next;
        if (turn < TURNS)
            trace[32 * turn + (threadIdx.x & 31)] = (u32)clock_now();
        turn++;
        vertex = up;
        up = next;
    }
    labels[threadIdx.x] = (u32)clock_now();
    labels[32 + threadIdx.x] = vertex;
}

/// Two such loops in succession, the second with chains of `second` x (31 - lane) links; writes the
/// clock behind the store of each iteration of both loops.
__device__ __forceinline__ u32 walk(u32 *trace, volatile u32 *parent, u32 vertex)
{
    u32 up = parent[vertex], turn = 0;
    while (up != vertex) {
        u32 next = parent[up];
        parent[vertex] = next;
        if (turn < TURNS)
            trace[32 * turn + (threadIdx.x & 31)] = (u32)clock_now();
        turn++;
        vertex = up;
        up = next;
    }
    return vertex;
}

extern "C" __global__ void twice(u32 *trace, volatile u32 *parent, volatile u32 *other, u32 *labels,
                                 u32 spread, u32 second, u32 n)
{
    u32 lane = threadIdx.x & 31;
    if (spread * lane + 1 >= n)
        return;
    parent[0] = 0;
    other[0] = 0;
    u32 found = walk(trace, parent, spread * lane + 1);
    found += walk(trace + 32 * TURNS, other, second * (31 - lane) + 1);
    labels[lane] = (u32)clock_now();
    labels[32 + lane] = found;
}
