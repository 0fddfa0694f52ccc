// Races in global and host memory: between blocks, between lanes and warps, between launches,
// copies and the host; and the ways to do without a race. check_case.h says how a case is written.
#include "check_case.h"
#include "two_streams.h"

#include <cooperative_groups.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

template <cuda::thread_scope scope> using reference = cuda::atomic_ref<int, scope>;

// ---- Blocks of a launch ----

__global__ void count_plainly(const int *in, int *bins)
{
    bins[in[blockIdx.x * blockDim.x + threadIdx.x] % 8]++; // FAULT
}

CASE(histogram_without_atomics, FAULTY, "race", "Blocks count in global memory with ++")
{
    device_array<int> in(numbers(1024)), bins(8, 0);
    count_plainly<<<8, 128>>>(in, bins);
}

__global__ void sum_of_blocks(const int *in, int *sum)
{
    if (threadIdx.x == 0)
        *sum += in[blockIdx.x]; // FAULT
}

CASE(sum_without_atomics, FAULTY, "race", "Thread 0 of each block adds to a sum with +=")
{
    device_array<int> in(numbers(8)), sum(1, 0);
    sum_of_blocks<<<8, 32>>>(in, sum);
}

__device__ int launch_counter;

__global__ void count_threads()
{
    launch_counter++; // FAULT
}

CASE(device_variable, FAULTY, "race", "All threads count in a __device__ variable with ++")
{
    count_threads<<<4, 64>>>();
}

__global__ void plain_flag(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;     // FAULT
        *flag = 1;      // FAULT
    } else if (*flag) { // FAULT
        *out = *data;   // FAULT
    }
}

CASE(plain_flag, FAULTY, "race", "A block tells another one by a plain store that data are there")
{
    device_array<int> data(1, 0), flag(1, 0), out(1, 0);
    plain_flag<<<2, 1>>>(data, flag, out);
}

__global__ void flag_unfenced(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 42; // FAULT
        *flag = 1;    // FAULT
    } else {
        for (int i = 0; i < 1 << 16 && !*flag; i++) // FAULT
            ;
        *out = data[0]; // FAULT
    }
}

CASE(flag_without_fence, FAULTY, "race", "A volatile flag without __threadfence()")
{
    device_array<int> data(1, 0), flag(1, 0), out(1, 0);
    flag_unfenced<<<2, 1>>>(data, flag, out);
}

__global__ void flag_block_fence(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 42; // FAULT
        __threadfence_block();
        *flag = 1; // FAULT
    } else {
        for (int i = 0; i < 1 << 16 && !*flag; i++) // FAULT
            ;
        __threadfence_block();
        *out = data[0]; // FAULT
    }
}

CASE(flag_with_fence_of_the_block, FAULTY, "race",
     "__threadfence_block() where another block reads, which needs __threadfence()")
{
    device_array<int> data(1, 0), flag(1, 0), out(1, 0);
    flag_block_fence<<<2, 1>>>(data, flag, out);
}

template <cuda::thread_scope scope, bool ordered>
__device__ void pass_by_reference(int *data, int *flag, int *out)
{
    reference<scope> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42; // FAULT
        ready.store(1, ordered ? cuda::memory_order_release : cuda::memory_order_relaxed);
    } else {
        for (int i = 0; i < 1 << 16; i++)
            if (ready.load(ordered ? cuda::memory_order_acquire : cuda::memory_order_relaxed)) {
                *out = *data; // FAULT
                break;
            }
    }
}

__global__ void pass_relaxed(int *data, int *flag, int *out)
{
    pass_by_reference<cuda::thread_scope_device, false>(data, flag, out);
}

CASE(relaxed_atomics, FAULTY, "race", "A relaxed atomic flag orders no other data")
{
    device_array<int> data(1, 0), flag(1, 0), out(1, 0);
    pass_relaxed<<<2, 1>>>(data, flag, out);
}

__global__ void pass_in_block_scope(int *data, int *flag, int *out)
{
    reference<cuda::thread_scope_block> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;                                 // FAULT
        ready.store(1, cuda::memory_order_release); // FAULT
    } else {
        for (int i = 0; i < 1 << 16; i++)
            if (ready.load(cuda::memory_order_acquire)) { // FAULT
                *out = *data;                             // FAULT
                break;
            }
    }
}

CASE(release_in_block_scope, FAULTY, "race",
     "Release and acquire in the scope of the block, between two blocks")
{
    device_array<int> data(1, 0), flag(1, 0), out(1, 0);
    pass_in_block_scope<<<2, 1>>>(data, flag, out);
}

__global__ void last_block_unfenced(const int *in, int *parts, unsigned *arrived, int *sum)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = in[blockIdx.x]; // FAULT
        last = atomicAdd(arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int total = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            total += parts[i]; // FAULT
        *sum = total;
    }
}

CASE(last_block_without_fence, FAULTY, "race", "The last block adds up, without __threadfence()")
{
    device_array<int> in(numbers(8)), parts(8), sum(1);
    device_array<unsigned> arrived(1, 0u);
    last_block_unfenced<<<8, 64>>>(in, parts, arrived, sum);
}

__global__ void stencil_in_place(int *p, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    if (i > 0 && i + 1 < n)
        sum = p[i - 1] + p[i] + p[i + 1]; // FAULT
    __syncthreads();
    p[i] = sum; // FAULT
}

CASE(halo_of_another_block, FAULTY, "race",
     "A stencil in place reads words that other blocks write")
{
    device_array<int> p(numbers(512));
    stencil_in_place<<<4, 128>>>(p, 512);
}

