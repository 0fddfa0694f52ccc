/*
 * MODEL: clusters of blocks on the GPU. A cluster begins when one GPC, or one TPC that is left
 * over, has room for all its blocks: one for each SM if there are as many SMs with room. Clusters
 * go to the groups of SMs in turn. The barrier of a cluster opens cluster.barrier_latency after the
 * last warp has arrived, in all its SMs. SOURCE: H100, cuda/probe/cluster_time: places, barrier.
 * LEFT OUT: 4 cycles more for each doubling of the cluster; which group comes first.
 */
#include <stdlib.h>

#include "base/check.h"
#include "config/gpcs.h"
#include "front/clusters.h"
#include "gpu/gpu_state.h"

/* A cluster with blocks that have not ended. */
struct gpu_cluster {
    uint32_t blocks, left; /* blocks that have begun, that have not ended */
    uint32_t warps;        /* that have not exited */
    uint32_t arrived;      /* at the barrier */
    uint64_t latest;       /* cycle of the last arrival or exit */
    bool any;              /* a warp has arrived since the barrier opened */
    uint16_t sm[CLUSTER_BLOCKS], place[CLUSTER_BLOCKS];
    uint32_t next; /* in the list of free entries */
};

bool clusters_used(const struct front *front)
{
    bool used = cluster_size(&front->launch) > 1;
    for (uint32_t i = 0; i < front->code_size && !used; i++)
        used = front->code[i].op == SIMSM_OP_CLUSTER_ARRIVE;
    return used;
}

bool clusters_init(struct gpu *gpu)
{
    gpu->group = arena_take(&gpu->arena, gpu->sms, sizeof *gpu->group);
    if (!gpu->group)
        return false;
    gpu->groups = gpcs_groups(gpu->setup.config, gpu->group);
    return true;
}

void clusters_free(struct gpu *gpu)
{
    free(gpu->cluster);
}

/* Returns a new entry, or 0: out of memory. Entry 0 is not used. */
static uint32_t take_entry(struct gpu *gpu)
{
    if (!gpu->cluster_free) {
        const uint32_t room = gpu->clusters ? 2 * gpu->clusters : 64;
        struct gpu_cluster *grown = realloc(gpu->cluster, room * sizeof *grown);
        if (!grown)
            return 0;
        gpu->cluster = grown;
        for (uint32_t i = gpu->clusters ? gpu->clusters : 1; i < room; i++) {
            grown[i] = (struct gpu_cluster){.next = gpu->cluster_free};
            gpu->cluster_free = i;
        }
        gpu->clusters = room;
    }
    const uint32_t entry = gpu->cluster_free;
    gpu->cluster_free = gpu->cluster[entry].next;
    gpu->cluster[entry] = (struct gpu_cluster){0};
    return entry;
}

void clusters_join(struct gpu *gpu, uint32_t index, uint32_t place, uint32_t rank, uint32_t warps)
{
    if (!rank)
        gpu->filling = take_entry(gpu);
    if (!gpu->filling) {
        gpu->no_memory = true;
        return;
    }
    struct gpu_cluster *cluster = &gpu->cluster[gpu->filling];
    cluster->sm[rank] = (uint16_t)index;
    cluster->place[rank] = (uint16_t)place;
    cluster->blocks++;
    cluster->left++;
    cluster->warps += warps;
    sm_join_cluster(gpu->sm[index].sm, place, gpu->filling);
    gpu->no_memory |= !mem_join_network(gpu->mem, index);
}

void clusters_block_ended(struct gpu *gpu, uint32_t entry)
{
    if (!entry || --gpu->cluster[entry].left)
        return;
    gpu->cluster[entry].next = gpu->cluster_free;
    gpu->cluster_free = entry;
}

