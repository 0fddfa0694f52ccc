/*
 * Functions of the driver API that simsm does not support. Each function prints one message per
 * process.
 */
#include <stdio.h>

#include "cuda/driver/driver.h"

static int refuse(const char *function, bool *told)
{
    if (!*told)
        (void)fprintf(stderr, "simsm: %s: simsm does not support this function of the driver\n",
                      function);
    *told = true;
    return DRIVER_NOT_SUPPORTED;
}

#define UNSUPPORTED(name)                                                                          \
    int name(void);                                                                                \
    int name(void)                                                                                 \
    {                                                                                              \
        static bool told;                                                                          \
        return refuse(__func__, &told);                                                            \
    }
#include "cuda/driver/driver_unsupported.def"