__global__ void shift_in_place(int *p)
{
    p[threadIdx.x] = p[threadIdx.x + 32]; // FAULT
}

CASE(shift_within_block, FAULTY, "race",
     "Warps of a block shift an array in place, without a barrier")
{
    device_array<int> p(numbers(160));
    shift_in_place<<<1, 128>>>(p);
}

__global__ void add_in_block_scope(int *sum)
{
    atomicAdd_block(sum, 1); // FAULT
}

CASE(atomics_in_block_scope, FAULTY, "race",
     "Several blocks count in one word by atomicAdd_block()")
{
    device_array<int> sum(1, 0);
    add_in_block_scope<<<8, 64>>>(sum);
}

__global__ void locked_unfenced(int *lock, int *value)
{
    if (threadIdx.x)
        return;
    while (atomicCAS(lock, 0, 1))
        __nanosleep(100);
    value[0] += 1; // FAULT
    atomicExch(lock, 0);
}

CASE(lock_without_fences, FAULTY, "race", "A lock by atomicCAS() and atomicExch() has no fences")
{
    device_array<int> lock(1, 0), value(1, 0);
    locked_unfenced<<<8, 32>>>(lock, value);
}

__global__ void locked_no_release(int *lock, int *value)
{
    if (threadIdx.x)
        return;
    while (atomicCAS(lock, 0, 1))
        __nanosleep(100);
    __threadfence();
    value[0] += 1; // FAULT
    atomicExch(lock, 0);
}

CASE(unlock_without_fence, FAULTY, "race",
     "A fence after taking the lock, none before giving it back")
{
    device_array<int> lock(1, 0), value(1, 0);
    locked_no_release<<<8, 32>>>(lock, value);
}

__global__ void unlocked_plainly(int *lock, int *value)
{
    if (threadIdx.x)
        return;
    while (atomicCAS(lock, 0, 1)) // FAULT
        __nanosleep(100);
    __threadfence();
    value[0] += 1; // FAULT
    __threadfence();
    *lock = 0; // FAULT
}

CASE(unlock_by_plain_store, FAULTY, "race",
     "A lock that atomics take is given back by a plain store")
{
    device_array<int> lock(1, 0), value(1, 0);
    unlocked_plainly<<<8, 32>>>(lock, value);
}

__global__ void meet_unfenced(int *p, int *arrived, int *out)
{
    p[blockIdx.x] = blockIdx.x; // FAULT
    atomicAdd(arrived, 1);
    while (*(volatile int *)arrived < (int)gridDim.x)
        ;
    out[blockIdx.x] = p[gridDim.x - 1 - blockIdx.x]; // FAULT
}

CASE(grid_barrier_without_fence, FAULTY, "race", "A barrier of all blocks, by hand, has no fences")
{
    device_array<int> p(8, 0), arrived(1, 0), out(8);
    meet_unfenced<<<8, 1>>>(p, arrived, out);
}

__global__ void look_back_unfenced(const int *in, volatile int *status, int *sums)
{
    const int block = blockIdx.x;
    int before = 0;
    if (block > 0) {
        for (int i = 0; i < 1 << 18 && !status[block - 1]; i++) // FAULT
            ;
        before = sums[block - 1]; // FAULT
    }
    sums[block] = before + in[block]; // FAULT
    status[block] = 1;                // FAULT
}

CASE(look_back_without_fence, FAULTY, "race",
     "A scan waits for the block before, whose sum and status are written without a fence")
{
    device_array<int> in(8, 1), status(8, 0), sums(8, 0);
    look_back_unfenced<<<8, 1>>>(in, status, sums);
}

__global__ void queue_plain(int *head, int *taken, int n)
{
    for (int item = (*head)++; item < n; item = (*head)++) // FAULT
        taken[item] = blockIdx.x;                          // FAULT
}

CASE(queue_without_atomics, FAULTY, "race", "Blocks take items from a queue by a plain ++")
{
    device_array<int> head(1, 0), taken(64, 0);
    queue_plain<<<4, 1>>>(head, taken, 64);
}

__global__ void make_once(int *made, int *table, int *out)
{
    if (!*made) {                                          // FAULT
        table[threadIdx.x] = threadIdx.x * 3 + blockIdx.x; // FAULT
        *made = 1;                                         // FAULT
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = table[threadIdx.x]; // FAULT
}

CASE(made_by_the_first, FAULTY, "race", "Every block makes a table if none has made it yet")
{
    device_array<int> made(1, 0), table(32, 0), out(256);
    make_once<<<8, 32>>>(made, table, out);
}

struct narrow_flags {
    unsigned low : 5, high : 5;
};

__global__ void set_narrow_fields(narrow_flags *f, int value)
{
    if (blockIdx.x == 0)
        f->low = value; // FAULT
    else
        f->high = value; // FAULT
}

CASE(bit_fields_of_a_byte, FAULTY, "race", "Blocks write bit fields that share a byte")
{
    device_array<int> f(1, 0);
    set_narrow_fields<<<2, 1>>>((narrow_flags *)f.data, 3);
}

__global__ void clear_and_add(int *sum)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *sum = 0; // FAULT
    __syncthreads();
    atomicAdd(sum, 1); // FAULT
}

CASE(cleared_in_the_same_launch, FAULTY, "race", "Block 0 clears the sum to which all blocks add")
{
    device_array<int> sum(1, 0);
    clear_and_add<<<8, 64>>>(sum);
}

