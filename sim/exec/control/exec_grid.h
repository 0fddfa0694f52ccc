/* The execution of one launch: prepared instructions, constants, memory, and which blocks run. */
#ifndef SIM_EXEC_CONTROL_EXEC_GRID_H
#define SIM_EXEC_CONTROL_EXEC_GRID_H

#include "base/arena.h"
#include "base/byte_buffer.h"
#include "exec/control/ended_blocks.h"
#include "exec/control/exec_block.h"
#include "exec/launch/exec_launch.h"
#include "model/inst.h"

/*
 * Windows of generic addresses: the high word tells whether an address means local or shared
 * memory. As for device memory, Linux maps nothing at these addresses; kernels also reach memory of
 * the host.
 */
#define EXEC_LOCAL_WINDOW  UINT64_C(0x3fd000000000)
#define EXEC_SHARED_WINDOW UINT64_C(0x3fe000000000)
/* The parameters of the kernel: sm_90 has their address, for tensor maps among them. */
#define EXEC_PARAMETER_WINDOW UINT64_C(0x3fb000000000)
/*
 * Addresses of the functions of the device runtime that code can call begin here, 16 bytes apart.
 */
#define EXEC_EXTERN_BASE UINT64_C(0x3fc000000000)

struct pending;
struct exec_code;
struct exec_step;
struct exec_undo;

/* Executes a control instruction for `lanes`, the lanes of the slot's running group whose guard is
 * true; `lanes` may be 0. The function moves the group on. */
typedef void exec_control_fn(struct exec_block *block, struct exec_slot *slot,
                             const struct exec_step *step, uint32_t lanes);

enum exec_kind {
    EXEC_REGISTERS, /* reads and writes registers only */
    EXEC_MEMORY,    /* accesses memory: can fail the launch, has addresses */
    EXEC_COPY,      /* a copy beside the warp (TMA) */
    EXEC_MESSAGE,   /* a store to another block of the cluster that a barrier counts */
    EXEC_BRANCH,    /* BRA to a fixed target, by guard and predicate */
    EXEC_CONTROL,
    EXEC_UNSUPPORTED
};

/* A static instruction, prepared for execution. */
struct exec_step {
    uint8_t kind;   /* enum exec_kind */
    uint8_t asks;   /* kernels that race: scoreboards that the answer from memory releases */
    uint8_t awaits; /* kernels that race: scoreboards that the instruction waits for */
    bool loads;     /* a load, or an atomic operation with a result: may be a poll */
    bool polls;     /* sees what other SMs write, or waits for a phase: recordings may wait here */
    uint8_t uniform, uniforms; /* the first uniform register that it reads, and how many behind */
    uint32_t target;           /* index of the branch target */
    exec_control_fn *control;
    const char *why; /* EXEC_UNSUPPORTED */
    struct exec_inst inst;
};

/* Of a launch without time: vain.c. */
struct exec_vain {
    bool insists;                     /* one warp goes on, although it polls in vain */
    const struct exec_step *hopeless; /* where a warp was found to poll for ever */
    uint64_t hopeless_changes;        /* exec_grid.changes then */
};

