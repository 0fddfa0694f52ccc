// Reads of memory that was never written: global, shared and local memory, the heap of kernels,
// copies to the host; and memory that nobody uses. check_case.h says how a case is written.
#include "check_case.h"

#include <cuda_pipeline.h>

// ---- Global memory ----

__global__ void sum_neighbours(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x] + p[threadIdx.x + 1]; // FAULT
}

CASE(never_written, FAULTY, "init", "A kernel reads an array that nothing has written")
{
    device_array<int> p(65), out(64);
    sum_neighbours<<<1, 64>>>(p, out);
}

__global__ void double_all(const int *p, int *out)
{
    out[threadIdx.x] = 2 * p[threadIdx.x]; // FAULT
}

CASE(fill_too_short, FAULTY, "init",
     "cudaMemset() gets the number of elements for the number of bytes")
{
    device_array<int> p(64), out(64);
    cudaMemset(p, 0, 64);
    double_all<<<1, 64>>>(p, out);
}

__global__ void fill_all_but_last(int *p, int n)
{
    if ((int)threadIdx.x < n - 1)
        p[threadIdx.x] = threadIdx.x;
}

__global__ void triple_all(const int *p, int *out)
{
    out[threadIdx.x] = 3 * p[threadIdx.x]; // FAULT
}

CASE(last_element, FAULTY, "init",
     "A kernel writes all elements but the last, the next reads them all")
{
    device_array<int> p(64), out(64);
    fill_all_but_last<<<1, 64>>>(p, 64);
    triple_all<<<1, 64>>>(p, out);
}

__global__ void fill_even(int *p)
{
    if (threadIdx.x % 2 == 0)
        p[threadIdx.x] = threadIdx.x;
}

__global__ void negate_all(const int *p, int *out)
{
    out[threadIdx.x] = -p[threadIdx.x]; // FAULT
}

CASE(odd_elements, FAULTY, "init", "A branch writes the even elements only")
{
    device_array<int> p(64), out(64);
    fill_even<<<1, 64>>>(p);
    negate_all<<<1, 64>>>(p, out);
}

__global__ void accumulate(int *sums, const int *in)
{
    sums[threadIdx.x] += in[threadIdx.x]; // FAULT
}

CASE(sum_without_zero, FAULTY, "init", "A kernel adds to sums that were never set to zero")
{
    device_array<int> sums(64), in(numbers(64));
    accumulate<<<1, 64>>>(sums, in);
}

__global__ void count_up(unsigned *count)
{
    atomicAdd(count, 1u); // FAULT
}

CASE(counter_without_zero, FAULTY, "init", "Atomics count in a word that was never set to zero")
{
    device_array<unsigned> count(1);
    count_up<<<1, 64>>>(count);
}

struct particle {
    float position[3];
    float mass;
    int cell;
};

__global__ void place(particle *p)
{
    p[threadIdx.x].position[0] = p[threadIdx.x].position[1] = p[threadIdx.x].position[2] = 1.0f;
    p[threadIdx.x].cell = threadIdx.x;
}

__global__ void weigh(const particle *p, float *out)
{
    out[threadIdx.x] = p[threadIdx.x].mass * p[threadIdx.x].position[0]; // FAULT
}

CASE(field_never_written, FAULTY, "init", "A field of a struct is read that no kernel has written")
{
    device_array<particle> p(64);
    device_array<float> out(64);
    place<<<1, 64>>>(p);
    weigh<<<1, 64>>>(p, out);
}

__global__ void three_bytes(unsigned char *p)
{
    for (int i = 0; i < 3; i++)
        p[4 * threadIdx.x + i] = (unsigned char)i;
}

__global__ void whole_words(const unsigned *p, unsigned *out)
{
    out[threadIdx.x] = p[threadIdx.x] * 3; // FAULT
}

CASE(fourth_byte, FAULTY, "init", "Three bytes of each word are written, and the word is read")
{
    device_array<unsigned> p(64), out(64);
    three_bytes<<<1, 64>>>((unsigned char *)p.data);
    whole_words<<<1, 64>>>(p, out);
}

