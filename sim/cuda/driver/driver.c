/* Finds the runtime library of the program and translates its errors. */
#include "cuda/driver/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *runtime;

/*
 * Finds the runtime that the program has loaded; loads the newest runtime if the program has none.
 * Ends the process if there is no runtime.
 */
static void open_runtime(void)
{
    static const char *const names[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !runtime; i++)
        runtime = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
    if (!runtime)
        runtime = dlopen(names[0], RTLD_LAZY);
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
