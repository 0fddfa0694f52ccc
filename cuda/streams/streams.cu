// Several grids, copies and waits at once: what overlaps on a GPU, in which order, and how long it
// takes.
//
//     streams [-r RUNS] [CASE...]      without names: all cases; -r: runs of each case (default 1)
//
// Each case is put into streams behind a gate, a kernel of GATE_NS that all its streams wait for,
// so that it does not matter how fast the host submits work. Prints rows of CSV: for each run a row
// of the case, with the time from the end of the gate to the end of all work as events tell it; and
// a row for each grid: when its first block began and its last block ended after the gate (GPU's
// nanosecond clock), how many of its blocks began before the grid before it had ended, and how many
// SMs had blocks of it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

typedef unsigned long long u64;
enum { MOST_GRIDS = 160, MOST_BLOCKS = 4096, SMS = 132, GATE_NS = 400000 };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct block_time {
    u64 began, ended;
    unsigned sm, pad;
};

__device__ u64 nanoseconds()
{
    u64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__device__ unsigned sm_id()
{
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}

// Every block takes `cycles` cycles, whatever else its SM does.
__global__ void spin(block_time *times, long long cycles)
{
    const long long from = clock64();
    if (threadIdx.x == 0) {
        times[blockIdx.x].began = nanoseconds();
        times[blockIdx.x].sm = sm_id();
    }
    while (clock64() - from < cycles)
        ;
    if (threadIdx.x == 0)
        times[blockIdx.x].ended = nanoseconds();
}

// Reads and writes memory: what copies beside it take away.
__global__ void stream_words(block_time *times, const float4 *from, float4 *to, unsigned words)
{
    if (threadIdx.x == 0) {
        times[blockIdx.x].began = nanoseconds();
        times[blockIdx.x].sm = sm_id();
    }
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x)
        to[i] = from[i];
    __syncthreads();
    if (threadIdx.x == 0)
        times[blockIdx.x].ended = nanoseconds();
}

__global__ void gate(u64 *ended, u64 time)
{
    const u64 from = nanoseconds();
    while (nanoseconds() - from < time)
        ;
    *ended = nanoseconds();
}

static block_time *times; // [MOST_GRIDS][MOST_BLOCKS]
static unsigned blocks_of[MOST_GRIDS], grids;
static std::vector<cudaStream_t> stream;
static cudaStream_t low, high;
static cudaEvent_t event[MOST_GRIDS + 4], opened, closed;
static char *device[3], *pinned[2];
static u64 *gate_ended;
enum { BYTES = 64 << 20 };

static block_time *times_of(unsigned blocks)
{
    blocks_of[grids] = blocks;
    return times + MOST_BLOCKS * grids++;
}

// `micro`: microseconds that each block takes, at 1980 MHz.
static void put(cudaStream_t where, unsigned blocks, unsigned threads, double micro,
                unsigned shared = 0)
{
    spin<<<blocks, threads, shared, where>>>(times_of(blocks), (long long)(micro * 1980));
    CHECK(cudaGetLastError());
}

static void put_copying(cudaStream_t where, unsigned blocks)
{
    stream_words<<<blocks, 512, 0, where>>>(times_of(blocks), (float4 *)device[0],
                                            (float4 *)device[1], BYTES / 16);
    CHECK(cudaGetLastError());
}

static void record_wait(cudaStream_t from, cudaStream_t to, unsigned i)
{
    CHECK(cudaEventRecord(event[i], from));
    CHECK(cudaStreamWaitEvent(to, event[i], 0));
}

static void to_device(cudaStream_t where, size_t bytes)
{
    CHECK(cudaMemcpyAsync(device[2], pinned[0], bytes, cudaMemcpyHostToDevice, where));
}

static void to_host(cudaStream_t where, size_t bytes)
{
    CHECK(cudaMemcpyAsync(pinned[1], device[0], bytes, cudaMemcpyDeviceToHost, where));
}

// A grid as the program's stream order, launched before the one before it has ended.
static void put_dependent(cudaStream_t where, unsigned blocks, unsigned threads, double micro)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute[1];
    config.gridDim = blocks;
    config.blockDim = threads;
    config.stream = where;
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, spin, times_of(blocks), (long long)(micro * 1980)));
}