CASE(copy_to_host, FAULTY, "init", "cudaMemcpy() to the host of an array that nothing has written")
{
    device_array<int> p(64);
    int values[64];
    cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost); // FAULT
    printf("%d\n", values[0]);
}

__global__ void write_if_prime(int *p)
{
    const int n = threadIdx.x;
    for (int i = 2; i * i <= n; i++)
        if (n % i == 0)
            return;
    p[n] = n;
}

CASE(copy_partly_written_to_host, FAULTY, "init",
     "A kernel writes some elements, the host copies all")
{
    device_array<int> p(64);
    int values[64], sum = 0;
    write_if_prime<<<1, 64>>>(p);
    cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost); // FAULT
    for (int value : values)
        sum += value;
    printf("%d\n", sum);
}

__global__ void square_all(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x] * p[threadIdx.x]; // FAULT
}

CASE(copy_of_unwritten, FAULTY, "init",
     "A kernel reads a copy of an array that nothing has written")
{
    device_array<int> p(64), copy(64), out(64);
    cudaMemcpy(copy, p, 256, cudaMemcpyDeviceToDevice); // FAULT
    square_all<<<1, 64>>>(copy, out);
}

__global__ void step_forward(const int *from, int *to)
{
    to[threadIdx.x] = from[threadIdx.x] + 1; // FAULT
}

CASE(buffers_swapped, FAULTY, "init",
     "A program swaps two buffers before the first step, not after")
{
    device_array<int> a(64, 1), b(64);
    int *from = a, *to = b;
    for (int step = 0; step < 3; step++) {
        int *other = from;
        from = to;
        to = other;
        step_forward<<<1, 64>>>(from, to);
    }
}

__global__ void sum_rows(const char *p, size_t pitch, int *out)
{
    int sum = 0;
    for (size_t x = 0; x < pitch; x++)
        sum += p[threadIdx.x * pitch + x]; // FAULT
    out[threadIdx.x] = sum;
}

CASE(row_padding_read, FAULTY, "init",
     "A kernel reads the padding of rows that cudaMemcpy2D() filled")
{
    char *p;
    size_t pitch;
    const std::vector<char> rows(1000, 1);
    device_array<int> out(2);
    cudaMallocPitch((void **)&p, &pitch, 500, 2);
    cudaMemcpy2D(p, pitch, rows.data(), 500, 500, 2, cudaMemcpyHostToDevice);
    sum_rows<<<1, 2>>>(p, pitch, out);
    cudaFree(p);
}

__global__ void read_recycled(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x] + 5; // FAULT
}

CASE(memory_of_freed_array, FAULTY, "init", "An array has what a freed array at its place has left")
{
    device_array<int> out(64);
    int *p;
    cudaMalloc(&p, 256);
    cudaMemset(p, 0, 256);
    cudaFree(p);
    cudaMalloc(&p, 256);
    read_recycled<<<1, 64>>>(p, out);
    cudaFree(p);
}

__global__ void read_pool(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x] + 6; // FAULT
}

CASE(pool_memory, FAULTY, "init", "Memory of cudaMallocAsync() is read before anything writes it")
{
    device_array<int> out(64);
    int *p;
    cudaMallocAsync((void **)&p, 256, 0);
    read_pool<<<1, 64>>>(p, out);
    cudaFreeAsync(p, 0);
    cudaStreamSynchronize(0);
}

__global__ void read_managed(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x] + 7; // FAULT
}

CASE(managed_memory, FAULTY, "init", "Managed memory is read before anything writes it")
{
    device_array<int> out(64);
    int *p;
    cudaMallocManaged(&p, 256);
    read_managed<<<1, 64>>>(p, out);
    cudaDeviceSynchronize();
    cudaFree(p);
}

__global__ void copy_async_in(const int *p, int *out)
{
    __shared__ int tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &p[threadIdx.x], 4); // FAULT
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x]; // FAULT
}

CASE(async_copy_of_unwritten, FAULTY, "init", "cp.async copies what nothing has written")
{
    device_array<int> p(64), out(64);
    copy_async_in<<<1, 64>>>(p, out);
}

