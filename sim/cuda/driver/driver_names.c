/* Names of errors, and addresses of driver functions by name. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <string.h>

#include "cuda/driver/driver.h"

static const struct {
    int number;
    const char *name;
} errors[] = {
#define ERROR(name, number) {number, "CUDA_" #name},
#include "cuda/driver/driver_errors.def"
#undef ERROR
};

const char *cudaGetErrorString(int error);

int cuGetErrorName(int error, const char **name);
int cuGetErrorString(int error, const char **text);
int cuGetProcAddress(const char *name, void **function, int version, unsigned long long flags);
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

/* Returns the runtime's text: the numbers that both APIs have mean the same error. */
int cuGetErrorString(int error, const char **text)
{
    const char *name;
    if (!text || cuGetErrorName(error, &name) != DRIVER_SUCCESS) {
        if (text)
            *text = NULL;
        return DRIVER_INVALID_VALUE;
    }
    *text = cudaGetErrorString(error);
    return DRIVER_SUCCESS;
}

/*
 * Returns the symbol of a function for a toolkit version: the newest version of the function that
 * the toolkit has.
 */
static const char *versioned_symbol(const char *name, int version)
{
    static const struct {
        const char *name;
        int from;
        const char *symbol;
    } versions[] = {
#define VERSION(name, from, symbol) {#name, from, #symbol},
#include "cuda/driver/versions.def"
#undef VERSION
    };
    const char *symbol = name;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
        if (versions[i].from <= version && strcmp(versions[i].name, name) == 0)
            symbol = versions[i].symbol;
    return symbol;
}

/* Opens this library, wherever it was found; NULL if it is linked into a program. */
static void *open_self(void)
{
    static const char inside;
    Dl_info self;
    return dladdr(&inside, &self) ? dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long long flags,
                        int *status)
{
    enum { FOUND = 0, NOT_FOUND = 1 };
    (void)flags;
    if (!name || !function)
        return DRIVER_INVALID_VALUE;
    if (!*name) { /* the real driver answers so; runtimes ask whether the function works */
        *function = NULL;
        return DRIVER_SUCCESS;
    }
    void *self = open_self();
    *function = self ? dlsym(self, versioned_symbol(name, version)) : NULL;
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