static void CUDART_CB nothing(void *)
{
}

// The work of `fill` as a graph, launched once.
static void as_graph(const std::function<void()> &fill)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CHECK(cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeRelaxed));
    fill();
    CHECK(cudaStreamEndCapture(stream[0], &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphUpload(ready, stream[0]));
    CHECK(cudaGraphLaunch(ready, stream[0]));
    CHECK(cudaGraphDestroy(graph));
}

struct test {
    const char *name;
    std::function<void()> fill;
};

static void on_streams(unsigned count, unsigned blocks, unsigned threads, double micro,
                       unsigned shared = 0)
{
    for (unsigned i = 0; i < count; i++)
        put(stream[i], blocks, threads, micro, shared);
}

static const unsigned ALONE = 200 << 10; // bytes of shared memory: one block for each SM

static const test tests[] = {
    {"nothing", [] {}},
    // Room for all.
    {"room_1", [] { on_streams(1, 16, 256, 100); }},
    {"room_2", [] { on_streams(2, 16, 256, 100); }},
    {"room_4", [] { on_streams(4, 16, 256, 100); }},
    {"room_8", [] { on_streams(8, 16, 256, 100); }},
    {"room_128", [] { on_streams(128, 1, 32, 200); }},
    {"room_136", [] { on_streams(136, 1, 32, 200); }},
    // One block for each SM, and room for one grid, or two halves.
    {"full_1", [] { on_streams(1, SMS, 256, 100, ALONE); }},
    {"full_2", [] { on_streams(2, SMS, 256, 100, ALONE); }},
    {"full_4", [] { on_streams(4, SMS, 256, 100, ALONE); }},
    {"full_8", [] { on_streams(8, SMS, 256, 100, ALONE); }},
    {"half_2", [] { on_streams(2, SMS / 2, 256, 100, ALONE); }},
    {"half_4", [] { on_streams(4, SMS / 2, 256, 100, ALONE); }},
    {"half_8", [] { on_streams(8, SMS / 2, 256, 100, ALONE); }},
    // More blocks than fit: the next grid starts in the tail of the one before.
    {"tail_small", [] { on_streams(2, SMS + 12, 256, 100, ALONE); }},
    {"tail_half", [] { on_streams(2, SMS + SMS / 2, 256, 100, ALONE); }},
    {"tail_threads", [] { on_streams(3, SMS * 2 + 40, 1024, 60); }},
    {"tail_mixed",
     [] {
         put(stream[0], SMS * 2 + 20, 1024, 60);
         put(stream[1], SMS * 8, 128, 20);
     }},
    {"uneven",
     [] {
         put(stream[0], SMS / 2, 256, 300, ALONE);
         put(stream[1], SMS * 3, 256, 50, ALONE);
     }},
    // One stream: a grid begins when the one before has ended.
    {"chain_4",
     [] {
         for (int i = 0; i < 4; i++)
             put(stream[0], 16, 256, 50);
     }},
    {"chain_tiny",
     [] {
         for (int i = 0; i < 32; i++)
             put(stream[0], 1, 32, 1);
     }},
    {"chain_full",
     [] {
         for (int i = 0; i < 8; i++)
             put(stream[0], SMS, 1024, 5);
     }},
    {"chain_dependent",
     [] {
         put(stream[0], SMS, 256, 50);
         for (int i = 0; i < 3; i++)
             put_dependent(stream[0], SMS, 256, 50);
     }},
    // Events.
    {"event_2",
     [] {
         put(stream[0], 16, 256, 100);
         record_wait(stream[0], stream[1], 0);
         put(stream[1], 16, 256, 100);
     }},
    {"diamond",
     [] {
         put(stream[0], 16, 256, 50);
         record_wait(stream[0], stream[1], 0);
         record_wait(stream[0], stream[2], 1);
         put(stream[1], 16, 256, 100);
         put(stream[2], 16, 256, 150);
         record_wait(stream[1], stream[0], 2);
         record_wait(stream[2], stream[0], 3);
         put(stream[0], 16, 256, 50);
     }},
    {"host_function",
     [] {
         put(stream[0], 16, 256, 50);
         CHECK(cudaLaunchHostFunc(stream[0], nothing, nullptr));
         put(stream[0], 16, 256, 50);
     }},
    // Priorities: a grid of many waves, then one that matters more.
    {"priority_same",
     [] {
         put(low, SMS * 8, 256, 30, ALONE);
         put(stream[1], SMS, 256, 30, ALONE);
     }},
    {"priority_high",
     [] {
         put(low, SMS * 8, 256, 30, ALONE);
         put(high, SMS, 256, 30, ALONE);
     }},
    {"priority_late",
     [] {
         put(low, SMS * 8, 256, 30, ALONE);
         put(high, 1, 32, 45);
         put(high, SMS, 256, 30, ALONE);
     }},
    {"priority_4",
     [] {
         for (int i = 0; i < 4; i++)
             put(i % 2 ? high : low, SMS * 2, 256, 30, ALONE);
     }},
    // The default stream waits for all others, and they for it; not those that do not block.
    {"legacy",
     [] {
         put(stream[0], 16, 256, 50);
         put(0, 16, 256, 50);
         put(stream[1], 16, 256, 50);
     }},
    {"per_thread",
     [] {
         CHECK(cudaStreamWaitEvent(cudaStreamPerThread, opened, 0));
         put(stream[0], 16, 256, 50);
         put(cudaStreamPerThread, 16, 256, 50);
         put(stream[1], 16, 256, 50);
         record_wait(cudaStreamPerThread, stream[0], 0);
     }},
    // Copies alone and beside grids.
    {"to_device_4k", [] { to_device(stream[0], 4096); }},
    {"to_device_1m", [] { to_device(stream[0], 1 << 20); }},
    {"to_device_64m", [] { to_device(stream[0], BYTES); }},
    {"to_host_4k", [] { to_host(stream[0], 4096); }},
    {"to_host_1m", [] { to_host(stream[0], 1 << 20); }},
    {"to_host_64m", [] { to_host(stream[0], BYTES); }},
    {"both_ways",
     [] {
         to_device(stream[0], BYTES / 4);
         to_host(stream[1], BYTES / 4);
     }},
    {"two_to_device",
     [] {
         to_device(stream[0], BYTES / 4);
         to_device(stream[1], BYTES / 4);
     }},
    {"within_64m",
     [] {
         CHECK(cudaMemcpyAsync(device[1], device[0], BYTES, cudaMemcpyDeviceToDevice, stream[0]));
     }},
    {"within_4k",
     [] {
         CHECK(cudaMemcpyAsync(device[1], device[0], 4096, cudaMemcpyDeviceToDevice, stream[0]));
     }},
    {"fill_64m", [] { CHECK(cudaMemsetAsync(device[1], 1, BYTES, stream[0])); }},
    {"fill_4k", [] { CHECK(cudaMemsetAsync(device[1], 1, 4096, stream[0])); }},
    {"copy_beside",
     [] {
         to_device(stream[0], BYTES / 8);
         put(stream[1], 16, 256, 200);
     }},
    {"copies_beside",
     [] {
         to_device(stream[0], BYTES / 8);
         to_host(stream[1], BYTES / 8);
         put(stream[2], SMS, 256, 200, ALONE);
     }},
    {"copying_beside",
     [] {
         to_device(stream[0], BYTES / 8);
         put_copying(stream[1], SMS * 4);
     }},
    {"copying_alone", [] { put_copying(stream[0], SMS * 4); }},
    {"copying_2",
     [] {
         put_copying(stream[0], SMS * 2);
         put_copying(stream[1], SMS * 2);
     }},
    {"pipeline",
     [] {
         for (int i = 0; i < 4; i++) {
             to_device(stream[i], 2 << 20);
             put(stream[i], SMS, 256, 40, ALONE);
             to_host(stream[i], 2 << 20);
         }
     }},
    // Graphs.
    {"graph_chain",
     [] {
         as_graph([] {
             for (int i = 0; i < 32; i++)
                 put(stream[0], 1, 32, 1);
         });
     }},
    {"graph_fork",
     [] {
         as_graph([] {
             for (int i = 1; i < 5; i++)
                 record_wait(stream[0], stream[i], i - 1);
             for (int i = 1; i < 5; i++)
                 put(stream[i], 16, 256, 100);
             for (int i = 1; i < 5; i++)
                 record_wait(stream[i], stream[0], 3 + i);
             put(stream[0], 16, 256, 20);
         });
     }},
};

