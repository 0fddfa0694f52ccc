/*
 * MODEL: the blocks that fit into an SM at a time: the least of four limits.
 *
 * - Warps: the SM's warp slots divided by the warps of a block.
 * - Registers: the allocation of a warp is the registers of its threads, rounded up to the unit. It
 *   lies in the register file of one sub-partition, so a sub-partition holds whole warps, and the
 *   limit counts warps, not blocks.
 * - Shared memory: the bytes of the kernel and of the system, rounded up to the unit, in the
 *   carve-out.
 * - Blocks: the block places of the SM.
 *
 * SOURCE: NVIDIA's cuda_occupancy.h (CUDA 13.0) with its default settings: opt-in to large shared
 * memory where a block needs it, no partitioned global caching. tests/occupancy compares all
 * limits.
 *
 * LEFT OUT: several barriers per block (9.0 and later) and virtual resources (10.0 and later),
 * which limit a kernel only if it changes the default settings.
 */
#include "occupancy/occupancy.h"

#include "base/err.h"
#include "occupancy/carveout.h"
#include "simsm/names.h"
#include "simsm/occupancy.h"

const char *const simsm_limit_names[SIMSM_LIMIT_COUNT] = {
    [SIMSM_LIMIT_WARPS] = "warps",
    [SIMSM_LIMIT_REGISTERS] = "registers",
    [SIMSM_LIMIT_SHARED] = "shared memory",
    [SIMSM_LIMIT_BLOCKS] = "blocks",
};

/* Resources of one block. */
struct need {
    uint64_t threads, warps;
    uint64_t registers_per_warp,
        registers;   /* as allocated; `registers` as the launch check sees it */
    uint64_t shared; /* as allocated */
};

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return unit < 2 ? value : (value + unit - 1) / unit * unit;
}

