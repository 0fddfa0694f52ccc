/* Functions of the driver API that a function of the runtime API implements. */
#include "cuda/driver/driver.h"

#define LOAD_TYPES                                                                                 \
    (void **, const void *, const int *, void **, unsigned, const int *, void **, unsigned)

#define FORWARD(name, parameters, function, types, arguments)                                      \
    enum cuda_error function types;                                                                \
    int name parameters;                                                                           \
    int name parameters                                                                            \
    {                                                                                              \
        return driver_result(function arguments);                                                  \
    }
#include "cuda/driver/forward.def"
