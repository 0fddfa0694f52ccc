/*
 * GPCs: which one an SM belongs to, and in which order SMs are given blocks.
 *
 * SOURCE: an H200, calib/join map: SMs of a GPC have the same clock, and their reads merge;
 * calib/dispatch order: blocks of 132 and fewer.
 * LEFT OUT: with which GPC a launch begins, which differs; TPCs outside GPCs that get their second
 * blocks early where there are many; pairs that are preferred in the second pass.
 */
#ifndef SIM_CONFIG_GPCS_H
#define SIM_CONFIG_GPCS_H

#include <simsm/config.h>

/*
 * The GPC of an SM: TPCs, which are pairs of SMs, have numbers that go round over the GPCs of
 * gpu.gpc_tpcs; what is left over belongs to the first. Without that list, each TPC's own number.
 */
uint32_t gpcs_of_sm(const struct simsm_config *config, uint32_t sm);

/*
 * The order in which SMs are given one block each, if there are so many: a share for each GPC and
 * each TPC that is left over, as even as can be, these before all; in a GPC one for each TPC before
 * any gets two. Neighbouring blocks are in one TPC, and in one GPC. SMs that get none come last.
 * Without a list of GPCs: even SM numbers before odd ones. order: [gpu.sms].
 */
void gpcs_order(const struct simsm_config *config, uint64_t blocks, uint32_t *order);

#endif
