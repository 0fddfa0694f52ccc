/*
 * Runtimes of three toolkits in one process: they share the device and its memory, and each has its
 * own version and its own parameters. The first argument is the path of libcuda.so.1.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int failed;

static void check(int good, const char *what)
{
    if (!good)
        printf("FAIL %s\n", what);
    failed |= !good;
}

/* Writes the address of a library's function into *function, a pointer to a function. */
static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    check(symbol != NULL, name);
    memcpy(function, &symbol, sizeof symbol);
}

static void *open_library(const char *name)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        printf("%s\n", dlerror());
    return library;
}

static void versions(void *const runtime[3])
{
    static const int expected[] = {11080, 12090, 13000};
    for (int i = 0; i < 3; i++) {
        int (*ask)(int *), version = 0, driver = 0;
        find(runtime[i], "cudaRuntimeGetVersion", &ask);
        check(ask(&version) == 0 && version == expected[i], "the version of a runtime");
        find(runtime[i], "cudaDriverGetVersion", &ask);
        check(ask(&driver) == 0 && driver == 13000, "the version of the driver");
    }
}

/* Memory of one runtime is filled by the next and read by the driver; an error stays one. */
static void one_device(void *const runtime[3], void *driver)
{
    int (*allocate)(void **, size_t), (*fill)(void *, int, size_t), (*peek)(void);
    int (*read)(void *, const void *, size_t);
    unsigned char value[64] = {0};
    void *memory = NULL;
    find(runtime[0], "cudaMalloc", &allocate);
    find(runtime[1], "cudaMemset", &fill);
    find(runtime[2], "cudaPeekAtLastError", &peek);
    find(driver, "cuMemcpyDtoH_v2", &read);
    check(allocate(&memory, sizeof value) == 0, "memory of toolkit 11");
    check(fill(memory, 7, sizeof value) == 0, "filled by toolkit 12");
    check(read(value, memory, sizeof value) == 0 && value[63] == 7, "read by the driver");
    check(fill(NULL, 7, 1) == 1 && peek() == 1, "the last error of toolkit 12 seen by 13");
}

/* cudaGraphInstantiate has five parameters in toolkit 11 and three in 12 and 13. */
static void parameters(void *const runtime[3])
{
    int (*create)(void **, unsigned), (*old)(void **, void *, void **, char *, size_t);
    int (*recent)(void **, void *, unsigned long long);
    void *graph = NULL, *exec = NULL, *node = &graph;
    char log[4] = "log";
    find(runtime[2], "cudaGraphCreate", &create);
    find(runtime[0], "cudaGraphInstantiate", &old);
    find(runtime[1], "cudaGraphInstantiate", &recent);
    check(create(&graph, 0) == 0, "a graph of toolkit 13");
    check(old(&exec, graph, &node, log, sizeof log) == 0 && !node && !log[0],
          "instantiated by toolkit 11");
    check(recent(&exec, graph, 0) == 0, "instantiated by toolkit 12");
}

static void functions_of_driver(void *const runtime[3], void *driver)
{
    int (*get)(const char *, void **, int, unsigned long long, int *);
    int (*entry)(const char *, void **, unsigned long long, int *);
    void *function = NULL, *same = NULL;
    int status = 9;
    find(driver, "cuGetProcAddress_v2", &get);
    find(runtime[1], "cudaGetDriverEntryPoint", &entry);
    check(get("cuMemAlloc", &function, 12000, 0, &status) == 0 && status == 0, "cuGetProcAddress");
    check(function && function == dlsym(driver, "cuMemAlloc_v2"), "the newest cuMemAlloc");
    check(entry("cuMemAlloc", &same, 0, NULL) == 0 && same == function, "the same by the runtime");
    check(get("cudaMalloc", &function, 12000, 0, &status) == 500, "a function of the runtime");
}

int main(int count, char **argument)
{
    void *driver = open_library(count > 1 ? argument[1] : "libcuda.so.1");
    void *const runtime[3] = {open_library("libcudart.so.11.0"), open_library("libcudart.so.12"),
                              open_library("libcudart.so.13")};
    if (!driver || !runtime[0] || !runtime[1] || !runtime[2])
        return 1;
    versions(runtime);
    one_device(runtime, driver);
    parameters(runtime);
    functions_of_driver(runtime, driver);
    if (!failed)
        puts("PASS layers");
    return failed;
}
