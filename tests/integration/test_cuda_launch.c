/* Kernels through the runtime: arguments, results, time, what is refused, what fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "cuda_fixture.h"

struct program_kernel;

enum cuda_error cudaFuncSetAttribute(const void *stub, int attribute, int value);
enum cuda_error cudaFuncGetAttributes(struct cuda_func_attributes *attributes, const void *stub);
enum cuda_error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub,
                                                              int threads, size_t shared);
enum cuda_error cudaEventCreate(void **event);
enum cuda_error cudaEventDestroy(void *event);
enum cuda_error cudaEventRecord(void *event, void *stream);
enum cuda_error cudaEventElapsedTime(float *ms, void *from, void *to);
enum cuda_error __cudaGetKernel(struct program_kernel **kernel, const void *stub);
unsigned __cudaPushCallConfiguration(struct cuda_dim3 grid, struct cuda_dim3 block, size_t shared,
                                     void *stream);
enum cuda_error __cudaPopCallConfiguration(struct cuda_dim3 *grid, struct cuda_dim3 *block,
                                           size_t *shared, void *stream);

enum { N = 1000 };

static const char vecadd[1], collatz[1], endless[1], never_written[1],
    unknown[1]; /* their addresses are the host functions */
static struct test_fatbin fatbin;
static void **handle;

static int begin_with(const char *variable, const char *value)
{
    program_begin("configs/t4.yaml", variable, value);
    if (!fatbin_make(&fatbin, "tests/data/sass/execute/kernels.sm_75.cubin", 75))
        return -1;
    handle = __cudaRegisterFatBinary(&fatbin);
    __cudaRegisterFunction(handle, vecadd, NULL, "vecadd", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, collatz, NULL, "collatz", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, endless, NULL, "endless", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, never_written, NULL, "never_written", -1, NULL, NULL, NULL, NULL,
                           NULL);
    return 0;
}

static int begin(void **state)
{
    (void)state;
    return begin_with("SIMSM_SET", "gpu.sms=2");
}

static int begin_functional(void **state)
{
    (void)state;
    return begin_with("SIMSM_FUNCTIONAL", "1");
}

static int begin_limited(void **state)
{
    (void)state;
    return begin_with("SIMSM_MAX_CYCLES", "1600");
}

static int begin_lenient(void **state)
{
    (void)state;
    return begin_with("SIMSM_LENIENT", "1");
}

static int finish(void **state)
{
    (void)state;
    __cudaUnregisterFatBinary(handle);
    rt_reset_for_test();
    free(fatbin.bytes);
    return 0;
}

/* c = a + b for N numbers in blocks of 128 threads; returns the launch's error. */
static enum cuda_error add(float *c)
{
    static float a[N], b[N];
    void *device[3];
    int n = N;
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = (float)(3 * i + 1);
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(cudaMalloc(&device[i], sizeof a), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(device[0], a, sizeof a, COPY_HOST_TO_DEVICE), CUDA_SUCCESS);
    assert_int_equal(cudaMemcpy(device[1], b, sizeof b, COPY_HOST_TO_DEVICE), CUDA_SUCCESS);
    void *arguments[] = {&device[0], &device[1], &device[2], &n};
    enum cuda_error error = cudaLaunchKernel(vecadd, (struct cuda_dim3){(N + 127) / 128, 1, 1},
                                             (struct cuda_dim3){128, 1, 1}, arguments, 0, NULL);
    assert_int_equal(cudaMemcpy(c, device[2], sizeof a, COPY_DEVICE_TO_HOST), CUDA_SUCCESS);
    return error;
}

static void check_sums(void)
{
    float c[N];
    assert_int_equal(add(c), CUDA_SUCCESS);
    for (int i = 0; i < N; i++)
        assert_float_equal(c[i], (float)(4 * i + 1), 0);
}

static void kernels_give_results(void **state)
{
    (void)state;
    check_sums();
}

static void events_measure_simulated_time(void **state)
{
    (void)state;
    void *event[3];
    float c[N], empty, kernel;
    for (int i = 0; i < 3; i++)
        assert_int_equal(cudaEventCreate(&event[i]), CUDA_SUCCESS);
    assert_int_equal(cudaEventElapsedTime(&empty, event[0], event[1]),
                     CUDA_INVALID_RESOURCE_HANDLE);
    assert_int_equal(cudaEventRecord(event[0], NULL), CUDA_SUCCESS);
    assert_int_equal(cudaEventRecord(event[1], NULL), CUDA_SUCCESS);
    assert_int_equal(add(c), CUDA_SUCCESS);
    assert_int_equal(cudaEventRecord(event[2], NULL), CUDA_SUCCESS);
    assert_int_equal(cudaEventElapsedTime(&empty, event[0], event[1]), CUDA_SUCCESS);
    assert_int_equal(cudaEventElapsedTime(&kernel, event[1], event[2]), CUDA_SUCCESS);
    assert_true(empty > 0);
    assert_true(kernel > empty + 1500 / 1590e3F); /* the cycles before the first block alone */
    for (int i = 0; i < 3; i++)
        assert_int_equal(cudaEventDestroy(event[i]), CUDA_SUCCESS);
    assert_int_equal(cudaEventDestroy(event[0]), CUDA_INVALID_RESOURCE_HANDLE);
}

