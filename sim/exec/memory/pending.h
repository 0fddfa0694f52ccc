/*
 * What the instructions of one SM have done to global memory since the last exchange. Other SMs do
 * not see it before the exchange. The SM itself sees its stores at once.
 */
#ifndef SIM_EXEC_MEMORY_PENDING_H
#define SIM_EXEC_MEMORY_PENDING_H

#include "base/byte_buffer.h"
#include "exec/control/exec_grid.h"

enum pending_kind {
    PENDING_STORE,  /* bytes for places in memory */
    PENDING_ACCESS, /* an atomic operation, a strong load: with the registers that it reads */
    PENDING_COPY,   /* a copy (TMA), with the uniform registers */
    PENDING_CALL,   /* malloc or free in a kernel: the group stands at the call */
    PENDING_PRINT,  /* text of printf */
    PENDING_WARNING /* an access outside of allocations that passes */
};

/* One entry of a log; `bytes` of content follow it. */
struct pending_entry {
    uint64_t cycle; /* at which it takes effect: of issue, and l2.store_effect later for stores */
    uint64_t block; /* exec_block.serial: whose registers get the answer */
    struct exec_slot *slot;
    const struct exec_step *step;
    uint32_t lanes;
    uint32_t bytes;
    uint32_t number; /* counts the entries of the SM */
    uint8_t kind;
    bool
        behind_stores; /* earlier stores of the SM take effect before it: it accesses their bytes */
    bool holds;        /* PENDING_ACCESS: the warp waits for it (exec_slot.holding) */
    uint8_t element, words; /* PENDING_STORE: each lane stores `words` times `element` bytes */
};

/* What the SM has done to a sector of 32 bytes; bit i of a mask stands for byte i. */
struct pending_sector {
    uint8_t *at;   /* NULL: the entry is free */
    uint32_t mask; /* stored */
    uint32_t late; /* accessed by atomic operations that the exchange executes */
    uint8_t data[32];
};

/* Entries in the order in which they take effect, each at a multiple of 8. */
struct pending_log {
    struct byte_buffer bytes;
    size_t read; /* offset of the next entry */
};

enum { PENDING_SEEN = 32 };

struct pending {
    struct pending_log stores, others;
    uint32_t number;               /* of the entry added last */
    struct pending_sector *sector; /* a hash table of `sectors` entries, a power of two */
    uint32_t *used;                /* [sectors] entries of the table in use */
    uint32_t sectors, used_count;
    /* A bit for each hash of a sector in the table: loads mostly are of other sectors, and the
     * table is seldom in the host's caches. */
    uint64_t seen[PENDING_SEEN];
    bool late;              /* a sector has bytes in `late` */
    bool hidden;            /* the exchange runs: memory holds what the SM has stored */
    uint64_t took;          /* cycles that the last call takes beyond the exchange */
    struct exec_slot *held; /* warps whose calls take longer: a list over next_held */
    bool called; /* the instruction has called malloc or free, and waits for the exchange */
    uint8_t merged[EXEC_LANES][16]; /* bytes that loads find in place of memory */
};

/* Takes memory beforehand for all but the busiest kernels. Returns false if memory runs out. */
bool pending_init(struct pending *pending);
void pending_free(struct pending *pending);
/* Forgets what has taken effect. Returns false if memory runs out. */
bool pending_forget(struct pending *pending);

/* Notes a store of `lanes`, as exec_store(). */
void pending_store(struct exec_warp *warp, uint32_t data, uint32_t lanes,
                   uint8_t *const place[EXEC_LANES], uint32_t element, uint32_t words);
/* Replaces places by copies with the SM's own stores, if there are such. `bytes`: of each lane. */
void pending_merge(struct pending *pending, uint32_t lanes, uint32_t bytes,
                   uint8_t *place[EXEC_LANES]);
/* Returns whether `lanes` access bytes at grid->addresses that an atomic operation of the SM will
 * change at the exchange. */
bool pending_is_behind(struct exec_grid *grid, const struct exec_step *step, uint32_t lanes);
/* Notes an access to grid->addresses that is executed at the exchange. `holds`: the warp waits for
 * it. Returns its number. */
uint32_t pending_access(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes,
                        bool holds);
/* Notes a copy that is executed at the exchange. Returns its number. */
uint32_t pending_copy(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes);
/* Notes a call that is executed at the exchange. */
void pending_call(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes);
/* Notes text for PENDING_PRINT or PENDING_WARNING. */
void pending_text(struct exec_grid *grid, enum pending_kind kind, const char *text, size_t size);

/* Returns the next entry that the exchange has not executed, or NULL. */
const struct pending_entry *pending_next(const struct pending *pending);
/* Executes the stores that have issued up to `cycle`. */
void pending_execute_stores(struct exec_grid *grid, uint64_t cycle);
/* Lets warps go on whose calls end before `cycle`. Returns whether there are such. */
bool pending_let_go(struct pending *pending, uint64_t cycle);

/* Executes the next entry of grid->pending. `room` is overwritten: its registers serve the
 * instruction. A failure sets grid->status. */
void pending_execute(struct exec_grid *grid, struct exec_warp *room);

#endif
