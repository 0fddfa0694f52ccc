// What L1 knows of sectors of which stores have written single words: how many of the loads behind
// them are slow.
//
//   nvcc -arch=sm_90 -o l1_parts l1_parts.cu
//   l1_parts > l1_parts.csv
//
// rows: one thread stores the first word of `count` sectors, `apart` words from one another, which L1
// has (`held` 1) or lacks, and 4000 cycles later loads the first or the second word (`word`) of each.
// swaps: `lanes` of a warp have `count` words each, one behind another; 2000 times each lane loads one
// of its words by chance and stores that word alone (`word` 0) or another one, too (1), `apart` cycles
// later. A row has the mean latency in cycles, and how many loads of so many took over 200: of a
// warp's load, if it takes that long for one of its lanes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

typedef uint32_t u32;

constexpr u32 SLOW = 200, ROUNDS = 2000, PAUSE = 4000, WORDS = 4u << 20;

__device__ u32 load_time(const u32 *at)
{
    u32 value;
    long long start = clock64();
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    if (value == 0x7fffffff) // never: the clock waits for the value
        asm volatile("trap;");
    return (u32)(clock64() - start);
}

__device__ void store(u32 *at, u32 value)
{
    asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

__device__ void pause(u32 cycles)
{
    long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

__global__ void rows(u32 *data, u32 count, u32 apart, u32 held, u32 word, u32 *out)
{
    u32 slow = 0, sum = 0, ignored = 0;
    for (u32 pass = 0; pass < 2; pass++) { // the second pass counts: its code is known
        u32 *at = data + pass * (WORDS / 2);
        slow = sum = 0;
        for (u32 i = 0; i < count; i++)
            ignored += __ldcg(at + i * apart); // into L2
        pause(PAUSE);
        for (u32 i = 0; held && i < count; i++)
            load_time(at + i * apart);
        for (u32 i = 0; i < count; i++)
            store(at + i * apart, i);
        pause(PAUSE);
        for (u32 i = 0; i < count; i++) {
            u32 time = load_time(at + i * apart + word);
            sum += time;
            slow += time > SLOW;
        }
    }
    out[0] = sum / count;
    out[1] = slow;
    out[2] = count + (ignored == 1);
}

__global__ void swaps(u32 *data, u32 lanes, u32 count, u32 wait, u32 two, u32 *out)
{
    u32 random = threadIdx.x * 77 + 13, slow = 0, sum = 0;
    u32 *own = data + threadIdx.x * count;
    if (threadIdx.x >= lanes)
        return;
    for (u32 i = 0; i < count; i++)
        load_time(own + i);
    for (u32 round = 0; round < ROUNDS; round++) {
        random = random * 1664525u + 1013904223u;
        u32 i = (random >> 10) % count, j = (random >> 20) % count;
        u32 time = load_time(own + i);
        sum += time;
        slow += time > SLOW;
        pause(wait);
        store(own + i, round);
        if (two)
            store(own + j, round + 1);
    }
    if (threadIdx.x == 0) {
        out[0] = sum / ROUNDS;
        out[1] = slow;
        out[2] = ROUNDS;
    }
}

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "l1_parts: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

static void print(const char *what, const u32 (&values)[5], const u32 *device)
{
    u32 out[3];
    must(cudaGetLastError(), what);
    must(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost), what);
    printf("%s,%u,%u,%u,%u,%u,%u,%u,%u\n", what, values[0], values[1], values[2], values[3], values[4],
           out[0], out[1], out[2]);
}

int main()
{
    u32 *data, *out;
    must(cudaMalloc(&data, WORDS * sizeof(u32)), "cudaMalloc");
    must(cudaMalloc(&out, 64), "cudaMalloc");
    must(cudaMemset(data, 0, WORDS * sizeof(u32)), "cudaMemset");
    printf("what,lanes,count,apart,held,word,cycles,slow,loads\n");
    for (u32 held : {0u, 1u})
        for (u32 word : {0u, 1u})
            for (u32 apart : {8u, 16u, 32u, 64u})
                for (u32 count : {2u, 4u, 16u, 256u, 512u, 640u, 768u, 896u, 1024u, 1536u}) {
                    rows<<<1, 1>>>(data, count, apart, held, word, out);
                    print("rows", {1, count, apart, held, word}, out);
                }
    for (u32 lanes : {1u, 8u, 16u, 32u})
        for (u32 count : {8u, 16u, 32u, 64u, 128u})
            for (u32 wait : {0u, 1000u})
                for (u32 two : {0u, 1u}) {
                    swaps<<<1, 32>>>(data, lanes, count, wait, two, out);
                    print("swaps", {lanes, count, wait, 1, two}, out);
                }
    return 0;
}