static void bad_launches_are_refused(void **state)
{
    (void)state;
    const struct cuda_dim3 one = {1, 1, 1}, none = {0, 1, 1}, large = {1025, 1, 1};
    void *arguments[4] = {0};
    assert_int_equal(cudaLaunchKernel(unknown, one, one, arguments, 0, NULL),
                     CUDA_INVALID_RESOURCE_HANDLE);
    assert_int_equal(cudaLaunchKernel(vecadd, none, one, arguments, 0, NULL), CUDA_INVALID_VALUE);
    assert_int_equal(cudaLaunchKernel(vecadd, one, large, arguments, 0, NULL), CUDA_INVALID_VALUE);
    assert_int_equal(cudaLaunchKernel(vecadd, one, one, arguments, 50000, NULL),
                     CUDA_INVALID_VALUE);
    assert_int_equal(cudaLaunchKernel(vecadd, one, one, NULL, 0, NULL), CUDA_INVALID_VALUE);
    assert_int_equal(cudaGetLastError(), CUDA_INVALID_VALUE);
    check_sums();
}

static void attributes_are_the_code_s(void **state)
{
    (void)state;
    struct cuda_func_attributes attributes;
    int blocks;
    assert_int_equal(cudaFuncGetAttributes(&attributes, vecadd), CUDA_SUCCESS);
    assert_int_equal(attributes.binary_version, 75);
    assert_true(attributes.registers > 0 && attributes.registers <= 32);
    assert_int_equal(attributes.max_threads, 1024);
    assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, vecadd, 128, 0),
                     CUDA_SUCCESS);
    assert_int_equal(blocks, 8); /* 1024 threads of an SM */
    assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, vecadd, 128, 30000),
                     CUDA_SUCCESS);
    assert_int_equal(blocks, 2);
    assert_int_equal(cudaFuncSetAttribute(vecadd, FUNC_MAX_DYNAMIC_SHARED, 65536), CUDA_SUCCESS);
    assert_int_equal(cudaFuncSetAttribute(vecadd, FUNC_MAX_DYNAMIC_SHARED, 65537),
                     CUDA_INVALID_VALUE);
    struct program_kernel *kernel;
    assert_int_equal(__cudaGetKernel(&kernel, vecadd), CUDA_SUCCESS);
    assert_int_equal(cudaFuncGetAttributes(&attributes, kernel), CUDA_SUCCESS);
    assert_int_equal(attributes.max_dynamic_shared, 65536);
}

/* A kernel that faults: the launch succeeds, all that follows tells. */
static void a_fault_breaks_the_device(void **state)
{
    (void)state;
    const struct cuda_dim3 one = {1, 1, 1};
    int n = 1;
    void *null = NULL, *device;
    void *arguments[] = {&null, &null, &null, &n};
    assert_int_equal(cudaLaunchKernel(vecadd, one, one, arguments, 0, NULL), CUDA_SUCCESS);
    assert_int_equal(cudaGetLastError(), CUDA_SUCCESS);
    assert_int_equal(cudaDeviceSynchronize(), CUDA_ILLEGAL_ADDRESS);
    assert_int_equal(cudaMalloc(&device, 4), CUDA_ILLEGAL_ADDRESS);
    assert_int_equal(cudaGetLastError(), CUDA_ILLEGAL_ADDRESS);
}

/* A kernel with an illegal instruction, with the error that a GPU gives. */
static void an_illegal_instruction_is_told(void **state)
{
    (void)state;
    static const char numbered_barrier[1];
    struct test_fatbin barriers;
    void *device;
    unsigned kinds = 2;
    void *arguments[] = {&device, &kinds};
    assert_true(fatbin_make(&barriers, "tests/data/sass/execute/barriers.sm_75.cubin", 75));
    void **more = __cudaRegisterFatBinary(&barriers);
    __cudaRegisterFunction(more, numbered_barrier, NULL, "numbered_barrier", -1, NULL, NULL, NULL,
                           NULL, NULL);
    assert_int_equal(cudaMalloc(&device, 4096), CUDA_SUCCESS);
    assert_int_equal(cudaLaunchKernel(numbered_barrier, (struct cuda_dim3){1, 1, 1},
                                      (struct cuda_dim3){32, 1, 1}, arguments, 0, NULL),
                     CUDA_SUCCESS);
    assert_int_equal(cudaDeviceSynchronize(), CUDA_ILLEGAL_INSTRUCTION);
    __cudaUnregisterFatBinary(more);
    free(barriers.bytes);
}

