/*
 * The bytes of a recording (.smtr), shared by writer and reader: parts with a head, numbers, texts.
 * docs/recording-format.md describes them one by one.
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
    SMTR_VERSION = 4, /* readers also accept versions 1 and 3 (docs/recording-format.md) */
    SMTR_MAGIC_BYTES = 8,
    SMTR_FILE_BYTES = 16,      /* start of the file: magic, version, zero */
    SMTR_TRAILER_BYTES = 16,   /* end of the file: offset of the index, magic */
    SMTR_BLOCK_BYTES = 32,     /* head of each part */
    SMTR_CHUNK_BYTES = 1 << 20 /* a chunk is closed once it has so many bytes, uncompressed */
};

/*
 * Largest payloads, uncompressed: a reader never allocates more for one part, whatever the file
 * says.
 */
#define SMTR_MAX_CHUNK ((uint32_t)1 << 30)
#define SMTR_MAX_OTHER ((uint32_t)256 << 20)

/* Limits of a core. Larger numbers in a file are damage. */
enum {
    SMTR_MAX_LAUNCHES = 1 << 20,
    SMTR_MAX_CODE = 1 << 22,
    SMTR_MAX_BARRIERS = 64,
    SMTR_MAX_BUFFERS = 1 << 16
};

enum smtr_block_kind { SMTR_LAUNCH = 1, SMTR_CHUNK = 2, SMTR_INDEX = 3 };

/* Sections of a launch part. A reader skips sections that it does not know. */
enum smtr_section {
    SMTR_PROGRAM = 1,
    SMTR_COMMAND,
    SMTR_SOURCE,
    SMTR_SHAPE,
    SMTR_CLASSES,
    SMTR_CODE,
    SMTR_MEMORY,
    SMTR_PATHS,
    SMTR_PIPES,
    SMTR_UNTRANSLATED
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

/* The head of a part of the file. */
struct smtr_block {
    uint32_t kind;
    uint32_t raw, packed; /* bytes of the payload: uncompressed, in the file */
    uint32_t launch;      /* number of the launch that the part belongs to, from 0 */
    uint32_t blocks;      /* chunk: number of thread blocks in it */
};

void smtr_block_put(uint8_t bytes[SMTR_BLOCK_BYTES], const struct smtr_block *block);

/* Reads the head of a part. Returns false if the bytes are not a valid head. */
bool smtr_block_get(const uint8_t bytes[SMTR_BLOCK_BYTES], struct smtr_block *block);

/*
 * A place in bytes that buffer_add() and its variants (base/byte_buffer.h) have written. Reading
 * past `end` returns zeros and sets `failed`.
 */
struct smtr_cursor {
    const uint8_t *at, *end;
    bool failed;
};

/* Reads a number. A number above `limit` sets `failed` and reads as 0. */
uint64_t smtr_take_number(struct smtr_cursor *cursor, uint64_t limit);
/*
 * Returns a cursor over the next `size` bytes and moves past them. The returned cursor has `failed`
 * set if there are not so many bytes.
 */
struct smtr_cursor smtr_take_part(struct smtr_cursor *cursor, uint64_t size);
/*
 * Reads a text into `text`, cut to `size` bytes with its terminator. Characters unfit for a
 * terminal are replaced.
 */
void smtr_take_text(struct smtr_cursor *cursor, char *text, size_t size);

#endif
