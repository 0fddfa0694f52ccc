/*
 * The execution of one launch: prepared instructions, constants and memory, and which blocks run.
 */
#ifndef SIM_EXEC_CONTROL_EXEC_GRID_H
#define SIM_EXEC_CONTROL_EXEC_GRID_H

#include "exec/control/exec_block.h"
#include "exec/launch/exec_launch.h"
#include "exec/waiting/ended_blocks.h"
#include "exec/waiting/spin.h"
#include "exec/waiting/visit.h"
#include "model/inst.h"

/* Where generic addresses lead to shared and to local memory: the high word tells. Like those of
 * device memory they are where Linux puts nothing, as kernels also reach memory of the host. */
#define EXEC_LOCAL_WINDOW  UINT64_C(0x3fd000000000)
#define EXEC_SHARED_WINDOW UINT64_C(0x3fe000000000)
/* Functions of the runtime that code can call have addresses from here on, 16 bytes apart. */
#define EXEC_EXTERN_BASE UINT64_C(0x3fc000000000)

struct exec_step;
struct exec_clocks;
struct exec_undo;

/* A control instruction, for those lanes of the slot's group whose guard is true; maybe none. It
 * moves the group on. */
typedef void exec_control_fn(struct exec_block *block, struct exec_slot *slot,
                             const struct exec_step *step, uint32_t lanes);

enum exec_kind {
    EXEC_REGISTERS, /* works on registers alone */
    EXEC_MEMORY,    /* accesses memory: can fault, has addresses */
    EXEC_BRANCH,    /* BRA to a fixed target, by guard and predicate */
    EXEC_CONTROL,
    EXEC_UNSUPPORTED
};

/* A static instruction, ready to be executed. */
struct exec_step {
    uint8_t kind;    /* enum exec_kind */
    uint8_t asks;    /* kernels that race: scoreboards on which its answer from memory comes, */
    uint8_t awaits;  /* and those that it waits for */
    uint32_t loop;   /* number of the polling loop that it belongs to, from 1; 0: none */
    uint32_t target; /* index of the instruction branched to */
    exec_control_fn *control;
    const char *why; /* EXEC_UNSUPPORTED */
    struct exec_inst inst;
};

struct exec_grid {
    struct exec_module *module;
    const struct sass_kernel *kernel;
    struct simsm_launch launch;
    struct exec_options options;
    struct divergence_rules rules;
    struct device_memory *memory;
    struct sass_inst *decoded; /* [steps] */
    struct inst *lowered;      /* [steps] as the timing model sees them */
    const char **source;       /* [steps] file of its source line; NULL unknown */
    struct exec_step *step;    /* [steps + 1]; the last one is behind the end of the code */
    struct device_span *span;  /* [steps] allocation that each touched last */
    uint32_t steps;
    struct exec_bank bank[EXEC_BANKS];
    uint8_t *constant0;
    uint32_t sm, sms;
    uint32_t shared_first, shared_bytes; /* addresses of shared memory: [first, bytes) */
    uint32_t local_bytes;
    uint64_t resident; /* blocks that can be resident at a time */
    bool recording;
    uint64_t changes; /* times that memory was changed */
    bool clock_read;  /* since it was last set to false */
    double clock_mhz;
    const struct exec_clocks *clocks; /* where warps are, and when they read clocks; or NULL */
    bool timed;                       /* the latter is known */
    struct exec_undo *undo;           /* notes what is changed in memory; NULL: nobody asks */
    struct exec_spin spin;
    struct exec_loop *loop;          /* [loops] that may wait for memory */
    uint32_t loops;                  /* 0: there are none, or nobody wants to know */
    bool keeps;                      /* streams are made, or loops are watched */
    struct word_table words;         /* of global memory: what such loops may wait for */
    struct exec_warp *spare;         /* room for a warp's registers, if there are loops */
    bool tolerated;                  /* options.tolerate has been told */
    bool wrote;                      /* the last instruction has written one of them */
    struct lane_addresses addresses; /* of the last access */
    uint8_t values; /* distinct ones of MATCH.ANY, addresses of LDC, if that came last; else 0 */
    struct exec_counts counts;
    enum simsm_status status; /* not SIMSM_OK: the launch has failed, as error says */
    struct simsm_error error;
    /* blocks */
    uint64_t next; /* the next block to start */
    uint64_t events;
    struct exec_block *suspended; /* those that have begun and not ended, by index */
    struct exec_block *free;
    uint64_t suspended_count;
    struct ended_table ended;
    bool races;            /* blocks take turns: race.h */
    uint32_t quiet_rounds; /* of such turns in which no memory was changed and no block ended */
    uint64_t quiet_changes;
};

/* Lanes of `active` whose guard holds. */
static inline uint32_t exec_guarded(const struct exec_warp *warp, const struct exec_inst *inst,
                                    uint32_t active)
{
    uint32_t mask = inst->guard_uniform ? warp->up[inst->guard] : warp->p[inst->guard];
    return active & (inst->guard_negate ? ~mask : mask);
}

/* Prepares the launch; `recording`: streams are to be made. On success *grid must be destroyed. */
enum simsm_status exec_grid_create(struct exec_grid **grid, const struct exec_launch *launch,
                                   bool recording, struct simsm_error *error);
void exec_grid_destroy(struct exec_grid *grid);

/* All blocks have ended and their streams been taken: makes it as it was before the first began. */
void exec_grid_rewind(struct exec_grid *grid);

/*
 * Executes blocks, in the order of their indices, until block `index` has ended. If streams are
 * made, they are moved to stream[0..warps-1].
 */
enum simsm_status exec_grid_finish(struct exec_grid *grid, uint64_t index,
                                   struct byte_buffer *cursor, struct simsm_error *error);

/* Whether all blocks have ended. */
bool exec_grid_ended(const struct exec_grid *grid);

/* For who decides which blocks run. A block, not begun yet, that is in no list; NULL: out of
 * memory, and the launch has failed. */
struct exec_block *exec_grid_new_block(struct exec_grid *grid);
/* A block that is in no list has ended, or its threads wait for one another. */
void exec_grid_block_ended(struct exec_grid *grid, struct exec_block *block);
void exec_grid_stuck(struct exec_grid *grid, const struct exec_block *block);

#endif
