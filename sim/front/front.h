/*
 * The front: the interface between what produces instructions (a text trace, a recording, machine
 * code) and the simulator.
 *
 * A front offers a launch, a table of static instructions, and for each warp one sequence of
 * dynamic instructions. A cursor is a place in the instruction sequence of one warp.
 */
#ifndef SIM_FRONT_FRONT_H
#define SIM_FRONT_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "front/clusters.h"
#include "model/inst.h"
#include "model/wait.h"
#include "simsm/config.h"
#include "simsm/error.h"
#include "simsm/kernel.h"

struct front;

enum { FRONT_LOOK = 100000 }; /* cycles between looks for warps that wait for ever */

/* Contiguous bytes of global memory. */
struct front_part {
    uint64_t address;
    uint32_t bytes;
};

/* What a copy (TMA), or a message to other blocks of the cluster, accesses, and in which order. */
struct front_copy {
    const struct front_part *part; /* [parts]; until the next instruction of the SM issues */
    uint32_t parts;
    uint32_t number;  /* its name among the copies and messages of the SM */
    uint32_t between; /* bytes from shared to shared memory */
    uint32_t filled;  /* bytes brought to shared memory that lie outside of a tensor */
    uint32_t targets; /* SMs in which barriers count it; 0: none but its own */
    uint16_t target[CLUSTER_BLOCKS];
};

struct front_ops {
    const char *name;
    /* Frees the front. */
    void (*close)(struct front *front);
    /*
     * Places `cursor` (cursor_size bytes, any content) at the start of one warp's instruction
     * sequence. `block` is the linear block index, `warp` the index of the warp in its block.
     */
    void (*warp_begin)(const struct front *front, void *cursor, uint64_t block, uint32_t warp);
    /*
     * Returns the warp's next instruction in *inst and moves the cursor past it. The last
     * instruction of every sequence has WARP_INST_LAST; the function is not called after it.
     * Cursors of different warps may move in any order and in different threads; this does not
     * change the instructions.
     */
    void (*warp_next)(const struct front *front, void *cursor, struct warp_inst *inst);
    /*
     * NULL: warp_next() tells everything about an instruction. Otherwise warp_next() may tell only
     * its index and the active lanes, without side effects, or active lanes of 0 if the warp waits
     * for others, with WARP_INST_WAITS if for memory; and `issue` completes *inst: the warp issues
     * it in `cycle`.
     */
    void (*issue)(const struct front *front, void *cursor, uint64_t cycle, struct warp_inst *inst);
    /*
     * With `issue`. Makes what the instructions issued before `cycle` have done to global memory
     * visible to all SMs, and answers what has waited for it. Returns whether warps may go on
     * thereby. Called while no SM runs: before the first window, after the last window before each
     * multiple of gpu.epoch, and at the first multiple of gpu.epoch after each multiple of
     * FRONT_LOOK. If the front has failed, the run ends at `cycle`.
     */
    bool (*exchange)(const struct front *front, uint64_t cycle);
    /*
     * With `issue`. The arrivals of `lanes` at the barrier at `address` of shared memory count now,
     * which instruction `index` of the warp makes (with WARP_INST_WRITES): its access has been
     * answered, and copies that it waits for have come.
     */
    void (*arrive)(const struct front *front, void *cursor, uint32_t index, uint64_t address,
                   uint32_t lanes);
    /*
     * With `issue`. Fills *copy for the latest instruction that has issued in the warp's SM, a copy
     * beside the warp (TMA), or one with WARP_INST_MESSAGE.
     */
    void (*copy)(const struct front *front, const void *cursor, const struct warp_inst *inst,
                 struct front_copy *copy);
    /* With `copy`. What copy or message `number` of SM `from` has brought to shared memory of SM
     * `sm` is there now. */
    void (*copied)(const struct front *front, uint32_t sm, uint32_t from, uint32_t number);
    /*
     * With `issue`. Returns whether the wait for a phase is over (MBARRIER_WAIT with
     * WARP_INST_WAITS); the warp's registers then have the answer. `number` counts such waits of
     * the warp in the order of issue, from 0. `give_up`: it has waited so long that it comes back
     * in vain, if it can.
     */
    bool (*phase_over)(const struct front *front, void *cursor, uint32_t number, bool give_up);
    /* With `exchange`. Returns the cycle after which an exchange lets warps go on; UINT64_MAX: none
     * does by itself. NULL: none ever does. */
    uint64_t (*due)(const struct front *front);
    /* With `exchange`. Returns whether the last look has found that warps do nothing but wait for
     * what others do. NULL: never. */
    bool (*stuck)(const struct front *front);
    /* With `issue`. Sets *error to a description of warps that wait for one another. */
    void (*describe_stuck)(const struct front *front, struct simsm_error *error);
    /* Fills *addresses for the memory instruction `inst`, the latest that `cursor` has returned;
     * with `issue`, the latest that has issued in its SM. */
    void (*addresses)(const struct front *front, const void *cursor, const struct warp_inst *inst,
                      struct lane_addresses *addresses);
    /* Ends the use of `cursor`: the warp has left the SM. NULL: not called. */
    void (*warp_end)(const struct front *front, void *cursor);
    /*
     * Fills *wait with the wait of the latest instruction, which has WARP_INST_WAITS. NULL: no
     * sequence has waits that are known beforehand.
     */
    void (*wait)(const struct front *front, const void *cursor, struct wait *wait);
    /*
     * Returns the first failure of any instruction sequence so far. Sequences end early after a
     * failure, and the caller's work has failed too. NULL: nothing can fail.
     */
    enum simsm_status (*status)(const struct front *front, struct simsm_error *error);
    /*
     * Called before any cursor begins. While the front produces instructions, which may take long,
     * it calls `stop` many times a second, from any thread. If `stop` returns non-zero, all
     * sequences end with the status SIMSM_INTERRUPTED. NULL: the front produces nothing.
     */
    void (*stop_when)(const struct front *front, int (*stop)(void));
    /*
     * Called before any cursor begins: the launch is going to be timed, so `place` will be called,
     * and `finish` at the end. It may change front->ops. All three are NULL if the front has no use
     * for the time.
     */
    enum simsm_status (*begin_timed)(struct front *front, struct simsm_error *error);
    /*
     * Tells the front that the warp will be in slot `slot` of SM `sm`. Called before a cursor of
     * this block or of a later block begins.
     */
    void (*place)(const struct front *front, uint64_t block, uint32_t warp, uint32_t sm,
                  uint32_t slot);
    /* Called once, when the simulation has come to its end or stops early. Executes, without time,
     * what has not been simulated; memory then holds what the kernel computes. */
    enum simsm_status (*finish)(const struct front *front, struct simsm_error *error);
};

