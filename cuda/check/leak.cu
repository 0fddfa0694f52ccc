// Memory and other things that a program takes and never gives back. check_case.h says how a case
// is written.
#include "check_case.h"

__global__ void fill(int *p)
{
    p[threadIdx.x] = threadIdx.x;
}

CASE(array, FAULTY, "leak", "An array of cudaMalloc() is never freed")
{
    int *p;
    cudaMalloc(&p, 1024); // FAULT
    fill<<<1, 32>>>(p);
}

CASE(pointer_overwritten, FAULTY, "leak",
     "A loop allocates into the same pointer and frees the last")
{
    int *p = nullptr;
    for (int i = 0; i < 4; i++) {
        cudaMalloc(&p, 1024); // FAULT
        fill<<<1, 32>>>(p);
    }
    cudaFree(p);
}

static bool two_arrays(size_t second)
{
    int *a, *b;
    if (cudaMalloc(&a, 1024) != cudaSuccess) // FAULT
        return false;
    fill<<<1, 32>>>(a);
    if (second == 0 || cudaMalloc(&b, second) != cudaSuccess)
        return false;
    fill<<<1, 32>>>(b);
    cudaFree(a);
    cudaFree(b);
    return true;
}

CASE(early_return, FAULTY, "leak", "A function returns early, without freeing its first array")
{
    printf("%d\n", two_arrays(0));
}

CASE(pool_memory, FAULTY, "leak", "Memory of cudaMallocAsync() is never freed")
{
    int *p;
    cudaMallocAsync((void **)&p, 4096, 0); // FAULT
    fill<<<1, 32>>>(p);
    cudaStreamSynchronize(0);
}

CASE(managed_memory, FAULTY, "leak", "Managed memory is never freed")
{
    int *p;
    cudaMallocManaged(&p, 4096); // FAULT
    fill<<<1, 32>>>(p);
    cudaDeviceSynchronize();
}

CASE(pinned_memory, FAULTY, "leak", "Pinned host memory is never freed")
{
    int *p;
    cudaMallocHost(&p, 4096); // FAULT
    fill<<<1, 32>>>(p);
    cudaDeviceSynchronize();
}

CASE(pitched_memory, FAULTY, "leak", "Memory of cudaMallocPitch() is never freed")
{
    int *p;
    size_t pitch;
    cudaMallocPitch((void **)&p, &pitch, 100, 8); // FAULT
    fill<<<1, 25>>>(p);
}

CASE(cuda_array, FAULTY, "leak", "A cudaArray is never freed")
{
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const std::vector<float> values(64 * 64, 1.0f);
    cudaMallocArray(&array, &format, 64, 64, 0); // FAULT
    cudaMemcpy2DToArray(array, 0, 0, values.data(), 256, 256, 64, cudaMemcpyHostToDevice);
}

__global__ void allocate_all(int **kept)
{
    kept[threadIdx.x] = (int *)malloc(64); // FAULT
}

__global__ void free_all(int **kept)
{
    free(kept[threadIdx.x]);
}

CASE(kernel_heap, FAULTY, "leak", "Memory of malloc() in a kernel is never freed")
{
    device_array<int *> kept(32);
    allocate_all<<<1, 32>>>(kept);
}

__global__ void allocate_list(int **kept)
{
    kept[threadIdx.x] = (int *)malloc(128); // FAULT
}

CASE(kernel_heap_in_part, FAULTY, "leak", "31 of 32 pieces of a kernel's heap are freed")
{
    device_array<int *> kept(32);
    allocate_list<<<1, 32>>>(kept);
    free_all<<<1, 31>>>(kept);
}

// ---- Correct ----

CASE(all_freed, CORRECT, "leak", "Memory of every kind, all of it freed")
{
    int *device, *pool, *managed, *pinned, *pitched;
    size_t pitch;
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    MUST(cudaMalloc(&device, 1024));
    MUST(cudaMallocAsync((void **)&pool, 1024, 0));
    MUST(cudaMallocManaged(&managed, 1024));
    MUST(cudaMallocHost(&pinned, 1024));
    MUST(cudaMallocPitch((void **)&pitched, &pitch, 100, 8));
    MUST(cudaMallocArray(&array, &format, 64, 64, 0));
    const std::vector<float> values(64 * 64, 1.0f);
    MUST(cudaMemcpy2DToArray(array, 0, 0, values.data(), 256, 256, 64, cudaMemcpyHostToDevice));
    for (int *p : {device, pool, managed, pinned, pitched})
        fill<<<1, 256>>>(p);
    MUST(cudaFreeAsync(pool, 0));
    MUST(cudaDeviceSynchronize());
    MUST(cudaFree(device));
    MUST(cudaFree(managed));
    MUST(cudaFreeHost(pinned));
    MUST(cudaFree(pitched));
    MUST(cudaFreeArray(array));
}

CASE(second_allocation_fails, CORRECT, "leak", "A function frees its arrays on the usual way out")
{
    expect(two_arrays(1024), "two arrays");
}

CASE(heap_freed_by_next_launch, CORRECT, "leak", "A launch frees what the launch before allocated")
{
    device_array<int *> kept(32);
    allocate_all<<<1, 32>>>(kept);
    free_all<<<1, 32>>>(kept);
}

static int *kept_to_the_end;

CASE(freed_at_exit, CORRECT, "leak", "A function that runs when the program ends frees an array")
{
    MUST(cudaMalloc(&kept_to_the_end, 1024));
    fill<<<1, 256>>>(kept_to_the_end);
    atexit([] { cudaFree(kept_to_the_end); });
}

CASE(freed_in_another_stream, CORRECT, "leak",
     "A stream frees what another one allocated, after it")
{
    int *p;
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaMallocAsync((void **)&p, 1024, stream));
    fill<<<1, 256, 0, stream>>>(p);
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaFreeAsync(p, 0));
    MUST(cudaDeviceSynchronize());
    MUST(cudaStreamDestroy(stream));
}