__global__ void overlapping_ranges(int *out, int n)
{
    for (int i = threadIdx.x; i <= n; i += blockDim.x)
        out[blockIdx.x * n + i] = blockIdx.x; // FAULT
}

CASE(ranges_overlap, FAULTY, "race", "Each block also writes the first element of the next block")
{
    device_array<int> out(257, 0);
    overlapping_ranges<<<4, 64>>>(out, 64);
}

__global__ void stop_at_limit(int *count, int *taken, int limit)
{
    if (*count < limit)                           // FAULT
        taken[atomicAdd(count, 1)] = threadIdx.x; // FAULT
}

CASE(plain_read_of_counter, FAULTY, "race", "A plain read of a counter that atomics count up")
{
    device_array<int> count(1, 0), taken(1024, 0);
    stop_at_limit<<<4, 64>>>(count, taken, 500);
}

__global__ void exchange_lanes(int *p, int *out)
{
    p[threadIdx.x] = threadIdx.x * 2;      // FAULT
    out[threadIdx.x] = p[threadIdx.x ^ 1]; // FAULT
}

CASE(lanes_without_syncwarp, FAULTY, "race",
     "Lanes exchange words through global memory without __syncwarp()")
{
    device_array<int> p(32, 0), out(32);
    exchange_lanes<<<1, 32>>>(p, out);
}

__global__ void read_only_own_writes(int *p, int *out)
{
    p[threadIdx.x] = threadIdx.x * 5; // FAULT
    __syncthreads();
    out[threadIdx.x] = __ldg(&p[127 - threadIdx.x]); // FAULT
}

CASE(read_only_load_of_written, FAULTY, "race",
     "__ldg(), for data that no thread writes during the launch, reads what the launch has written")
{
    device_array<int> p(128, 0), out(128);
    read_only_own_writes<<<1, 128>>>(p, out);
}

struct range {
    long long first, last;
};

__global__ void update_range(range *r, long long *out)
{
    if (blockIdx.x == 0) {
        for (long long i = 0; i < 100; i++)
            *(volatile long long *)&r->first = i, *(volatile long long *)&r->last = i; // FAULT
    } else {
        const range seen = *r; // FAULT
        *out = seen.last - seen.first;
    }
}

CASE(pair_read_in_between, FAULTY, "race", "A block reads two words that another block is updating")
{
    device_array<range> r(1, range{0, 0});
    device_array<long long> out(1);
    update_range<<<2, 1>>>(r, out);
}

// ---- Launches, copies, streams ----

__global__ void produce(int *p)
{
    delay(20000);
    p[threadIdx.x] = threadIdx.x * 7; // FAULT
}

__global__ void consume(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x] + 1; // FAULT
}

CASE(streams_without_event, FAULTY, "race", "A kernel reads what a kernel of another stream writes")
{
    device_array<int> p(64, 0), out(64);
    two_streams s;
    produce<<<1, 64, 0, s.one>>>(p);
    consume<<<1, 64, 0, s.other>>>(p, out); // FAULT
}

__global__ void write_slowly(int *p)
{
    delay(20000);
    p[threadIdx.x] = threadIdx.x; // FAULT
}

CASE(copy_beside_kernel, FAULTY, "race", "A copy on the device reads what a kernel is writing")
{
    device_array<int> p(64, 0), copy(64);
    two_streams s;
    write_slowly<<<1, 64, 0, s.one>>>(p);
    cudaMemcpyAsync(copy, p, 256, cudaMemcpyDeviceToDevice, s.other); // FAULT
}

__global__ void add_slowly(int *p)
{
    delay(20000);
    p[threadIdx.x] += 1; // FAULT
}

CASE(fill_beside_kernel, FAULTY, "race", "cudaMemsetAsync() clears what a kernel is adding to")
{
    device_array<int> p(64, 0);
    two_streams s;
    add_slowly<<<1, 64, 0, s.one>>>(p);
    cudaMemsetAsync(p, 0, 256, s.other); // FAULT
}

__global__ void double_slowly(int *p)
{
    delay(20000);
    p[threadIdx.x] *= 2; // FAULT
}

CASE(event_recorded_too_early, FAULTY, "race",
     "An event is recorded before the kernel it stands for")
{
    device_array<int> p(64, 1), out(64);
    two_streams s;
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event, s.one);
    double_slowly<<<1, 64, 0, s.one>>>(p);
    cudaStreamWaitEvent(s.other, event, 0);
    consume<<<1, 64, 0, s.other>>>(p, out); // FAULT
    cudaEventDestroy(event);
}

__global__ void default_stream_writer(int *p)
{
    delay(20000);
    p[threadIdx.x] = 1; // FAULT
}

CASE(default_and_non_blocking_stream, FAULTY, "race",
     "The default stream does not wait for a non-blocking stream")
{
    device_array<int> p(64, 0), out(64);
    two_streams s;
    default_stream_writer<<<1, 64, 0, s.one>>>(p);
    consume<<<1, 64>>>(p, out); // FAULT
}

__global__ void third_stream_writer(int *p)
{
    delay(20000);
    p[threadIdx.x] = 5; // FAULT
}

