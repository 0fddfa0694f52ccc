/*
 * MODEL: the GPCs of a GPU: which GPC an SM belongs to, and the order in which SMs get blocks.
 *
 * SOURCE: an H200, calib/join map: SMs of a GPC have the same clock, and their reads merge;
 * calib/dispatch order: blocks of 132 and fewer.
 * LEFT OUT: the GPC with which a launch begins, which varies; TPCs outside of GPCs, which get their
 * second blocks early if there are many blocks; pairs of SMs that are preferred in the second pass.
 */
#ifndef SIM_CONFIG_GPCS_H
#define SIM_CONFIG_GPCS_H

#include <simsm/config.h>

/*
 * Returns the GPC of an SM. A TPC is a pair of SMs. The numbers of TPCs go round over the GPCs of
 * gpu.gpc_tpcs; TPCs that are left over belong to GPC 0. Without that list the result is the number
 * of the TPC.
 */
uint32_t gpcs_of_sm(const struct simsm_config *config, uint32_t sm);

/*
 * Fills order[gpu.sms] with the order in which SMs get one block each. The blocks are shared out
 * evenly over GPCs and TPCs that are left over; the latter come first. In a GPC each TPC gets a
 * block before any gets two. Neighbouring blocks go to the same TPC and the same GPC. SMs without a
 * block come last. Without a list of GPCs even SM numbers come before odd ones.
 */
void gpcs_order(const struct simsm_config *config, uint64_t blocks, uint32_t *order);

/*
 * Fills group[gpu.sms] with the groups of SMs in which clusters run: TPCs that are left over come
 * first, then the GPCs. Returns the number of groups.
 */
uint32_t gpcs_groups(const struct simsm_config *config, uint16_t *group);

/* Most blocks of clusters in an SM (H100: cuda/probe/clusters.cu, answers). */
enum { GPCS_CLUSTERED = 8 };

/*
 * Returns how many clusters of `size` blocks the GPU holds at a time, if an SM holds `blocks` of
 * them. The blocks of a cluster are in one GPC, or in one TPC that is left over, which must have as
 * many SMs as the cluster has blocks (H100: cuda/probe/clusters.cu, answers).
 */
uint64_t gpcs_clusters(const struct simsm_config *config, uint32_t size, uint32_t blocks);

#endif
