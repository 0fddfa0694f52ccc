/* Computes the occupancy of a launch, what would raise it, and the curves. */
#include <stdlib.h>

#include "base/err.h"
#include "report/occupancy_show.h"

void occupancy_find_properties(struct occupancy_answer *answer)
{
    const struct simsm_config *c = answer->config;
    uint32_t warps = c->sm_max_threads / SIMSM_WARP_LANES;
    const struct occupancy_property table[OCCUPANCY_PROPERTIES] = {
        {"threads_per_warp", "threads per warp", "threads", SIMSM_WARP_LANES},
        {"max_warps_per_sm", "most warps per SM", "warps",
         warps < c->sm_warp_slots ? warps : c->sm_warp_slots},
        {"max_blocks_per_sm", "most blocks per SM", "blocks", c->sm_max_blocks},
        {"max_threads_per_sm", "most threads per SM", "threads", c->sm_max_threads},
        {"max_threads_per_block", "largest block", "threads", c->sm_max_threads_per_block},
        {"registers_per_sm", "registers per SM", "registers", c->sm_registers},
        {"max_registers_per_block", "most registers per block", "registers",
         c->sm_registers_per_block},
        {"max_registers_per_thread", "most registers per thread", "registers",
         c->sm_max_registers_per_thread},
        {"shared_bytes_per_sm", "most shared memory per SM", "bytes", c->sm_shared_bytes},
        {"max_shared_bytes_per_block", "most shared memory per block", "bytes",
         c->sm_shared_per_block_optin > c->sm_shared_per_block ? c->sm_shared_per_block_optin
                                                               : c->sm_shared_per_block},
        {"register_allocation_unit", "register allocation unit", "registers", c->sm_register_unit},
        {"shared_allocation_unit_bytes", "shared memory allocation unit", "bytes",
         c->sm_shared_unit},
        {"register_allocation_granularity_warps", "registers are allocated per", "warp", 1},
        {"warp_allocation_granularity", "warp allocation granularity", "warps", c->sm_warp_unit},
        {"reserved_shared_bytes_per_block", "shared memory reserved per block", "bytes",
         c->sm_shared_reserved},
    };
    for (int i = 0; i < OCCUPANCY_PROPERTIES; i++)
        answer->properties[i] = table[i];
}

static enum simsm_status find_curves(struct occupancy_answer *answer, struct simsm_error *error)
{
    static const enum vary_input inputs[OCCUPANCY_CURVES] = {VARY_THREADS, VARY_REGISTERS,
                                                             VARY_SHARED};
    for (int i = 0; i < OCCUPANCY_CURVES; i++) {
        answer->curves[i] = vary_curve(answer->config, &answer->launch, inputs[i]);
        if (!answer->curves[i])
            return err_no_memory(error);
    }
    return SIMSM_OK;
}

enum simsm_status occupancy_find_launch(struct occupancy_answer *answer, struct simsm_error *error)
{
    static const struct occupancy_step steps[OCCUPANCY_STEPS] = {
        {.input = VARY_THREADS}, {.input = VARY_THREADS, .above = true},  {.input = VARY_REGISTERS},
        {.input = VARY_SHARED},  {.input = VARY_CARVEOUT, .above = true},
    };
    const struct simsm_config *config = answer->config;
    const struct simsm_launch *launch = &answer->launch;
    if (launch->shared_static > config->sm_shared_per_block)
        return err_set(error, SIMSM_BAD_INPUT,
                       "a block has at most %u bytes of static shared memory, and --static is %u "
                       "bytes above that; use dynamic shared memory (--smem) for the rest",
                       config->sm_shared_per_block,
                       launch->shared_static - config->sm_shared_per_block);
    enum simsm_status status = simsm_occupancy(config, launch, &answer->result, error);
    if (status != SIMSM_OK)
        return status;
    for (int i = 0; i < OCCUPANCY_STEPS; i++) {
        struct occupancy_step *step = &answer->steps[i];
        *step = steps[i];
        if (step->input == VARY_CARVEOUT && launch->carveout == SIMSM_CARVEOUT_DEFAULT)
            continue; /* the default carve-out is already large enough */
        step->found = vary_next_better(config, launch, step->input, step->above, &step->better);
    }
    answer->room_registers = vary_room(config, launch, VARY_REGISTERS);
    answer->room_shared = vary_room(config, launch, VARY_SHARED);
    return find_curves(answer, error);
}

void occupancy_free(struct occupancy_answer *answer)
{
    for (int i = 0; i < OCCUPANCY_CURVES; i++)
        free(answer->curves[i]);
    free(answer->sizes);
}
