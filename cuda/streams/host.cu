// What calls cost the host, and how soon it learns that the device is done.
//
//     host [-r RUNS]
//
// Prints rows of CSV: call, run, nanoseconds. A call's time is the mean of REPEATS calls in a row, with
// little work on the device. The rows "..., from the end" tell how long after the end of a kernel
// (GPU's nanosecond clock, compared with the host's) a call that waits for it returns.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>

typedef unsigned long long u64;
enum { REPEATS = 200 };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void empty()
{
}

__device__ u64 nanoseconds()
{
    u64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void wait_for(u64 time)
{
    const u64 from = nanoseconds();
    while (nanoseconds() - from < time)
        ;
}

static double host_now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static cudaStream_t stream;
static cudaEvent_t event, plain;
static char *device, *pinned, *pageable;
static cudaGraphExec_t graph;

static void time_call(const char *name, int run, const std::function<void()> &call,
                      int repeats = REPEATS)
{
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 3; i++)
        call();
    CHECK(cudaDeviceSynchronize());
    const double from = host_now();
    for (int i = 0; i < repeats; i++)
        call();
    const double to = host_now();
    CHECK(cudaDeviceSynchronize());
    if (run >= 0) // the first run loads code
        printf("%s,%d,%.0f\n", name, run, (to - from) / repeats);
}

// From a call that starts a kernel of `time` ns to the return of the call that waits for it, less
// the kernel's time.
static void time_wait(const char *name, int run, const std::function<void()> &wait)
{
    const u64 time = 200000;
    double sum = 0;
    for (int i = 0; i < 20; i++) {
        CHECK(cudaDeviceSynchronize());
        const double from = host_now();
        wait_for<<<1, 1, 0, stream>>>(time);
        wait();
        sum += host_now() - from - (double)time;
    }
    if (run >= 0)
        printf("%s,%d,%.0f\n", name, run, sum / 20);
}

static void prepare()
{
    cudaGraph_t made;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&event));
    CHECK(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
    CHECK(cudaMalloc(&device, 64 << 20));
    CHECK(cudaMallocHost(&pinned, 64 << 20));
    pageable = (char *)malloc(64 << 20);
    memset(pageable, 1, 64 << 20);
    memset(pinned, 1, 64 << 20);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    for (int i = 0; i < 8; i++)
        empty<<<1, 32, 0, stream>>>();
    CHECK(cudaStreamEndCapture(stream, &made));
    CHECK(cudaGraphInstantiate(&graph, made, 0));
}

int main(int count, char **argument)
{
    const int runs = count > 2 && !strcmp(argument[1], "-r") ? atoi(argument[2]) : 1;
    prepare();
    printf("call,run,ns\n");
    for (int run = -1; run < runs; run++) {
        const auto h2d = cudaMemcpyHostToDevice;
        const auto d2h = cudaMemcpyDeviceToHost;
        time_call("launch", run, [] { empty<<<1, 32, 0, stream>>>(); });
        time_call("launch and synchronize", run, [] {
            empty<<<1, 32, 0, stream>>>();
            CHECK(cudaStreamSynchronize(stream));
        });
        time_call("synchronize idle", run, [] { CHECK(cudaStreamSynchronize(stream)); });
        time_call("device synchronize idle", run, [] { CHECK(cudaDeviceSynchronize()); });
        time_call("event record", run, [] { CHECK(cudaEventRecord(event, stream)); });
        time_call("event record without timing", run,
                  [] { CHECK(cudaEventRecord(plain, stream)); });
        time_call("event query", run, [] { (void)cudaEventQuery(event); });
        time_call("stream query", run, [] { (void)cudaStreamQuery(stream); });
        time_call("stream wait event", run, [] { CHECK(cudaStreamWaitEvent(stream, plain, 0)); });
        time_call("fill 4 KB", run, [] { CHECK(cudaMemsetAsync(device, 0, 4096, stream)); });
        time_call("within 4 KB", run, [] {
            CHECK(cudaMemcpyAsync(device, device + (1 << 20), 4096, cudaMemcpyDeviceToDevice, stream));
        });
        time_call("to device 4 KB, pinned", run,
                  [=] { CHECK(cudaMemcpyAsync(device, pinned, 4096, h2d, stream)); });
        time_call("to host 4 KB, pinned", run,
                  [=] { CHECK(cudaMemcpyAsync(pinned, device, 4096, d2h, stream)); });
        time_call("to device 4 KB, pageable", run,
                  [=] { CHECK(cudaMemcpyAsync(device, pageable, 4096, h2d, stream)); });
        time_call("to host 4 KB, pageable", run,
                  [=] { CHECK(cudaMemcpyAsync(pageable, device, 4096, d2h, stream)); });
        time_call("memcpy to device 4 KB, pageable", run,
                  [=] { CHECK(cudaMemcpy(device, pageable, 4096, h2d)); });
        time_call("memcpy to host 4 KB, pageable", run,
                  [=] { CHECK(cudaMemcpy(pageable, device, 4096, d2h)); });
        time_call("memcpy to device 1 MB, pageable", run,
                  [=] { CHECK(cudaMemcpy(device, pageable, 1 << 20, h2d)); }, 50);
        time_call("memcpy to host 1 MB, pageable", run,
                  [=] { CHECK(cudaMemcpy(pageable, device, 1 << 20, d2h)); }, 50);
        time_call("memcpy to device 64 MB, pageable", run,
                  [=] { CHECK(cudaMemcpy(device, pageable, 64 << 20, h2d)); }, 5);
        time_call("memcpy to host 64 MB, pageable", run,
                  [=] { CHECK(cudaMemcpy(pageable, device, 64 << 20, d2h)); }, 5);
        time_call("memcpy to device 64 MB, pinned", run,
                  [=] { CHECK(cudaMemcpy(device, pinned, 64 << 20, h2d)); }, 5);
        time_call("memcpy to host 64 MB, pinned", run,
                  [=] { CHECK(cudaMemcpy(pinned, device, 64 << 20, d2h)); }, 5);
        time_call("graph launch of 8", run, [] { CHECK(cudaGraphLaunch(graph, stream)); }, 50);
        time_call("malloc and free 1 MB", run, [] {
            char *p;
            CHECK(cudaMalloc(&p, 1 << 20));
            CHECK(cudaFree(p));
        }, 20);
        time_call("malloc and free 1 MB in stream order", run, [] {
            char *p;
            CHECK(cudaMallocAsync(&p, 1 << 20, stream));
            CHECK(cudaFreeAsync(p, stream));
        }, 50);
        time_call("host function", run,
                  [] { CHECK(cudaLaunchHostFunc(stream, [](void *) {}, nullptr)); }, 20);
        time_call("set device", run, [] { CHECK(cudaSetDevice(0)); });
        time_wait("launch and stream synchronize beyond the kernel", run,
                  [] { CHECK(cudaStreamSynchronize(stream)); });
        time_wait("launch and device synchronize beyond the kernel", run,
                  [] { CHECK(cudaDeviceSynchronize()); });
        time_wait("launch, record and event synchronize beyond the kernel", run, [] {
            CHECK(cudaEventRecord(event, stream));
            CHECK(cudaEventSynchronize(event));
        });
        time_wait("launch and memcpy to host beyond the kernel", run,
                  [=] { CHECK(cudaMemcpy(pageable, device, 4, d2h)); });
    }
    return 0;
}
