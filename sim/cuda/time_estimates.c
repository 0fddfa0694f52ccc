/*
 * MODEL: the time of everything but kernels. A copy or fill takes a fixed time plus its bytes over
 * a bandwidth: PCIe between host and device, DRAM on the device (a copy reads and writes DRAM).
 * SOURCE: own choice (estimates); DRAM bandwidth from the configuration.
 * LEFT OUT: the difference between pageable and pinned memory, overlap of copies with kernels, time
 * of copies within the host.
 */
#include "cuda/time_estimates.h"

/* estimate: PCIe 4.0 x16 as programs see it, and the cost of a copy of any size */
static const double bus_bytes_per_ns = 25;
static const double begin_bus = 4000, begin_device = 1500; /* ns */

/* estimate: the resolution of cudaEventElapsedTime on a GPU */
static const double event_ns = 500;

double estimated_transfer_ns(const struct simsm_config *config, enum journal_transfer kind,
                             uint64_t bytes)
{
    const double dram = config->dram_bandwidth_gbs; /* GB/s equal bytes per ns */
    switch (kind) {
    case TRANSFER_HOST_TO_DEVICE:
    case TRANSFER_DEVICE_TO_HOST:
        return begin_bus + (double)bytes / bus_bytes_per_ns;
    case TRANSFER_DEVICE_TO_DEVICE:
        return begin_device + 2 * (double)bytes / dram;
    case TRANSFER_FILL:
        return begin_device + (double)bytes / dram;
    default:
        return 0;
    }
}

double estimated_event_ns(void)
{
    return event_ns;
}
