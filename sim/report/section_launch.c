#include "report/section.h"

static struct quantity shape(const uint32_t size[3])
{
    struct quantity q;
    if (size[2] > 1)
        (void)snprintf(q.text, sizeof q.text, "%ux%ux%u", size[0], size[1], size[2]);
    else if (size[1] > 1)
        (void)snprintf(q.text, sizeof q.text, "%ux%u", size[0], size[1]);
    else
        (void)snprintf(q.text, sizeof q.text, "%u", size[0]);
    return q;
}

static struct quantity whole(uint32_t n)
{
    struct quantity q;
    (void)snprintf(q.text, sizeof q.text, "%u", n);
    return q;
}

void section_launch(const struct section *section)
{
    const struct simsm_launch *launch = &section->stats->launch;
    const struct simsm_occupancy *occupancy = &section->stats->occupancy;
    uint32_t threads = simsm_block_threads(launch), warps = simsm_block_warps(launch);
    uint64_t blocks = simsm_grid_blocks(launch);
    section_title(section, "Launch");
    section_row(section, "grid", shape(launch->grid), "%llu block%s", (unsigned long long)blocks,
                blocks == 1 ? "" : "s");
    if (threads % SIMSM_WARP_LANES)
        section_row(section, "block", shape(launch->block),
                    "%u threads in %u warps; the last warp has %u of 32 lanes", threads, warps,
                    threads % SIMSM_WARP_LANES);
    else
        section_row(section, "block", shape(launch->block), "%u threads in %u warp%s", threads,
                    warps, warps == 1 ? "" : "s");
    section_row(section, "registers", whole(launch->registers),
                "per thread; %u per warp as allocated", occupancy->registers_per_warp);
    section_row(section, "shared memory",
                quantity_kib((double)launch->shared_static + launch->shared_dynamic),
                "per block: %u B static, %u B dynamic; %u B as allocated", launch->shared_static,
                launch->shared_dynamic, occupancy->shared_per_block);
    uint32_t l1 = section->config->sm_l1_shared_bytes > occupancy->carveout
                      ? section->config->sm_l1_shared_bytes - occupancy->carveout
                      : 0;
    section_row(section, "carve-out", quantity_kib(occupancy->carveout),
                "of the SM's %s are shared memory, %s are L1 cache",
                quantity_kib(section->config->sm_l1_shared_bytes).text, quantity_kib(l1).text);
}
