/* Functions of the driver API that a function of the runtime API implements. */
#include "cuda/abi.h"
#include "cuda/driver/driver.h"

#define LOAD_TYPES                                                                                 \
    (void **, const void *, const int *, void **, unsigned, const int *, void **, unsigned)

#define FORWARD(name, parameters, function, types, arguments)                                      \
    int name parameters;                                                                           \
    int name parameters                                                                            \
    {                                                                                              \
        DRIVER_RUNTIME(call, #function, types);                                                    \
        return call ? driver_result(call arguments) : DRIVER_NOT_SUPPORTED;                        \
    }
#include "cuda/driver/forward.def"
