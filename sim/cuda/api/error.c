/* Errors: the last error of a thread, names and texts of error codes. */
#include "cuda/runtime.h"

struct error_text {
    int number;
    const char *name, *text;
};

static const struct error_text table[] = {
#define ERROR(id, number, name, text) {number, name, text},
#include "cuda/cuda_errors.def"
#undef ERROR
};

static const struct error_text *find(int number)
{
    static const struct error_text unknown = {-1, "unrecognized error code",
                                              "unrecognized error code"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].number == number)
            return &table[i];
    }
    return &unknown;
}

const char *cudaGetErrorName(int error)
{
    return find(error)->name;
}

const char *cudaGetErrorString(int error)
{
    return find(error)->text;
}

enum cuda_error cudaGetLastError(void)
{
    return rt_last_error(true);
}

enum cuda_error cudaPeekAtLastError(void)
{
    return rt_last_error(false);
}