CASE(event_of_wrong_stream, FAULTY, "race",
     "A stream waits for an event of a stream without the work")
{
    device_array<int> p(64, 0), out(64);
    two_streams s, t;
    cudaEvent_t event;
    cudaEventCreate(&event);
    third_stream_writer<<<1, 64, 0, s.one>>>(p);
    cudaEventRecord(event, s.other);
    cudaStreamWaitEvent(t.one, event, 0);
    consume<<<1, 64, 0, t.one>>>(p, out); // FAULT
    cudaStreamSynchronize(s.one);
    cudaEventDestroy(event);
}

CASE(host_reads_copy_early, FAULTY, "race",
     "The host reads pinned memory before cudaMemcpyAsync() into it is done")
{
    int *host, sum = 0;
    device_array<int> p(1 << 20, 1);
    two_streams s;
    MUST(cudaMallocHost(&host, 4 << 20));
    memset(host, 0, 4 << 20);
    cudaMemcpyAsync(host, p, 4 << 20, cudaMemcpyDeviceToHost, s.one); // FAULT
    for (int i = 0; i < 1 << 20; i++)
        sum += host[i]; // FAULT
    cudaStreamSynchronize(s.one);
    printf("%d\n", sum);
    cudaFreeHost(host);
}

CASE(host_overwrites_source, FAULTY, "race",
     "The host overwrites pinned memory before cudaMemcpyAsync() from it is done")
{
    int *host;
    device_array<int> p(1 << 20);
    two_streams s;
    MUST(cudaMallocHost(&host, 4 << 20));
    memset(host, 0, 4 << 20);
    cudaMemcpyAsync(p, host, 4 << 20, cudaMemcpyHostToDevice, s.one); // FAULT
    memset(host, 1, 4 << 20);                                         // FAULT
    cudaStreamSynchronize(s.one);
    cudaFreeHost(host);
}

__global__ void fill_managed(int *p)
{
    delay(20000);
    p[threadIdx.x] = threadIdx.x; // FAULT
}

CASE(host_reads_managed_early, FAULTY, "race", "The host reads managed memory that a kernel writes")
{
    int *p;
    MUST(cudaMallocManaged(&p, 256));
    memset(p, 0, 256);
    fill_managed<<<1, 64>>>(p);
    const int seen = *(volatile int *)&p[63]; // FAULT
    cudaDeviceSynchronize();
    printf("%d\n", seen);
    cudaFree(p);
}

__global__ void double_managed(int *p)
{
    delay(20000);
    p[threadIdx.x] *= 2; // FAULT
}

CASE(host_writes_managed_early, FAULTY, "race",
     "The host writes managed memory that a kernel reads")
{
    int *p;
    MUST(cudaMallocManaged(&p, 256));
    memset(p, 0, 256);
    double_managed<<<1, 64>>>(p);
    *(volatile int *)&p[0] = 9; // FAULT
    cudaDeviceSynchronize();
    cudaFree(p);
}

__global__ void write_pinned(int *p)
{
    delay(20000);
    p[threadIdx.x] = threadIdx.x; // FAULT
}

CASE(host_reads_pinned_early, FAULTY, "race", "The host reads pinned memory that a kernel writes")
{
    int *p;
    MUST(cudaMallocHost(&p, 256));
    memset(p, 0, 256);
    write_pinned<<<1, 64>>>(p);
    const int seen = *(volatile int *)&p[63]; // FAULT
    cudaDeviceSynchronize();
    printf("%d\n", seen);
    cudaFreeHost(p);
}

__global__ void node_writes(int *p)
{
    p[threadIdx.x] = threadIdx.x; // FAULT
}

__global__ void node_reads(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x]; // FAULT
}

template <bool ordered> static void run_graph(int *p, int *out)
{
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaGraphNode_t first, second;
    void *writes[] = {&p}, *reads[] = {&p, &out};
    cudaKernelNodeParams node = {};
    MUST(cudaGraphCreate(&graph, 0));
    node.func = (void *)node_writes;
    node.gridDim = 1;
    node.blockDim = 64;
    node.kernelParams = writes;
    MUST(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &node));
    node.func = (void *)node_reads;
    node.kernelParams = reads;
    MUST(cudaGraphAddKernelNode(&second, graph, ordered ? &first : nullptr, ordered, &node));
    MUST(cudaGraphInstantiate(&instance, graph, 0));
    MUST(cudaGraphLaunch(instance, 0));
    MUST(cudaStreamSynchronize(0));
    MUST(cudaGraphExecDestroy(instance));
    MUST(cudaGraphDestroy(graph));
}

CASE(graph_without_edge, FAULTY, "race", "Two nodes of a graph, without an edge, share an array")
{
    device_array<int> p(64, 0), out(64);
    run_graph<false>(p, out);
}

__global__ void first_of_pair(int *p)
{
    cudaTriggerProgrammaticLaunchCompletion();
    delay(10000);
    p[threadIdx.x] = threadIdx.x + 1; // FAULT
}

__global__ void second_unsynchronised(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x]; // FAULT
}

__global__ void second_synchronised(const int *p, int *out)
{
    cudaGridDependencySynchronize();
    out[threadIdx.x] = p[threadIdx.x];
}

static void launch_pair(void (*second)(const int *, int *), int *p, int *out)
{
    two_streams s;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 64;
    config.stream = s.one;
    config.attrs = &attribute;
    config.numAttrs = 1;
    first_of_pair<<<1, 64, 0, s.one>>>(p);
    MUST(cudaLaunchKernelEx(&config, second, (const int *)p, out));
}

CASE(dependent_launch_without_wait, FAULTY, "race",
     "A programmatic dependent launch does not call cudaGridDependencySynchronize()")
{
    device_array<int> p(64, 0), out(64);
    launch_pair(second_unsynchronised, p, out);
}