__global__ void heap_unwritten(int *out)
{
    int *p = (int *)malloc(64 * sizeof(int));
    for (int i = 0; i < 63; i++)
        p[i] = i;
    out[0] = p[out[1]]; // FAULT
    free(p);
}

CASE(heap_memory, FAULTY, "init", "A kernel reads an element of its heap that it has not written")
{
    device_array<int> out(2, 63);
    heap_unwritten<<<1, 1>>>(out);
}

CASE(unused_array, FAULTY, "init", "An array is allocated and never used")
{
    device_array<int> p(64), out(1 << 16); // FAULT
    fill_even<<<1, 64>>>(p);
}

CASE(mostly_unused_array, FAULTY, "init", "A kernel uses one 256th of a large array")
{
    device_array<int> p(1 << 14); // FAULT
    fill_even<<<1, 64>>>(p);
}

// ---- Shared and local memory ----

__global__ void shared_unwritten(int *out)
{
    __shared__ int s[64];
    out[threadIdx.x] = s[threadIdx.x] + 1; // FAULT
    __syncthreads();
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] += s[63 - threadIdx.x];
}

CASE(shared_never_written, FAULTY, "init", "A block reads shared memory before it writes it")
{
    device_array<int> out(64);
    shared_unwritten<<<1, 64>>>(out);
}

__global__ void shared_partly(const int *in, int *out, int n)
{
    __shared__ int s[64];
    if ((int)threadIdx.x < n)
        s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x]; // FAULT
}

CASE(shared_partly_written, FAULTY, "init",
     "The last block's tile is not full, and all of it is read")
{
    device_array<int> in(numbers(64)), out(64);
    shared_partly<<<1, 64>>>(in, out, 50);
}

__global__ void tile_with_halo(const int *in, int *out, int n)
{
    __shared__ int tile[66];
    const int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x + 1] = in[i];
    if (threadIdx.x == 0 && i > 0)
        tile[0] = in[i - 1];
    if (threadIdx.x == 63 && i + 1 < n)
        tile[65] = in[i + 1];
    __syncthreads();
    out[i] = tile[threadIdx.x] + tile[threadIdx.x + 2]; // FAULT
}

CASE(shared_halo, FAULTY, "init", "At the edges of the grid nobody writes the halo of a tile")
{
    device_array<int> in(numbers(128)), out(128);
    tile_with_halo<<<2, 64>>>(in, out, 128);
}

__global__ void shared_bins(const int *in, int *out)
{
    __shared__ int bins[16];
    atomicAdd(&bins[in[threadIdx.x] % 16], 1); // FAULT
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = bins[threadIdx.x];
}

CASE(shared_bins_without_zero, FAULTY, "init", "A histogram in shared memory is not set to zero")
{
    device_array<int> in(numbers(64)), out(16);
    shared_bins<<<1, 64>>>(in, out);
}