/* Launches a kernel with one buffer as its argument, and returns the error of the launch. */
static enum cuda_error run_alone(const void *stub)
{
    void *device;
    assert_int_equal(cudaMalloc(&device, 4096), CUDA_SUCCESS);
    void *arguments[] = {&device};
    assert_int_equal(cudaLaunchKernel(stub, (struct cuda_dim3){1, 1, 1},
                                      (struct cuda_dim3){32, 1, 1}, arguments, 0, NULL),
                     CUDA_SUCCESS);
    return cudaDeviceSynchronize();
}

/* An endless kernel ends with a time-out, as on a GPU with a display. */
static void endless_kernels_time_out(void **state)
{
    (void)finish(state);
    for (int functional = 0; functional < 2; functional++) {
        (void)begin_with("SIMSM_MAX_INSTRUCTIONS", "20000");
        if (functional)
            (void)setenv("SIMSM_FUNCTIONAL", "1", 1);
        assert_int_equal(run_alone(never_written), CUDA_SUCCESS);
        assert_int_equal(run_alone(endless), CUDA_LAUNCH_TIMEOUT);
        if (!functional)
            (void)finish(state);
    }
}

/* The disk is full for all that the simulator writes: the program runs as ever. */
static void files_that_fail_are_no_errors_of_the_program(void **state)
{
    static const struct {
        enum setting_id id;
        const char *file, *written;
        bool at_once; /* the failure is seen before the end of the program */
    } files[] = {{SETTING_ID_json, "lost.jsonl", "lost.jsonl", false},
                 {SETTING_ID_csv, "lost.csv", "lost.csv", false},
                 {SETTING_ID_timeline, "lost.smtl", "lost.1.smtl", true}};
    if (access("/dev/full", W_OK) != 0)
        skip();
    (void)finish(state);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char folder[] = "/tmp/simsm.lost.XXXXXX", path[64], written[64];
        assert_non_null(mkdtemp(folder));
        (void)snprintf(path, sizeof path, "%s/%s", folder, files[i].file);
        (void)snprintf(written, sizeof written, "%s/%s", folder, files[i].written);
        assert_int_equal(symlink("/dev/full", written), 0);
        (void)begin_with(option_rows[files[i].id].variable, path);
        check_sums();
        check_sums();
        struct runtime *rt = rt_enter(__func__);
        const bool lost = rt && rt->lost[files[i].id];
        (void)rt_leave(CUDA_SUCCESS);
        assert_int_equal(lost, files[i].at_once);
        (void)unlink(written);
        assert_int_equal(rmdir(folder), 0); /* that is, nothing else was written */
        if (i + 1 < sizeof files / sizeof files[0])
            (void)finish(state);
    }
}

/* Simulated time of adding numbers that no launch has touched before; `again`: of doing it again.
 */
static float ms_of_adding(bool filled, bool again)
{
    void *device[3], *from, *to;
    float ms = 0.0f;
    int n = N;
    for (int i = 0; i < 3; i++)
        assert_int_equal(cudaMalloc(&device[i], 4 * N), CUDA_SUCCESS);
    for (int i = 0; i < 2 && filled; i++)
        assert_int_equal(cudaMemset(device[i], 1, 4 * N), CUDA_SUCCESS);
    void *arguments[] = {&device[0], &device[1], &device[2], &n};
    assert_int_equal(cudaEventCreate(&from), CUDA_SUCCESS);
    assert_int_equal(cudaEventCreate(&to), CUDA_SUCCESS);
    for (int turn = 0; turn <= again; turn++) {
        assert_int_equal(cudaEventRecord(from, NULL), CUDA_SUCCESS);
        assert_int_equal(cudaLaunchKernel(vecadd, (struct cuda_dim3){(N + 127) / 128, 1, 1},
                                          (struct cuda_dim3){128, 1, 1}, arguments, 0, NULL),
                         CUDA_SUCCESS);
        assert_int_equal(cudaEventRecord(to, NULL), CUDA_SUCCESS);
    }
    assert_int_equal(cudaEventElapsedTime(&ms, from, to), CUDA_SUCCESS);
    assert_int_equal(cudaEventDestroy(from), CUDA_SUCCESS);
    assert_int_equal(cudaEventDestroy(to), CUDA_SUCCESS);
    return ms;
}

