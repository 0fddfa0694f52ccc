// Kernels that launch kernels (dynamic parallelism, CDP2): results, errors, times.
//
//     nvcc -arch=sm_90 -rdc=true -o launches launches.cu -lcudadevrt
//     launches [CASE...]       without names: all cases
//
// Prints rows of CSV: case, result. The result is made of what the kernels have done; a GPU and the
// simulator must print the same. Then rows "time,NAME,NANOSECONDS", which differ from run to run.
#include <cstdio>
#include <cstring>

typedef unsigned long long u64;
enum { WORDS = 1 << 16 };

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorName(error_));                          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void add(int *to, int value)
{
    atomicAdd(to, value);
}

__global__ void append(int *list, int value) // list[0]: length
{
    list[1 + atomicAdd(list, 1)] = value;
}

__global__ void sum_of(int *to, const int *from, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += from[i];
    *to = sum;
}

__global__ void one_child(int *w)
{
    add<<<2, 32>>>(w, 3);
}

__global__ void child_of_each_thread(int *w)
{
    add<<<1, 1 + threadIdx.x>>>(w, 1);
}

__global__ void child_of_each_block(int *w)
{
    if (threadIdx.x == 0)
        add<<<1, 32>>>(w + blockIdx.x % 4, blockIdx.x);
}

__global__ void generations(int *w, int depth)
{
    append<<<1, 1>>>(w, depth);
    if (depth > 1)
        generations<<<1, 1>>>(w, depth - 1);
}

__global__ void count_generations(int *w, int depth)
{
    w[0] = depth > w[0] ? depth : w[0];
    count_generations<<<1, 1>>>(w, depth + 1);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        w[1] = error;
}

__global__ void tail(int *w)
{
    add<<<1, 32, 0, cudaStreamTailLaunch>>>(w, 5);
    w[0] = 7;
}

__global__ void tails_in_order(int *w)
{
    for (int i = 1; i <= 5; i++)
        append<<<1, 1, 0, cudaStreamTailLaunch>>>(w, i * 11);
}

__global__ void tail_behind_children(int *w)
{
    for (int i = 0; i < 8; i++)
        add<<<4, 64, 0, i % 2 ? cudaStreamFireAndForget : 0>>>(w + 1 + i, i + 1);
    sum_of<<<1, 1, 0, cudaStreamTailLaunch>>>(w, w + 1, 8);
}

__global__ void tail_of_child(int *w)
{
    tails_in_order<<<1, 1>>>(w);
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(w, 1000);
}

__global__ void forget(int *w)
{
    add<<<3, 32, 0, cudaStreamFireAndForget>>>(w, 2);
}

__global__ void in_order_of_a_block(int *w)
{
    for (int i = 0; i < 6; i++)
        append<<<1, 1>>>(w, 100 + i);
}

__global__ void in_streams(int *w)
{
    cudaStream_t stream[3];
    for (int s = 0; s < 3; s++) {
        cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking);
        for (int i = 0; i < 3; i++)
            append<<<1, 1, 0, stream[s]>>>(w + 16 * s, 10 * s + i);
        cudaStreamDestroy(stream[s]);
    }
}

__global__ void too_many(int *w, int launches)
{
    int failed = 0, error = 0;
    for (int i = 0; i < launches; i++) {
        add<<<1, 1, 0, cudaStreamTailLaunch>>>(w, 1);
        const cudaError_t now = cudaGetLastError();
        failed += now != cudaSuccess;
        error = now != cudaSuccess ? now : error;
    }
    w[1] = failed > 0;
    w[2] = error;
}

__global__ void wrong_shape(int *w, int grid, int block, int shared)
{
    add<<<grid, block, shared>>>(w, 1);
    w[1] = cudaPeekAtLastError();
    w[2] = cudaGetLastError();
    w[3] = cudaGetLastError();
}

struct parameters {
    char byte;
    double real;
    int many[40];
    int *to;
};

