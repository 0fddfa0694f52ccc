// Races between the host and work that it has not waited for, in managed, pinned and registered
// memory, and the ways to do without them. check_case.h says how a case is written.
#include "check_case.h"
#include "two_streams.h"

#include <csignal>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

/// Managed memory that its owner frees, with values that the host has written.
struct managed_array {
    int *data = nullptr;

    managed_array(size_t n, int value)
    {
        MUST(cudaMallocManaged(&data, n * sizeof(int)));
        for (size_t i = 0; i < n; i++)
            data[i] = value;
    }

    managed_array(const managed_array &) = delete;
    managed_array &operator=(const managed_array &) = delete;

    ~managed_array()
    {
        cudaDeviceSynchronize();
        cudaFree(data);
    }
};

/// Keeps the compiler from leaving the access out.
static int read_of(const int *p)
{
    return *(const volatile int *)p;
}

// ---- Faulty ----

__global__ void write_numbers(int *p)
{
    delay(20000);
    p[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // FAULT
}

CASE(registered_read_early, FAULTY, "race", "The host reads registered memory that a kernel writes")
{
    int *p = (int *)aligned_alloc(4096, 4096);
    memset(p, 0, 4096);
    MUST(cudaHostRegister(p, 4096, cudaHostRegisterMapped));
    write_numbers<<<4, 256>>>(p);
    printf("%d\n", read_of(p + 5)); // FAULT
    cudaDeviceSynchronize();
    cudaHostUnregister(p);
    free(p);
}

CASE(copied_by_host_early, FAULTY, "race",
     "The host calls memcpy() of managed memory that a kernel writes")
{
    managed_array p(1024, 0);
    std::vector<int> to(1024);
    write_numbers<<<4, 256>>>(p.data);
    memcpy(to.data(), p.data, 4096); // FAULT
    cudaDeviceSynchronize();
    printf("%d\n", to[5]);
}

CASE(waits_for_another_stream, FAULTY, "race",
     "The host waits for one stream and reads what a kernel of another one writes")
{
    managed_array p(64, 0);
    two_streams s;
    write_numbers<<<1, 64, 0, s.one>>>(p.data);
    cudaStreamSynchronize(s.other);
    printf("%d\n", read_of(p.data)); // FAULT
}

CASE(waits_for_event_in_front, FAULTY, "race",
     "The host waits for an event that was recorded in front of the kernel")
{
    managed_array p(64, 0);
    two_streams s;
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event, s.one);
    write_numbers<<<1, 64, 0, s.one>>>(p.data);
    cudaEventSynchronize(event);
    printf("%d\n", read_of(p.data)); // FAULT
    cudaStreamSynchronize(s.one);
    cudaEventDestroy(event);
}

CASE(reads_result_of_last_but_one, FAULTY, "race",
     "The host reads what a kernel writes, with another kernel launched since")
{
    managed_array p(64, 0);
    device_array<int> q(64);
    write_numbers<<<1, 64>>>(p.data);
    write_numbers<<<1, 64>>>(q);
    printf("%d\n", read_of(p.data)); // FAULT
    cudaDeviceSynchronize();
}

CASE(filled_beside_host, FAULTY, "race",
     "The host reads managed memory before cudaMemsetAsync() of it is done")
{
    managed_array p(1 << 20, 0);
    cudaMemsetAsync(p.data, 1, 4 << 20); // FAULT
    printf("%d\n", read_of(p.data));     // FAULT
    cudaDeviceSynchronize();
}

CASE(graph_copies_to_host, FAULTY, "race",
     "The host reads pinned memory into which a graph copies, before it has ended")
{
    int *host;
    device_array<int> p(1 << 20, 1);
    two_streams s;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    MUST(cudaMallocHost(&host, 4 << 20));
    memset(host, 0, 4 << 20);
    cudaStreamBeginCapture(s.one, cudaStreamCaptureModeThreadLocal);
    cudaMemcpyAsync(host, p, 4 << 20, cudaMemcpyDeviceToHost, s.one); // FAULT
    cudaStreamEndCapture(s.one, &graph);
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphLaunch(instance, s.one); // FAULT
    printf("%d\n", read_of(host));    // FAULT
    cudaStreamSynchronize(s.one);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    cudaFreeHost(host);
}

// ---- Correct ----

__global__ void publish(int *data, int *flag)
{
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        data[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        *(volatile int *)flag = 1;
    }
}

CASE(flag_in_memory_of_its_own, CORRECT, "race",
     "The host polls a volatile flag, and reads data that was written in front of it")
{
    int *data, *flag;
    two_streams s;
    MUST(cudaMallocHost(&data, 4096));
    MUST(cudaMallocHost(&flag, sizeof(int)));
    *flag = 0;
    publish<<<1, 256, 0, s.one>>>(data, flag);
    while (!*(volatile int *)flag)
        ;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    bool right = true;
    for (int i = 0; i < 1024; i++)
        right &= data[i] == i;
    expect(right, "the data");
    MUST(cudaStreamSynchronize(s.one));
    MUST(cudaFreeHost(data));
    MUST(cudaFreeHost(flag));
}