struct exec_grid {
    struct exec_module *module;
    const struct sass_kernel *kernel;
    struct simsm_launch launch;
    struct exec_options options;
    struct divergence_rules rules;
    struct device_memory *memory;
    struct exec_code *code;          /* has the next three; other launches may have it, too */
    const struct sass_inst *decoded; /* [steps] */
    const struct inst *lowered;      /* [steps] the instructions as the timing model sees them */
    const char **source;             /* [steps] file of the source line; NULL: unknown */
    struct exec_step *step;          /* [steps + 1]; the last step stands for the end of the code */
    struct device_span *span;        /* [steps] allocation that each instruction accessed last */
    uint32_t steps;
    struct exec_bank bank[EXEC_BANKS];
    uint8_t *constant0;
    uint32_t sm, sms;
    uint32_t shared_first, shared_bytes; /* shared memory: [shared_first, shared_bytes) */
    uint32_t local_bytes;
    uint64_t resident; /* blocks that can be resident at a time */
    bool recording;
    uint64_t changes; /* how often memory has changed */
    bool clock_read;  /* a clock was read since this was set to false */
    double clock_mhz;
    struct exec_undo *undo;  /* keeps the old bytes of changed memory; NULL: not wanted */
    uint32_t rows;           /* registers that an instruction of the kernel names, from R0 on */
    struct arena *registers; /* of all warps that have run */
    struct word_table words; /* recordings: words of global memory that warps may wait for */
    uint64_t random;         /* of options.schedule: state of the generator, never 0; else 0 */
    struct exec_vain vain;   /* finds warps that poll for ever */
    bool tolerated;          /* options.tolerate has been called */
    bool wrote;              /* the last instruction has arrived at a barrier in shared memory */
    struct lane_addresses addresses; /* addresses of the last access */
    uint64_t token; /* warp_inst.token of the last instruction, if that was a MATCH.ANY or an LDC;
                       else 0 */
    struct exec_counts counts;
    enum simsm_status status; /* not SIMSM_OK: the launch has failed; `error` says why */
    struct simsm_error error;
    /* which blocks run */
    uint64_t next;              /* blocks that have begun; without clusters, index of the next */
    struct exec_block *running; /* blocks that have begun and not ended, in that order */
    struct exec_block *free;
    struct exec_cluster *filling; /* of which not all blocks have begun yet */
    uint64_t running_count;
    struct ended_table ended;
    bool races; /* what warps do may depend on others: as many blocks take turns as the GPU holds */
    /* Of an SM that executes instructions as they issue: */
    struct pending *pending;   /* NULL: memory changes at once */
    struct exec_options own;   /* `options` without detours through `pending` */
    enum exec_failure failure; /* set through options.failure */
    uint64_t cycle;            /* of the instruction that issues */
    uint32_t store_effect;     /* l2.store_effect, at most barrier.fence_device */
    bool waits;                /* the last instruction waits for the end of a phase */
    uint64_t failed_at;        /* cycle in which an instruction has failed as it issued */
    struct byte_buffer parts;  /* of the copy that has issued last (struct front_part) */
    uint32_t copy_number;      /* of the copy that has issued last, or that the exchange executes */
    struct exec_slot *copying; /* whose instruction the exchange executes */
    uint32_t target_ranks;     /* blocks of the cluster that it reaches; 0: its own */
    uint32_t between;          /* bytes that it copies from shared to shared memory */
    uint32_t filled;           /* bytes of its box that lie outside of the tensor, of loads */
    uint32_t idle;  /* lanes that execute the instruction that issues, and access nothing by it */
    uint32_t reach; /* WARP_INST_SHARED, _REMOTE, _MESSAGE of the instruction that issues */
    struct byte_buffer landings; /* landing.h */
    uint32_t bulk; /* with a sanitizer: number of the copy beside the warps that runs */
};

/* Returns the next random number of the launch's schedule (xorshift64, Marsaglia 2003). */
static inline uint64_t exec_random(struct exec_grid *grid)
{
    grid->random ^= grid->random << 13;
    grid->random ^= grid->random >> 7;
    grid->random ^= grid->random << 17;
    return grid->random;
}

/* Returns the lanes of `active` whose guard holds. */
static inline uint32_t exec_guarded(const struct exec_warp *warp, const struct exec_inst *inst,
                                    uint32_t active)
{
    uint32_t mask = inst->guard_uniform ? warp->up[inst->guard] : warp->p[inst->guard];
    return active & (inst->guard_negate ? ~mask : mask);
}

/* Returns the cycle without time: clocks count executed warp instructions, four cycles for each, so
 * that every loop that reads a clock ends. */
static inline uint64_t exec_instruction_clock(const struct exec_grid *grid)
{
    return 4 * grid->counts.warp_instructions;
}

/* Prepares the launch, which is copied. `recording`: instructions are recorded. On success the
 * caller destroys *grid; on failure *grid is NULL. */
enum simsm_status exec_grid_create(struct exec_grid **grid, const struct exec_launch *launch,
                                   bool recording, struct simsm_error *error);
void exec_grid_destroy(struct exec_grid *grid);

/*
 * Executes blocks, which begin in the order of their indices, until block `index` has ended. If
 * instructions are recorded, moves those of the block to cursor[0..warps-1], each block once. Fails
 * if the program fails, or with SIMSM_LIMIT or SIMSM_INTERRUPTED.
 */
enum simsm_status exec_grid_finish(struct exec_grid *grid, uint64_t index,
                                   struct byte_buffer *cursor, struct simsm_error *error);

/* Executes all blocks that have not ended. Fails as exec_grid_finish(). */
enum simsm_status exec_grid_run(struct exec_grid *grid, struct simsm_error *error);

/*
 * Goes on without time where execution at issue has stopped: `next` blocks have begun in `cycle` or
 * earlier, and `running`, a list by index, is what is left of them. Their warps must neither wait
 * for an exchange nor for the end of a phase. The grid owns the blocks from here on.
 */
void exec_grid_take_over(struct exec_grid *grid, struct exec_block *running, uint64_t next,
                         uint64_t cycle);

/* Returns whether all blocks have ended. */
bool exec_grid_ended(const struct exec_grid *grid);

#endif
