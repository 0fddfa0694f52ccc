/*
 * The words in which instruction streams speak to the core: a static instruction, one dynamic
 * instance of it, and the addresses that its lanes use.
 */
#ifndef SIM_MODEL_INST_H
#define SIM_MODEL_INST_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/names.h"

/*
 * One number space for all registers of a warp: R0..R254, P0..P6, UR0..UR62, UP0..UP6. RZ, PT and
 * their uniform twins are never listed.
 */
enum {
    REG_R0 = 0,
    REG_P0 = 256,
    REG_UR0 = 264,
    REG_UP0 = 328,
    REG_COUNT = 336,
};

enum { INST_MAX_SOURCES = 8, INST_MAX_DESTINATIONS = 3 };

/* inst.depbar_index: 0..5 is a scoreboard barrier; copy groups (cp.async) have two more meanings.
 */
enum { DEPBAR_GROUPS = 254, DEPBAR_COMMIT = 255 };

/* inst.atomic: what an atomic operation does, as far as it changes how long it takes. */
enum inst_atomic {
    ATOMIC_INTEGER, /* and EXCH */
    ATOMIC_FLOAT,
    ATOMIC_CAS,
    ATOMIC_COUNT, /* ATOMS.POPC.INC: lanes on one word are counted together */
    ATOMIC_KINDS
};

/* inst.scope: who has to see the same memory. */
enum inst_scope { SCOPE_BLOCK, SCOPE_DEVICE, SCOPE_SYSTEM };

/* `count` consecutive registers: a 64-bit value is two, a matrix fragment up to eight. */
struct reg_range {
    uint16_t first;
    uint8_t count;
    uint8_t reuse; /* bit: keep in the operand cache; position in the list is the operand slot */
};

/* Compiler-made dependence information (Maxwell and later); barrier indices 0..5, 7 = none. */
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
    uint8_t width; /* bytes of each lane's access; 0 if it does not access memory */
    struct reg_range source[INST_MAX_SOURCES];
    struct reg_range destination[INST_MAX_DESTINATIONS];
    struct control_bits control;
    uint8_t barrier;          /* named barrier of BAR */
    uint8_t barrier_arrive;   /* 1: BAR.ARV, goes on without waiting */
    uint16_t barrier_threads; /* threads that take part; 0 = the whole block */
    uint8_t depbar_index;     /* DEPBAR: 0..5, DEPBAR_GROUPS, or DEPBAR_COMMIT (LDGDEPBAR) */
    uint8_t depbar_count;     /* DEPBAR: waits until at most this many are outstanding */
    uint8_t scope;            /* enum inst_scope: of MEMBAR, and of loads that go past L1 */
    uint8_t atomic;           /* enum inst_atomic */
    bool past_l1;             /* a load that must see what other SMs have written */
    bool conditional;         /* a branch that lanes decide */
    uint16_t counted;         /* by pipes (model/counted.h), if others than those of its class */
    uint32_t constant;        /* operand in constant memory: bank x 65536 + offset + 1; 0: none */
    bool guarded;             /* the last source is the guard predicate */
    bool reads_clock;         /* what it yields is the time at which it issues */
    uint32_t pc;              /* byte offset in the kernel */
    uint32_t line;            /* in the source, from 1; 0 unknown */
    uint32_t sleep;           /* SLEEP: cycles */
};

enum warp_inst_flags {
    WARP_INST_TAKEN = 1,     /* the next instruction of this warp is not the one after it */
    WARP_INST_DIVERGENT = 2, /* a branch whose lanes went both ways; BAR: other lanes of the warp
                              * go on first and may arrive later; BSYNC: others go on that were put
                              * away at a branch, and another branch came since; all go on, from
                              * a barrier that BMOV has written */
    WARP_INST_LAST = 4,      /* EXIT of the last lanes: the warp has ended */
    WARP_INST_WRITES = 8,    /* a store or an atomic that others may wait for (model/wait.h) */
    WARP_INST_WAITS = 16,    /* of the pass of a loop that is repeated until a wait is over */
    WARP_INST_DECIDES = 32   /* the last of the pass, a branch: goes on, or back to the first; a
                              * wait at a barrier in shared memory is all of its pass: it is
                              * answered when the wait is over */
};

/* One dynamic instance of a static instruction. */
struct warp_inst {
    uint32_t index;  /* of the static instruction */
    uint32_t active; /* lanes that are here; never 0 */
    uint32_t exec;   /* of these, lanes whose guard predicate holds */
    uint32_t flags;  /* enum warp_inst_flags; the bits above them are the front's, like token */
    uint64_t token;  /* the front's own: finds the addresses again. Of MATCH.ANY and LDC how
                      * many distinct values or addresses its lanes have, or 0; of others that
                      * access no memory 0 */
};

/* Addresses of one memory instruction; lanes that do not execute hold anything. */
struct lane_addresses {
    bool affine; /* address of lane l is base + l x stride; else lane[l] */
    uint64_t base;
    int64_t stride;
    uint64_t lane[SIMSM_WARP_LANES];
};

static inline uint64_t lane_address(const struct lane_addresses *addresses, unsigned lane)
{
    return addresses->affine ? addresses->base + lane * (uint64_t)addresses->stride
                             : addresses->lane[lane];
}

#endif
