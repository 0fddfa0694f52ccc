#include "occupancy/outcome.h"

#include "simsm/occupancy.h"

#ifdef HAVE_CUDA_OCCUPANCY
#include <cuda.h>
#include <cuda_occupancy.h>
#endif

static uint64_t limit16(uint32_t limit)
{
    return limit > 0xfffe ? 0xffff : limit;
}

static struct outcome pack(const uint32_t limit[4], uint32_t blocks, uint32_t limiters,
                           uint64_t registers, uint64_t shared)
{
    return (struct outcome){
        .limits = limit16(limit[0]) | limit16(limit[1]) << 16 | limit16(limit[2]) << 32 |
                  limit16(limit[3]) << 48,
        .resources = (uint64_t)blocks | (uint64_t)limiters << 8 | registers << 16 | shared << 40,
    };
}

struct outcome outcome_simsm(const struct simsm_config *config, const struct launch_case *launch)
{
    struct simsm_launch asked;
    asked.block[0] = launch->threads;
    asked.block[1] = asked.block[2] = 1;
    asked.registers = launch->registers;
    asked.shared_static = launch->shared_static;
    asked.shared_dynamic = launch->shared_dynamic;
    asked.carveout = launch->carveout < 0
                         ? SIMSM_CARVEOUT_DEFAULT
                         : (uint32_t)launch->carveout * config->sm_shared_bytes / 100;
    struct simsm_occupancy result;
    (void)simsm_occupancy(config, &asked, &result, NULL);
    return pack(result.limit, result.blocks, result.limiters,
                (uint64_t)result.registers_per_warp * result.warps_per_block,
                result.shared_per_block);
}

#ifdef HAVE_CUDA_OCCUPANCY

#define TEXT(x)  #x
#define VALUE(x) TEXT(x)

const char *outcome_header_version(void)
{
    return "CUDA_VERSION " VALUE(CUDA_VERSION) ", calculator up to compute capability " VALUE(
        __CUDA_OCC_MAJOR__) "." VALUE(__CUDA_OCC_MINOR__);
}

bool outcome_header(const struct gpu *gpu, const struct launch_case *launch,
                    struct outcome *outcome)
{
    cudaOccDeviceProp device = {
        .computeMajor = (int)gpu->capability / 10,
        .computeMinor = (int)gpu->capability % 10,
        .maxThreadsPerBlock = 1024,
        .maxThreadsPerMultiprocessor = (int)gpu->warps * 32,
        .regsPerBlock = (int)gpu->registers_per_block,
        .regsPerMultiprocessor = 65536,
        .warpSize = 32,
        .sharedMemPerBlock = 48 * 1024,
        .sharedMemPerMultiprocessor = gpu->shared_kib * (size_t)1024,
        .numSms = 1,
        .sharedMemPerBlockOptin = gpu->optin_kib * (size_t)1024,
        .reservedSharedMemPerBlock = gpu->reserved,
    };
    cudaOccFuncAttributes kernel = {
        .maxThreadsPerBlock = 1024,
        .numRegs = (int)launch->registers,
        .sharedSizeBytes = launch->shared_static,
        .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
        .maxDynamicSharedSizeBytes = launch->shared_dynamic,
        .numBlockBarriers = 1,
    };
    cudaOccDeviceState state = {.carveoutConfig = launch->carveout};
    cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state,
                                                (int)launch->threads,
                                                launch->shared_dynamic) != CUDA_OCC_SUCCESS)
        return false;
    const uint32_t limit[4] = {
        (uint32_t)result.blockLimitWarps,
        (uint32_t)result.blockLimitRegs,
        (uint32_t)result.blockLimitSharedMem,
        (uint32_t)result.blockLimitBlocks,
    };
    /* The bits of the four limits; one barrier a block never binds before the block limit. */
    *outcome =
        pack(limit, (uint32_t)result.activeBlocksPerMultiprocessor, result.limitingFactors & 0xfu,
             (uint64_t)result.allocatedRegistersPerBlock, result.allocatedSharedMemPerBlock);
    return true;
}

#else

const char *outcome_header_version(void)
{
    return NULL;
}

bool outcome_header(const struct gpu *gpu, const struct launch_case *launch,
                    struct outcome *outcome)
{
    (void)gpu;
    (void)launch;
    (void)outcome;
    return false;
}

#endif
