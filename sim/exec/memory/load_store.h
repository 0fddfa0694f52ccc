/* Loads, stores and atomic operations: addresses, and the bytes on the host behind them. */
#ifndef SIM_EXEC_MEMORY_LOAD_STORE_H
#define SIM_EXEC_MEMORY_LOAD_STORE_H

#include "exec/control/exec_grid.h"

/* Indices into exec_inst.mod of instructions that access memory. */
enum exec_access_mod {
    ACCESS_BYTES,  /* bytes that each lane accesses */
    ACCESS_OFFSET, /* offset added to the address (sign extended) */
    ACCESS_UR,     /* uniform register (pair) added to the address; SASS_URZ: none */
    ACCESS_DATA,   /* row of the first register that is stored */
    ACCESS_FACTOR, /* factor of A (shared memory) */
    ACCESS_WHAT,   /* size of a load or store, or operation of an atomic */
    ACCESS_TYPE,   /* type of an atomic */
    ACCESS_WRITES  /* 1: the instruction writes */
};

/* Fills the parts of mod that follow from the operands. ACCESS_BYTES, ACCESS_WHAT, ACCESS_TYPE and
 * ACCESS_WRITES are left to the caller. */
void exec_access_fill(struct exec_inst *inst);

/*
 * Finds where the bytes of each of `lanes` lie on the host; other elements of `place` are
 * undefined. Leaves the addresses in exec_grid.addresses. Returns false if the access of a lane is
 * wrong; the launch has then failed. One function for each kind of memory.
 */
typedef bool exec_places_fn(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                            uint8_t *place[EXEC_LANES]);
exec_places_fn exec_places_global, exec_places_generic, exec_places_shared, exec_places_local;

/* Returns the lanes of `lanes` whose generic address lies in `window`: EXEC_SHARED_WINDOW or
 * EXEC_LOCAL_WINDOW. */
uint32_t exec_lanes_in_window(const uint64_t address[EXEC_LANES], uint32_t lanes, uint64_t window);

/*
 * Fail the launch because of a wrong access of `lane`, with a message that describes it: at an
 * address outside of global or shared memory, at a misaligned address of the memory called `space`,
 * at an offset outside of local memory. fault_text.c
 */
void exec_fault_global_bounds(const struct exec_warp *warp, const struct exec_inst *inst,
                              uint32_t lane, uint64_t address);
void exec_fault_shared_bounds(const struct exec_warp *warp, const struct exec_inst *inst,
                              uint32_t lane, uint64_t address);
void exec_fault_misaligned(const struct exec_warp *warp, const struct exec_inst *inst,
                           uint32_t lane, const char *space, uint64_t address);
void exec_fault_local_bounds(const struct exec_warp *warp, const struct exec_inst *inst,
                             uint32_t lane, uint64_t offset);

/* As exec_places_fn, for addresses that the caller has computed (LDGSTS, LDSM, generic accesses).
 * `writes`: the access writes. exec_find_shared takes the block's own rank in its cluster from the
 * addresses that have it. */
bool exec_find_global(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      const uint64_t address[EXEC_LANES], uint8_t *place[EXEC_LANES]);
bool exec_find_shared(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      uint64_t address[EXEC_LANES], bool writes, uint8_t *place[EXEC_LANES]);

/*
 * Stores `words` elements of `element` bytes of each of `lanes` to `place`: the low bytes of the
 * registers in row `data` and the rows behind it. Where lanes store to the same place, the value
 * stays that stays on an H200. In a timed launch other SMs see the bytes later (pending.h).
 */
void exec_store(struct exec_warp *warp, uint32_t data, uint32_t lanes,
                uint8_t *const place[EXEC_LANES], uint32_t element, uint32_t words);

/* Compute the address of each lane from A, the uniform register and the offset: 64 bits (wide), or
 * 32 bits of shared memory. */
void exec_address_wide(const struct exec_warp *warp, const struct exec_inst *inst,
                       uint64_t address[EXEC_LANES]);
void exec_address_shared(const struct exec_warp *warp, const struct exec_inst *inst,
                         uint64_t address[EXEC_LANES]);

/*
 * Prepare an instruction that accesses memory: fill run and mod of *inst. Return false if the
 * instruction is not of their kind, or if it is not supported; *why is then a static text.
 * exec_prepare_access tries all kinds.
 */
bool exec_prepare_access(struct exec_inst *inst, const char **why);
bool exec_prepare_atomic(struct exec_inst *inst, const char **why); /* atomic.c */

bool exec_prepare_collective(struct exec_inst *inst, const char **why); /* collective.c */
bool exec_prepare_texture(struct exec_inst *inst, const char **why);    /* texture_access.c */
/* As exec_prepare_access, for instructions that read special registers and constants:
 * special_read.c */
bool exec_prepare_special(struct exec_inst *inst, const char **why);

#endif