CASE(copy_onto_itself, FAULTY, "race", "Source and destination of a copy on the device overlap")
{
    device_array<int> p(numbers(1024));
    cudaMemcpy(p.data + 16, p.data, 2048, cudaMemcpyDeviceToDevice); // FAULT
}

static void sum_up(void *data)
{
    int *host = (int *)data;
    for (int i = 0; i < 1024; i++)
        host[1024] += host[i]; // FAULT
}

CASE(host_function_of_another_stream, FAULTY, "race",
     "A host function reads what a copy of another stream writes")
{
    int *host;
    device_array<int> p(1024, 1);
    two_streams s;
    MUST(cudaMallocHost(&host, 1025 * sizeof(int)));
    memset(host, 0, 1025 * sizeof(int));
    cudaMemcpyAsync(host, p, 4096, cudaMemcpyDeviceToHost, s.one); // FAULT
    cudaLaunchHostFunc(s.other, sum_up, host);
    cudaStreamSynchronize(s.one);
    cudaStreamSynchronize(s.other);
    cudaFreeHost(host);
}

// ---- Benign ----

__global__ void mark_multiples(const int *in, int *found)
{
    if (in[blockIdx.x * blockDim.x + threadIdx.x] % 5 == 0)
        *found = 1;
}

CASE(same_flag_from_blocks, BENIGN, "race", "Blocks set the same flag to the same value")
{
    device_array<int> in(numbers(256)), found(1, 0);
    mark_multiples<<<4, 64>>>(in, found);
    expect(found.host()[0] == 1, "the flag");
}

__global__ void next_level(const int *from, const int *to, int *level, int edges, int depth)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < edges && level[from[i]] == depth - 1 && level[to[i]] > depth)
        level[to[i]] = depth;
}

CASE(levels_of_a_graph, BENIGN, "race",
     "A search writes the same level of a vertex from many edges")
{
    std::vector<int> from, to;
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 4; k++) {
            from.push_back(i);
            to.push_back((i / 8 + 1) * 8 % 64 + (i + k) % 8);
        }
    std::vector<int> start(64, 99);
    for (int i = 0; i < 8; i++)
        start[i] = 0;
    device_array<int> f(from), t(to), level(start);
    for (int depth = 1; depth < 8; depth++)
        next_level<<<4, 64>>>(f, t, level, 256, depth);
    expect(all(level.host(), [](int i) { return i / 8; }), "levels");
}

__global__ void smallest_with_hint(const int *in, int *best)
{
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (value < *best)
        atomicMin(best, value);
}

CASE(hint_before_atomic, BENIGN, "race",
     "A plain read, which may be old, saves most calls of atomicMin()")
{
    std::vector<int> values = numbers(512);
    for (int &v : values)
        v = 1000 - v;
    device_array<int> in(values), best(1, 1 << 30);
    smallest_with_hint<<<4, 128>>>(in, best);
    expect(best.host()[0] == 489, "the smallest");
}

// ---- Correct ----

__global__ void count_by_atomics(const int *in, int *bins)
{
    atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x] % 8], 1);
}

CASE(histogram, CORRECT, "race", "Blocks count by atomicAdd()")
{
    device_array<int> in(numbers(1024)), bins(8, 0);
    count_by_atomics<<<8, 128>>>(in, bins);
    expect(all(bins.host(), [](int) { return 128; }), "bins");
}

__global__ void aggregated(int *count, int *places)
{
    const cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (threadIdx.x % 3 == 0) {
        const cg::coalesced_group some = cg::coalesced_threads();
        if (some.thread_rank() == 0)
            first = atomicAdd(count, (int)some.size());
        places[some.shfl(first, 0) + some.thread_rank()] = 1;
    }
    active.sync();
}

CASE(aggregated_atomics, CORRECT, "race", "One lane of a group adds for all and shares the place")
{
    int expected = 0;
    for (int i = 0; i < 256; i++)
        expected += i % 3 == 0;
    device_array<int> count(1, 0), places(4 * expected, 0);
    aggregated<<<4, 256>>>(count, places);
    expect(count.host()[0] == 4 * expected, "the count");
    expect(all(places.host(), [](int) { return 1; }), "places");
}

__global__ void last_block_fenced(const int *in, int *parts, unsigned *arrived, int *sum)
{
    __shared__ bool last;
    parts[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    int total = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x)
        total += parts[i];
    atomicAdd(sum, total);
}

CASE(last_block, CORRECT, "race", "The last block adds up the parts of all, with __threadfence()")
{
    device_array<int> in(numbers(512)), parts(512), sum(1, 0);
    device_array<unsigned> arrived(1, 0u);
    last_block_fenced<<<8, 64>>>(in, parts, arrived, sum);
    expect(sum.host()[0] == 511 * 256, "the sum");
}

__global__ void grid_steps(int *a, int *b, int n)
{
    const cg::grid_group grid = cg::this_grid();
    const int i = (int)grid.thread_rank();
    for (int step = 0; step < 4; step++) {
        b[i] = a[(i + 64) % n] + 1;
        grid.sync();
        int *other = a;
        a = b;
        b = other;
    }
}

CASE(grid_sync, CORRECT, "race", "All blocks of a cooperative launch meet between steps")
{
    int n = 512;
    device_array<int> a(numbers(n)), b(n);
    void *arguments[] = {&a.data, &b.data, &n};
    MUST(cudaLaunchCooperativeKernel((void *)grid_steps, 8, 64, arguments, 0, 0));
    expect(all(a.host(), [](int i) { return (i + 256) % 512 + 4; }), "four steps");
}

