/*
 * The bytes of a timeline file (.smtl), shared by its writer and its reader: block heads, varints,
 * records. docs/timeline-format.md describes every byte.
 */
#ifndef SIM_TIMELINE_SMTL_H
#define SIM_TIMELINE_SMTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/byte_buffer.h"
#include "base/bytes.h"

#define SMTL_MAGIC     "SIMSMTL\n"
#define SMTL_END_MAGIC "SMTLEND\n"

enum {
    SMTL_VERSION = 2,
    SMTL_VERSION_WORK = 3, /* the file may have records of work beside the warps */
    SMTL_MAGIC_BYTES = 8,
    SMTL_FILE_BYTES = 16,    /* at the start of the file: magic, version, zero */
    SMTL_TRAILER_BYTES = 16, /* at the end of the file: offset of the last block, magic */
    SMTL_BLOCK_BYTES = 48,   /* head before the payload of each block */
    SMTL_CHUNK_CYCLES = 65536,
};

/* Largest payloads, unpacked. A reader allocates no more than this, whatever a file says. */
#define SMTL_MAX_CHUNK ((uint32_t)4 << 20)
#define SMTL_MAX_META  ((uint32_t)64 << 20)

enum smtl_block_kind { SMTL_META = 1, SMTL_CHUNK, SMTL_END, SMTL_OVERVIEW };

/* The head of a block. `begin` and `end` are cycles and used by chunks only. */
struct smtl_block {
    uint32_t kind, sm;
    uint32_t raw, packed; /* bytes of the payload: unpacked, and in the file */
    uint32_t changes, issues;
    uint64_t begin, end;
};

/* Writes the head of a block, with its checksum. */
void smtl_block_put(uint8_t bytes[SMTL_BLOCK_BYTES], const struct smtl_block *block);

/* Reads the head of a block. Returns false if the bytes are no head, or a damaged one. */
bool smtl_block_get(const uint8_t bytes[SMTL_BLOCK_BYTES], struct smtl_block *block);

/* Sections of the meta block. A reader skips sections that it does not know. */
enum smtl_section {
    SMTL_PROGRAM = 1,
    SMTL_COMMAND,
    SMTL_CONFIG,
    SMTL_TRACE,
    SMTL_GPU,
    SMTL_LAUNCH,
    SMTL_OCCUPANCY,
    SMTL_RECORDING,
    SMTL_STATES,
    SMTL_OPS,
    SMTL_PIPES,
    SMTL_LEVELS,
    SMTL_CODE,
    SMTL_SOURCES,
    SMTL_CLUSTER
};

/*
 * A record begins with a tag. Bits 0 to 4: what the record is. Bits 5 and 6: cycles since the
 * record before (3: a varint of the cycles minus 3 follows). Bit 7: the instruction is not the
 * expected one; its distance from the expected one follows.
 */
enum {
    SMTL_ISSUE = 24, /* smaller: the slot enters the state with this number */
    SMTL_MASK = 25,
    SMTL_WARP_START = 26,
    SMTL_MEM_START = 27,
    SMTL_MEM_DONE = 28, /* + memory level that answered: up to 31 */
    SMTL_WHAT = 0x1f,
    SMTL_DELTA_SHIFT = 5,
    SMTL_DELTA_LONG = 3,
    SMTL_OTHER_PC = 0x80,
    SMTL_RECORD_BYTES = 32, /* at most */
    SMTL_KEY_USED = 0x80,   /* in the first byte of a key: a warp has started in the slot */
};

/*
 * Up to 16 slots of a sub-partition are a group. A group has a record stream of its own, for states
 * that several of its slots enter together: a tag with the state, then two bytes with a bit for
 * each slot.
 */
enum { SMTL_GROUP_SLOTS = 16 };

/* Returns the number of groups of an SM with `slots` slots in `subs` sub-partitions. */
static inline uint32_t smtl_groups(uint32_t slots, uint32_t subs)
{
    uint32_t most = (slots + subs - 1) / subs; /* slots of the largest sub-partition */
    return subs * ((most + SMTL_GROUP_SLOTS - 1) / SMTL_GROUP_SLOTS);
}

/* Returns the group of a slot. */
static inline uint32_t smtl_group_of(uint32_t slot, uint32_t subs)
{
    return slot / (subs * SMTL_GROUP_SLOTS) * subs + slot % subs;
}

/* Returns the bit of a slot in its group. */
static inline uint32_t smtl_place_in_group(uint32_t slot, uint32_t subs)
{
    return slot / subs % SMTL_GROUP_SLOTS;
}

/* What a record in the SM's record stream is. */
enum {
    SMTL_BLOCK_START,
    SMTL_BLOCK_END,
    SMTL_BARRIER_RELEASE,
    SMTL_COPY, /* repeated at the start of a chunk while it lasts */
    SMTL_COPY_END,
    SMTL_COPY_WAKE,
    SMTL_PRODUCT,
    SMTL_PRODUCT_UNDER_WAY /* at the start of a chunk: issued before */
};

enum { SMTL_COPIES = 255 }; /* number of a copy of another SM; numbers of copies are below */

/* The state of a slot before the first cycle of a chunk. */
struct smtl_key {
    uint64_t since;      /* cycle at which the slot entered `state` */
    uint64_t warp_since; /* cycle at which the warp started */
    uint32_t pc;         /* static instruction at the head when the slot entered the state */
    uint32_t next_pc;    /* expected in the next record; in state `selected`, issues next */
    uint32_t block, mask;
    uint8_t state, warp;
    bool used; /* a warp has started in the slot */
};

/* A position in a buffer that is read. A read past the end returns zero and sets `failed`. */
struct smtl_cursor {
    uint8_t *at, *end;
    bool failed;
};

/* Reads a byte. */
uint8_t smtl_take_byte(struct smtl_cursor *cursor);
/* Reads a varint of any size. */
uint64_t smtl_take_varint(struct smtl_cursor *cursor);
/* Reads a varint. More than `limit` sets `failed`. */
uint32_t smtl_take_number(struct smtl_cursor *cursor, uint32_t limit);
/* Reads 4 bytes, lowest first. */
uint32_t smtl_take_u32(struct smtl_cursor *cursor);
/* Returns the next `size` bytes as a cursor, and moves *cursor behind them. */
struct smtl_cursor smtl_take_part(struct smtl_cursor *cursor, uint64_t size);
/*
 * Returns the next text. It is terminated in place, so the buffer changes. Control characters
 * become '?'; with `lines`, newlines and tabs stay.
 */
const char *smtl_take_text(struct smtl_cursor *cursor, bool lines);

#endif
