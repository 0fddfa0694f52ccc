/* The bytes of a packed stream, shared by its writer and its reader: docs/recording-format.md. */
#ifndef SIM_FRONT_PACKING_H
#define SIM_FRONT_PACKING_H

#include "base/bytes.h"
#include "front/packed_warp.h"
#include "model/op.h"

/*
 * What a byte says where an instruction is expected. Below PACK_END it is a run: so many
 * instructions less one that follow one another in memory, all active lanes of which execute.
 */
enum {
    PACK_RUN_MAX = 128,
    PACK_END = 0x80,       /* the instruction before was the last */
    PACK_JUMP = 0x81,      /* + varint: zigzag distance from the expected instruction */
    PACK_ACTIVE = 0x82,    /* + 4 bytes: lanes that are active from here on */
    PACK_ONE_NONE = 0x83,  /* one instruction, no lane of which executes */
    PACK_ONE = 0x84,       /* + 4 bytes: one instruction, executed by these lanes */
    PACK_ONE_SPLIT = 0x85, /* likewise, and they part from the others (WARP_INST_DIVERGENT) */
    PACK_WRITES = 0x86,    /* others may wait for the next instruction (WARP_INST_WRITES) */
    PACK_WAITS = 0x87,     /* + wait: from the next instruction on, the pass of a loop */
    PACK_ACTIVE_KNOWN = 0x88 /* 0x88..0x8f: as PACK_ACTIVE, the mask is one of the ring */,
    PACK_ONE_KNOWN = 0x90,
    PACK_ONE_SPLIT_KNOWN = 0x98,
    PACK_VALUES = 0xA0, /* 0xA0..0xBF: of the next, MATCH.ANY or LDC, distinct values less one */
};

/* The tag of an address record. */
enum {
    PACK_FORM = 3,        /* bits: */
    PACK_FORM_SAME = 0,   /* stride or list as before */
    PACK_FORM_STRIDE = 1, /* + varint: zigzag of the stride in bytes */
    PACK_FORM_LIST = 2,   /* + for each lane that executes, its distance from the lowest */
    PACK_BASE = 4,        /* + varint: zigzag distance from the base before; else as expected */
    PACK_WIDTH_SHIFT = 3, /* list: bytes of each entry less one, 3 bits */
    PACK_SCALE_SHIFT = 6, /* list: entries count units of 1, 2, 4 or 8 bytes */
    PACK_FLAG_BITS = 6,   /* of warp_inst.flags; above them is the offset of the pattern */
    PACK_INST_MAX = 6 + 5 + 1 + 1 + 5 + 1 + 32 * 8 + 8 + BYTES_VARINT_MAX,
    PACK_WAIT_MAX = 1 + 2 * BYTES_VARINT_MAX * (1 + WAIT_WORDS)
};

/* A word of a wait: its kind and, above it: */
enum { PACK_WORD_KIND = 3, PACK_WORD_SHARED = 4, PACK_WORD_COUNT_SHIFT = 3 };

/* As a stream begins. */
static inline void pack_begin(struct packed_state *state)
{
    *state = (struct packed_state){.active = UINT32_MAX};
}

static inline void pack_remember(struct packed_state *state, uint32_t mask)
{
    state->mask[state->mask_next++ % PACKED_MASKS] = mask;
}

/* A branch parts `taken` from the other active lanes: soon these will be alone. */
static inline void pack_remember_split(struct packed_state *state, uint32_t taken)
{
    pack_remember(state, taken);
    pack_remember(state, state->active & ~taken);
}

static inline unsigned pack_space(const struct inst *inst)
{
    switch ((enum simsm_op_class)inst->op) {
    case SIMSM_OP_LD_LOCAL:
    case SIMSM_OP_ST_LOCAL:
        return 2;
    default:
        return op_is_shared((enum simsm_op_class)inst->op) ? 1 : 0;
    }
}

/* What is known of the addresses of `inst`, which has the index `index`. */
static inline struct packed_place *pack_place(struct packed_state *state, const struct inst *inst,
                                              uint32_t index)
{
    struct packed_place *place = &state->place[index % PACKED_PLACES];
    if (place->owner != index + 1)
        *place = (struct packed_place){
            .owner = index + 1, .base = state->last[pack_space(inst)], .stride = inst->width};
    return place;
}

/* The instruction has accessed memory at `base`. A first access says nothing of the way on. */
static inline void pack_accessed(struct packed_state *state, struct packed_place *place,
                                 const struct inst *inst, uint64_t base, bool first)
{
    place->delta = first ? 0 : base - place->base;
    place->base = base;
    state->last[pack_space(inst)] = base;
}

#endif
