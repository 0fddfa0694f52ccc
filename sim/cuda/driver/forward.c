/* Functions of the driver API that a function of the runtime API implements. */
#include "cuda/abi.h"
#include "cuda/driver/driver.h"

#define LOAD_TYPES                                                                                 \
    (void **, const void *, const int *, void **, unsigned, const int *, void **, unsigned)

/* Some functions have a context or a device, which the runtime does not take: there is one. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define FORWARD(name, parameters, function, types, arguments)                                      \
    int name parameters;                                                                           \
    int name parameters                                                                            \
    {                                                                                              \
        DRIVER_RUNTIME(call, #function, types);                                                    \
        return call ? driver_result(call arguments) : DRIVER_NOT_SUPPORTED;                        \
    }
#include "cuda/driver/forward.def"
