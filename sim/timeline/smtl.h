/*
 * The bytes of a timeline file (.smtl), shared by its writer and its reader: blocks, varints,
 * records. docs/timeline-format.md describes them one by one.
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
    SMTL_MAGIC_BYTES = 8,
    SMTL_FILE_BYTES = 16,    /* at the start: magic, version, zero */
    SMTL_TRAILER_BYTES = 16, /* at the end: offset of the last block, magic */
    SMTL_BLOCK_BYTES = 48,   /* before the payload of each block */
    SMTL_CHUNK_CYCLES = 65536,
};

/* Largest payloads, unpacked: a reader allocates no more than these, whatever a file says. */
#define SMTL_MAX_CHUNK ((uint32_t)4 << 20)
#define SMTL_MAX_META  ((uint32_t)64 << 20)

enum smtl_block_kind { SMTL_META = 1, SMTL_CHUNK, SMTL_END, SMTL_OVERVIEW };

/* The head of a block; `begin` and `end` are cycles, for chunks only. */
struct smtl_block {
    uint32_t kind, sm;
    uint32_t raw, packed; /* bytes of the payload, unpacked and on disk */
    uint32_t changes, issues;
    uint64_t begin, end;
};

void smtl_block_put(uint8_t bytes[SMTL_BLOCK_BYTES], const struct smtl_block *block);

/* False if this is no head of a block, or a damaged one. */
bool smtl_block_get(const uint8_t bytes[SMTL_BLOCK_BYTES], struct smtl_block *block);

/* Sections of the meta block. A reader skips those that it does not know. */
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
    SMTL_SOURCES
};

/*
 * A record begins with a tag: bits 0..4 what, bits 5..6 how many cycles after the record before
 * (3: a varint of that number minus 3 follows), bit 7: the instruction is not the expected one and
 * its distance from it follows.
 */
enum {
    SMTL_ISSUE = 24, /* below: the slot enters this state */
    SMTL_MASK = 25,
    SMTL_WARP_START = 26,
    SMTL_MEM_START = 27,
    SMTL_MEM_DONE = 28, /* + level that answered, up to 31 */
    SMTL_WHAT = 0x1f,
    SMTL_DELTA_SHIFT = 5,
    SMTL_DELTA_LONG = 3,
    SMTL_OTHER_PC = 0x80,
    SMTL_RECORD_BYTES = 32, /* no record is longer */
    SMTL_KEY_USED = 0x80,   /* in a key's first byte: a warp has started in the slot */
};

/*
 * Up to 16 slots of a sub-partition are a group, which has a stream of its own: a tag with the
 * state that slots enter, then two bytes, a bit for each of these slots.
 */
enum { SMTL_GROUP_SLOTS = 16 };

static inline uint32_t smtl_groups(uint32_t slots, uint32_t subs)
{
    uint32_t most = (slots + subs - 1) / subs; /* in a sub-partition */
    return subs * ((most + SMTL_GROUP_SLOTS - 1) / SMTL_GROUP_SLOTS);
}

static inline uint32_t smtl_group_of(uint32_t slot, uint32_t subs)
{
    return slot / (subs * SMTL_GROUP_SLOTS) * subs + slot % subs;
}

static inline uint32_t smtl_place_in_group(uint32_t slot, uint32_t subs)
{
    return slot / subs % SMTL_GROUP_SLOTS;
}

/* The stream of what concerns the SM as a whole. */
enum { SMTL_BLOCK_START, SMTL_BLOCK_END, SMTL_BARRIER_RELEASE };

/* What a chunk says of a slot before its first cycle. */
struct smtl_key {
    uint64_t since;      /* cycle at which the slot entered `state` */
    uint64_t warp_since; /* cycle at which its warp started */
    uint32_t pc;         /* static instruction at the head as it entered the state */
    uint32_t next_pc;    /* expected in its next record; in `selected`, what it issues next */
    uint32_t block, mask;
    uint8_t state, warp;
    bool used; /* a warp has started here */
};

/* Reads what buffer_add() and its variants (base/byte_buffer.h) have written. Past the end it
 * yields zeros, and `failed` is set. */
struct smtl_cursor {
    uint8_t *at, *end;
    bool failed;
};

uint8_t smtl_take_byte(struct smtl_cursor *cursor);
uint64_t smtl_take_varint(struct smtl_cursor *cursor);
/* A varint of at most `limit`; more is a failure. */
uint32_t smtl_take_number(struct smtl_cursor *cursor, uint32_t limit);
uint32_t smtl_take_u32(struct smtl_cursor *cursor);
/* The next `size` bytes as a cursor of their own. */
struct smtl_cursor smtl_take_part(struct smtl_cursor *cursor, uint64_t size);
/* A terminated text in the cursor's memory, which it changes; control characters become '?'. */
const char *smtl_take_text(struct smtl_cursor *cursor, bool lines);

#endif
