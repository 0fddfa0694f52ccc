#include "occupancy/bounds.h"

#include "base/err.h"
#include "occupancy/occupancy.h"
#include "simsm/names.h"

static enum simsm_status check_room(const struct simsm_config *config, uint32_t threads,
                                    uint32_t blocks, struct simsm_error *error)
{
    struct simsm_occupancy most;
    struct simsm_launch launch = {.block = {threads, 1, 1}, .carveout = SIMSM_CARVEOUT_DEFAULT};
    enum simsm_status status = simsm_occupancy(config, &launch, &most, error);
    if (status != SIMSM_OK)
        return status;
    if (blocks == 0)
        return err_set(error, SIMSM_BAD_INPUT,
                       "launch bounds ask for 0 blocks; ask for at least 1");
    if (blocks > most.blocks)
        return err_set(error, SIMSM_BAD_INPUT,
                       "launch bounds ask for %u blocks of %u threads in an SM, which holds %u at "
                       "most whatever the registers; ask for %u or smaller blocks",
                       blocks, threads, most.blocks, most.blocks);
    return SIMSM_OK;
}

enum simsm_status bounds_registers(const struct simsm_config *config, uint32_t threads,
                                   uint32_t blocks, struct bounds *bounds,
                                   struct simsm_error *error)
{
    enum simsm_status status = check_room(config, threads, blocks, error);
    if (status != SIMSM_OK)
        return status;
    uint32_t unit = config->sm_register_unit, subs = config->sm_sub_partitions;
    struct bounds b = {.threads = threads, .blocks = blocks};
    b.warps_per_block = (threads + SIMSM_WARP_LANES - 1) / SIMSM_WARP_LANES;
    b.warps = b.warps_per_block * blocks;
    b.warps_per_sub = (b.warps + subs - 1) / subs;
    b.registers_per_sub = config->sm_registers / subs;
    b.share = b.registers_per_sub / b.warps_per_sub;
    b.block_share = config->sm_registers_per_block /
                    (uint32_t)occupancy_checked_warps(config, b.warps_per_block);
    b.per_warp = (b.share < b.block_share ? b.share : b.block_share) / unit * unit;
    b.registers = b.per_warp / SIMSM_WARP_LANES;
    if (b.registers > config->sm_max_registers_per_thread)
        b.registers = config->sm_max_registers_per_thread;
    *bounds = b;
    if (b.registers == 0)
        return err_set(
            error, SIMSM_BAD_INPUT,
            "launch bounds of %u threads and %u blocks leave less than one register unit "
            "(%u) to a warp; ask for fewer blocks",
            threads, blocks, unit);
    return SIMSM_OK;
}
