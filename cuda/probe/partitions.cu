// How long does a store take until a polling load of another SM finds it, and a fence behind an
// access of long ago, by the partition of L2 that the SMs and the line belong to?
//
//     nvcc -O3 -arch=sm_90 -o partitions partitions.cu; partitions
//
// For pairs of SMs and lines that lie apart: cycles of a load of each SM that reads the line, of
// half of a round trip of a flag in the line, of an atomic operation of the first SM (long if the
// line belongs to the other partition), and of a fence of the first SM, 4000 cycles after a store
// to the line and after nothing.
#include <cstdio>

typedef long long i64;

static __device__ unsigned sm_number()
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
}

enum { LINES = 48, STEP = 1056, ROUNDS = 32, COLUMNS = 6 };

static __device__ i64 fence_after(volatile int *word, bool stores)
{
    i64 sum = 0;
    for (int i = 0; i < 16; i++) {
        __threadfence();
        if (stores)
            *word = i;
        __nanosleep(3000);
        i64 begin = clock64();
        __threadfence();
        *(word + STEP * LINES) = i; // behind the fence
        sum += clock64() - begin;
    }
    return sum / 16;
}

static __device__ i64 load(volatile int *word, int *kept)
{
    int sum = *word;
    i64 begin = clock64();
    for (int i = 0; i < 16; i++)
        sum += *(word + (sum < -5));
    *kept = sum;
    return (clock64() - begin) / 16;
}

static __device__ i64 atomic(int *word, int *kept)
{
    int sum = 0;
    i64 begin = clock64();
    for (int i = 0; i < 16; i++)
        sum += atomicAdd(word + (sum < -5), 1);
    *kept = sum;
    return (clock64() - begin) / 16;
}

__global__ void probe(i64 *out, int *data, int *met, unsigned one, unsigned other)
{
    const unsigned sm = sm_number();
    const bool first = sm == one;
    int kept;
    if (threadIdx.x || (sm != one && sm != other))
        return;
    for (int line = 0; line < LINES; line++) {
        volatile int *word = data + line * STEP;
        i64 *row = out + line * COLUMNS;
        row[first ? 0 : 1] = load(word, &kept);
        atomicAdd(met + line, 1 + (kept == -7));
        while (atomicAdd(met + line, 0) < 2)
            ;
        i64 begin = clock64();
        for (int i = 0; i < ROUNDS; i++) {
            if (first)
                *word = 2 * i + 1;
            while (*word != 2 * i + (first ? 2 : 1))
                ;
            if (!first)
                *word = 2 * i + 2;
        }
        if (!first)
            continue;
        row[2] = (clock64() - begin) / (2 * ROUNDS);
        row[3] = atomic((int *)word, &kept);
        row[4] = fence_after(word, true);
        row[5] = fence_after(word, false) + (kept == -7);
    }
}

int main()
{
    static const unsigned pairs[][2] = {{0, 1},  {0, 2},  {0, 3},   {0, 16},  {0, 17},  {0, 40},
                                        {0, 66}, {0, 90}, {0, 100}, {0, 131}, {66, 67}, {66, 131}};
    const size_t words = 2 * LINES * STEP;
    i64 *out;
    int *data, *met;
    cudaMallocManaged(&out, LINES * COLUMNS * sizeof *out);
    cudaMalloc(&data, words * sizeof *data);
    cudaMalloc(&met, LINES * sizeof *met);
    printf("sm,other_sm,line,load,other_load,pass,atomic,fence_after_store,fence_after_nothing\n");
    for (const unsigned(&pair)[2] : pairs) {
        cudaMemset(data, 0, words * sizeof *data);
        cudaMemset(met, 0, LINES * sizeof *met);
        probe<<<132, 32>>>(out, data, met, pair[0], pair[1]);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 1;
        for (int line = 0; line < LINES; line++) {
            printf("%u,%u,%d", pair[0], pair[1], line);
            for (int i = 0; i < COLUMNS; i++)
                printf(",%lld", out[line * COLUMNS + i]);
            printf("\n");
        }
    }
    return 0;
}
