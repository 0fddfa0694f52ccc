#include "config/gpcs.h"

#include <stdbool.h>

enum { SMS = 1024, TPCS = SMS / 2, GPCS = 16 }; /* most GPCs of a configuration */

#define LEFT_OVER UINT32_MAX

/* Returns the GPC of a TPC by its place in the round over GPCs, or LEFT_OVER. */
static uint32_t gpc_of_tpc(const struct simsm_config *config, uint32_t tpc)
{
    uint32_t count = config->gpu_gpc_tpcs_count;
    uint32_t rounds = config->gpu_gpc_tpcs[count - 1];
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t gpc = 0; gpc < count; gpc++) {
            if (config->gpu_gpc_tpcs[gpc] > round && tpc-- == 0)
                return gpc;
        }
    }
    return LEFT_OVER;
}

uint32_t gpcs_of_sm(const struct simsm_config *config, uint32_t sm)
{
    if (config->gpu_gpc_tpcs_count == 0)
        return sm / 2;
    uint32_t gpc = gpc_of_tpc(config, sm / 2);
    return gpc == LEFT_OVER ? 0 : gpc;
}

/* TPCs that share blocks: those of a GPC, or a TPC that is left over. */
struct gpc_group {
    uint32_t sms, tpcs, share;
};

struct groups {
    struct gpc_group group[TPCS + GPCS]; /* those of one TPC, then the GPCs */
    uint32_t of_tpc[TPCS];
};

static void note_groups(const struct simsm_config *config, struct groups *groups)
{
    uint32_t left_over = 0;
    *groups = (struct groups){0};
    for (uint32_t sm = 0; sm < config->gpu_sms; sm++) {
        uint32_t gpc = sm % 2 == 0 ? gpc_of_tpc(config, sm / 2) : 0;
        if (sm % 2 == 0)
            groups->of_tpc[sm / 2] = gpc == LEFT_OVER ? left_over++ : TPCS + gpc;
        struct gpc_group *group = &groups->group[groups->of_tpc[sm / 2]];
        group->sms++;
        group->tpcs += sm % 2 == 0;
    }
}

/* Gives each group its share of the blocks, at most one block for each SM. */
static void share_out(struct groups *groups, uint32_t blocks)
{
    while (blocks > 0) {
        for (uint32_t i = 0; i < TPCS + GPCS && blocks > 0; i++) {
            struct gpc_group *group = &groups->group[i];
            if (group->share < group->sms) {
                group->share++;
                blocks--;
            }
        }
    }
}

static void even_first(uint32_t *order, uint32_t sms)
{
    uint32_t even = (sms + 1) / 2;
    for (uint32_t i = 0; i < sms; i++)
        order[i] = i < even ? 2 * i : 2 * (i - even) + 1;
}

void gpcs_order(const struct simsm_config *config, uint64_t blocks, uint32_t *order)
{
    uint32_t sms = config->gpu_sms, at = 0;
    bool visited[SMS] = {false};
    struct groups groups;
    if (config->gpu_gpc_tpcs_count == 0) {
        even_first(order, sms);
        return;
    }
    note_groups(config, &groups);
    share_out(&groups, blocks < sms ? (uint32_t)blocks : sms);
    for (uint32_t i = 0; i < TPCS + GPCS; i++) {
        uint32_t share = groups.group[i].share, tpcs = groups.group[i].tpcs;
        uint32_t pairs = share > tpcs ? share - tpcs : 0;
        for (uint32_t sm = 0; sm < sms && share > 0; sm++) {
            if (groups.of_tpc[sm / 2] != i || (sm % 2 == 1 && pairs == 0))
                continue;
            pairs -= sm % 2;
            share--;
            visited[sm] = true;
            order[at++] = sm;
        }
    }
    for (uint32_t sm = 0; sm < sms; sm++) {
        if (!visited[sm])
            order[at++] = sm;
    }
}

uint32_t gpcs_groups(const struct simsm_config *config, uint16_t *group)
{
    struct groups groups;
    uint32_t count = 0;
    if (config->gpu_gpc_tpcs_count == 0) {
        for (uint32_t sm = 0; sm < config->gpu_sms; sm++)
            group[sm] = 0;
        return 1;
    }
    note_groups(config, &groups);
    for (uint32_t i = 0; i < TPCS + GPCS; i++) {
        for (uint32_t sm = 0; sm < config->gpu_sms && groups.group[i].sms; sm++)
            if (groups.of_tpc[sm / 2] == i)
                group[sm] = (uint16_t)count;
        count += groups.group[i].sms != 0;
    }
    return count;
}

uint64_t gpcs_clusters(const struct simsm_config *config, uint32_t size, uint32_t blocks)
{
    struct groups groups;
    uint64_t clusters = 0;
    blocks = blocks < GPCS_CLUSTERED ? blocks : GPCS_CLUSTERED;
    if (config->gpu_gpc_tpcs_count == 0)
        return (uint64_t)config->gpu_sms * blocks / size;
    note_groups(config, &groups);
    for (uint32_t i = 0; i < TPCS + GPCS; i++)
        if (groups.group[i].sms >= size)
            clusters += (uint64_t)groups.group[i].sms * blocks / size;
    return clusters;
}
