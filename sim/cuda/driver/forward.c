/* Functions of the driver API that a function of the runtime API implements. */
#include "cuda/driver/driver.h"

#define LOAD_TYPES                                                                                 \
    (void **, const void *, const int *, void **, unsigned, const int *, void **, unsigned)

/* Some functions have a context or a device, which the runtime does not take: there is one. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define FORWARD(name, parameters, function, types, arguments)                                      \
    enum cuda_error function types;                                                                \
    int name parameters;                                                                           \
    int name parameters                                                                            \
    {                                                                                              \
        return driver_result(function arguments);                                                  \
    }
#include "cuda/driver/forward.def"
