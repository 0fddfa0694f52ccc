/*
 * Clusters (sm_90): blocks that run at the same time, reach the shared memory of one another, and
 * have a barrier of their own. In an address of shared memory, bits 31:24 are the rank of the block
 * in its cluster.
 */
#ifndef SIM_EXEC_CONTROL_CLUSTER_H
#define SIM_EXEC_CONTROL_CLUSTER_H

#include "exec/control/exec_grid.h"
#include "front/clusters.h"

enum { CLUSTER_RANK_BIT = 24 };

struct exec_cluster {
    struct exec_block *block[CLUSTER_BLOCKS]; /* by rank; NULL: has ended */
    uint32_t blocks;                          /* that have not ended */
    uint32_t phase;                           /* how often the barrier has opened */
};

/* Returns the address of shared memory in block `rank` of the cluster, at the place of `address`.
 */
static inline uint32_t cluster_address(uint32_t rank, uint32_t address)
{
    return rank << CLUSTER_RANK_BIT | (address & ((1u << CLUSTER_RANK_BIT) - 1));
}

/* Makes a block that begins part of a cluster, which is created with its first block. Returns false
 * if memory is short. */
bool cluster_join(struct exec_block *block, uint32_t rank, struct exec_cluster *with);
/* The block has ended, or is about to be freed. Ends the cluster with its last block. */
void cluster_leave(struct exec_block *block);

/* Finds the block of the cluster that `address` of shared memory names, and sets *at to the address
 * within it. Fails the launch and returns NULL if there is none, or if it has ended. */
struct exec_block *cluster_target(struct exec_warp *warp, const struct exec_inst *inst,
                                  uint32_t lane, uint32_t address, uint32_t *at);

/* Returns the lanes whose address of shared memory is of another block of the cluster. */
uint32_t cluster_lanes_elsewhere(const struct exec_warp *warp, uint32_t lanes,
                                 const uint64_t address[EXEC_LANES]);

/* As exec_find_shared, for addresses with ranks: also in other blocks of the cluster. */
bool cluster_find(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                  const uint64_t address[EXEC_LANES], bool writes, uint8_t *place[EXEC_LANES]);

/* barrier.cluster: UCGABAR_ARV, UCGABAR_WAIT. */
exec_control_fn cluster_arrive, cluster_wait;
/* Of timed launches. cluster_go_on: the timing model has let the warp go on behind UCGABAR_WAIT.
 * cluster_hand_over: the block goes on without time. */
void cluster_go_on(struct exec_slot *slot);
void cluster_hand_over(struct exec_block *block);
/* Opens the barrier of the block's cluster if only threads that have exited were missing. */
void cluster_check(struct exec_block *block);

#endif
