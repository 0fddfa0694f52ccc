/*
 * What a front gives to the core: static instructions, dynamic instances of them, and the addresses
 * of their lanes.
 */
#ifndef SIM_MODEL_INST_H
#define SIM_MODEL_INST_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/names.h"

/*
 * Numbers of all registers of a warp: R0..R254, P0..P6, UR0..UR62, UP0..UP6. RZ, PT, URZ and UPT,
 * which hold nothing, have no number.
 */
enum {
    REG_R0 = 0,
    REG_P0 = 256,
    REG_UR0 = 264,
    REG_UP0 = 328,
    REG_COUNT = 336,
};

enum { INST_MAX_SOURCES = 8, INST_MAX_DESTINATIONS = 3 };

/* Values of inst.depbar_index beside the scoreboards 0 to 5: waiting for groups of products of warp
 * groups, or of asynchronous copies, and closing a group of copies. */
enum { DEPBAR_PRODUCTS = 253, DEPBAR_GROUPS = 254, DEPBAR_COMMIT = 255 };

/* Kinds of atomic operations that differ in time. */
enum inst_atomic {
    ATOMIC_INTEGER, /* integer operations and EXCH */
    ATOMIC_FLOAT,
    ATOMIC_CAS,
    ATOMIC_COUNT, /* ATOMS.POPC.INC: lanes on one word are counted together */
    ATOMIC_KINDS
};

/* Scope of a fence or a strong load. */
enum inst_scope { SCOPE_BLOCK, SCOPE_DEVICE, SCOPE_SYSTEM };

/* `count` consecutive registers: two for a 64-bit value, up to eight for a matrix fragment. */
struct reg_range {
    uint16_t first;
    uint8_t count;
    uint8_t reuse; /* 1: .reuse, stays in the operand cache; its index in the list is the operand
                      position */
};

/*
 * WARPGROUP.WAIT is a barrier of the four warps of a warp group. Those of a block are numbered from
 * BARRIER_WARPGROUP on.
 */
enum { INST_BARRIERS = 16, BARRIER_WARPGROUP = 48, WARPGROUP_WARPS = 4 };

/* Control bits, by which compilers encode dependences since Maxwell. Scoreboards are 0 to 5; 7:
 * none. */
struct control_bits {
    uint8_t stall; /* cycles until the next issue of the warp */
    uint8_t write_barrier, read_barrier;
    uint8_t wait_mask;
    bool yield;
    bool present;
};

struct inst {
    uint8_t op; /* enum simsm_op_class */
    uint8_t n_sources, n_destinations;
    uint8_t width; /* bytes that each lane accesses; 0: no memory access */
    struct reg_range source[INST_MAX_SOURCES];
    struct reg_range destination[INST_MAX_DESTINATIONS];
    struct control_bits control;
    uint8_t barrier;          /* named barrier of BAR, or BARRIER_WARPGROUP */
    uint8_t barrier_arrive;   /* 1: BAR.ARV, which arrives without waiting */
    uint16_t barrier_threads; /* threads that take part; 0: the whole block */
    uint8_t depbar_index;     /* DEPBAR: 0..5, or one of DEPBAR_* */
    uint8_t depbar_count;     /* DEPBAR waits until at most so many are outstanding */
    uint8_t scope;            /* enum inst_scope, of MEMBAR and of loads that bypass L1 */
    uint8_t atomic;           /* enum inst_atomic */
    uint16_t columns;         /* of B, products of warp groups */
    bool a_shared;            /* such a product: A lies in shared memory */
    bool half_sums;           /* such a product: its sums have 16 bits */
    bool sparse;              /* such a product: half of A's elements, B is twice as deep */
    bool closes_group;        /* such a product: the last one of its group */
    bool by_map;              /* a copy (TMA) of a tensor, by its map */
    bool past_l1;             /* a load that bypasses L1 to see writes of other SMs */
    bool conditional;         /* a branch with a condition */
    uint16_t counted;         /* pipes that count it (model_counted.h), if not those of its class */
    uint32_t constant;        /* constant operand: bank x 65536 + offset + 1; 0: none */
    bool guarded;             /* the last source is the guard predicate */
    bool reads_clock;         /* its result is the cycle of its issue */
    uint32_t pc;              /* byte offset in the kernel */
    uint32_t line;            /* line in the source, from 1; 0: unknown */
    uint32_t sleep;           /* cycles of NANOSLEEP */
    bool until_arrival;       /* NANOSLEEP.SYNCS: an arrival at a barrier (mbarrier) ends it */
};

/* Returns whether an instruction gets values of global memory that other SMs may write until it is
 * answered: a strong load, or an atomic operation with a result. */
static inline bool inst_sees_others(const struct inst *inst)
{
    return (inst->op == SIMSM_OP_ATOM_GLOBAL && inst->n_destinations != 0) ||
           (inst->op == SIMSM_OP_LD_GLOBAL && inst->past_l1);
}

enum warp_inst_flags {
    WARP_INST_TAKEN = 1,     /* the warp goes on at another place than the next address */
    WARP_INST_DIVERGENT = 2, /* a branch whose lanes went both ways; BAR: other lanes of the warp
                              * go on first and may arrive later; BSYNC: others go on that were put
                              * away at a branch, and another branch came since; all go on, from
                              * a barrier that BMOV has written */
    WARP_INST_LAST = 4,      /* EXIT of the last lanes: the warp ends */
    WARP_INST_WRITES = 8,    /* a write that others may wait for: an arrival at a barrier in shared
                              * memory, a store or an atomic (model/wait.h) */
    WARP_INST_WAITS = 16,    /* waits until others have written; at a barrier in shared memory it is
                              * answered then, else it does not issue before */
    /* Of fronts with front_ops.copy: */
    WARP_INST_SHARED = 32,  /* a generic access, to shared memory only */
    WARP_INST_REMOTE = 64,  /* accesses shared memory of another block of the cluster */
    WARP_INST_MESSAGE = 128 /* and something counts at a barrier there (front_ops.copy) */
};

