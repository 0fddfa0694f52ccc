/*
 * Checks what the warps of one block do, without simulating time. The audit counts instructions and
 * finds barriers that never open, misaligned addresses and, if the front knows the kernel's memory,
 * addresses outside this memory.
 */
#ifndef SIM_FRONT_AUDIT_H
#define SIM_FRONT_AUDIT_H

#include "front/front.h"

enum { AUDIT_MAX_FINDINGS = 16 };

struct audit_finding {
    uint32_t index; /* index of the static instruction */
    uint64_t block;
    uint32_t warp;
    char message[256];
};

struct audit {
    uint64_t instructions; /* warp instructions that ran */
    bool cut;              /* the limit stopped at least one warp */
    uint32_t findings;     /* number found; only the first AUDIT_MAX_FINDINGS are stored */
    struct audit_finding finding[AUDIT_MAX_FINDINGS];
};

/*
 * Runs the warps of block `block` as far as barriers let them, at most `limit` instructions in all,
 * and adds the counts and findings to *audit. One instruction is reported once for each kind of
 * mistake. Fails only if memory runs out.
 */
enum simsm_status audit_block(const struct front *front, uint64_t block, uint64_t limit,
                              struct audit *audit, struct simsm_error *error);

/*
 * Counts the instructions of one warp; barriers do not stop the warp. `cursor` has room for
 * front->cursor_size bytes. *instructions: the count, at most `limit`. Returns false if the warp
 * has more than `limit` instructions.
 */
bool audit_count(const struct front *front, void *cursor, uint64_t block, uint32_t warp,
                 uint64_t limit, uint64_t *instructions);

#endif
