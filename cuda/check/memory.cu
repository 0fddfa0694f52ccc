// Accesses outside of what a program may use: global, shared, local and constant memory, the heap
// of kernels, host memory; misaligned addresses; memory that has been freed; copies and fills that
// are too long. check_case.h says how a case is written.
#include "check_case.h"

#include <cuda_pipeline.h>

// ---- Global memory ----

__global__ void add_one(int *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] += 1; // FAULT
}

CASE(write_past_end, FAULTY, "memory", "128 threads write an array of 100 elements")
{
    device_array<int> a(100, 1);
    add_one<<<1, 128>>>(a);
}

__global__ void difference(const int *p, int *out)
{
    const int i = threadIdx.x;
    out[i] = p[i + 1] - p[i]; // FAULT
}

CASE(read_past_end, FAULTY, "memory", "The last thread reads one element behind the array")
{
    device_array<int> a(numbers(64)), out(64);
    difference<<<1, 64>>>(a, out);
}

__global__ void left_neighbour(const int *p, int *out)
{
    const int i = threadIdx.x;
    out[i] = p[i - 1]; // FAULT
}

CASE(read_before_start, FAULTY, "memory", "Thread 0 reads the element before the array")
{
    device_array<int> a(numbers(64)), out(64);
    left_neighbour<<<1, 64>>>(a, out);
}

__global__ void write_at(int *p, long long offset)
{
    p[offset + threadIdx.x] = 7; // FAULT
}

CASE(write_far, FAULTY, "memory", "A write lies 64 GB behind the array, where nothing is mapped")
{
    device_array<int> a(64, 0);
    write_at<<<1, 32>>>(a, 1ll << 34);
}

__global__ void write_elements(int *p, long long offset)
{
    p[offset + threadIdx.x] = 3; // FAULT
}

CASE(write_into_neighbour, FAULTY, "memory",
     "An index of one array leads into another array, which is allocated too")
{
    device_array<int> a(128, 0), b(128, 0);
    write_elements<<<1, 32>>>(a, b.data - a.data);
}

__global__ void copy_wide(const float4 *in, float4 *out)
{
    out[threadIdx.x] = in[threadIdx.x]; // FAULT
}

CASE(wide_load_past_end, FAULTY, "memory",
     "Half of the last load of 16 bytes lies behind the array")
{
    device_array<float> in(30, 1.0f);
    device_array<float4> out(8);
    copy_wide<<<1, 8>>>((const float4 *)in.data, out);
}

__global__ void read_misaligned(const char *bytes, int *out)
{
    out[threadIdx.x] = *(const int *)(bytes + 4 * threadIdx.x + 1); // FAULT
}

CASE(misaligned_load, FAULTY, "memory", "Loads of 4 bytes begin at odd addresses")
{
    device_array<char> bytes(256, 1);
    device_array<int> out(32);
    read_misaligned<<<1, 32>>>(bytes, out);
}

__global__ void store_pairs(float *p)
{
    *(float2 *)(p + 2 * threadIdx.x + 1) = make_float2(1, 2); // FAULT
}

CASE(misaligned_vector_store, FAULTY, "memory", "Stores of 8 bytes begin at multiples of 4 only")
{
    device_array<float> p(128, 0.0f);
    store_pairs<<<1, 32>>>(p);
}

__global__ void count_misaligned(char *bytes)
{
    atomicAdd((unsigned *)(bytes + 2), 1u); // FAULT
}

CASE(misaligned_atomic, FAULTY, "memory", "An atomic of 4 bytes has an address that ends in 2")
{
    device_array<char> bytes(64, 0);
    count_misaligned<<<1, 1>>>(bytes);
}

__global__ void count_values(const int *values, int *bins)
{
    atomicAdd(&bins[values[threadIdx.x]], 1); // FAULT
}

CASE(atomic_past_end, FAULTY, "memory", "A histogram has 64 bins, and a value is 64")
{
    device_array<int> values(numbers(65)), bins(64, 0);
    count_values<<<1, 65>>>(values, bins);
}

__global__ void null_write(int *p)
{
    p[threadIdx.x] = 1; // FAULT
}

CASE(null_pointer, FAULTY, "memory", "A kernel gets a null pointer")
{
    null_write<<<1, 32>>>(nullptr);
}

struct node {
    long long values[6];
    int key;
    node *next;
};

