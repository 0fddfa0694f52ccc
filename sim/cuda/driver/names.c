/* Names: of errors, and of the functions of this library. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cuda/driver/driver.h"

static const struct {
    int number;
    const char *name;
} errors[] = {
#define ERROR(name, number) {number, "CUDA_" #name},
#include "cuda/driver/errors.def"
#undef ERROR
};

int cuGetErrorName(int error, const char **name);
int cuGetErrorString(int error, const char **text);
int cuGetProcAddress(const char *name, void **function, int version, unsigned long long flags);
int cuGetExportTable(const void **table, const void *id);
int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long long flags,
                        int *status);

int cuGetErrorName(int error, const char **name)
{
    if (!name)
        return DRIVER_INVALID_VALUE;
    *name = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].number == error)
            *name = errors[i].name;
    return *name ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
}

/* The runtime words them, and numbers those that both have in the same way. */
int cuGetErrorString(int error, const char **text)
{
    const char *name;
    const char *(*get)(int);
    driver_find("cudaGetErrorString", &get);
    if (!text || !get || cuGetErrorName(error, &name) != DRIVER_SUCCESS) {
        if (text)
            *text = NULL;
        return DRIVER_INVALID_VALUE;
    }
    *text = get(error);
    return DRIVER_SUCCESS;
}

/* The newest version of a function; that which the headers of toolkit 13 name. */
int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long long flags,
                        int *status)
{
    enum { FOUND = 0, NOT_FOUND = 1 };
    static const char *const suffixes[] = {"_v4", "_v3", "_v2", ""};
    char whole[128];
    (void)version;
    (void)flags;
    if (!name || !function)
        return DRIVER_INVALID_VALUE;
    void *self = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    *function = NULL;
    for (size_t i = 0; self && i < sizeof suffixes / sizeof suffixes[0] && !*function; i++) {
        (void)snprintf(whole, sizeof whole, "%s%s", name, suffixes[i]);
        *function = dlsym(self, whole);
    }
    if (self)
        (void)dlclose(self);
    if (status)
        *status = *function ? FOUND : NOT_FOUND;
    return *function ? DRIVER_SUCCESS : DRIVER_NOT_FOUND;
}

int cuGetProcAddress(const char *name, void **function, int version, unsigned long long flags)
{
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}

/* NVIDIA's libraries ask for what is not documented. */
int cuGetExportTable(const void **table, const void *id)
{
    (void)id;
    if (table)
        *table = NULL;
    return DRIVER_NOT_SUPPORTED;
}
