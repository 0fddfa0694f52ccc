/*
 * MODEL: clusters of blocks: which blocks form one, their ranks, the barrier, and addresses of
 * shared memory in other blocks. SOURCE: PTX ISA, barrier.cluster, mapa; code of nvcc; measured:
 * cuda/probe/clusters.cu. LEFT OUT: nothing known.
 */
#include "exec/control/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "exec/control/fault.h"
#include "exec/control/split.h"
#include "exec/control/watched_steps.h"
#include "exec/memory/load_store.h"
#include "exec/memory/watched_access.h"

bool cluster_join(struct exec_block *block, uint32_t rank, struct exec_cluster *with)
{
    block->cluster = with ? with : calloc(1, sizeof *with);
    block->rank = rank;
    if (!block->cluster)
        return false;
    block->cluster->block[rank] = block;
    block->cluster->blocks++;
    for (uint32_t i = 0; i < block->warps; i++) {
        block->slot[i].cluster_arrived = 0;
        block->slot[i].cluster_phase = UINT32_MAX;
    }
    return true;
}

void cluster_leave(struct exec_block *block)
{
    struct exec_cluster *cluster = block->cluster;
    if (!cluster)
        return;
    block->cluster = NULL;
    cluster->block[block->rank] = NULL;
    if (--cluster->blocks == 0)
        free(cluster);
}

struct exec_block *cluster_target(struct exec_warp *warp, const struct exec_inst *inst,
                                  uint32_t lane, uint32_t address, uint32_t *at)
{
    struct exec_block *block = warp->block;
    const uint32_t rank = address >> CLUSTER_RANK_BIT;
    *at = address & ((1u << CLUSTER_RANK_BIT) - 1);
    if (rank == block->rank)
        return block;
    if (!block->cluster || rank >= cluster_size(&block->grid->launch)) {
        exec_fault(warp, inst, lane, EXEC_FAILURE_OTHER,
                   "Invalid access to shared memory at 0x%x: there is no block %u in the cluster",
                   address, rank);
        return NULL;
    }
    struct exec_block *target = block->cluster->block[rank];
    if (!target)
        exec_fault(warp, inst, lane, EXEC_FAILURE_ENDED_BLOCK,
                   "Invalid access to shared memory of block %u of the cluster, which has ended: "
                   "synchronise the cluster before its blocks end",
                   rank);
    return target;
}

uint32_t cluster_lanes_elsewhere(const struct exec_warp *warp, uint32_t lanes,
                                 const uint64_t address[EXEC_LANES])
{
    uint32_t elsewhere = 0;
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        elsewhere |= (uint32_t)((uint32_t)address[lane] >> CLUSTER_RANK_BIT != warp->block->rank)
                     << lane;
    return elsewhere & lanes;
}

bool cluster_find(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                  const uint64_t address[EXEC_LANES], bool writes, uint8_t *place[EXEC_LANES])
{
    const struct exec_grid *grid = warp->block->grid;
    const uint32_t elsewhere = cluster_lanes_elsewhere(warp, lanes, address);
    const uint32_t bytes = inst->mod[ACCESS_BYTES];
    uint64_t own[EXEC_LANES];
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        own[lane] = address[lane] - ((uint64_t)warp->block->rank << CLUSTER_RANK_BIT);
    if (lanes & ~elsewhere && !exec_find_shared(warp, inst, lanes & ~elsewhere, own, writes, place))
        return false;
    for (uint32_t left = elsewhere; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint32_t at;
        const struct exec_block *block =
            cluster_target(warp, inst, lane, (uint32_t)address[lane], &at);
        if (!block)
            return false;
        if (at < grid->shared_first || at + bytes > grid->shared_bytes)
            exec_fault_shared_bounds(warp, inst, lane, address[lane]);
        else if (at & (bytes - 1))
            exec_fault_misaligned(warp, inst, lane, "shared", address[lane]);
        if (grid->status != SIMSM_OK)
            return false;
        place[lane] = block->shared + at;
        own[lane] = at;
        if (block->watched)
            watch_shared(warp, inst, block, UINT32_C(1) << lane, own, writes, place);
    }
    return true;
}

