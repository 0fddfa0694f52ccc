/* Finds the runtime library of the program and translates its errors. */
#include "cuda/driver/driver.h"

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *runtime;

/*
 * Opens simsm's own runtime, which lies beside this library: the program may have one of NVIDIA's,
 * which stands on the driver itself. Ends the process if there is none.
 */
static void open_runtime(void)
{
    char path[4096];
    Dl_info self;
    if (!dladdr((const void *)&runtime, &self) ||
        snprintf(path, sizeof path, "%.*s/libcudart.so.13",
                 (int)(strrchr(self.dli_fname, '/') - self.dli_fname), self.dli_fname) < 0)
        exit(EXIT_FAILURE);
    runtime = dlopen(path, RTLD_LAZY);
    if (runtime)
        return;
    (void)fprintf(stderr, "simsm: %s\n", dlerror());
    exit(EXIT_FAILURE);
}

void driver_find(const char *name, void *function)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, open_runtime);
    void *symbol = dlsym(runtime, name);
    if (!symbol)
        (void)fprintf(stderr, "simsm: the runtime has no %s\n", name);
    memcpy(function, &symbol, sizeof symbol);
}

int driver_result(int error)
{
    enum { FIRST_SHARED = 100, LAST_EQUAL = 8, SYMBOL = 13, DEVICE_FUNCTION = 98 };
    if (error == SYMBOL || error == DEVICE_FUNCTION)
        return DRIVER_NOT_FOUND;
    return error > LAST_EQUAL && error < FIRST_SHARED ? DRIVER_INVALID_VALUE : error;
}