CASE(flag_beside_other_words, CORRECT, "race",
     "The host polls a volatile flag that shares its page with words that nobody writes")
{
    int *data, *flag;
    two_streams s;
    MUST(cudaMallocHost(&data, 4096));
    MUST(cudaMallocHost(&flag, 256));
    *flag = 0;
    publish<<<1, 256, 0, s.one>>>(data, flag);
    while (!*(volatile int *)flag)
        ;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    bool right = true;
    for (int i = 0; i < 1024; i++)
        right &= data[i] == i;
    expect(right, "the data");
    MUST(cudaStreamSynchronize(s.one));
    MUST(cudaFreeHost(data));
    MUST(cudaFreeHost(flag));
}

__global__ void add_to_all(int *p, int n)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] += n;
}

CASE(event_behind_first_of_two, CORRECT, "race",
     "The host waits for an event behind one kernel, while the next one works on other memory")
{
    managed_array p(1024, 1), q(1024, 2);
    two_streams s;
    cudaEvent_t event;
    MUST(cudaEventCreate(&event));
    add_to_all<<<4, 256, 0, s.one>>>(p.data, 5);
    MUST(cudaEventRecord(event, s.one));
    add_to_all<<<4, 256, 0, s.one>>>(q.data, 5);
    MUST(cudaEventSynchronize(event));
    expect(p.data[0] == 6 && p.data[1023] == 6, "the first");
    p.data[7] = 1;
    MUST(cudaStreamSynchronize(s.one));
    expect(q.data[1023] == 7, "the second");
    MUST(cudaEventDestroy(event));
}

__global__ void sum_of_all(const int *in, int *sum)
{
    atomicAdd(sum, in[threadIdx.x]);
}

CASE(both_read, CORRECT, "race", "Host and kernel read the same managed memory")
{
    managed_array p(1024, 1);
    device_array<int> sum(1, 0);
    sum_of_all<<<1, 1024>>>(p.data, sum);
    int own = 0;
    for (int i = 0; i < 1024; i++)
        own += p.data[i];
    expect(own == sum.host()[0], "the sums");
}

CASE(halves_of_a_page, CORRECT, "race",
     "A copy reads one half of a page of pinned memory, and read() and write() use the other")
{
    int *host, back[512];
    device_array<int> p(512);
    two_streams s;
    MUST(cudaMallocHost(&host, 4096));
    for (int i = 0; i < 512; i++)
        host[i] = i;
    const int pipe_size = 512 * sizeof(int);
    int ends[2];
    expect(pipe(ends) == 0, "pipe()");
    for (int i = 0; i < 512; i++)
        back[i] = 3 * i;
    expect(write(ends[1], back, pipe_size) == pipe_size, "write()");
    MUST(cudaMemcpyAsync(p, host, 2048, cudaMemcpyHostToDevice, s.one));
    expect(read(ends[0], host + 512, pipe_size) == pipe_size, "read() into the other half");
    expect(write(ends[1], host + 512, pipe_size) == pipe_size, "write() of the other half");
    MUST(cudaStreamSynchronize(s.one));
    expect(all(p.host(), [](int i) { return i; }) && host[1023] == 3 * 511, "values");
    close(ends[0]);
    close(ends[1]);
    MUST(cudaFreeHost(host));
}

CASE(files_behind_a_wait, CORRECT, "race",
     "read() fills pinned memory, and write() takes what a kernel has made of it")
{
    int *host;
    int ends[2];
    std::vector<int> in = numbers(1024), out(1024);
    MUST(cudaMallocHost(&host, 4096));
    expect(pipe(ends) == 0 && write(ends[1], in.data(), 4096) == 4096, "pipe()");
    expect(read(ends[0], host, 4096) == 4096, "read()");
    add_to_all<<<4, 256>>>(host, 5);
    MUST(cudaDeviceSynchronize());
    expect(write(ends[1], host, 4096) == 4096 && read(ends[0], out.data(), 4096) == 4096,
           "write()");
    expect(all(out, [](int i) { return i + 5; }), "values");
    close(ends[0]);
    close(ends[1]);
    MUST(cudaFreeHost(host));
}

CASE(filled_at_once, CORRECT, "race", "cudaMemset() of managed memory ends before it returns")
{
    managed_array p(1024, 1);
    MUST(cudaMemset(p.data, 0, 4096));
    expect(p.data[0] == 0 && p.data[1023] == 0, "zeros");
    p.data[0] = 1;
}

static char *own_page;
static volatile int own_faults;
static void open_own_page(int)
{
    own_faults = own_faults + 1;
    mprotect(own_page, 4096, PROT_READ | PROT_WRITE);
}

CASE(own_signal_handler, CORRECT, "race",
     "A program with its own handler of SIGSEGV, whose memory faults while a kernel runs")
{
    managed_array p(1024, 1);
    own_page = (char *)mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, open_own_page);
    add_to_all<<<4, 256>>>(p.data, 5);
    ((volatile char *)own_page)[5] = 1;
    MUST(cudaDeviceSynchronize());
    expect(own_faults == 1 && p.data[5] == 6, "the handler was called once");
    signal(SIGSEGV, SIG_DFL);
    munmap(own_page, 4096);
}
