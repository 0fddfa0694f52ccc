/* Functions of NVML that tell what a simulation does not know, or change a GPU. */
#include "cuda/nvml/nvml_gpu.h"

#define UNSUPPORTED(name)                                                                          \
    int name(void);                                                                                \
    int name(void)                                                                                 \
    {                                                                                              \
        return nvml_gpu() ? NVML_NOT_SUPPORTED : NVML_UNINITIALIZED;                               \
    }
#include "cuda/nvml/nvml_unsupported.def"