__global__ void walk_list(const node *first, int *out)
{
    int sum = 0;
    for (int i = 0; i < 3; i++, first = first->next)
        sum += first->key; // FAULT
    *out = sum;
}

CASE(null_list_end, FAULTY, "memory", "A list has two nodes, and the kernel reads a third")
{
    device_array<node> list(2, node{});
    device_array<int> out(1);
    node nodes[2] = {};
    nodes[0].next = list.data + 1;
    cudaMemcpy(list, nodes, sizeof nodes, cudaMemcpyHostToDevice);
    walk_list<<<1, 1>>>(list, out);
}

__global__ void truncated(unsigned low, int *out)
{
    *out = *(const int *)(uintptr_t)low; // FAULT
}

CASE(truncated_pointer, FAULTY, "memory", "A pointer has been kept in 32 bits")
{
    device_array<int> a(64, 5), out(1);
    truncated<<<1, 1>>>((unsigned)(uintptr_t)a.data, out);
}

__global__ void window_sum(const int *p, unsigned n, int *out)
{
    const unsigned i = threadIdx.x;
    int sum = 0;
    for (unsigned k = 0; k < 3 && i < n; k++)
        sum += p[i + k - 1]; // FAULT
    out[i] = sum;
}

CASE(unsigned_index_below_zero, FAULTY, "memory", "An unsigned index becomes 0 - 1, 4294967295")
{
    device_array<int> a(numbers(64)), out(62);
    window_sum<<<1, 62>>>(a, 62, out);
}

__global__ void by_row(char *p, int row, int stride)
{
    p[row * stride + (int)threadIdx.x] = 1; // FAULT
}

CASE(product_wraps, FAULTY, "memory",
     "Row times stride does not fit in 32 bits, and the index becomes negative")
{
    device_array<char> p(4096, 0);
    by_row<<<1, 32>>>(p, 46341, 46341);
}

__global__ void fill_all(int *p, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 1u << 26)
        p[i] = (int)i; // FAULT
}

CASE(size_wraps, FAULTY, "memory",
     "The bytes of 2^30 + 64 elements do not fit in 32 bits: too little is allocated")
{
    const unsigned n = (1u << 30) + 64, bytes = n * (unsigned)sizeof(int);
    device_array<char> p(bytes, 0);
    fill_all<<<1, 64>>>((int *)p.data, n);
}

__global__ void read_only_path(const int *__restrict__ p, int *out)
{
    out[threadIdx.x] = __ldg(p + threadIdx.x + 1); // FAULT
}

CASE(read_only_load_past_end, FAULTY, "memory", "__ldg() reads one element behind the array")
{
    device_array<int> a(numbers(32)), out(32);
    read_only_path<<<1, 32>>>(a, out);
}

__global__ void blur_rows(const float *in, float *out, int width, int height)
{
    const int x = threadIdx.x;
    for (int y = 0; y < height; y++)
        out[y * width + x] = in[y * width + x] + in[(y + 1) * width + x]; // FAULT
}

CASE(last_row, FAULTY, "memory", "A stencil reads the row below the last one")
{
    device_array<float> in(32 * 7, 1.0f), out(32 * 7);
    blur_rows<<<1, 32>>>(in, out, 32, 7);
}

__device__ int device_table[64];

__global__ void read_table(const int *index, int *out)
{
    out[threadIdx.x] = device_table[index[threadIdx.x]]; // FAULT
}

CASE(device_variable_past_end, FAULTY, "memory", "An index far behind a __device__ array of 64")
{
    device_array<int> index(32, 1 << 22), out(32);
    read_table<<<1, 32>>>(index, out);
}

__constant__ int constant_table[256];

__global__ void read_constant(const int *index, int *out)
{
    out[threadIdx.x] = constant_table[index[threadIdx.x]]; // FAULT
}

CASE(constant_past_end, FAULTY, "memory", "An index behind the 64 KB of constant memory")
{
    device_array<int> index(32, 1 << 20), out(32);
    read_constant<<<1, 32>>>(index, out);
}

__global__ void async_tile(const int *in, int *out)
{
    __shared__ int tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int)); // FAULT
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

CASE(async_copy_past_end, FAULTY, "memory", "cp.async reads 64 elements of an array of 60")
{
    device_array<int> in(numbers(60)), out(64);
    async_tile<<<1, 64>>>(in, out);
}

// ---- Pinned and managed memory, host pointers ----