static void report(const char *name, int run, float elapsed)
{
    u64 open, before_ended = 0;
    CHECK(cudaMemcpy(&open, gate_ended, sizeof open, cudaMemcpyDeviceToHost));
    printf("%s,%d,all,%.2f,,,,\n", name, run, elapsed * 1000);
    std::vector<block_time> time(MOST_BLOCKS);
    for (unsigned g = 0; g < grids; g++) {
        CHECK(cudaMemcpy(time.data(), times + MOST_BLOCKS * g, blocks_of[g] * sizeof(block_time),
                         cudaMemcpyDeviceToHost));
        u64 first = ~0ull, last = 0;
        unsigned early = 0, sms = 0;
        std::vector<bool> has(1024);
        for (unsigned b = 0; b < blocks_of[g]; b++) {
            first = time[b].began < first ? time[b].began : first;
            last = time[b].ended > last ? time[b].ended : last;
            early += time[b].began < before_ended;
            sms += !has[time[b].sm];
            has[time[b].sm] = true;
        }
        before_ended = last;
        printf("%s,%d,%u,,%.2f,%.2f,%u,%u\n", name, run, g, ((double)first - (double)open) / 1000,
               ((double)last - (double)open) / 1000, early, sms);
    }
}

static void run_case(const test &t, int run)
{
    float elapsed;
    grids = 0;
    CHECK(cudaDeviceSynchronize());
    gate<<<1, 1, 0, stream[0]>>>(gate_ended, GATE_NS);
    CHECK(cudaEventRecord(opened, stream[0]));
    for (size_t i = 1; i < stream.size(); i++)
        CHECK(cudaStreamWaitEvent(stream[i], opened, 0));
    CHECK(cudaStreamWaitEvent(low, opened, 0));
    CHECK(cudaStreamWaitEvent(high, opened, 0));
    t.fill();
    for (size_t i = 1; i < stream.size(); i++)
        record_wait(stream[i], stream[0], MOST_GRIDS);
    record_wait(low, stream[0], MOST_GRIDS + 1);
    record_wait(high, stream[0], MOST_GRIDS + 2);
    CHECK(cudaEventRecord(closed, stream[0]));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventElapsedTime(&elapsed, opened, closed));
    if (run >= 0)
        report(t.name, run, elapsed);
}