/* One dynamic instance of a static instruction. */
struct warp_inst {
    uint32_t index;  /* index of the static instruction */
    uint32_t active; /* active mask; never 0 */
    uint32_t exec;   /* active lanes whose guard predicate holds */
    uint32_t flags;  /* enum warp_inst_flags; the bits above are for the front, like `token` */
    uint64_t token;  /* Memory accesses: the front finds the addresses by it. MATCH.ANY: number of
                      * distinct values of the lanes. LDC: inst_constant_token(). NANOSLEEP with its
                      * time in a register: the cycles, if they are known. BAR with a number in a
                      * register: inst_bar_token(). Others, and what is not known: 0 */
};

/* Of the token of MATCH.ANY and LDC: bits of the number of distinct values or addresses. Of LDC,
 * from there on: the first line of its bank that the lanes read, in lines of INST_LINE_BYTES; the
 * binary logarithm of a step of lines; and a bit for each step from the first line on in which
 * lanes read. */
enum {
    INST_VALUE_BITS = 6,
    INST_LINE_BITS = 10,
    INST_STEP_BITS = 4,
    INST_STEPS = 64 - INST_VALUE_BITS - INST_LINE_BITS - INST_STEP_BITS,
    INST_LINE_BYTES = 64,
    INST_THREAD_BITS = 16 /* BAR: its threads, behind them its number */
};

/* Returns the token of an LDC whose address is in a register, without the steps: they are the bits
 * from INST_VALUE_BITS + INST_LINE_BITS + INST_STEP_BITS on. */
static inline uint64_t inst_constant_token(uint32_t values, uint32_t first, uint32_t step)
{
    return values | (uint64_t)first << INST_VALUE_BITS |
           (uint64_t)step << (INST_VALUE_BITS + INST_LINE_BITS);
}

/* Returns the number of distinct values or addresses; 0 if it is not known. */
static inline uint32_t inst_token_values(uint64_t token)
{
    return (uint32_t)token & ((1u << INST_VALUE_BITS) - 1);
}

/* Of an LDC: the first line, the binary logarithm of the step, and the steps; 0 if they are not
 * known. */
static inline uint32_t inst_token_line(uint64_t token)
{
    return (uint32_t)(token >> INST_VALUE_BITS) & ((1u << INST_LINE_BITS) - 1);
}

static inline uint32_t inst_token_step(uint64_t token)
{
    return (uint32_t)(token >> (INST_VALUE_BITS + INST_LINE_BITS)) & ((1u << INST_STEP_BITS) - 1);
}

static inline uint64_t inst_token_steps(uint64_t token)
{
    return token >> (64 - INST_STEPS);
}

/* Of accesses with WARP_INST_REMOTE: the SM that the lane reaches stands from this bit of its
 * address on. */
enum { LANE_SM_BIT = 32 };

/* Addresses of a memory instruction. Entries of lanes that do not execute are undefined. */
struct lane_addresses {
    bool affine; /* true: the address of lane l is base + l x stride; false: lane[l] */
    uint64_t base;
    int64_t stride;
    uint64_t lane[SIMSM_WARP_LANES];
};

/* Local memory as hardware lays it out: words of 32 bits, the same word of all lanes side by side.
 * A wider access touches words that lie LOCAL_APART bytes apart. SOURCE: CUDA C++ Programming
 * Guide, Local Memory; H200, sectors of `calls`; H100, cuda/calib/local depths. */
enum { LOCAL_WORD = 4, LOCAL_APART = LOCAL_WORD * SIMSM_WARP_LANES };

/* Returns where byte `offset` of a lane's local memory lies in the memory of its warp. */
static inline uint64_t local_place(uint64_t offset, uint32_t lane)
{
    return offset / LOCAL_WORD * LOCAL_APART + (uint64_t)lane * LOCAL_WORD + offset % LOCAL_WORD;
}

/* Returns the address of a lane that executes. */
static inline uint64_t lane_address(const struct lane_addresses *addresses, unsigned lane)
{
    return addresses->affine ? addresses->base + lane * (uint64_t)addresses->stride
                             : addresses->lane[lane];
}

/* Returns the token of a BAR whose number or threads are in a register. The bits of values are 0,
 * as are other tokens' without values. */
static inline uint64_t inst_bar_token(uint32_t barrier, uint32_t threads)
{
    return ((uint64_t)barrier << INST_THREAD_BITS | threads) << INST_VALUE_BITS;
}

/* Returns the barrier at which a warp of a block arrives; `warp`: its index in the block. */
static inline uint32_t inst_barrier(const struct inst *inst, uint64_t token, uint32_t warp)
{
    if (token)
        return (uint32_t)(token >> (INST_VALUE_BITS + INST_THREAD_BITS));
    return inst->barrier + (inst->barrier == BARRIER_WARPGROUP ? warp / WARPGROUP_WARPS : 0);
}

/* Returns how many threads take part in the barrier; 0: the whole block. */
static inline uint32_t inst_barrier_threads(const struct inst *inst, uint64_t token)
{
    return token ? (uint32_t)(token >> INST_VALUE_BITS) & ((1u << INST_THREAD_BITS) - 1)
                 : inst->barrier_threads;
}

#endif