__global__ void write_pinned(int *p, int offset)
{
    p[offset + threadIdx.x] = 7; // FAULT
}

CASE(pinned_past_end, FAULTY, "memory", "A kernel writes behind pinned host memory")
{
    int *p;
    cudaMallocHost(&p, 100 * sizeof(int));
    memset(p, 0, 100 * sizeof(int));
    write_pinned<<<1, 32>>>(p, 1 << 20);
    cudaDeviceSynchronize();
    cudaFreeHost(p);
}

__global__ void add_managed(int *p)
{
    p[threadIdx.x] += 1; // FAULT
}

CASE(managed_past_end, FAULTY, "memory", "A kernel writes behind managed memory")
{
    int *p;
    cudaMallocManaged(&p, 100 * sizeof(int));
    memset(p, 0, 100 * sizeof(int));
    add_managed<<<1, 128>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
}

__global__ void read_host(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x]; // FAULT
}

CASE(host_pointer, FAULTY, "memory", "A kernel gets a pointer to memory of malloc() on the host")
{
    int *p = (int *)calloc(32, sizeof(int));
    device_array<int> out(32);
    read_host<<<1, 32>>>(p, out);
    cudaDeviceSynchronize();
    free(p);
}

// ---- Shared and local memory ----

__global__ void shared_index(const int *index, int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[index[threadIdx.x]]; // FAULT
}

CASE(shared_past_end, FAULTY, "memory", "A read lies behind all shared memory of the block")
{
    device_array<int> index(64, 1 << 14), out(64);
    shared_index<<<1, 64>>>(index, out);
}

__global__ void shared_negative(int *out, int shift)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[(int)threadIdx.x - shift]; // FAULT
}

CASE(shared_before_start, FAULTY, "memory", "Reads lie 16 KB before the shared array")
{
    device_array<int> out(64);
    shared_negative<<<1, 64>>>(out, 4096);
}

__global__ void two_shared_arrays(int *out, int n)
{
    __shared__ int first[32], second[32];
    first[threadIdx.x] = 1;
    second[threadIdx.x] = 2;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += first[i]; // FAULT
    out[threadIdx.x] = sum + second[threadIdx.x];
}

CASE(shared_into_neighbour, FAULTY, "memory",
     "An index of one shared array leads into another one of the same block")
{
    device_array<int> out(32);
    two_shared_arrays<<<1, 32>>>(out, 33);
}

__global__ void dynamic_tile(int *out)
{
    extern __shared__ int dynamic[];
    dynamic[threadIdx.x] = threadIdx.x; // FAULT
    __syncthreads();
    out[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x]; // FAULT
}

CASE(dynamic_shared_too_small, FAULTY, "memory",
     "A launch gives a quarter of the dynamic shared memory that the kernel uses")
{
    device_array<int> out(1024);
    dynamic_tile<<<1, 1024, 1024>>>(out);
}

__global__ void shared_pairs(int *out, int shift)
{
    __shared__ alignas(16) int s[130];
    s[threadIdx.x] = s[threadIdx.x + 64] = 1;
    s[128 + threadIdx.x % 2] = 1;
    __syncthreads();
    const int2 pair = *(const int2 *)&s[2 * threadIdx.x + shift]; // FAULT
    out[threadIdx.x] = pair.x + pair.y;
}

CASE(misaligned_shared_load, FAULTY, "memory",
     "Loads of 8 bytes of shared memory at multiples of 4")
{
    device_array<int> out(64);
    shared_pairs<<<1, 64>>>(out, 1);
}

