/* Loads, stores and atomics: which bytes of which memory each lane means. */
#ifndef SIM_EXEC_MEMORY_LOAD_STORE_H
#define SIM_EXEC_MEMORY_LOAD_STORE_H

#include "exec/control/exec_grid.h"

/* What prepare functions put into exec_inst.mod for an access. */
enum exec_access_mod {
    ACCESS_BYTES,  /* that each lane accesses */
    ACCESS_OFFSET, /* added to the address (sign extended) */
    ACCESS_UR,     /* uniform register (pair) added; SASS_URZ: none */
    ACCESS_DATA,   /* row of the first register stored */
    ACCESS_FACTOR, /* A is multiplied by it (shared memory) */
    ACCESS_WHAT,   /* size, or operation of an atomic */
    ACCESS_TYPE,   /* of an atomic */
    ACCESS_WRITES  /* 1: it writes */
};

/* Memory has changed. Nobody waits for what others do to their local memory. */
void exec_wrote(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes, bool atomic,
                uint8_t *const place[EXEC_LANES]);

/* Fills mod as far as operands say it; ACCESS_BYTES, WHAT, TYPE and WRITES are left. */
void exec_access_fill(struct exec_inst *inst);

/* Where the bytes of each of `lanes` are on the host (anything for other lanes); false: one lane's
 * access is wrong, and the launch has failed. The addresses are left in exec_grid.addresses. */
typedef bool exec_places_fn(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                            uint8_t *place[EXEC_LANES]);
exec_places_fn exec_places_global, exec_places_generic, exec_places_shared, exec_places_local;

/* Those of `lanes` whose generic address lies in the window, EXEC_SHARED_WINDOW or ..LOCAL.. */
uint32_t exec_lanes_in_window(const uint64_t address[EXEC_LANES], uint32_t lanes, uint64_t window);

/* They fail the launch and say why, for `lane`: its access at an address of global, at one of
 * shared memory, at one of a space with this name, at this offset of local memory. outside.c */
void exec_fault_global_bounds(const struct exec_warp *warp, const struct exec_inst *inst,
                              uint32_t lane, uint64_t address);
void exec_fault_shared_bounds(const struct exec_warp *warp, const struct exec_inst *inst,
                              uint32_t lane, uint64_t address);
void exec_fault_misaligned(const struct exec_warp *warp, const struct exec_inst *inst,
                           uint32_t lane, const char *space, uint64_t address);
void exec_fault_local_bounds(const struct exec_warp *warp, const struct exec_inst *inst,
                             uint32_t lane, uint64_t offset);

/* For LDGSTS and LDSM, which have addresses of their own making. */
bool exec_find_global(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      const uint64_t address[EXEC_LANES], uint8_t *place[EXEC_LANES]);
bool exec_find_shared(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      const uint64_t address[EXEC_LANES], bool writes, uint8_t *place[EXEC_LANES]);

/* Address of each lane from A, uniform register and offset: 64 bits; of shared memory 32. */
void exec_address_wide(const struct exec_warp *warp, const struct exec_inst *inst,
                       uint64_t address[EXEC_LANES]);
void exec_address_shared(const struct exec_warp *warp, const struct exec_inst *inst,
                         uint64_t address[EXEC_LANES]);

/*
 * Fills run and mod of *inst if it accesses memory. False: it does not, or (*why is set) it is not
 * supported.
 */
bool exec_prepare_access(struct exec_inst *inst, const char **why);
bool exec_prepare_atomic(struct exec_inst *inst, const char **why); /* atomic.c */
/* Whether an atomic operation can take a lock: it sets a word, and says what was there. */
bool exec_atomic_takes(const struct exec_inst *inst);
bool exec_prepare_collective(struct exec_inst *inst, const char **why); /* collective.c */
bool exec_prepare_texture(struct exec_inst *inst, const char **why);    /* texture_access.c */
/* Likewise of what reads special registers and constants: special.c */
bool exec_prepare_special(struct exec_inst *inst, const char **why);

#endif