__global__ void pass_acquire(int *data, int *flag, int *out)
{
    reference<cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (!ready.load(cuda::memory_order_acquire))
            ;
        *out = *data;
    }
}

CASE(release_and_acquire, CORRECT, "race", "A block passes data by an atomic flag with release")
{
    device_array<int> data(1, 0), flag(1, 0), out(1, 0);
    pass_acquire<<<2, 1>>>(data, flag, out);
    expect(out.host()[0] == 42, "the data");
}

__global__ void pass_fenced(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (!*flag)
            ;
        __threadfence();
        *out = *data;
    }
}

CASE(volatile_flag_with_fences, CORRECT, "race",
     "A volatile flag with __threadfence() on both sides")
{
    device_array<int> data(1, 0), flag(1, 0), out(1, 0);
    pass_fenced<<<2, 1>>>(data, flag, out);
    expect(out.host()[0] == 42, "the data");
}

__global__ void look_back(const int *in, volatile int *status, int *sums, unsigned *ticket)
{
    const int block = (int)atomicAdd(ticket, 1u);
    int before = 0;
    if (block > 0) {
        while (!status[block - 1])
            ;
        __threadfence();
        before = sums[block - 1];
    }
    sums[block] = before + in[block];
    __threadfence();
    status[block] = 1;
}

CASE(look_back_scan, CORRECT, "race", "A scan in one pass: each block waits for the one before it")
{
    device_array<int> in(32, 1), status(32, 0), sums(32, 0);
    device_array<unsigned> ticket(1, 0u);
    look_back<<<32, 1>>>(in, status, sums, ticket);
    expect(all(sums.host(), [](int i) { return i + 1; }), "sums");
}

__global__ void locked_fenced(int *lock, int *value)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1))
            __nanosleep(100);
        __threadfence();
    }
    __syncthreads();
    value[threadIdx.x] += 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(lock, 0);
    }
}

CASE(spin_lock, CORRECT, "race", "Thread 0 takes a lock for its block, with fences and barriers")
{
    device_array<int> lock(1, 0), value(64, 0);
    locked_fenced<<<8, 64>>>(lock, value);
    expect(all(value.host(), [](int) { return 8; }), "values");
}

__global__ void ticket_locked(unsigned *next, unsigned *serving, int *value)
{
    if (threadIdx.x)
        return;
    const unsigned mine = atomicAdd(next, 1u);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> now(*serving);
    while (now.load(cuda::memory_order_acquire) != mine)
        __nanosleep(50);
    *value += 1;
    now.store(mine + 1, cuda::memory_order_release);
}

CASE(ticket_lock, CORRECT, "race", "A lock by tickets, given on by a store with release")
{
    device_array<unsigned> next(1, 0u), serving(1, 0u);
    device_array<int> value(1, 0);
    ticket_locked<<<16, 32>>>(next, serving, value);
    expect(value.host()[0] == 16, "the value");
}

__global__ void meet_fenced(int *p, unsigned *arrived, int *out)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    const int other = gridDim.x - 1 - blockIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = p[other * blockDim.x + threadIdx.x];
}

CASE(grid_barrier_by_hand, CORRECT, "race",
     "Blocks that run at once meet by a counter, with fences")
{
    device_array<int> p(256, 0), out(256);
    device_array<unsigned> arrived(1, 0u);
    meet_fenced<<<8, 32>>>(p, arrived, out);
    expect(all(out.host(), [](int i) { return i % 32; }), "words");
}

__global__ void bytes_by_block(unsigned char *p)
{
    p[threadIdx.x * gridDim.x + blockIdx.x] = (unsigned char)blockIdx.x;
}

CASE(bytes_of_one_word, CORRECT, "race", "Four blocks write the four bytes of each word")
{
    device_array<unsigned char> p(256, (unsigned char)9);
    bytes_by_block<<<4, 64>>>(p);
    expect(all(p.host(), [](int i) { return i % 4; }), "bytes");
}

__global__ void count_own_block(int *counts)
{
    atomicAdd_block(&counts[blockIdx.x], 1);
    __syncthreads();
    if (threadIdx.x == 0)
        counts[blockIdx.x] *= 2;
}

CASE(block_scope_in_own_word, CORRECT, "race", "Each block counts in its own word in its own scope")
{
    device_array<int> counts(8, 0);
    count_own_block<<<8, 64>>>(counts);
    expect(all(counts.host(), [](int) { return 128; }), "counts");
}

__global__ void take_items(int *head, int *taken, int n)
{
    for (int item = atomicAdd(head, 1); item < n; item = atomicAdd(head, 1))
        taken[item] += 1;
}

CASE(queue_by_atomics, CORRECT, "race", "Threads take items from a queue by atomicAdd()")
{
    device_array<int> head(1, 0), taken(512, 0);
    take_items<<<4, 32>>>(head, taken, 512);
    expect(all(taken.host(), [](int) { return 1; }), "items");
}

__global__ void grid_stride(const int *in, int *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] + (i + 1 < n ? in[i + 1] : 0);
}

CASE(stencil_to_and_fro, CORRECT, "race", "Two launches of a stencil, from one array to the other")
{
    device_array<int> a(1000, 1), b(1000);
    grid_stride<<<3, 128>>>(a, b, 1000);
    grid_stride<<<3, 128>>>(b, a, 1000);
    expect(all(a.host(), [](int i) { return i == 999 ? 1 : i == 998 ? 3 : 4; }), "sums");
}