/* Caches keep their contents under --warm, with both models of the memory system. */
static void caches_stay_as_they_are_if_told(void **state)
{
    static const char *const models[] = {"memory.model=full", "memory.model=fast"};
    for (int i = 0; i < 2; i++) {
        (void)finish(state);
        (void)begin_with("SIMSM_SET", models[i]);
        const float cold = ms_of_adding(false, false);
        assert_float_equal(ms_of_adding(true, true), cold, cold / 50);
        (void)finish(state);
        (void)begin_with("SIMSM_WARM", "1");
        (void)setenv("SIMSM_SET", models[i], 1);
        assert_float_equal(ms_of_adding(false, false), cold, cold / 50);
        const float again = ms_of_adding(false, true), filled = ms_of_adding(true, false);
        assert_true(again < 0.95f * cold);
        assert_true(filled < 0.95f * cold);
    }
}

static void configurations_are_a_stack(void **state)
{
    (void)state;
    struct cuda_dim3 grid, block;
    size_t shared;
    void *stream;
    assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
                     CUDA_MISSING_CONFIGURATION);
    assert_int_equal(__cudaPushCallConfiguration((struct cuda_dim3){7, 8, 9},
                                                 (struct cuda_dim3){1, 2, 3}, 44, &grid),
                     0);
    assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), CUDA_SUCCESS);
    assert_int_equal(grid.z, 9);
    assert_int_equal(block.y, 2);
    assert_int_equal(shared, 44);
    assert_ptr_equal(stream, &grid);
}

static void code_for_another_gpu_is_refused(void **state)
{
    (void)state;
    (void)setenv("SIMSM_CONFIG", "configs/a100.yaml", 1);
    const struct cuda_dim3 one = {1, 1, 1};
    void *arguments[4] = {0};
    assert_int_equal(cudaLaunchKernel(vecadd, one, one, arguments, 0, NULL),
                     CUDA_NO_KERNEL_IMAGE_FOR_DEVICE);
}

/* The last sum lies behind the allocation: on a page of its own of 2 MiB a GPU keeps it. */
static void pages_are_written(void **state)
{
    (void)state;
    float c[N];
    void *device[3];
    int n = N;
    for (int i = 0; i < 3; i++)
        assert_int_equal(cudaMalloc(&device[i], sizeof c - (i == 2 ? sizeof *c : 0)), CUDA_SUCCESS);
    void *arguments[] = {&device[0], &device[1], &device[2], &n};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cudaLaunchKernel(vecadd, (struct cuda_dim3){8, 1, 1},
                                          (struct cuda_dim3){128, 1, 1}, arguments, 0, NULL),
                         CUDA_SUCCESS);
        assert_int_equal(cudaDeviceSynchronize(), CUDA_SUCCESS);
    }
    void *nowhere = (uint8_t *)device[2] + (4 << 20);
    arguments[2] = &nowhere;
    assert_int_equal(cudaLaunchKernel(vecadd, (struct cuda_dim3){8, 1, 1},
                                      (struct cuda_dim3){128, 1, 1}, arguments, 0, NULL),
                     CUDA_SUCCESS);
    assert_int_equal(cudaDeviceSynchronize(), CUDA_ILLEGAL_ADDRESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pages_are_written, begin_lenient, finish),
        cmocka_unit_test_setup_teardown(kernels_give_results, begin, finish),
        cmocka_unit_test_setup_teardown(kernels_give_results, begin_functional, finish),
        cmocka_unit_test_setup_teardown(kernels_give_results, begin_limited, finish),
        cmocka_unit_test_setup_teardown(events_measure_simulated_time, begin, finish),
        cmocka_unit_test_setup_teardown(bad_launches_are_refused, begin, finish),
        cmocka_unit_test_setup_teardown(attributes_are_the_code_s, begin, finish),
        cmocka_unit_test_setup_teardown(a_fault_breaks_the_device, begin, finish),
        cmocka_unit_test_setup_teardown(an_illegal_instruction_is_told, begin, finish),
        cmocka_unit_test_setup_teardown(endless_kernels_time_out, begin, finish),
        cmocka_unit_test_setup_teardown(files_that_fail_are_no_errors_of_the_program, begin,
                                        finish),
        cmocka_unit_test_setup_teardown(caches_stay_as_they_are_if_told, begin, finish),
        cmocka_unit_test_setup_teardown(configurations_are_a_stack, begin, finish),
        cmocka_unit_test_setup_teardown(code_for_another_gpu_is_refused, begin, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