static void prepare(size_t streams)
{
    int least, greatest;
    CHECK(cudaFuncSetAttribute(spin, cudaFuncAttributeMaxDynamicSharedMemorySize, ALONE));
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    stream.resize(streams);
    for (cudaStream_t &s : stream)
        CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreateWithPriority(&low, cudaStreamDefault, least));
    CHECK(cudaStreamCreateWithPriority(&high, cudaStreamDefault, greatest));
    for (cudaEvent_t &e : event)
        CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&opened));
    CHECK(cudaEventCreate(&closed));
    CHECK(cudaMalloc(&times, sizeof(block_time) * MOST_GRIDS * MOST_BLOCKS));
    CHECK(cudaMalloc(&gate_ended, sizeof *gate_ended));
    for (char *&d : device) {
        CHECK(cudaMalloc(&d, BYTES));
        CHECK(cudaMemset(d, 0, BYTES));
    }
    for (char *&p : pinned) {
        CHECK(cudaMallocHost(&p, BYTES));
        memset(p, 0, BYTES);
    }
}

int main(int count, char **argument)
{
    int runs = 1, first = 1;
    if (count > 2 && !strcmp(argument[1], "-r")) {
        runs = atoi(argument[2]);
        first = 3;
    }
    for (const test &t : tests) {
        bool wanted = first >= count;
        for (int i = first; i < count; i++)
            wanted |= !strcmp(argument[i], t.name);
        if (!wanted)
            continue;
        if (stream.empty()) {
            prepare(136);
            printf("case,run,grid,elapsed_us,began_us,ended_us,early_blocks,sms\n");
        }
        run_case(t, -1); // loads code; not counted
        for (int run = 0; run < runs; run++)
            run_case(t, run);
    }
    return 0;
}
