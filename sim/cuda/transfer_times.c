/*
 * MODEL: the time of copies and fills. One takes a fixed time plus its bytes over a rate: that of
 * the bus between host and device, of DRAM on the device (a copy reads and writes DRAM). SOURCE:
 * cuda/streams on an H200 and an H100 (copy.* of the configuration). LEFT OUT: what copies take
 * from kernels beside them; time of copies within the host.
 */
#include "cuda/transfer_times.h"

static double bus_rate(const struct simsm_config *config, const struct transfer *transfer)
{
    if (transfer->pageable && transfer->kind == TRANSFER_HOST_TO_DEVICE)
        return config->copy_to_device_pageable_gbs;
    if (transfer->pageable)
        return config->copy_to_host_pageable_gbs;
    return transfer->both && config->copy_bus_both_gbs > 0 ? config->copy_bus_both_gbs
                                                           : config->copy_bus_gbs;
}

double transfer_ns(const struct simsm_config *config, const struct transfer *transfer)
{
    const double dram = config->dram_bandwidth_gbs * config->copy_dram_share; /* bytes per ns */
    const double bytes = (double)transfer->bytes;
    switch (transfer->kind) {
    case TRANSFER_HOST_TO_DEVICE:
    case TRANSFER_DEVICE_TO_HOST:
        return config->copy_bus_ns + bytes / bus_rate(config, transfer);
    case TRANSFER_DEVICE_TO_DEVICE:
        return config->copy_within_ns + 2 * bytes / dram;
    case TRANSFER_FILL:
        return config->copy_fill_ns + bytes / dram;
    default:
        return 0;
    }
}