__global__ void take(parameters p)
{
    int sum = p.byte + (int)(p.real * 4);
    for (int i : p.many)
        sum += i;
    p.to[0] = sum;
}

__global__ void large_parameters(int *w)
{
    parameters p = {'a', 2.25, {}, w};
    for (int i = 0; i < 40; i++)
        p.many[i] = i * i;
    take<<<1, 1>>>(p);
}

__global__ void through_shared(int *to, int count)
{
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        s[i] = i * 3;
    __syncthreads();
    atomicAdd(to, s[count - 1 - threadIdx.x]);
}

__global__ void shared_memory(int *w)
{
    through_shared<<<2, 64, 4096>>>(w, 1024);
}

__global__ void sort(int *data, int from, int to)
{
    if (to - from < 2)
        return;
    int at = from;
    for (int i = from + 1; i < to; i++)
        if (data[i] < data[from]) {
            const int small = data[i];
            at++;
            data[i] = data[at];
            data[at] = small;
        }
    const int pivot = data[from];
    data[from] = data[at];
    data[at] = pivot;
    if (at - from > 1)
        sort<<<1, 1, 0, cudaStreamFireAndForget>>>(data, from, at);
    if (to - at > 2)
        sort<<<1, 1, 0, cudaStreamFireAndForget>>>(data, at + 1, to);
}

__global__ void fill_numbers(int *w, int count)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        w[i] = (i * 7919 + 13) % 1009;
    __syncthreads();
    if (threadIdx.x == 0)
        sort<<<1, 1>>>(w, 0, count);
}

// Divides squares until a circle does not cut them.
__global__ void divide(int *w, float x, float y, float size, int depth)
{
    const float px = x + size * (threadIdx.x % 2) / 2, py = y + size * (threadIdx.x / 2) / 2;
    const float half = size / 2;
    int inside = 0;
    for (int c = 0; c < 4; c++) {
        const float cx = px + half * (c % 2), cy = py + half * (c / 2);
        inside += cx * cx + cy * cy < 1;
    }
    atomicAdd(w, 1);
    if (inside == 4)
        atomicAdd(w + 1, 1 << 2 * depth);
    else if (inside && depth)
        divide<<<1, 4>>>(w, px, py, half, depth - 1);
}

__global__ void area(int *w)
{
    divide<<<1, 4>>>(w, 0, 0, 1, 5);
}

__global__ void copies(int *w)
{
    cudaMemsetAsync(w + 100, 1, 40, 0);
    cudaMemcpyAsync(w, w + 100, 40, cudaMemcpyDeviceToDevice, 0);
    add<<<1, 1>>>(w, 1);
}

__global__ void device_heap(int *w)
{
    int *made;
    w[0] = cudaMalloc(&made, 64) == cudaSuccess;
    if (w[0]) {
        made[3] = 9;
        w[1] = made[3];
        w[2] = cudaFree(made);
    }
}

__global__ void facts(int *w)
{
    size_t limit;
    w[0] = cudaGetDevice(w + 1) + cudaGetDeviceCount(w + 2);
    w[3] = cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
    w[4] = (int)limit;
}

__device__ u64 nanoseconds()
{
    u64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void note(u64 *time)
{
    *time = nanoseconds();
}

__global__ void note_launches(u64 *time, int launches)
{
    time[0] = nanoseconds();
    const long long from = clock64();
    for (int i = 0; i < launches; i++)
        note<<<1, 1>>>(time + 2 + i);
    time[1] = clock64() - from;
}

__global__ void note_tail(u64 *time)
{
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(time + 1);
    time[0] = nanoseconds();
}

static int *words;

// A hash of the words, or their begin where it says more.
static void show(const char *name, int count)
{
    static int copy[WORDS];
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(copy, words, sizeof copy, cudaMemcpyDeviceToHost));
    unsigned hash = 2166136261u;
    for (int w : copy)
        hash = (hash ^ (unsigned)w) * 16777619u;
    printf("%s,%08x", name, hash);
    for (int i = 0; i < count; i++)
        printf(" %d", copy[i]);
    printf("\n");
    CHECK(cudaMemset(words, 0, sizeof copy));
}

