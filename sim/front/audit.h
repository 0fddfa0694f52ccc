/*
 * Looks at what the warps of one block do, without simulating time: counts instructions, and finds
 * what a kernel should not do: barriers that never open, addresses that are misaligned or lie
 * outside the memory that the kernel has, if the front knows it.
 */
#ifndef SIM_FRONT_AUDIT_H
#define SIM_FRONT_AUDIT_H

#include "front/front.h"

enum { AUDIT_MAX_FINDINGS = 16 };

struct audit_finding {
    uint32_t index; /* static instruction */
    uint64_t block;
    uint32_t warp;
    char message[256];
};

struct audit {
    uint64_t instructions; /* warp instructions looked at */
    bool cut;              /* the limit stopped it somewhere */
    uint32_t findings;     /* those beyond AUDIT_MAX_FINDINGS are not kept */
    struct audit_finding finding[AUDIT_MAX_FINDINGS];
};

/*
 * Runs the warps of block `block` as far as barriers let them, at most `limit` instructions in all,
 * and adds to *audit. An instruction is reported once for each kind of mistake. Fails only if
 * memory runs out.
 */
enum simsm_status audit_block(const struct front *front, uint64_t block, uint64_t limit,
                              struct audit *audit, struct simsm_error *error);

/*
 * Counts the instructions of one warp, barriers or not. False if there are more than `limit`;
 * `stream` has room for a stream of this front.
 */
bool audit_count(const struct front *front, void *cursor, uint64_t block, uint32_t warp,
                 uint64_t limit, uint64_t *instructions);

#endif
