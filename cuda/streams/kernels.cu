// Kernels that share the GPU: one, four in one stream, four in four streams.
//
//     kernels [-r RUNS] [KERNEL...]     without names: all; -r: runs of each (default 1)
//
// Prints rows of CSV: for each kernel, number of blocks and way to launch it the time from an event
// before the first to an event after the last, behind a gate so that all have been submitted.
#include <cstdio>
#include <cstdlib>
#include <cstring>

typedef unsigned long long u64;
enum { FOUR = 4, WORDS = 1 << 22, GATE_NS = 200000 };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void gate(u64 time)
{
    u64 from, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - from < time);
}

// Arithmetic in registers.
__global__ void arithmetic(const float *, float *to, unsigned times)
{
    float a = threadIdx.x, b = 1.5f, c = blockIdx.x, d = 0.25f;
    for (unsigned i = 0; i < times; i++) {
        a = a * b + c;
        c = c * d + a;
        b = b * 0.5f + 0.75f;
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = a + c;
}

// Reads and writes one after another.
__global__ void streaming(const float *from, float *to, unsigned times)
{
    const unsigned all = gridDim.x * blockDim.x;
    for (unsigned i = 0, at = blockIdx.x * blockDim.x + threadIdx.x; i < times; i++, at += all)
        to[at % WORDS] = from[at % WORDS] + 1;
}

// Reads that wait for one another.
__global__ void chase(const float *from, float *to, unsigned times)
{
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (unsigned i = 0; i < times; i++) {
        const float got = from[at * 97u % WORDS];
        sum += got;
        at += 12345 + (unsigned)got;
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Shared memory and barriers.
__global__ void tiles(const float *from, float *to, unsigned times)
{
    __shared__ float tile[2][256];
    float sum = 0;
    tile[0][threadIdx.x % 256] = from[threadIdx.x];
    for (unsigned i = 0; i < times; i++) {
        tile[(i + 1) % 2][threadIdx.x % 256] = sum + i;
        __syncthreads();
        for (unsigned k = 0; k < 16; k++)
            sum += tile[i % 2][(threadIdx.x + k * 17) % 256];
        __syncthreads();
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

struct test {
    const char *name;
    void (*kernel)(const float *, float *, unsigned);
    unsigned threads, times;
};
static const test tests[] = {{"arithmetic", arithmetic, 256, 6000},
                             {"streaming", streaming, 512, 300},
                             {"chase", chase, 128, 200},
                             {"tiles", tiles, 256, 600}};

static cudaStream_t stream[FOUR];
static cudaEvent_t opened, closed, joined[FOUR];
static float *from[FOUR], *to[FOUR];

// `kernels` launches in turn in `streams` streams. Returns the microseconds they take.
static float time_of(const test &t, unsigned blocks, unsigned kernels, unsigned streams)
{
    float elapsed;
    CHECK(cudaDeviceSynchronize());
    gate<<<1, 1, 0, stream[0]>>>(GATE_NS);
    CHECK(cudaEventRecord(opened, stream[0]));
    for (unsigned i = 1; i < streams; i++)
        CHECK(cudaStreamWaitEvent(stream[i], opened, 0));
    for (unsigned i = 0; i < kernels; i++)
        t.kernel<<<blocks, t.threads, 0, stream[i % streams]>>>(from[i], to[i], t.times);
    CHECK(cudaGetLastError());
    for (unsigned i = 1; i < streams; i++) {
        CHECK(cudaEventRecord(joined[i], stream[i]));
        CHECK(cudaStreamWaitEvent(stream[0], joined[i], 0));
    }
    CHECK(cudaEventRecord(closed, stream[0]));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventElapsedTime(&elapsed, opened, closed));
    return elapsed * 1000;
}

int main(int count, char **argument)
{
    static const unsigned sizes[] = {16, 66, 400};
    static const struct {
        const char *name;
        unsigned kernels, streams;
    } ways[] = {{"one", 1, 1}, {"four in one stream", 4, 1}, {"four in four streams", 4, 4}};
    int runs = 1, first = 1;
    if (count > 2 && !strcmp(argument[1], "-r")) {
        runs = atoi(argument[2]);
        first = 3;
    }
    for (unsigned i = 0; i < FOUR; i++) {
        CHECK(cudaStreamCreate(&stream[i]));
        CHECK(cudaEventCreateWithFlags(&joined[i], cudaEventDisableTiming));
        CHECK(cudaMalloc(&from[i], WORDS * sizeof(float)));
        CHECK(cudaMalloc(&to[i], WORDS * sizeof(float)));
        CHECK(cudaMemset(from[i], 0, WORDS * sizeof(float)));
    }
    CHECK(cudaEventCreate(&opened));
    CHECK(cudaEventCreate(&closed));
    printf("kernel,blocks,launched,run,elapsed_us\n");
    for (const test &t : tests) {
        bool wanted = first >= count;
        for (int i = first; i < count; i++)
            wanted |= !strcmp(argument[i], t.name);
        for (unsigned blocks : sizes)
            for (const auto &way : ways)
                for (int run = -1; wanted && run < runs; run++) {
                    const float elapsed = time_of(t, blocks, way.kernels, way.streams);
                    if (run >= 0) // the first run loads code
                        printf("%s,%u,%s,%d,%.2f\n", t.name, blocks, way.name, run, elapsed);
                }
    }
    return 0;
}
