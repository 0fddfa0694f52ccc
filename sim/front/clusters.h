/*
 * Clusters (sm_90): blocks that run at the same time in one GPC. Which blocks form one, and their
 * ranks: the PTX ISA; an H100 (cuda/probe/clusters.cu).
 */
#ifndef SIM_FRONT_CLUSTERS_H
#define SIM_FRONT_CLUSTERS_H

#include <stdint.h>

#include "simsm/kernel.h"

enum { CLUSTER_BLOCKS = 16 };

/* Returns the blocks of a cluster; 0: the kernel is not launched in clusters. */
uint32_t cluster_size(const struct simsm_launch *launch);

/* Returns the index of the block that begins as number `order`: a cluster's blocks follow one
 * another. Sets *rank to its rank. */
uint64_t cluster_block(const struct simsm_launch *launch, uint64_t order, uint32_t *rank);

/* Returns the rank of block `index` in its cluster. */
uint32_t cluster_rank_of(const struct simsm_launch *launch, uint64_t index);

#endif