static uint32_t clamp(uint64_t value)
{
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static uint32_t max_warps(const struct simsm_config *config)
{
    uint32_t by_threads = config->sm_max_threads / SIMSM_WARP_LANES;
    return by_threads < config->sm_warp_slots ? by_threads : config->sm_warp_slots;
}

/*
 * Returns the warps of a block that the launch check counts. The check assumes that the warps are
 * spread over all sub-partitions. GP100 (6.0) has two of them, but refuses blocks that do not fit
 * the four of other Pascal chips.
 */
uint64_t occupancy_checked_warps(const struct simsm_config *config, uint64_t warps)
{
    uint32_t unit = config->sm_warp_unit;
    if (config->gpu_compute_capability == 60 && unit < 4)
        unit = 4;
    return round_up(warps, unit);
}

static struct need block_need(const struct simsm_config *config, const struct simsm_launch *launch)
{
    struct need need = {0};
    need.threads = (uint64_t)launch->block[0] * launch->block[1];
    need.threads = need.threads > UINT32_MAX ? need.threads : need.threads * launch->block[2];
    need.warps = need.threads / SIMSM_WARP_LANES + (need.threads % SIMSM_WARP_LANES != 0);
    need.registers_per_warp =
        round_up((uint64_t)launch->registers * SIMSM_WARP_LANES, config->sm_register_unit);
    /* The product would overflow for blocks far beyond the largest one. */
    need.registers = need.warps > 1u << 20
                         ? UINT64_MAX
                         : need.registers_per_warp * occupancy_checked_warps(config, need.warps);
    need.shared =
        (uint64_t)launch->shared_static + launch->shared_dynamic + config->sm_shared_reserved;
    need.shared = round_up(need.shared, config->sm_shared_unit);
    return need;
}

/* Returns the bytes of shared memory that a block may have; with opt-in more than the plain limit.
 */
static uint64_t shared_limit(const struct simsm_config *config)
{
    uint32_t most = config->sm_shared_per_block;
    if (config->sm_shared_per_block_optin > most)
        most = config->sm_shared_per_block_optin;
    return (uint64_t)most + config->sm_shared_reserved;
}

static uint32_t warp_limit(const struct simsm_config *config, const struct need *need)
{
    if (need->threads > config->sm_max_threads_per_block || need->warps == 0)
        return 0;
    return (uint32_t)(max_warps(config) / need->warps);
}

static uint32_t register_limit(const struct simsm_config *config, const struct simsm_launch *launch,
                               const struct need *need)
{
    if (need->warps == 0 || need->registers > config->sm_registers_per_block ||
        launch->registers > config->sm_max_registers_per_thread)
        return 0;
    if (need->registers_per_warp == 0)
        return SIMSM_NO_LIMIT;
    uint64_t subs = config->sm_sub_partitions ? config->sm_sub_partitions : 1;
    uint64_t warps_per_sub = config->sm_registers / subs / need->registers_per_warp;
    return (uint32_t)(warps_per_sub * subs / need->warps);
}

static uint32_t shared_memory_limit(const struct simsm_config *config, uint32_t carveout,
                                    const struct need *need)
{
    if (need->shared > shared_limit(config))
        return 0;
    return need->shared ? (uint32_t)(carveout / need->shared) : SIMSM_NO_LIMIT;
}

/* Fills *error with the resource of which a launch asks too much. Returns SIMSM_BAD_INPUT. */
static enum simsm_status refuse(const struct simsm_config *config,
                                const struct simsm_launch *launch, const struct need *need,
                                struct simsm_error *error)
{
    const enum simsm_status bad = SIMSM_BAD_INPUT;
    uint64_t most = config->sm_max_threads_per_block;
    if (need->threads == 0)
        return err_set(error, bad,
                       "a block has no threads (%u x %u x %u); give each dimension at "
                       "least 1",
                       launch->block[0], launch->block[1], launch->block[2]);
    if (need->threads > most)
        return err_set(
            error, bad,
            "a block of %llu threads cannot run: the most is %llu, this is %llu too many",
            (unsigned long long)need->threads, (unsigned long long)most,
            (unsigned long long)(need->threads - most));
    most = config->sm_max_registers_per_thread;
    if (launch->registers > most)
        return err_set(error, bad,
                       "%u registers per thread cannot be had: the most is %llu, this is %llu too "
                       "many",
                       launch->registers, (unsigned long long)most,
                       (unsigned long long)(launch->registers - most));
    most = config->sm_registers_per_block;
    if (need->registers > most)
        return err_set(error, bad,
                       "a block of %llu threads with %u registers each cannot run: it takes %llu "
                       "registers (%llu warps x %llu), the most is %llu, this is %llu too many",
                       (unsigned long long)need->threads, launch->registers,
                       (unsigned long long)need->registers,
                       (unsigned long long)occupancy_checked_warps(config, need->warps),
                       (unsigned long long)need->registers_per_warp, (unsigned long long)most,
                       (unsigned long long)(need->registers - most));
    most = shared_limit(config);
    if (need->shared > most)
        return err_set(error, bad,
                       "a block with %llu bytes of shared memory cannot run: with %u reserved it "
                       "takes %llu, the most is %llu, this is %llu too many",
                       (unsigned long long)launch->shared_static + launch->shared_dynamic,
                       config->sm_shared_reserved, (unsigned long long)need->shared,
                       (unsigned long long)most, (unsigned long long)(need->shared - most));
    return err_set(error, bad,
                   "not even one block of %llu warps fits into the SM that the configuration "
                   "describes: sm.warp_slots, sm.registers or sm.shared_bytes is too small for it",
                   (unsigned long long)need->warps);
}

/*
 * Returns the bytes for which the driver makes room. This is more than the resident blocks need:
 * twice as many blocks, or one less than the block places of an SM, or only the resident blocks if
 * they have the largest number of threads; at most half of L1 and shared memory together. Without
 * shared memory it is 4 KB for each block that the threads allow, at most 32 KB. SOURCE: H200,
 * cuda/calib/carve, all 104 points.
 */
static uint64_t roomy_bytes(const struct simsm_config *config, const struct simsm_launch *launch,
                            const struct simsm_occupancy *result)
{
    enum { EMPTY_BLOCK = 4096, EMPTY_MOST = 32768 };
    const uint64_t fit = (uint64_t)result->blocks * result->shared_per_block;
    const uint64_t asked = (uint64_t)launch->shared_static + launch->shared_dynamic;
    uint64_t blocks = 2 * (uint64_t)result->blocks, most = config->sm_l1_shared_bytes / 2;
    uint64_t bytes = asked + config->sm_shared_reserved;
    if (blocks >= config->sm_max_blocks)
        blocks = config->sm_max_blocks - 1;
    if (simsm_block_threads(launch) == config->sm_max_threads_per_block)
        blocks = result->blocks;
    if (asked == 0) {
        blocks = result->limit[SIMSM_LIMIT_WARPS];
        bytes = EMPTY_BLOCK;
        most = EMPTY_MOST;
    }
    bytes *= blocks;
    bytes = bytes < most ? bytes : most;
    return bytes > fit ? bytes : fit;
}

/* Returns the carve-out of a kernel that asks for none, given the number of its resident blocks. */
static uint32_t settled_carveout(const struct simsm_config *config,
                                 const struct simsm_launch *launch,
                                 const struct simsm_occupancy *result)
{
    if (config->sm_carveout_policy == SIMSM_LARGEST_carveout_policy)
        return result->carveout;
    if (config->sm_carveout_policy == SIMSM_ROOMY_carveout_policy)
        return carveout_for(config, roomy_bytes(config, launch, result));
    return carveout_for(config, (uint64_t)result->blocks * result->shared_per_block);
}

static void settle(struct simsm_occupancy *result)
{
    result->blocks = SIMSM_NO_LIMIT;
    for (int i = 0; i < SIMSM_LIMIT_COUNT; i++) {
        if (result->limit[i] < result->blocks)
            result->blocks = result->limit[i];
    }
    result->limiters = 0;
    for (int i = 0; i < SIMSM_LIMIT_COUNT; i++)
        result->limiters |= (uint32_t)(result->limit[i] == result->blocks) << i;
    result->warps = result->blocks ? result->blocks * result->warps_per_block : 0;
}

/* Leaves the warp slots as the only limit (what_if.full_occupancy). L1 stays as large as it is with
 * the limits. */
static void keep_warp_limit(struct simsm_occupancy *result)
{
    for (int i = 0; i < SIMSM_LIMIT_COUNT; i++)
        result->limit[i] = result->limit[SIMSM_LIMIT_WARPS];
    settle(result);
}

enum simsm_status simsm_occupancy(const struct simsm_config *config,
                                  const struct simsm_launch *launch, struct simsm_occupancy *result,
                                  struct simsm_error *error)
{
    struct need need = block_need(config, launch);
    *result = (struct simsm_occupancy){
        .warps_per_block = clamp(need.warps),
        .max_warps = max_warps(config),
        .registers_per_warp = clamp(need.registers_per_warp),
        .shared_per_block = clamp(need.shared),
        .carveout = carveout_asked(config, launch->carveout, need.shared),
    };
    result->limit[SIMSM_LIMIT_WARPS] = warp_limit(config, &need);
    result->limit[SIMSM_LIMIT_REGISTERS] = register_limit(config, launch, &need);
    result->limit[SIMSM_LIMIT_SHARED] = shared_memory_limit(config, result->carveout, &need);
    result->limit[SIMSM_LIMIT_BLOCKS] = config->sm_max_blocks;
    settle(result);
    if (result->blocks == 0)
        return refuse(config, launch, &need, error);
    if (!carveout_is_fixed(config) && launch->carveout == SIMSM_CARVEOUT_DEFAULT) {
        result->carveout = settled_carveout(config, launch, result);
    } else if (!carveout_is_fixed(config) && launch->carveout > config->sm_shared_bytes) {
        result->blocks = result->warps = 0;
        return err_set(error, SIMSM_BAD_INPUT,
                       "a carve-out of %u bytes cannot be had: shared memory has at most %u",
                       launch->carveout, config->sm_shared_bytes);
    }
    if (config->what_if_full_occupancy)
        keep_warp_limit(result);
    return SIMSM_OK;
}
