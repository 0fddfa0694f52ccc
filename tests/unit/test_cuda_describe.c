/* Attributes of streams and of graph nodes that a program can query, and the bytes that a query
 * writes. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "cuda/graph_abi.h"
#include "cuda_fixture.h"

enum cuda_error cudaStreamSetAttribute(void *stream, int attribute, const void *value);
enum cuda_error cudaStreamGetAttribute(void *stream, int attribute, void *value);
enum cuda_error cudaGraphCreate(void **graph, unsigned flags);
enum cuda_error cudaGraphDestroy(void *graph);
enum cuda_error cudaGraphAddKernelNode(void **node, void *graph, void *const *from, size_t count,
                                       const struct cuda_kernel_node *params);
enum cuda_error cudaGraphKernelNodeGetParams(void *node, struct cuda_kernel_node *params);
enum cuda_error cudaGraphKernelNodeGetAttribute(void *node, int id, void *value);
enum cuda_error cudaGraphDebugDotPrint(void *graph, const char *path, unsigned flags);
enum cuda_error cudaGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags);
enum cuda_error cudaGraphLaunch(void *exec, void *stream);
enum cuda_error cudaGraphExecDestroy(void *exec);
enum cuda_error cudaDeviceReset(void);

enum { WINDOW = 1, PRIORITY = 8, DOMAINS = 9, NO_ATTRIBUTE = 19 };

static char vecadd[1]; /* its address is the host function */
static struct test_fatbin fatbin;
static void **handle;
static void *graph, *node;

static int begin(void **state)
{
    (void)state;
    void *array = NULL;
    int n = 1;
    void *arguments[] = {&array, &array, &array, &n};
    const struct cuda_kernel_node params = {
        .function = vecadd, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = arguments};
    program_begin("configs/t4.yaml", NULL, NULL);
    if (!fatbin_make(&fatbin, "tests/data/sass/execute/kernels.sm_75.cubin", 75))
        return -1;
    handle = __cudaRegisterFatBinary(&fatbin);
    __cudaRegisterFunction(handle, vecadd, NULL, "vecadd", -1, NULL, NULL, NULL, NULL, NULL);
    return cudaGraphCreate(&graph, 0) != CUDA_SUCCESS ||
           cudaGraphAddKernelNode(&node, graph, NULL, 0, &params) != CUDA_SUCCESS;
}

static int finish(void **state)
{
    (void)state;
    int bad = cudaGraphDestroy(graph) != CUDA_SUCCESS;
    __cudaUnregisterFatBinary(handle);
    rt_reset_for_test();
    free(fatbin.bytes);
    return bad;
}

/* Returns how many bytes at the start differ from 0xff. */
static size_t written(const uint8_t value[64])
{
    size_t last = 0;
    for (size_t i = 0; i < 64; i++)
        if (value[i] != 0xff)
            last = i + 1;
    return last;
}

/* The union of the values has 32 bytes in toolkits up to 11.7. */
static void no_more_is_written_than_the_attribute_has(void **state)
{
    (void)state;
    static const uint8_t zeros[64];
    static const struct {
        int id;
        size_t bytes;
    } all[] = {{WINDOW, 32}, {LAUNCH_COOPERATIVE, 4}, {PRIORITY, 4}, {DOMAINS, 2}};
    uint8_t value[64];
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_int_equal(cudaStreamSetAttribute(NULL, all[i].id, zeros), CUDA_SUCCESS);
        memset(value, 0xff, sizeof value);
        assert_int_equal(cudaStreamGetAttribute(NULL, all[i].id, value), CUDA_SUCCESS);
        assert_int_equal(written(value), all[i].bytes);
        memset(value, 0xff, sizeof value);
        assert_int_equal(cudaGraphKernelNodeGetAttribute(node, all[i].id, value), CUDA_SUCCESS);
        assert_int_equal(written(value), all[i].bytes);
    }
    memset(value, 0xff, sizeof value);
    for (int id = -1; id <= NO_ATTRIBUTE; id += NO_ATTRIBUTE + 1) {
        assert_int_equal(cudaStreamSetAttribute(NULL, id, value), CUDA_INVALID_VALUE);
        assert_int_equal(cudaStreamGetAttribute(NULL, id, value), CUDA_INVALID_VALUE);
        assert_int_equal(cudaGraphKernelNodeGetAttribute(node, id, value), CUDA_INVALID_VALUE);
    }
    assert_int_equal(written(value), 0);
}

static void a_node_of_a_device_that_was_reset_says_so(void **state)
{
    (void)state;
    struct cuda_kernel_node params;
    void *exec;
    assert_int_equal(cudaGraphKernelNodeGetParams(node, &params), CUDA_SUCCESS);
    assert_int_equal(*(int *)params.arguments[3], 1);
    assert_int_equal(cudaGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
    assert_int_equal(cudaDeviceReset(), CUDA_SUCCESS);
    assert_int_equal(cudaGraphLaunch(exec, NULL), CUDA_INVALID_RESOURCE_HANDLE);
    assert_int_equal(cudaGraphExecDestroy(exec), CUDA_SUCCESS);
    assert_int_equal(cudaGraphKernelNodeGetParams(node, &params), CUDA_INVALID_RESOURCE_HANDLE);
}

static void a_drawing_is_whole_or_absent(void **state)
{
    (void)state;
    char folder[] = "/tmp/simsm_test_cuda_describe_XXXXXX", path[64], line[32] = "";
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/graph.dot", folder);
    struct rlimit before, little;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = (struct rlimit){8, before.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    enum cuda_error error = cudaGraphDebugDotPrint(graph, path, 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(error, CUDA_OPERATING_SYSTEM);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(cudaGraphDebugDotPrint(graph, path, 0), CUDA_SUCCESS);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "digraph graph_1 {\n");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else is left */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_more_is_written_than_the_attribute_has, begin, finish),
        cmocka_unit_test_setup_teardown(a_node_of_a_device_that_was_reset_says_so, begin, finish),
        cmocka_unit_test_setup_teardown(a_drawing_is_whole_or_absent, begin, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