/* Opens the barrier if no warp that lives is missing. */
static void open_if_complete(struct gpu *gpu, uint32_t entry, uint64_t end)
{
    struct gpu_cluster *cluster = &gpu->cluster[entry];
    if (!cluster->any || cluster->arrived != cluster->warps)
        return;
    const uint64_t at = cluster->latest + gpu->setup.config->cluster_barrier_latency;
    cluster->any = false;
    cluster->arrived = 0;
    for (uint32_t i = 0; i < cluster->blocks; i++)
        sm_open_cluster(gpu->sm[cluster->sm[i]].sm, cluster->place[i], entry, at, end);
}

void clusters_settle(struct gpu *gpu, uint64_t end)
{
    for (uint32_t i = gpu_next_sm(gpu, 0); i < gpu->sms; i = gpu_next_sm(gpu, i + 1)) {
        uint32_t count;
        const struct sm_cluster_note *note = sm_take_cluster_notes(gpu->sm[i].sm, &count);
        for (uint32_t k = 0; k < count; k++) {
            struct gpu_cluster *cluster = &gpu->cluster[note[k].cluster];
            cluster->latest = note[k].cycle > cluster->latest ? note[k].cycle : cluster->latest;
            cluster->arrived += note[k].arrives;
            cluster->arrived -= note[k].leaves && note[k].waits;
            cluster->warps -= note[k].leaves;
            cluster->any |= note[k].arrives;
        }
    }
    for (uint32_t entry = 1; entry < gpu->clusters; entry++)
        if (gpu->cluster[entry].left)
            open_if_complete(gpu, entry, end);
}

uint64_t clusters_window(const struct simsm_config *config, uint64_t longest)
{
    const uint32_t latencies[] = {config->cluster_barrier_latency, config->cluster_access_latency,
                                  config->cluster_message_latency,
                                  config->cluster_multicast_latency};
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++)
        longest = latencies[i] < longest ? latencies[i] : longest;
    return longest;
}

void clusters_deliver(struct gpu *gpu)
{
    for (uint32_t i = gpu_next_sm(gpu, 0); i < gpu->sms; i = gpu_next_sm(gpu, i + 1)) {
        uint32_t count;
        const struct sm_message *message = sm_take_messages(gpu->sm[i].sm, &count);
        for (uint32_t k = 0; k < count; k++)
            sm_deliver(gpu->sm[message[k].to].sm, i, &message[k]);
    }
}

/* Finds the next SM of the group with room for a block, of those that have at most `most` blocks.
 */
static bool next_place(const struct gpu *gpu, uint32_t group, const uint8_t *taken, uint32_t most,
                       uint32_t *sm)
{
    for (uint32_t i = 0; i < gpu->sms; i++)
        if (gpu->group[i] == group && gpu->view[i].free_blocks > taken[i] &&
            gpu->view[i].resident_blocks + taken[i] <= most) {
            *sm = i;
            return true;
        }
    return false;
}

/* Chooses SMs for a cluster's blocks in one group, of SMs that then have at most `most` + 1 blocks.
 * Returns false if there is no room. */
static bool choose_in_group(const struct gpu *gpu, uint32_t group, uint32_t size, uint32_t most,
                            uint32_t sm[CLUSTER_BLOCKS])
{
    uint8_t taken[GPU_SMS] = {0};
    uint32_t sms = 0;
    for (uint32_t i = 0; i < gpu->sms; i++)
        sms += gpu->group[i] == group;
    if (sms < size)
        return false;
    for (uint32_t i = 0; i < size; taken[sm[i++]]++)
        if (!next_place(gpu, group, taken, most, &sm[i]))
            return false;
    return true;
}

bool clusters_choose(struct gpu *gpu, uint32_t size, uint32_t sm[CLUSTER_BLOCKS])
{
    for (uint32_t i = 0; i < gpu->groups * GPCS_CLUSTERED; i++) {
        const uint32_t group = (gpu->group_turn + i) % gpu->groups;
        if (!choose_in_group(gpu, group, size, i / gpu->groups, sm))
            continue;
        gpu->group_turn = (group + 1) % gpu->groups;
        return true;
    }
    return false;
}