__global__ void smallest(const int *in, int *best)
{
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    int seen = *(volatile int *)best;
    while (value < seen) {
        const int before = atomicCAS(best, seen, value);
        if (before == seen)
            break;
        seen = before;
    }
}

CASE(compare_and_swap_loop, CORRECT, "race", "A volatile read, then atomicCAS() until it succeeds")
{
    std::vector<int> values = numbers(512);
    for (int &v : values)
        v = 1000 - v;
    device_array<int> in(values), best(1, 1 << 30);
    smallest<<<4, 128>>>(in, best);
    expect(best.host()[0] == 489, "the smallest");
}

__global__ void write_sevens(int *p)
{
    delay(20000);
    p[threadIdx.x] = threadIdx.x * 7;
}

__global__ void add_one(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x] + 1;
}

CASE(streams_with_event, CORRECT, "race", "A stream waits for an event of the stream that writes")
{
    device_array<int> p(64, 0), out(64);
    two_streams s;
    cudaEvent_t event;
    MUST(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    write_sevens<<<1, 64, 0, s.one>>>(p);
    MUST(cudaEventRecord(event, s.one));
    MUST(cudaStreamWaitEvent(s.other, event, 0));
    add_one<<<1, 64, 0, s.other>>>(p, out);
    MUST(cudaStreamSynchronize(s.other));
    MUST(cudaEventDestroy(event));
    expect(all(out.host(), [](int i) { return i * 7 + 1; }), "values");
}

CASE(legacy_default_stream, CORRECT, "race", "The default stream waits for ordinary streams")
{
    device_array<int> p(64, 0), out(64);
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    write_sevens<<<1, 64, 0, stream>>>(p);
    add_one<<<1, 64>>>(p, out);
    write_sevens<<<1, 64, 0, stream>>>(p);
    MUST(cudaDeviceSynchronize());
    MUST(cudaStreamDestroy(stream));
    expect(all(out.host(), [](int i) { return i * 7 + 1; }), "values");
}

CASE(streams_in_halves, CORRECT, "race",
     "Two streams write two halves of an array and read a third")
{
    device_array<int> in(numbers(64)), out(128);
    two_streams s;
    add_one<<<1, 64, 0, s.one>>>(in, out);
    add_one<<<1, 64, 0, s.other>>>(in, out.data + 64);
    MUST(cudaStreamSynchronize(s.one));
    MUST(cudaStreamSynchronize(s.other));
    expect(all(out.host(), [](int i) { return i % 64 + 1; }), "halves");
}

static void sum_into_last(void *data)
{
    int *host = (int *)data;
    for (int i = 0; i < 64; i++)
        host[64] += host[i];
}

CASE(host_function, CORRECT, "race",
     "A host function reads what a copy before it in its stream wrote")
{
    int *host;
    device_array<int> p(64, 0);
    two_streams s;
    MUST(cudaMallocHost(&host, 65 * sizeof(int)));
    host[64] = 0;
    write_sevens<<<1, 64, 0, s.one>>>(p);
    MUST(cudaMemcpyAsync(host, p, 256, cudaMemcpyDeviceToHost, s.one));
    MUST(cudaLaunchHostFunc(s.one, sum_into_last, host));
    MUST(cudaStreamSynchronize(s.one));
    expect(host[64] == 7 * 63 * 32, "the sum");
    MUST(cudaFreeHost(host));
}

__global__ void add_one_to_own(int *p)
{
    p[threadIdx.x] += 1;
}

CASE(captured_fork_and_join, CORRECT, "race",
     "A captured graph forks to two streams and joins them")
{
    device_array<int> p(64, 0), out(64);
    two_streams s;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    MUST(cudaEventCreate(&fork));
    MUST(cudaEventCreate(&join));
    MUST(cudaStreamBeginCapture(s.one, cudaStreamCaptureModeThreadLocal));
    add_one_to_own<<<1, 64, 0, s.one>>>(p);
    MUST(cudaEventRecord(fork, s.one));
    MUST(cudaStreamWaitEvent(s.other, fork, 0));
    add_one<<<1, 64, 0, s.other>>>(p, out);
    MUST(cudaEventRecord(join, s.other));
    MUST(cudaStreamWaitEvent(s.one, join, 0));
    add_one_to_own<<<1, 64, 0, s.one>>>(p);
    MUST(cudaStreamEndCapture(s.one, &graph));
    MUST(cudaGraphInstantiate(&instance, graph, 0));
    MUST(cudaGraphLaunch(instance, s.one));
    MUST(cudaGraphLaunch(instance, s.one));
    MUST(cudaStreamSynchronize(s.one));
    expect(all(out.host(), [](int) { return 4; }) && all(p.host(), [](int) { return 4; }),
           "values");
    MUST(cudaGraphExecDestroy(instance));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaEventDestroy(fork));
    MUST(cudaEventDestroy(join));
}

CASE(graph_with_edge, CORRECT, "race",
     "An edge of a graph orders a kernel that reads after a writer")
{
    device_array<int> p(64, 0), out(64);
    run_graph<true>(p, out);
    expect(all(out.host(), [](int i) { return i; }), "values");
}

CASE(dependent_launch, CORRECT, "race", "A dependent launch waits before it reads")
{
    device_array<int> p(64, 0), out(64);
    launch_pair(second_synchronised, p, out);
    expect(all(out.host(), [](int i) { return i + 1; }), "values");
}

