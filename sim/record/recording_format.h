/*
 * The bytes of a recording (.smtr), shared by its writer and its reader: blocks with a head,
 * numbers, texts. docs/recording-format.md describes them one by one.
 */
#ifndef SIM_RECORD_RECORDING_FORMAT_H
#define SIM_RECORD_RECORDING_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "front/packed_warp.h"

#define SMTR_MAGIC     "SIMSMTR\n"
#define SMTR_END_MAGIC "SMTREND\n"

enum {
    SMTR_VERSION = 2, /* 1 has no waits, and is read as well */
    SMTR_MAGIC_BYTES = 8,
    SMTR_FILE_BYTES = 16,      /* at the start: magic, version, zero */
    SMTR_TRAILER_BYTES = 16,   /* at the end: offset of the index, magic */
    SMTR_BLOCK_BYTES = 32,     /* before the payload of each block */
    SMTR_CHUNK_BYTES = 1 << 20 /* a chunk is closed when it has so many, unpacked */
};

/* Largest payloads, unpacked: a reader allocates no more than these, whatever a file says. */
#define SMTR_MAX_CHUNK ((uint32_t)1 << 30)
#define SMTR_MAX_OTHER ((uint32_t)256 << 20)

/* What a core can hold: larger numbers in a file are damage. */
enum {
    SMTR_MAX_LAUNCHES = 1 << 20,
    SMTR_MAX_CODE = 1 << 22,
    SMTR_MAX_BARRIERS = 64,
    SMTR_MAX_BUFFERS = 1 << 16
};

enum smtr_block_kind { SMTR_LAUNCH = 1, SMTR_CHUNK = 2, SMTR_INDEX = 3 };

/* Sections of a launch block. A reader skips those that it does not know. */
enum smtr_section {
    SMTR_PROGRAM = 1,
    SMTR_COMMAND,
    SMTR_SOURCE,
    SMTR_SHAPE,
    SMTR_CLASSES,
    SMTR_CODE,
    SMTR_MEMORY,
    SMTR_PATHS,
    SMTR_PIPES
};

/* Bits of an instruction in the code section. */
enum {
    SMTR_CONDITIONAL = 1,
    SMTR_GUARDED = 2,
    SMTR_ARRIVE = 4,
    SMTR_CONTROL = 8, /* control bits follow */
    SMTR_YIELD = 16,
    SMTR_PAST_L1 = 32,
    SMTR_ATOMIC_SHIFT = 6 /* enum inst_atomic, 2 bits */
};

/* The head of a block. */
struct smtr_block {
    uint32_t kind;
    uint32_t raw, packed; /* bytes of the payload, unpacked and in the file */
    uint32_t launch;      /* number of the launch that it belongs to, from 0 */
    uint32_t blocks;      /* chunk: thread blocks in it */
};

void smtr_block_put(uint8_t bytes[SMTR_BLOCK_BYTES], const struct smtr_block *block);

/* False if this is no head of a block, or a damaged one. */
bool smtr_block_get(const uint8_t bytes[SMTR_BLOCK_BYTES], struct smtr_block *block);

/* Each appends to `bytes`, or sets bytes->failed. A text is its length and its bytes; NULL counts
 * as "". */
void smtr_add(struct packed_bytes *bytes, const void *data, size_t size);
void smtr_add_number(struct packed_bytes *bytes, uint64_t value);
void smtr_add_text(struct packed_bytes *bytes, const char *text);

/* Reads what the above have written. Past the end it yields zeros, and `failed` is set. */
struct smtr_cursor {
    const uint8_t *at, *end;
    bool failed;
};

/* A number of at most `limit`; more is a failure. */
uint64_t smtr_take_number(struct smtr_cursor *cursor, uint64_t limit);
/* The next `size` bytes as a cursor of their own. */
struct smtr_cursor smtr_take_part(struct smtr_cursor *cursor, uint64_t size);
/* A text, fit for a terminal, cut to `size` bytes with its terminator. */
void smtr_take_text(struct smtr_cursor *cursor, char *text, size_t size);

#endif
