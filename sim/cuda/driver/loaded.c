/*
 * Notes which process has loaded libcuda.so.1. The command and unit tests, which link of the static
 * library only what they call, have no such process: they are no programs on the device.
 */
#include <unistd.h>

#include "cuda/runtime.h"

__attribute__((constructor)) static void begin(void)
{
    rt_loaded_by = getpid();
}
