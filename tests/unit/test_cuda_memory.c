/* The runtime's memory: what addresses mean, copies of every shape, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/graph_abi.h"
#include "cuda_fixture.h"

enum cuda_error cudaMallocManaged(void **pointer, size_t size, unsigned flags);
enum cuda_error cudaMallocHost(void **pointer, size_t size);
enum cuda_error cudaFreeHost(void *pointer);
enum cuda_error cudaHostRegister(void *pointer, size_t size, unsigned flags);
enum cuda_error cudaHostUnregister(void *pointer);
enum cuda_error cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
enum cuda_error cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
enum cuda_error cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                             size_t width, size_t height, int kind);
enum cuda_error cudaMemcpy3D(const struct cuda_copy_3d *request);
enum cuda_error cudaMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height);
enum cuda_error cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
enum cuda_error cudaPointerGetAttributes(struct cuda_pointer_attributes *attributes,
                                         const void *pointer);
enum cuda_error cudaMallocAsync(void **pointer, size_t size, void *stream);
enum cuda_error cudaFreeAsync(void *pointer, void *stream);
enum cuda_error cudaDeviceGetDefaultMemPool(void **pool, int device);
enum cuda_error cudaMemPoolGetAttribute(void *handle, int attribute, void *value);
enum cuda_error cudaDeviceReset(void);

enum cuda_error cudaGraphCreate(void **graph, unsigned flags);
enum cuda_error cudaGraphAddMemAllocNode(void **node, void *graph, void *const *from, size_t count,
                                         struct cuda_alloc_node *params);
enum cuda_error cudaGraphAddMemFreeNode(void **node, void *graph, void *const *from, size_t count,
                                        void *pointer);
enum cuda_error cudaGraphMemFreeNodeGetParams(void *node, void **pointer);
enum cuda_error cudaGraphAddMemsetNode(void **node, void *graph, void *const *from, size_t count,
                                       const struct cuda_fill_node *params);
enum cuda_error cudaGraphInstantiate(void **exec, void *graph, unsigned long long flags);
enum cuda_error cudaGraphLaunch(void *exec, void *stream);

static int begin(void **state)
{
    (void)state;
    program_begin("configs/teaching.yaml", "SIMSM_DEVICE_MEMORY", "64MiB");
    return 0;
}

static void memory_is_zero_and_copied(void **state)
{
    (void)state;
    void *device;
    uint32_t out[100], in[100];
    assert_int_equal(cudaMalloc(&device, sizeof in), CUDA_SUCCESS);
    memset(out, 0xff, sizeof out);
    assert_int_equal(cudaMemcpy(out, device, sizeof out, COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(out[i], 0);
        in[i] = i * i;
    }
    assert_int_equal(cudaMemcpy(device, in, sizeof in, COPY_DEFAULT), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(out, device, sizeof out, COPY_DEFAULT), CUDA_SUCCESS);
    assert_memory_equal(in, out, sizeof in);
    assert_int_equal(cudaMemset(device, 0x5a, 7), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(out, device, 8, COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
    assert_int_equal(out[0], 0x5a5a5a5a);
    assert_int_equal(out[1], 0x005a5a5a);
    assert_int_equal(cudaFree(device), CUDA_SUCCESS);
    assert_int_equal(cudaFree(NULL), CUDA_SUCCESS);
}

static void mistakes_are_refused(void **state)
{
    (void)state;
    void *device;
    uint8_t host[200] = {0};
    assert_int_equal(cudaMalloc(&device, 100), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(device, host, 101, COPY_HOST_TO_DEVICE), CUDA_INVALID_VALUE);
    assert_int_equal(cudaPeekAtLastError(), CUDA_INVALID_VALUE);
    assert_int_equal(cudaGetLastError(), CUDA_INVALID_VALUE);
    assert_int_equal(cudaGetLastError(), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(device, host, 10, COPY_DEVICE_TO_HOST), CUDA_INVALID_VALUE);
    assert_int_equal(cudaMemcpy(host, host + 100, 10, COPY_DEVICE_TO_DEVICE), CUDA_INVALID_VALUE);
    assert_int_equal(cudaMemcpy(device, host, 10, 7), CUDA_INVALID_MEMCPY_DIRECTION);
    assert_int_equal(cudaMemcpy(NULL, host, 10, COPY_HOST_TO_DEVICE), CUDA_INVALID_VALUE);
    assert_int_equal(cudaMemset(host, 0, 10), CUDA_INVALID_VALUE);
    assert_int_equal(cudaFree((char *)device + 4), CUDA_INVALID_VALUE);
    assert_int_equal(cudaFree(device), CUDA_SUCCESS);
    assert_int_equal(cudaFree(device), CUDA_INVALID_VALUE);
    assert_int_equal(cudaMemcpy(device, host, 10, COPY_HOST_TO_DEVICE), CUDA_INVALID_VALUE);
    assert_int_equal(cudaMalloc(&device, 65 << 20), CUDA_MEMORY_ALLOCATION);
    assert_null(device);
}

static void both_sides_reach_managed_and_pinned_memory(void **state)
{
    (void)state;
    int *managed, *pinned, own[64] = {0};
    void *device;
    struct cuda_pointer_attributes attributes;
    assert_int_equal(cudaMallocManaged((void **)&managed, 5000, 1), CUDA_SUCCESS);
    assert_int_equal(cudaMallocHost((void **)&pinned, 5000), CUDA_SUCCESS);
    assert_int_equal(managed[1249], 0);
    managed[3] = 42;
    assert_int_equal(cudaMemcpy(pinned, managed, 5000, COPY_DEFAULT), CUDA_SUCCESS);
    assert_int_equal(pinned[3], 42);
    assert_int_equal(cudaMemset(managed, 1, 16), CUDA_SUCCESS);
    assert_int_equal(managed[3], 0x01010101);
    assert_int_equal(cudaPointerGetAttributes(&attributes, managed + 9), CUDA_SUCCESS);
    assert_int_equal(attributes.type, MEMORY_MANAGED);
    assert_ptr_equal(attributes.device_pointer, managed + 9);
    assert_int_equal(cudaPointerGetAttributes(&attributes, own), CUDA_SUCCESS);
    assert_int_equal(attributes.type, MEMORY_UNREGISTERED);
    assert_int_equal(cudaHostGetDevicePointer(&device, own, 0), CUDA_INVALID_VALUE);
    assert_int_equal(cudaHostRegister(own, sizeof own, 0), CUDA_SUCCESS);
    assert_int_equal(cudaHostRegister(own + 3, 8, 0), CUDA_HOST_MEMORY_ALREADY_REGISTERED);
    assert_int_equal(cudaHostGetDevicePointer(&device, own, 0), CUDA_SUCCESS);
    assert_ptr_equal(device, own);
    assert_int_equal(cudaMemset(own, 0xff, 4), CUDA_SUCCESS);
    assert_int_equal(own[0], -1);
    assert_int_equal(cudaHostUnregister(own), CUDA_SUCCESS);
    assert_int_equal(cudaHostUnregister(own), CUDA_HOST_MEMORY_NOT_REGISTERED);
    assert_int_equal(cudaFree(pinned), CUDA_INVALID_VALUE);
    assert_int_equal(cudaFreeHost(pinned), CUDA_SUCCESS);
    assert_int_equal(cudaFree(managed), CUDA_SUCCESS);
}

static void rows_and_layers_are_copied(void **state)
{
    (void)state;
    enum { W = 10, H = 4, D = 3 };
    uint8_t in[D][H][W], out[D][H][W] = {{{0}}};
    for (size_t i = 0; i < sizeof in; i++)
        (&in[0][0][0])[i] = (uint8_t)(i + 1);
    void *device;
    size_t pitch;
    assert_int_equal(cudaMallocPitch(&device, &pitch, W, H * D), CUDA_SUCCESS);
    assert_int_equal(pitch % 512, 0);
    assert_int_equal(cudaMemcpy2D(device, pitch, in, W, W, H * D, COPY_HOST_TO_DEVICE),
                     CUDA_SUCCESS);
    struct cuda_copy_3d copy = {.src_pos = {1, 1, 1},
                                .src = {device, pitch, W, H},
                                .dst = {out, W, W, H},
                                .extent = {W - 2, H - 1, D - 1},
                                .kind = COPY_DEVICE_TO_HOST};
    assert_int_equal(cudaMemcpy3D(&copy), CUDA_SUCCESS);
    assert_int_equal(out[0][0][0], in[1][1][1]);
    assert_int_equal(out[1][2][7], in[2][3][8]);
    assert_int_equal(out[0][0][8], 0);
    assert_int_equal(cudaMemset2D(device, pitch, 9, 2, H), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy2D(out, W, device, pitch, W, H, COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
    assert_int_equal(out[0][3][1], 9);
    assert_int_equal(out[0][3][2], in[0][3][2]);
    assert_int_equal(cudaMemcpy2D(out, 4, device, pitch, W, H, COPY_DEVICE_TO_HOST),
                     CUDA_INVALID_PITCH_VALUE);
}

static void pools_count(void **state)
{
    (void)state;
    void *pool, *a, *b;
    uint64_t used;
    assert_int_equal(cudaDeviceGetDefaultMemPool(&pool, 0), CUDA_SUCCESS);
    assert_int_equal(cudaMallocAsync(&a, 1000, NULL), CUDA_SUCCESS);
    assert_int_equal(cudaMallocAsync(&b, 500, NULL), CUDA_SUCCESS);
    assert_int_equal(cudaFreeAsync(a, NULL), CUDA_SUCCESS);
    assert_int_equal(cudaMemPoolGetAttribute(pool, POOL_USED_CURRENT, &used), CUDA_SUCCESS);
    assert_int_equal(used, 500);
    assert_int_equal(cudaMemPoolGetAttribute(pool, POOL_USED_HIGH, &used), CUDA_SUCCESS);
    assert_int_equal(used, 1500);
    assert_int_equal(cudaFreeAsync(a, NULL), CUDA_INVALID_VALUE);
    assert_int_equal(cudaFreeAsync(b, NULL), CUDA_SUCCESS);
}

static void reset_gives_memory_back(void **state)
{
    (void)state;
    size_t before, after, total;
    void *device;
    assert_int_equal(cudaMemGetInfo(&before, &total), CUDA_SUCCESS);
    assert_int_equal(total, 64 << 20);
    assert_int_equal(cudaMalloc(&device, 1 << 20), CUDA_SUCCESS);
    assert_int_equal(cudaMemGetInfo(&after, &total), CUDA_SUCCESS);
    assert_int_equal(before - after, 1 << 20);
    assert_int_equal(cudaDeviceReset(), CUDA_SUCCESS);
    assert_int_equal(cudaMemGetInfo(&after, &total), CUDA_SUCCESS);
    assert_int_equal(before, after);
}

/* A graph allocates memory and fills it; the program frees it, and runs the graph again. */
static void graphs_allocate(void **state)
{
    (void)state;
    enum { BYTES = 1000 };
    void *graph, *node, *exec, *freed;
    uint8_t got[BYTES];
    struct cuda_alloc_node params = {.size = BYTES};
    assert_int_equal(cudaGraphCreate(&graph, 0), CUDA_SUCCESS);
    assert_int_equal(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params), CUDA_SUCCESS);
    const struct cuda_fill_node fill = {params.pointer, BYTES, 7, 1, BYTES, 1};
    assert_int_equal(cudaGraphAddMemsetNode(&node, graph, &node, 1, &fill), CUDA_SUCCESS);
    assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), CUDA_SUCCESS);
    for (int run = 0; run < 2; run++) {
        assert_int_equal(cudaGraphLaunch(exec, NULL), CUDA_SUCCESS);
        assert_int_equal(cudaMemcpy(got, params.pointer, BYTES, COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
        assert_int_equal(got[0], 7);
        assert_int_equal(got[BYTES - 1], 7);
        assert_int_equal(cudaFree(params.pointer), CUDA_SUCCESS);
        assert_int_equal(cudaMemcpy(got, params.pointer, 1, COPY_DEVICE_TO_HOST),
                         CUDA_INVALID_VALUE);
    }
    assert_int_equal(cudaGraphAddMemFreeNode(&node, graph, NULL, 0, params.pointer),
                     CUDA_INVALID_VALUE);
    params = (struct cuda_alloc_node){.size = BYTES};
    assert_int_equal(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params), CUDA_SUCCESS);
    assert_int_equal(cudaGraphAddMemFreeNode(&node, graph, &node, 1, params.pointer), CUDA_SUCCESS);
    assert_int_equal(cudaGraphMemFreeNodeGetParams(node, &freed), CUDA_SUCCESS);
    assert_ptr_equal(freed, params.pointer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(memory_is_zero_and_copied, begin),
        cmocka_unit_test_setup(mistakes_are_refused, begin),
        cmocka_unit_test_setup(both_sides_reach_managed_and_pinned_memory, begin),
        cmocka_unit_test_setup(rows_and_layers_are_copied, begin),
        cmocka_unit_test_setup(pools_count, begin),
        cmocka_unit_test_setup(reset_gives_memory_back, begin),
        cmocka_unit_test_setup(graphs_allocate, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
