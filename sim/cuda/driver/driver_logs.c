/*
 * The driver's log. simsm prints what is wrong on stderr when it happens, and keeps no log: who
 * registers for messages gets none.
 */
#include "cuda/driver/driver.h"

int cuLogsRegisterCallback(void *callback, void *data, void **handle);
int cuLogsUnregisterCallback(void *handle);

int cuLogsRegisterCallback(void *callback, void *data, void **handle)
{
    (void)data;
    if (!callback)
        return DRIVER_INVALID_VALUE;
    if (handle)
        *handle = callback;
    return DRIVER_SUCCESS;
}

int cuLogsUnregisterCallback(void *handle)
{
    return handle ? DRIVER_SUCCESS : DRIVER_INVALID_HANDLE;
}