__global__ void keep_shared_pointer(int **kept, int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        *kept = s;
    out[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void use_kept_pointer(int **kept, int *out)
{
    out[threadIdx.x] = **kept; // FAULT
}

CASE(shared_pointer_kept, FAULTY, "memory",
     "A pointer to shared memory is used by a launch that has no shared memory")
{
    device_array<int *> kept(1);
    device_array<int> out(32);
    keep_shared_pointer<<<1, 32>>>(kept, out);
    use_kept_pointer<<<1, 32>>>(kept, out);
}

__global__ void local_index(const int *index, int *out)
{
    int local[16];
    for (int i = 0; i < 16; i++)
        local[index[i]] = i; // FAULT
    out[threadIdx.x] = local[index[threadIdx.x % 16]];
}

CASE(local_far_past_end, FAULTY, "memory", "An index lies 4 MB behind an array in local memory")
{
    std::vector<int> index = numbers(16);
    index[15] = 1 << 20;
    device_array<int> at(index), out(32);
    local_index<<<1, 32>>>(at, out);
}

__global__ void local_index_near(const int *index, int *out)
{
    int local[16], other[16];
    for (int i = 0; i < 16; i++) {
        other[index[i] % 16] = i;
        local[index[i]] = i; // FAULT
    }
    out[threadIdx.x] = local[index[threadIdx.x % 15]] + other[index[threadIdx.x % 15]];
}

CASE(local_into_neighbour, FAULTY, "memory",
     "An index of one array in local memory leads into another one of the same thread")
{
    std::vector<int> index = numbers(16);
    index[15] = 17;
    device_array<int> at(index), out(32);
    local_index_near<<<1, 32>>>(at, out);
}

__global__ void local_pointer(int *out)
{
    __shared__ int *where;
    int local[8];
    for (int i = 0; i < 8; i++)
        local[i] = i + threadIdx.x;
    if (threadIdx.x == 0)
        where = local;
    __syncthreads();
    out[threadIdx.x] = where[threadIdx.x % 8]; // FAULT
}

CASE(local_pointer_of_another_thread, FAULTY, "memory",
     "Threads read through a pointer to local memory of thread 0")
{
    device_array<int> out(64);
    local_pointer<<<1, 64>>>(out);
}

__device__ __noinline__ int deep(int depth, const int *p)
{
    volatile int frame[64];
    for (int i = 0; i < 64; i++)
        frame[i] = p[i] + depth; // FAULT
    return depth ? deep(depth - 1, p) + frame[depth % 64] : frame[0];
}

__global__ void overflow_stack(const int *p, int *out, int depth)
{
    out[threadIdx.x] = deep(depth, p);
}

CASE(stack_overflow, FAULTY, "memory", "A recursion needs more stack than the limit of a thread")
{
    device_array<int> p(numbers(64)), out(32);
    overflow_stack<<<1, 32>>>(p, out, 2000);
}

// ---- Freed memory ----

__global__ void add_late(int *p)
{
    p[threadIdx.x] += 1; // FAULT
}

CASE(use_after_free, FAULTY, "memory", "A kernel writes an array that has been freed")
{
    device_array<int> other(1 << 10, 0);
    int *p;
    cudaMalloc(&p, 1 << 12);
    cudaMemset(p, 0, 1 << 12);
    cudaFree(p);
    add_late<<<1, 128>>>(p);
}

CASE(use_after_last_free, FAULTY, "memory",
     "A kernel writes an array that has been freed, and nothing else is allocated")
{
    int *p;
    cudaMalloc(&p, 1 << 20);
    cudaMemset(p, 0, 1 << 20);
    cudaFree(p);
    add_late<<<1, 128>>>(p);
}

CASE(copy_after_free, FAULTY, "memory", "The host copies from an array that has been freed")
{
    int *p, value = 0;
    cudaMalloc(&p, 4 << 20);
    cudaMemset(p, 0, 4 << 20);
    cudaFree(p);
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost); // FAULT
}

CASE(double_free, FAULTY, "memory", "An array is freed twice")
{
    int *p;
    cudaMalloc(&p, 1024);
    cudaFree(p);
    cudaFree(p); // FAULT
}

CASE(free_middle, FAULTY, "memory", "cudaFree() gets a pointer into the middle of an array")
{
    device_array<int> p(256, 0);
    cudaFree(p.data + 64); // FAULT
}

CASE(free_host_pointer, FAULTY, "memory", "cudaFree() gets a pointer to memory of malloc()")
{
    int *p = (int *)malloc(256);
    cudaFree(p); // FAULT
    free(p);
}

CASE(free_pinned_as_device, FAULTY, "memory", "cudaFreeHost() gets memory of cudaMalloc()")
{
    device_array<int> p(256, 0);
    cudaFreeHost(p.data); // FAULT
}

__global__ void add_late_in_stream(int *p)
{
    p[threadIdx.x] += 1; // FAULT
}

CASE(async_use_after_free, FAULTY, "memory",
     "A kernel follows cudaFreeAsync() of its array in the same stream")
{
    int *p;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocAsync((void **)&p, 4096, stream);
    cudaMemsetAsync(p, 0, 4096, stream);
    cudaFreeAsync(p, stream);
    add_late_in_stream<<<1, 128, 0, stream>>>(p);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}

CASE(async_use_before_alloc, FAULTY, "memory",
     "A kernel uses memory that another stream allocates, without waiting for that stream")
{
    int *p;
    cudaStream_t one, other;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaMallocAsync((void **)&p, 4096, one);
    cudaMemsetAsync(p, 0, 4096, other); // FAULT
    cudaStreamSynchronize(other);
    cudaFreeAsync(p, one);
    cudaStreamSynchronize(one);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
}

__global__ void slow_add(int *p, int rounds)
{
    for (int i = 0; i < rounds; i++)
        p[threadIdx.x] += i; // FAULT
}

CASE(async_free_while_used, FAULTY, "memory",
     "A stream frees memory while a kernel of another stream uses it")
{
    int *p;
    cudaStream_t one, other;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaMallocAsync((void **)&p, 4096, one);
    cudaMemsetAsync(p, 0, 4096, one);
    cudaStreamSynchronize(one);
    slow_add<<<1, 32, 0, other>>>(p, 1000);
    cudaFreeAsync(p, one); // FAULT
    cudaStreamSynchronize(one);
    cudaStreamSynchronize(other);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
}

CASE(async_double_free, FAULTY, "memory", "cudaFreeAsync() frees an array twice")
{
    int *p;
    cudaMallocAsync((void **)&p, 4096, 0);
    cudaFreeAsync(p, 0);
    cudaFreeAsync(p, 0); // FAULT
    cudaStreamSynchronize(0);
}

__global__ void add_in_graph(int *p)
{
    p[threadIdx.x] += 1; // FAULT
}

CASE(graph_after_free, FAULTY, "memory", "A graph runs again after its array has been freed")
{
    int *p;
    cudaMalloc(&p, 4 << 20);
    cudaMemset(p, 0, 4 << 20);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    add_in_graph<<<1, 128, 0, stream>>>(p);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);
    cudaFree(p);
    cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

// ---- The heap of kernels ----

__global__ void heap_past_end(int *out, int n)
{
    int *p = (int *)malloc(16 * sizeof(int));
    for (int i = 0; i < n; i++)
        p[i] = i; // FAULT
    *out = p[15];
    free(p);
}

CASE(heap_write_past_end, FAULTY, "memory", "A kernel writes 17 elements of 16 that it allocated")
{
    device_array<int> out(1);
    heap_past_end<<<1, 1>>>(out, 17);
}

__global__ void heap_late(int *out)
{
    int *p = (int *)malloc(16 * sizeof(int));
    p[threadIdx.x] = 3;
    free(p);
    *out = ((volatile int *)p)[threadIdx.x]; // FAULT
}

CASE(heap_use_after_free, FAULTY, "memory", "A kernel reads memory that it has freed")
{
    device_array<int> out(1);
    heap_late<<<1, 1>>>(out);
}

__global__ void heap_twice(int **kept)
{
    int *p = (int *)malloc(64);
    *kept = p;
    free(p);
    free(*(int *volatile *)kept); // FAULT
}

CASE(heap_double_free, FAULTY, "memory", "A kernel frees memory twice")
{
    device_array<int *> kept(1);
    heap_twice<<<1, 1>>>(kept);
}

__global__ void heap_middle(int **kept)
{
    int *p = (int *)malloc(64);
    *kept = p;
    free(*kept + 4); // FAULT
}

__global__ void heap_give_back(int **kept)
{
    free(*kept);
}

CASE(heap_free_middle, FAULTY, "memory", "free() in a kernel gets a pointer into the middle")
{
    device_array<int *> kept(1);
    heap_middle<<<1, 1>>>(kept);
    heap_give_back<<<1, 1>>>(kept);
}

__global__ void heap_exhausted(size_t bytes)
{
    int *p = (int *)malloc(bytes);
    p[0] = 1; // FAULT
    free(p);
}

CASE(heap_null, FAULTY, "memory", "malloc() in a kernel returns NULL, and the kernel uses it")
{
    heap_exhausted<<<1, 1>>>((size_t)1 << 40);
}

__global__ void heap_foreign(int *p)
{
    free(p); // FAULT
}

CASE(heap_free_of_array, FAULTY, "memory", "free() in a kernel gets memory of cudaMalloc()")
{
    device_array<int> p(256, 0);
    heap_foreign<<<1, 1>>>(p);
}

__global__ void heap_keep(int **kept)
{
    *kept = (int *)malloc(64);
}

CASE(heap_freed_by_host, FAULTY, "memory", "cudaFree() gets memory of malloc() in a kernel")
{
    device_array<int *> kept(1);
    heap_keep<<<1, 1>>>(kept);
    int *p = kept.host()[0];
    cudaFree(p); // FAULT
    heap_give_back<<<1, 1>>>(kept);
}

// ---- Copies and fills ----

CASE(copy_in_too_long, FAULTY, "memory", "cudaMemcpy() to an array copies 4 bytes too many")
{
    const std::vector<int> values(101, 1);
    int *p;
    cudaMalloc(&p, 100 * sizeof(int));
    cudaMemcpy(p, values.data(), 101 * sizeof(int), cudaMemcpyHostToDevice); // FAULT
    cudaFree(p);
}

CASE(copy_out_too_long, FAULTY, "memory", "cudaMemcpy() from an array copies 4 bytes too many")
{
    device_array<int> p(100, 1);
    std::vector<int> values(101);
    cudaMemcpy(values.data(), p, 101 * sizeof(int), cudaMemcpyDeviceToHost); // FAULT
}

CASE(copy_between_too_long, FAULTY, "memory", "cudaMemcpy() between arrays ends behind the smaller")
{
    device_array<int> from(128, 1), to(100, 0);
    cudaMemcpy(to, from, 128 * sizeof(int), cudaMemcpyDeviceToDevice); // FAULT
}

CASE(fill_too_long, FAULTY, "memory", "cudaMemset() fills 24 bytes behind an array")
{
    device_array<char> p(1000, 0);
    cudaMemset(p, 1, 1024); // FAULT
}

CASE(copy_rows_too_many, FAULTY, "memory", "cudaMemcpy2D() copies nine rows of eight")
{
    char *p;
    size_t pitch;
    std::vector<char> rows(9 * 100, 1);
    cudaMallocPitch((void **)&p, &pitch, 100, 8);
    cudaMemcpy2D(p, pitch, rows.data(), 100, 100, 9, cudaMemcpyHostToDevice); // FAULT
    cudaFree(p);
}

CASE(symbol_too_long, FAULTY, "memory", "cudaMemcpyToSymbol() copies 300 elements to 256")
{
    const std::vector<int> values(300, 1);
    cudaMemcpyToSymbol(constant_table, values.data(), 300 * sizeof(int)); // FAULT
}

// ---- Correct ----

__global__ void guarded(int *p, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += 1;
}

CASE(more_threads_than_elements, CORRECT, "memory",
     "Threads behind the end of the array do nothing")
{
    device_array<int> p(100, 1);
    guarded<<<1, 128>>>(p, 100);
    expect(all(p.host(), [](int) { return 2; }), "100 elements");
}

__global__ void clamped(const int *p, int *out, int n)
{
    const int i = threadIdx.x;
    out[i] = (i > 0 ? p[i - 1] : 0) + (i + 1 < n ? p[i + 1] : 0);
}

CASE(neighbours_at_the_edge, CORRECT, "memory", "Conditions keep neighbours inside of the array")
{
    device_array<int> p(64, 1), out(64);
    clamped<<<1, 64>>>(p, out, 64);
    expect(all(out.host(), [](int i) { return i == 0 || i == 63 ? 1 : 2; }), "sums");
}

CASE(wide_loads_and_tail, CORRECT, "memory", "Loads of 16 bytes, as far as whole ones are there")
{
    device_array<float> in(30, 1.0f), out(30, 0.0f);
    copy_wide<<<1, 7>>>((const float4 *)in.data, (float4 *)out.data);
    cudaMemcpy(out.data + 28, in.data + 28, 8, cudaMemcpyDeviceToDevice);
    expect(all(out.host(), [](int) { return 1.0f; }), "30 elements");
}

CASE(middle_and_back, CORRECT, "memory", "Negative indices from a pointer into the middle")
{
    device_array<int> p(numbers(128)), out(64);
    left_neighbour<<<1, 64>>>(p.data + 64, out);
    expect(all(out.host(), [](int i) { return i + 63; }), "left neighbours");
}

__global__ void fill_rows(char *p, size_t pitch, int height)
{
    for (int y = 0; y < height; y++)
        for (size_t x = threadIdx.x; x < pitch; x += blockDim.x)
            p[(size_t)y * pitch + x] = (char)y;
}

CASE(row_padding_written, CORRECT, "memory", "A kernel writes whole rows, with their padding")
{
    char *p, last = 0;
    size_t pitch = 0;
    MUST(cudaMallocPitch((void **)&p, &pitch, 100, 8));
    fill_rows<<<1, 128>>>(p, pitch, 8);
    MUST(cudaMemcpy(&last, p + 8 * pitch - 1, 1, cudaMemcpyDeviceToHost));
    expect(last == 7, "the last byte");
    MUST(cudaFree(p));
}

__global__ void unaligned_bytes(const char *bytes, int *out)
{
    int value = 0;
    for (int i = 0; i < 4; i++)
        value |= (unsigned char)bytes[4 * threadIdx.x + 1 + i] << (8 * i);
    out[threadIdx.x] = value;
}

CASE(unaligned_by_bytes, CORRECT, "memory", "Words at odd addresses are read byte by byte")
{
    device_array<char> bytes(129, 1);
    device_array<int> out(32);
    unaligned_bytes<<<1, 32>>>(bytes, out);
    expect(all(out.host(), [](int) { return 0x01010101; }), "words");
}

__global__ void hash_slots(int *slots, unsigned n)
{
    const unsigned hash = (threadIdx.x + 7u) * 2654435761u;
    atomicAdd(&slots[hash % n], 1);
}

CASE(hash_wraps, CORRECT, "memory", "A product wraps in 32 bits, on purpose, before the modulo")
{
    device_array<int> slots(17, 0);
    hash_slots<<<1, 256>>>(slots, 17);
    int sum = 0;
    for (int count : slots.host())
        sum += count;
    expect(sum == 256, "the sum of all slots");
}

__global__ void backwards(const int *end, int *out, int n)
{
    const int *p = end - threadIdx.x;
    if ((int)threadIdx.x < n)
        out[threadIdx.x] = *--p;
}

CASE(pointer_to_the_end, CORRECT, "memory", "A pointer behind the array is made, and never read")
{
    device_array<int> p(numbers(32)), out(32);
    backwards<<<1, 64>>>(p.data + 32, out, 32);
    expect(all(out.host(), [](int i) { return 31 - i; }), "the array, backwards");
}

CASE(parts_of_one_allocation, CORRECT, "memory", "A program divides one allocation into arrays")
{
    device_array<int> arena(384, 1);
    add_one<<<1, 256>>>(arena);
    difference<<<1, 127>>>(arena, arena.data + 256);
    expect(all(arena.host(), [](int i) { return i < 256 ? 2 : i < 383 ? 0 : 1; }), "the arrays");
}

CASE(dynamic_shared_exact, CORRECT, "memory",
     "96 KB of dynamic shared memory, used to the last word")
{
    device_array<int> out(1024);
    MUST(cudaFuncSetAttribute(dynamic_tile, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304));
    dynamic_tile<<<1, 1024, 4096>>>(out);
    expect(all(out.host(), [](int i) { return 1023 - i; }), "4 KB");
    dynamic_tile<<<1, 1024, 98304>>>(out);
    expect(all(out.host(), [](int i) { return 1023 - i; }), "96 KB");
}

CASE(deep_recursion, CORRECT, "memory", "A recursion stays within a raised limit of the stack")
{
    device_array<int> p(numbers(64)), out(32);
    MUST(cudaDeviceSetLimit(cudaLimitStackSize, 32768));
    overflow_stack<<<1, 32>>>(p, out, 50);
    int sum = 0;
    for (int depth = 1; depth <= 50; depth++)
        sum += depth % 64 + depth;
    expect(all(out.host(), [sum](int) { return sum; }), "the sum");
}

__global__ void add_slowly(int *p, int *out)
{
    for (int i = 0; i < 200; i++)
        __nanosleep(100);
    out[threadIdx.x] = ++p[threadIdx.x];
}

CASE(free_after_launch, CORRECT, "memory", "cudaFree() right after a launch waits for the kernel")
{
    int *p;
    device_array<int> out(64);
    MUST(cudaMalloc(&p, 256));
    MUST(cudaMemset(p, 0, 256));
    add_slowly<<<1, 64>>>(p, out);
    MUST(cudaFree(p));
    expect(all(out.host(), [](int) { return 1; }), "the copy");
}

CASE(pool_memory_again, CORRECT, "memory", "A stream allocates again what it has freed")
{
    int *first, *second, values[128];
    MUST(cudaMallocAsync((void **)&first, 512, 0));
    MUST(cudaMemsetAsync(first, 0, 512, 0));
    add_one<<<1, 128>>>(first);
    MUST(cudaFreeAsync(first, 0));
    MUST(cudaMallocAsync((void **)&second, 512, 0));
    MUST(cudaMemsetAsync(second, 0, 512, 0));
    add_one<<<1, 128>>>(second);
    MUST(cudaMemcpyAsync(values, second, 512, cudaMemcpyDeviceToHost, 0));
    MUST(cudaFreeAsync(second, 0));
    MUST(cudaStreamSynchronize(0));
    expect(values[0] == 1 && values[127] == 1, "the second array");
}

CASE(pool_memory_by_events, CORRECT, "memory",
     "Memory of one stream is used and freed by others, ordered by events")
{
    int *p, values[128];
    cudaStream_t one, other;
    cudaEvent_t there, used;
    MUST(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    MUST(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    MUST(cudaEventCreate(&there));
    MUST(cudaEventCreate(&used));
    MUST(cudaMallocAsync((void **)&p, 512, one));
    MUST(cudaMemsetAsync(p, 0, 512, one));
    MUST(cudaEventRecord(there, one));
    MUST(cudaStreamWaitEvent(other, there, 0));
    add_one<<<1, 128, 0, other>>>(p);
    MUST(cudaMemcpyAsync(values, p, 512, cudaMemcpyDeviceToHost, other));
    MUST(cudaEventRecord(used, other));
    MUST(cudaStreamWaitEvent(one, used, 0));
    MUST(cudaFreeAsync(p, one));
    MUST(cudaStreamSynchronize(one));
    expect(values[0] == 1 && values[127] == 1, "the array");
    MUST(cudaEventDestroy(there));
    MUST(cudaEventDestroy(used));
    MUST(cudaStreamDestroy(one));
    MUST(cudaStreamDestroy(other));
}

__global__ void heap_scratch(int *out)
{
    int *p = (int *)malloc(16 * sizeof(int));
    for (int i = 0; i < 16; i++)
        p[i] = i;
    out[threadIdx.x] = p[threadIdx.x % 16];
    free(p);
}

CASE(heap_used_and_freed, CORRECT, "memory", "Each thread allocates scratch memory and frees it")
{
    device_array<int> out(64);
    heap_scratch<<<1, 64>>>(out);
    expect(all(out.host(), [](int i) { return i % 16; }), "values");
}

__global__ void heap_fill(int **kept)
{
    for (int i = 0; i < 16; i++)
        (*kept)[i] = i;
}

__global__ void heap_sum(int **kept, int *out)
{
    int sum = 0;
    for (int i = 0; i < 16; i++)
        sum += (*kept)[i];
    *out = sum;
}

CASE(heap_over_launches, CORRECT, "memory",
     "Launches allocate, fill, read and free the same memory")
{
    device_array<int *> kept(1);
    device_array<int> out(1);
    heap_keep<<<1, 1>>>(kept);
    heap_fill<<<1, 1>>>(kept);
    heap_sum<<<1, 1>>>(kept, out);
    heap_give_back<<<1, 1>>>(kept);
    expect(out.host()[0] == 120, "the sum");
}

__global__ void async_zero_fill(const int *in, int *out, int n)
{
    __shared__ int tile[64];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&tile[i], &in[i], sizeof(int), i < n ? 0 : sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[i] = tile[63 - i];
}

CASE(async_copy_of_nothing, CORRECT, "memory",
     "cp.async behind the end of the array reads no bytes and fills with zeros")
{
    device_array<int> in(60, 1), out(64);
    async_zero_fill<<<1, 64>>>(in, out, 60);
    expect(all(out.host(), [](int i) { return i < 4 ? 0 : 1; }), "the tile, backwards");
}

CASE(free_of_null, CORRECT, "memory", "Frees of null pointers, copies and fills of nothing")
{
    MUST(cudaFree(nullptr));
    MUST(cudaFreeHost(nullptr));
    device_array<int> p(4, 3);
    MUST(cudaMemset(p.data + 4, 0, 0));
    MUST(cudaMemcpy(p.data + 4, p.data, 0, cudaMemcpyDeviceToDevice));
    expect(all(p.host(), [](int) { return 3; }), "the array");
}
