// Do lanes of a warp that wait at the other side of a branch run before a loop of this side ends?
//
//     nvcc -arch=sm_90 -o parted_loops parted_loops.cu; parted_loops
//
// Odd and even lanes go through a loop each, of arithmetic, loads or stores with fences, which the
// compiler gives no YIELD. Prints when each side has begun and ended, in cycles since the first
// began. If the sides took turns, the second would begin before the first has ended.
#include <cstdio>

typedef unsigned long long u64;

#define SIDES(body)                                                                                \
    u64 begin, end;                                                                                \
    if (threadIdx.x & 1) {                                                                         \
        begin = clock64();                                                                         \
        for (int i = 0; i < n; i++) {                                                              \
            const int side = 0;                                                                    \
            body;                                                                                  \
        }                                                                                          \
        end = clock64();                                                                           \
    } else {                                                                                       \
        begin = clock64();                                                                         \
        for (int i = 0; i < n; i++) {                                                              \
            const int side = 1;                                                                    \
            body;                                                                                  \
        }                                                                                          \
        end = clock64();                                                                           \
    }                                                                                              \
    out[2 * threadIdx.x] = begin;                                                                  \
    out[2 * threadIdx.x + 1] = end

__global__ void arithmetic(u64 *out, int n, float a, int *)
{
    float x = threadIdx.x;
    SIDES(x = x * a + 1 + side; if (x > 1e30f) break);
    if (x == 3.5f)
        out[0] = 1;
}

__global__ void loads(u64 *out, int n, float, int *p)
{
    int x = threadIdx.x;
    SIDES(x = p[x + 64 * side]);
    if (x == -1)
        out[0] = 1;
}

__global__ void fences(u64 *out, int n, float, int *p)
{
    SIDES(p[threadIdx.x + 64 * side] = i; __threadfence());
}

int main()
{
    static const struct {
        const char *name;
        void (*kernel)(u64 *, int, float, int *);
        int most;
    } tests[] = {{"arithmetic", arithmetic, 1000000}, {"loads", loads, 10000}, {"fences", fences, 10000}};
    u64 *out, at[64];
    int *p, words[256];
    cudaMalloc(&out, sizeof at);
    cudaMalloc(&p, sizeof words);
    for (int i = 0; i < 256; i++)
        words[i] = i & 63;
    printf("loop,turns,first_end,second_begin,second_end\n");
    for (const auto &test : tests)
        for (int n = 10; n <= test.most; n *= 10) {
            cudaMemcpy(p, words, sizeof words, cudaMemcpyHostToDevice);
            test.kernel<<<1, 32>>>(out, n, 0.5f, p);
            cudaMemcpy(at, out, sizeof at, cudaMemcpyDeviceToHost);
            int first = at[2] < at[0] ? 2 : 0, second = 2 - first;
            printf("%s,%d,%lld,%lld,%lld\n", test.name, n, at[first + 1] - at[first],
                   at[second] - at[first], at[second + 1] - at[first]);
        }
}