static int cases;
static char **names;
static bool wanted(const char *name)
{
    bool any = cases == 0;
    for (int i = 0; i < cases; i++)
        any = any || !strcmp(names[i], name);
    return any;
}

#define CASE(name, count, ...)                                                                     \
    if (wanted(#name)) {                                                                           \
        __VA_ARGS__;                                                                               \
        CHECK(cudaGetLastError());                                                                 \
        show(#name, count);                                                                        \
    }

static void times()
{
    u64 *time, copy[80];
    CHECK(cudaMalloc(&time, sizeof copy));
    for (int run = 0; run < 6; run++) {
        note_launches<<<1, 1>>>(time, 64);
        CHECK(cudaMemcpy(copy, time, sizeof copy, cudaMemcpyDeviceToHost));
        if (run) { // the first loads code
            printf("time,call,%.0f\n", copy[1] / 64.0 / 1.98);
            printf("time,first_child,%lld\n", (long long)(copy[2] - copy[0]));
            printf("time,each_child,%.0f\n", (copy[65] - copy[2]) / 63.0);
        }
        note_tail<<<1, 1>>>(time);
        CHECK(cudaMemcpy(copy, time, sizeof copy, cudaMemcpyDeviceToHost));
        if (run)
            printf("time,tail,%lld\n", (long long)(copy[1] - copy[0]));
    }
}

int main(int count, char **argument)
{
    cases = count - 1;
    names = argument + 1;
    CHECK(cudaMalloc(&words, WORDS * sizeof(int)));
    CHECK(cudaMemset(words, 0, WORDS * sizeof(int)));
    printf("case,result\n");
    CASE(one_child, 1, one_child<<<1, 1>>>(words));
    CASE(child_of_each_thread, 1, child_of_each_thread<<<1, 32>>>(words));
    CASE(child_of_each_block, 4, child_of_each_block<<<40, 64>>>(words));
    CASE(generations, 12, generations<<<1, 1>>>(words, 10));
    CASE(deepest, 2, count_generations<<<1, 1>>>(words, 0));
    CASE(tail, 1, tail<<<1, 1>>>(words));
    CASE(tails_in_order, 6, tails_in_order<<<1, 1>>>(words));
    CASE(tail_behind_children, 1, tail_behind_children<<<1, 1>>>(words));
    CASE(tail_of_child, 7, tail_of_child<<<1, 1>>>(words));
    CASE(forget, 1, forget<<<2, 1>>>(words));
    CASE(in_order_of_a_block, 7, in_order_of_a_block<<<1, 1>>>(words));
    CASE(in_streams, 4, in_streams<<<1, 1>>>(words));
    CASE(too_many, 3, too_many<<<1, 1>>>(words, 2500));
    CASE(no_threads, 4, wrong_shape<<<1, 1>>>(words, 1, 0, 0));
    CASE(too_many_threads, 4, wrong_shape<<<1, 1>>>(words, 1, 2000, 0));
    CASE(too_much_shared, 4, wrong_shape<<<1, 1>>>(words, 1, 32, 300000));
    CASE(large_parameters, 1, large_parameters<<<1, 1>>>(words));
    CASE(shared_memory, 1, shared_memory<<<1, 1>>>(words));
    CASE(sort, 8, fill_numbers<<<1, 32>>>(words, 100));
    CASE(area, 2, area<<<1, 1>>>(words));
    CASE(copies, 10, copies<<<1, 1>>>(words));
    CASE(device_heap, 3, device_heap<<<1, 1>>>(words));
    CASE(facts, 5, facts<<<1, 1>>>(words));
    // The host's streams wait for all grids.
    CASE(behind_it, 2, one_child<<<1, 1>>>(words); sum_of<<<1, 1>>>(words + 1, words, 1));
    if (wanted("times"))
        times();
    return 0;
}
