/*
 * The bytes of a packed instruction sequence, shared by writer and reader; docs/recording-format.md
 * describes them.
 */
#ifndef SIM_FRONT_PACKING_H
#define SIM_FRONT_PACKING_H

#include "base/bytes.h"
#include "front/packed_warp.h"
#include "model/op.h"

/*
 * The items: what a byte means where an instruction may begin. A byte below PACK_END is a run: that
 * number + 1 of consecutive instructions which all active lanes execute.
 */
enum {
    PACK_RUN_MAX = 128,
    PACK_END = 0x80,       /* the previous instruction was the last */
    PACK_JUMP = 0x81,      /* + varint: zigzag distance from the expected instruction */
    PACK_ACTIVE = 0x82,    /* + 4 bytes: active lanes from here on */
    PACK_ONE_NONE = 0x83,  /* one instruction that no lane executes */
    PACK_ONE = 0x84,       /* + 4 bytes: one instruction that these lanes execute */
    PACK_ONE_SPLIT = 0x85, /* + 4 bytes: as PACK_ONE, and the lanes diverge (WARP_INST_DIVERGENT) */
    PACK_WRITES = 0x86,    /* the next instruction has WARP_INST_WRITES */
    PACK_WAITS = 0x87,     /* + wait: the next instruction waits */
    PACK_ACTIVE_KNOWN = 0x88 /* 0x88..0x8f: as PACK_ACTIVE, the mask from the ring */,
    PACK_ONE_KNOWN = 0x90,
    PACK_ONE_SPLIT_KNOWN = 0x98,
    PACK_VALUES = 0xA0, /* to 0xBF: distinct values of the next MATCH.ANY or LDC, less 1 */
    PACK_LINES = 0xC0,  /* + varint: the other bits of the token of the next LDC or BAR */
};

/* The tag byte of an address record. */
enum {
    PACK_FORM = 3,        /* mask of the two form bits */
    PACK_FORM_SAME = 0,   /* stride or list of the previous access */
    PACK_FORM_STRIDE = 1, /* + varint: zigzag of the stride in bytes */
    PACK_FORM_LIST = 2,   /* + for each executing lane its distance from the lowest address */
    PACK_BASE = 4, /* + varint: zigzag distance from the previous base; clear: base as expected */
    PACK_WIDTH_SHIFT = 3, /* list: bytes of each entry less 1, 3 bits */
    PACK_SCALE_SHIFT = 6, /* list: log2 of the unit of the entries in bytes, 0 to 3 */
    PACK_FLAG_BITS = 6,   /* low bits of warp_inst.flags; above: offset of the pattern */
    PACK_INST_MAX = 6 + 5 + 1 + 2 + BYTES_VARINT_MAX + 5 + 1 + 32 * 8 + 8 + BYTES_VARINT_MAX,
    PACK_WAIT_MAX = 1 + 2 * BYTES_VARINT_MAX * (1 + WAIT_WORDS)
};

/* The state at the start of a sequence. */
static inline void pack_begin(struct packed_state *state)
{
    *state = (struct packed_state){.active = UINT32_MAX};
}

static inline void pack_remember(struct packed_state *state, uint32_t mask)
{
    state->mask[state->mask_next++ % PACKED_MASKS] = mask;
}

/*
 * A branch splits `taken` from the other active lanes: both masks are likely to become active soon.
 */
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

/* Returns what is known of the addresses of `inst`, whose static index is `index`. */
static inline struct packed_place *pack_place(struct packed_state *state, const struct inst *inst,
                                              uint32_t index)
{
    struct packed_place *place = &state->place[index % PACKED_PLACES];
    if (place->owner != index + 1)
        *place = (struct packed_place){
            .owner = index + 1, .base = state->last[pack_space(inst)], .stride = inst->width};
    return place;
}

/*
 * Notes an access at `base`. After a first access the distance to the next one is unknown and
 * counts as 0.
 */
static inline void pack_accessed(struct packed_state *state, struct packed_place *place,
                                 const struct inst *inst, uint64_t base, bool first)
{
    place->delta = first ? 0 : base - place->base;
    place->base = base;
    state->last[pack_space(inst)] = base;
}

#endif