CASE(managed_handed_over, CORRECT, "race", "Host and kernels take turns with managed memory")
{
    int *p;
    MUST(cudaMallocManaged(&p, 256));
    for (int i = 0; i < 64; i++)
        p[i] = i;
    add_one_to_own<<<1, 64>>>(p);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        p[i] *= 2;
    add_one_to_own<<<1, 64>>>(p);
    MUST(cudaDeviceSynchronize());
    bool right = true;
    for (int i = 0; i < 64; i++)
        right &= p[i] == 2 * (i + 1) + 1;
    expect(right, "values");
    MUST(cudaFree(p));
}

CASE(host_waits_by_query, CORRECT, "race",
     "The host asks an event until it is over, and reads a copy")
{
    int *host;
    device_array<int> p(64, 0);
    two_streams s;
    cudaEvent_t event;
    MUST(cudaMallocHost(&host, 256));
    MUST(cudaEventCreate(&event));
    write_sevens<<<1, 64, 0, s.one>>>(p);
    MUST(cudaMemcpyAsync(host, p, 256, cudaMemcpyDeviceToHost, s.one));
    MUST(cudaEventRecord(event, s.one));
    cudaError_t status;
    while ((status = cudaEventQuery(event)) == cudaErrorNotReady)
        ;
    MUST(status);
    expect(host[63] == 63 * 7, "the copy");
    MUST(cudaEventDestroy(event));
    MUST(cudaFreeHost(host));
}

CASE(copy_within_an_array, CORRECT, "race", "A copy within an array whose halves do not overlap")
{
    device_array<int> p(numbers(128));
    MUST(cudaMemcpy(p.data + 64, p.data, 256, cudaMemcpyDeviceToDevice));
    expect(all(p.host(), [](int i) { return i % 64; }), "halves");
}

__global__ void publish_pinned(int *data, int *flag)
{
    *data = 42;
    __threadfence_system();
    *(volatile int *)flag = 1;
}

CASE(pinned_with_system_fence, CORRECT, "race",
     "The host reads pinned memory while the kernel may run, after a flag with a fence of the "
     "system")
{
    int *host;
    two_streams s;
    MUST(cudaMallocHost(&host, 256));
    host[0] = host[32] = 0;
    publish_pinned<<<1, 1, 0, s.one>>>(host, host + 32);
    while (!__atomic_load_n(&host[32], __ATOMIC_ACQUIRE))
        cudaStreamQuery(s.one);
    expect(host[0] == 42, "the data");
    MUST(cudaStreamSynchronize(s.one));
    MUST(cudaFreeHost(host));
}

__global__ void own_half_of_wide_word(int *p, int *out)
{
    if (blockIdx.x) {
        p[4 * threadIdx.x + 3] = threadIdx.x;
        return;
    }
    const int4 v = ((const int4 *)p)[threadIdx.x]; // one load of 16 bytes
    out[threadIdx.x] = v.x + v.y + v.z;
}

CASE(wide_load_takes_a_word_along, CORRECT, "race",
     "A load of 16 bytes takes along a word that another block writes, and does not use it")
{
    device_array<int> p(256, 1), out(64);
    own_half_of_wide_word<<<2, 64>>>(p, out);
    expect(all(out.host(), [](int) { return 3; }), "sums");
}

__global__ void many_accesses(int *p, int *out, int times)
{
    const int t = threadIdx.x;
    int *done = p + 1024;
    if (t >= 32) {
        for (int i = 0; i < times; i++) {
            p[t] += 1;
            __syncwarp();
        }
        if (t % 32 == 0)
            atomicAdd(done, 1);
    } else {
#pragma unroll 1
        for (int k = 0; k < 2; k++) {
            p[t] += k + 1;
            while (k == 0 && *(volatile int *)done < 31)
                ;
        }
    }
    __syncthreads();
    out[t] = p[1023 - t];
}

CASE(millions_of_accesses, CORRECT, "race",
     "A warp writes the same words before and after millions of accesses of other warps")
{
    const int times = 70000;
    device_array<int> p(1025, 0), out(1024);
    many_accesses<<<1, 1024>>>(p, out, times);
    expect(all(out.host(), [](int i) { return 1023 - i < 32 ? 3 : times; }), "values");
}

// ---- Memory that holds the value already; streams that end ----

__global__ void add_neighbour(int *data, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < count)
        data[i] += data[i + 1]; // FAULT
}

CASE(neighbours_of_zeros, FAULTY, "race", "Threads change words that others read; all happen to be 0")
{
    device_array<int> data(1024);
    cudaMemset(data, 0, 4096);
    add_neighbour<<<4, 256>>>(data, 1024);
}

__global__ void put(int *out, int value)
{
    out[threadIdx.x] = value;
}

CASE(stream_destroyed_early, CORRECT, "race",
     "A stream is destroyed with work pending; the default stream waits for it")
{
    device_array<int> out(256);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    put<<<1, 256, 0, stream>>>(out, 1);
    cudaStreamDestroy(stream);
    put<<<1, 256>>>(out, 2);
}

CASE(stream_after_destroyed, FAULTY, "race", "A stream that was destroyed is not ordered with a new one")
{
    device_array<int> out(256);
    cudaStream_t stream;
    for (int i = 1; i < 3; i++) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        put<<<1, 256, 0, stream>>>(out, i); // FAULT
        cudaStreamDestroy(stream);
    }
}