/* A named region of global memory. */
struct front_buffer {
    char name[32];
    uint64_t base, bytes;
};

/*
 * The global and local memory of a kernel, if the front knows it. (Shared memory is in the launch.)
 */
struct front_memory {
    bool known;
    const struct front_buffer *buffer; /* [buffers] */
    uint32_t buffers;
    uint32_t local_bytes; /* of one thread */
    uint64_t local_base;  /* start address of the local memory of all threads */
};

/* The common part of all fronts: the first member of every kind of front. */
struct front {
    const struct front_ops *ops;
    struct simsm_launch launch;
    const struct inst *code;   /* [code_size] */
    const char *const *text;   /* [code_size] one line of text for each static instruction */
    const char *const *source; /* [code_size] source file of each or NULL; NULL: none known */
    uint32_t code_size;
    struct front_memory memory;
    bool outputs;       /* `finish` writes files: call it also if the simulation stops early */
    size_t cursor_size; /* bytes of one cursor; alignment 16 */
    char path[256];     /* the file that was read */
    char paths[128]; /* which side of a divergent branch runs first in the sequences; "": unknown */
    char *warnings;  /* for the user, one per line, or NULL; freed by front_close() */
};

/* Frees the front. NULL is allowed. */
void front_close(struct front *front);

/* Each calls the operation of the same name. Without this operation it does nothing and returns
 * SIMSM_OK. */
void front_warp_end(const struct front *front, void *cursor);
enum simsm_status front_status(const struct front *front, struct simsm_error *error);
void front_stop_when(const struct front *front, int (*stop)(void));
enum simsm_status front_begin_timed(struct front *front, struct simsm_error *error);
enum simsm_status front_finish(const struct front *front, struct simsm_error *error);

#endif
