/* Shows the accesses of an executed launch to its sanitizer (sim/sanitize). */
#ifndef SIM_EXEC_MEMORY_WATCHED_ACCESS_H
#define SIM_EXEC_MEMORY_WATCHED_ACCESS_H

#include "exec/control/exec_grid.h"
#include "sanitize/sanitizer.h"

/* Returns what the sanitizer knows of a warp. */
static inline struct sanitizer_warp *watch_warp(const struct exec_warp *warp)
{
    return &warp->block->watched->warp[warp->index];
}

/*
 * Objects that order the warps of a block: words of global memory have their address divided by 4,
 * which is below these. An mbarrier at an address of shared memory, and a word of shared memory
 * that is a flag.
 */
static inline uint64_t watch_mbarrier_object(uint64_t address)
{
    return address | UINT64_C(1) << 60;
}

static inline uint64_t watch_flag_object(uint64_t address)
{
    return address | UINT64_C(1) << 61;
}

/* Global memory: `lanes` access `address`, whose bytes are at `place`. */
void watch_global(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                  const uint64_t address[EXEC_LANES], uint8_t *const place[EXEC_LANES]);

/* Shared memory of `owner`, with addresses from its begin on. */
void watch_shared(struct exec_warp *warp, const struct exec_inst *inst,
                  const struct exec_block *owner, uint32_t lanes,
                  const uint64_t address[EXEC_LANES], bool writes,
                  uint8_t *const place[EXEC_LANES]);

/* Local memory of a lane: looks for reads of what was never written. */
void watch_local(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                 uint64_t offset);

/* A copy beside the warps begins: the mbarrier at `barrier`, in a block of the cluster, counts what
 * it writes to shared memory. */
void watch_bulk_begin(struct exec_warp *warp, const struct exec_inst *inst, uint32_t barrier);
/* It reads or writes `bytes` bytes, a multiple of 16: at `address` of `owner`, or of global memory
 * if `owner` is NULL. */
void watch_bulk(struct exec_warp *warp, const struct exec_inst *inst,
                const struct exec_block *owner, uint64_t address, uint32_t bytes, bool writes);

/* Report the mistake that ends the launch: of a thread, or threads that wait for ever. */
void watch_fault(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                 enum exec_failure failure, const char *what);
void watch_deadlock(const struct exec_block *block);

/* Reports a mistake at an instruction of a warp. */
void watch_report(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                  enum finding_kind kind, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