/* Returns whether a thread has arrived at the barrier, and none that lives is missing. */
static bool is_complete(const struct exec_cluster *cluster)
{
    bool any = false;
    for (uint32_t rank = 0; rank < CLUSTER_BLOCKS; rank++) {
        const struct exec_block *block = cluster->block[rank];
        for (uint32_t i = 0; block && i < block->warps; i++) {
            if (block->slot[i].warp->live & ~block->slot[i].cluster_arrived)
                return false;
            any |= block->slot[i].cluster_arrived != 0;
        }
    }
    return any;
}

static void release(struct exec_slot *slot)
{
    slot->cluster_arrived = 0;
    for (uint32_t i = 0; i < slot->groups; i++)
        if (slot->group[i].wait == EXEC_AT_CLUSTER) {
            slot->group[i].wait = EXEC_READY;
            slot->group[i].at++;
        }
}

void cluster_check(struct exec_block *block)
{
    struct exec_cluster *cluster = block->cluster;
    /* Of timed launches, other threads may execute the other blocks; the core opens the barrier. */
    if (!cluster || block->grid->pending || !is_complete(cluster))
        return;
    cluster->phase++;
    block->grid->changes++;
    if (block->watched)
        watch_cluster(cluster);
    for (uint32_t rank = 0; rank < CLUSTER_BLOCKS; rank++) {
        const struct exec_block *other = cluster->block[rank];
        for (uint32_t i = 0; other && i < other->warps; i++)
            release(&other->slot[i]);
    }
}

void cluster_arrive(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step,
                    uint32_t lanes)
{
    struct exec_group *group = split_running(slot);
    /* Launched without clusters, a block is a cluster. */
    if (!block->cluster && !cluster_join(block, 0, NULL)) {
        exec_stop(block->grid, SIMSM_FAILED, "out of memory for the state of a cluster");
        return;
    }
    if (lanes & slot->cluster_arrived) {
        exec_fault(slot->warp, &step->inst, (uint32_t)__builtin_ctz(lanes & slot->cluster_arrived),
                   EXEC_FAILURE_BARRIER,
                   "Invalid arrival at the barrier of the cluster: the thread has arrived, and not "
                   "waited yet");
        return;
    }
    group->at++;
    if (!lanes)
        return;
    slot->cluster_arrived |= lanes;
    slot->cluster_arrivals++;
    slot->cluster_phase = block->cluster->phase;
    cluster_check(block);
}

void cluster_wait(struct exec_block *block, struct exec_slot *slot, const struct exec_step *step,
                  uint32_t lanes)
{
    struct exec_group *group = split_running(slot);
    (void)step;
    if (block->grid->pending && lanes)
        slot->clustered = group->at + 1;
    if (!lanes || block->grid->pending || !block->cluster ||
        block->cluster->phase != slot->cluster_phase) {
        group->at++;
        return;
    }
    group->wait = EXEC_AT_CLUSTER;
    slot->now = EXEC_NOBODY;
}

void cluster_go_on(struct exec_slot *slot)
{
    slot->clustered = 0;
    slot->cluster_arrived = 0;
}

/* Returns how often the barrier of the cluster has opened: each warp that lives has arrived so
 * often at least. */
static uint32_t times_opened(const struct exec_cluster *cluster)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t rank = 0; rank < CLUSTER_BLOCKS; rank++) {
        const struct exec_block *block = cluster->block[rank];
        for (uint32_t i = 0; block && i < block->warps; i++)
            if (block->slot[i].warp->live && block->slot[i].cluster_arrivals < least)
                least = block->slot[i].cluster_arrivals;
    }
    return least;
}

void cluster_hand_over(struct exec_block *block)
{
    struct exec_cluster *cluster = block->cluster;
    if (!cluster)
        return;
    cluster->phase = times_opened(cluster);
    for (uint32_t i = 0; i < block->warps; i++) {
        struct exec_slot *slot = &block->slot[i];
        const bool waits = slot->cluster_arrivals > cluster->phase;
        if (!waits)
            slot->cluster_arrived = 0;
        slot->cluster_phase = waits ? cluster->phase : UINT32_MAX;
        if (waits && slot->clustered && slot->groups == 1) {
            slot->group[0].wait = EXEC_AT_CLUSTER;
            slot->group[0].at = slot->clustered - 1;
            slot->now = EXEC_NOBODY;
        }
        slot->clustered = 0;
    }
}