__global__ void left_by_last_launch(int *out)
{
    extern __shared__ int dynamic[];
    if (out[threadIdx.x] == 0)
        dynamic[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic[threadIdx.x]; // FAULT
}

CASE(shared_of_last_launch, FAULTY, "init",
     "A launch reads what the launch before left in shared memory")
{
    device_array<int> out(64, 0);
    left_by_last_launch<<<1, 64, 256>>>(out);
    left_by_last_launch<<<1, 64, 256>>>(out);
}

__global__ void local_partly(const int *in, int *out, int n)
{
    int values[32];
    for (int i = 0; i < n; i++)
        values[in[i]] = i;
    int sum = 0;
    for (int i = 0; i <= n; i++)
        sum += values[in[i]]; // FAULT
    out[threadIdx.x] = sum;
}

CASE(local_array, FAULTY, "init",
     "A loop reads one element more of a local array than it has written")
{
    device_array<int> in(numbers(32)), out(32);
    local_partly<<<1, 32>>>(in, out, 20);
}

__global__ void local_some(const int *in, int *out)
{
    int best[4];
    for (int i = 0; i < 8; i++)
        if (in[i] > 3)
            best[in[i] % 4] = i;
    out[threadIdx.x] = best[in[threadIdx.x % 8] % 4]; // FAULT
}

CASE(local_array_by_condition, FAULTY, "init",
     "Elements of a local array are written if data say so")
{
    std::vector<int> values = {1, 2, 5, 9, 0, 4, 8, 3};
    device_array<int> in(values), out(32);
    local_some<<<1, 32>>>(in, out);
}

// ---- Correct ----

struct padded {
    char kind;
    double value;
};

__global__ void fill_padded(padded *p)
{
    p[threadIdx.x].kind = 1;
    p[threadIdx.x].value = threadIdx.x;
}

CASE(padding_copied_back, CORRECT, "init",
     "The host copies structs whose padding was never written")
{
    device_array<padded> p(64);
    fill_padded<<<1, 64>>>(p);
    const std::vector<padded> found = p.host();
    bool right = true;
    for (int i = 0; i < 64; i++)
        right &= found[i].kind == 1 && found[i].value == i;
    expect(right, "structs");
}

__global__ void copy_padded(const padded *from, padded *to)
{
    to[threadIdx.x] = from[threadIdx.x];
}

CASE(padding_copied_by_kernel, CORRECT, "init", "A kernel copies structs with their padding")
{
    device_array<padded> p(64), copy(64);
    fill_padded<<<1, 64>>>(p);
    copy_padded<<<1, 64>>>(p, copy);
    const std::vector<padded> found = copy.host();
    bool right = true;
    for (int i = 0; i < 64; i++)
        right &= found[i].kind == 1 && found[i].value == i;
    expect(right, "structs");
}

__global__ void sum_even(const int *p, int *out)
{
    *out = 0;
    for (int i = 0; i < 64; i += 2)
        *out += p[i];
}

CASE(unwritten_never_read, CORRECT, "init",
     "Half of an array is written, and only that half is read")
{
    device_array<int> p(64), out(1);
    fill_even<<<1, 64>>>(p);
    sum_even<<<1, 1>>>(p, out);
    expect(out.host()[0] == 992, "the sum");
}

__global__ void halve_all(const int *p, int *out)
{
    out[threadIdx.x] = p[threadIdx.x] / 2;
}

CASE(fill_then_part, CORRECT, "init",
     "cudaMemset(), then a kernel that writes half, then a read of all")
{
    device_array<int> p(64), out(64);
    MUST(cudaMemset(p, 0, 256));
    fill_even<<<1, 64>>>(p);
    halve_all<<<1, 64>>>(p, out);
    expect(all(out.host(), [](int i) { return i % 2 ? 0 : i / 2; }), "halves");
}

__device__ int zeroed[64];

__global__ void count_in_zeroed(int *out)
{
    out[threadIdx.x] = atomicAdd(&zeroed[threadIdx.x], 2);
}

CASE(device_variable_is_zero, CORRECT, "init",
     "A __device__ array without an initial value is zero")
{
    device_array<int> out(64);
    count_in_zeroed<<<1, 64>>>(out);
    expect(all(out.host(), [](int) { return 0; }), "zeros");
}

__global__ void four_bytes(unsigned char *p)
{
    for (int i = 0; i < 4; i++)
        p[4 * threadIdx.x + i] = (unsigned char)(i + 1);
}

__global__ void copy_words(const unsigned *p, unsigned *out)
{
    out[threadIdx.x] = p[threadIdx.x];
}

CASE(bytes_make_words, CORRECT, "init",
     "All bytes of a word are written one by one, then the word is read")
{
    device_array<unsigned> p(64), out(64);
    four_bytes<<<1, 64>>>((unsigned char *)p.data);
    copy_words<<<1, 64>>>(p, out);
    expect(all(out.host(), [](int) { return 0x04030201u; }), "words");
}

__global__ void lengths(const float4 *p, float *out)
{
    const float4 v = p[threadIdx.x];
    out[threadIdx.x] = v.x * v.x + v.y * v.y + v.z * v.z;
}

__global__ void three_of_four(float *p)
{
    for (int i = 0; i < 3; i++)
        p[4 * threadIdx.x + i] = (float)(i + 1);
}

CASE(unused_part_of_wide_load, CORRECT, "init",
     "A load of 16 bytes takes 4 unwritten bytes along, unused")
{
    device_array<float> p(256), out(64);
    three_of_four<<<1, 64>>>(p);
    lengths<<<1, 64>>>((const float4 *)p.data, out);
    expect(all(out.host(), [](int) { return 14.0f; }), "lengths");
}

CASE(rows_copied_as_rows, CORRECT, "init",
     "cudaMemcpy2D() in and out leaves the padding of rows alone")
{
    char *p;
    size_t pitch;
    const std::vector<char> rows(800, 1);
    std::vector<char> back(800, 0);
    MUST(cudaMallocPitch((void **)&p, &pitch, 100, 8));
    MUST(cudaMemcpy2D(p, pitch, rows.data(), 100, 100, 8, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy2D(back.data(), 100, p, pitch, 100, 8, cudaMemcpyDeviceToHost));
    expect(rows == back, "rows");
    MUST(cudaFree(p));
}

__global__ void shared_in_part(const int *in, int *out, int n)
{
    __shared__ int s[64];
    if ((int)threadIdx.x < n)
        s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = (int)threadIdx.x < n ? s[n - 1 - threadIdx.x] : 0;
}

CASE(shared_part_read, CORRECT, "init", "A tile that is not full is read only where it was written")
{
    device_array<int> in(numbers(64)), out(64);
    shared_in_part<<<1, 64>>>(in, out, 50);
    expect(all(out.host(), [](int i) { return i < 50 ? 49 - i : 0; }), "words");
}

__global__ void local_all(const int *in, int *out, int n)
{
    int values[32];
    for (int i = 0; i < n; i++)
        values[in[i]] = i;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[in[n - 1 - i]];
    out[threadIdx.x] = sum;
}

CASE(local_array_part_read, CORRECT, "init",
     "A part of a local array is written, and that part is read")
{
    device_array<int> in(numbers(32)), out(32);
    local_all<<<1, 32>>>(in, out, 20);
    expect(all(out.host(), [](int) { return 190; }), "sums");
}

__global__ void clear_then_count(const int *in, int *out)
{
    __shared__ int bins[16];
    for (int i = threadIdx.x; i < 16; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = bins[threadIdx.x];
}

CASE(shared_bins_with_zero, CORRECT, "init", "A histogram in shared memory is set to zero first")
{
    device_array<int> in(numbers(64)), out(16);
    clear_then_count<<<1, 64>>>(in, out);
    expect(all(out.host(), [](int) { return 4; }), "bins");
}

CASE(managed_written_by_host, CORRECT, "init",
     "The host writes managed and pinned memory, kernels read it")
{
    int *managed, *pinned;
    device_array<int> out(64);
    MUST(cudaMallocManaged(&managed, 256));
    MUST(cudaMallocHost(&pinned, 256));
    for (int i = 0; i < 64; i++)
        managed[i] = pinned[i] = 2 * i;
    halve_all<<<1, 64>>>(managed, out);
    expect(all(out.host(), [](int i) { return i; }), "managed memory");
    halve_all<<<1, 64>>>(pinned, out);
    expect(all(out.host(), [](int i) { return i; }), "pinned memory");
    MUST(cudaFree(managed));
    MUST(cudaFreeHost(pinned));
}

__global__ void smallest_of_valid(const int4 *in, int n, int *out)
{
    const int4 v = in[threadIdx.x];
    const int first = 4 * threadIdx.x;
    int least = v.x;
    least = first + 1 < n ? min(least, v.y) : least;
    least = first + 2 < n ? min(least, v.z) : least;
    least = first + 3 < n ? min(least, v.w) : least;
    out[threadIdx.x] = least;
}

CASE(wide_load_past_the_last_word, CORRECT, "init",
     "A load of 16 bytes takes along words that nothing has written, and drops them")
{
    const int n = 4 * 63 + 1;
    device_array<int> in(256), out(64);
    MUST(cudaMemset(in, 1, n * sizeof(int)));
    smallest_of_valid<<<1, 64>>>((const int4 *)in.data, n, out);
    expect(all(out.host(), [](int) { return 0x01010101; }), "values");
}
