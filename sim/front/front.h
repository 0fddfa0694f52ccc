/*
 * A front: where instruction streams come from. Everything above it sees a launch, a table of
 * static instructions and, for each warp, one stream of dynamic instructions, and does not know
 * whether a text trace, a recording or machine code is behind them.
 */
#ifndef SIM_FRONT_FRONT_H
#define SIM_FRONT_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/inst.h"
#include "model/wait.h"
#include "simsm/config.h"
#include "simsm/error.h"
#include "simsm/kernel.h"

struct front;

struct front_ops {
    const char *name;
    /* Releases the front. */
    void (*close)(struct front *front);
    /*
     * Begins the stream of one warp in `stream` (stream_size bytes, any content). `block` is the
     * linear block index, `warp` the warp in its block.
     */
    void (*warp_begin)(const struct front *front, void *cursor, uint64_t block, uint32_t warp);
    /*
     * The warp's next instruction. Not called again after one with WARP_INST_LAST; every stream
     * ends with one. Streams of different warps may be advanced in any order and by different
     * threads; the instructions that they yield do not depend on it.
     */
    void (*warp_next)(const struct front *front, void *cursor, struct warp_inst *inst);
    /* The addresses of a memory instruction that `stream` has yielded. */
    void (*addresses)(const struct front *front, const void *cursor, const struct warp_inst *inst,
                      struct lane_addresses *addresses);
    /*
     * Nothing more will be asked of `stream`, which warp_begin has begun: the warp has left the SM.
     * NULL: the front does not want to know.
     */
    void (*warp_end)(const struct front *front, void *cursor);
    /*
     * The wait that the instruction yielded last belongs to; it has WARP_INST_WAITS. NULL: no
     * stream has waits.
     */
    void (*wait)(const struct front *front, const void *cursor, struct wait *wait);
    /* The wait is not over: the next instruction is once more the first of the pass whose last one,
     * with WARP_INST_DECIDES, has been yielded last. NULL as for `wait`. */
    void (*repeat)(const struct front *front, void *cursor);
    /*
     * Whether all streams were as they should be so far. After a failure they end early, and what
     * they were read for has failed as well. NULL: nothing can fail.
     */
    enum simsm_status (*status)(const struct front *front, struct simsm_error *error);
    /*
     * Before any stream begins: while streams are made, which may take long, `stop` is asked many
     * times a second, by any thread; not 0 ends all streams, with the status SIMSM_INTERRUPTED.
     * NULL: the front makes nothing.
     */
    void (*stop_when)(const struct front *front, int (*stop)(void));
    /*
     * Before any stream begins: the launch is going to be timed, `place` and `clock`, and then
     * `timed` will be called. All four are NULL where a front has no use for the time.
     */
    enum simsm_status (*keep_clocks)(const struct front *front, struct simsm_error *error);
    /* The warp will be in this slot of this SM. Said before any stream of this block, or of a later
     * one, begins. */
    void (*place)(const struct front *front, uint64_t block, uint32_t warp, uint32_t sm,
                  uint32_t slot);
    /* Clock read number `ordinal`, from 0, of the warp (inst.reads_clock, by some lane) was issued
     * at `cycle`. Of one in the pass of a wait the last time counts. */
    void (*clock)(const struct front *front, const void *cursor, uint32_t ordinal, uint64_t cycle);
    /* The launch has been timed to its end: what it computes is now what it does with these places
     * and clock values. *note: a line for the user, to be freed, or NULL. */
    enum simsm_status (*timed)(const struct front *front, char **note, struct simsm_error *error);
};

/* A named region of global memory. */
struct front_buffer {
    char name[32];
    uint64_t base, bytes;
};

/* The memory that a kernel has beside the shared memory of its launch, where a front knows it. */
struct front_memory {
    bool known;
    const struct front_buffer *buffer; /* [buffers] */
    uint32_t buffers;
    uint32_t local_bytes; /* of a thread */
    uint64_t local_base;  /* where local memory of all threads begins */
};

/* The common part; each kind of front begins with it. */
struct front {
    const struct front_ops *ops;
    struct simsm_launch launch;
    const struct inst *code;   /* [code_size] */
    const char *const *text;   /* [code_size] one line for each static instruction */
    const char *const *source; /* [code_size] source file of each, NULL unknown; NULL: none known */
    uint32_t code_size;
    struct front_memory memory;
    size_t cursor_size; /* bytes that a warp's stream needs, alignment 16 */
    char path[256];     /* the file it was read from */
    char paths[128];    /* which side of a divergent branch its streams have first; "": unknown */
    char *warnings;     /* for the user, each line with its end, or NULL; front_close frees them */
};

/* NULL is allowed. */
void front_close(struct front *front);

/* The optional operations. */
void front_warp_end(const struct front *front, void *cursor);
enum simsm_status front_status(const struct front *front, struct simsm_error *error);
void front_stop_when(const struct front *front, int (*stop)(void));
enum simsm_status front_keep_clocks(const struct front *front, struct simsm_error *error);
enum simsm_status front_timed(const struct front *front, char **note, struct simsm_error *error);

#endif
