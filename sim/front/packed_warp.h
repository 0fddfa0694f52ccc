/*
 * The dynamic instructions of one warp, packed into bytes: what executors and readers of foreign
 * traces write, what recordings store, and what the core is fed from. docs/recording-format.md
 * describes the bytes.
 */
#ifndef SIM_FRONT_PACKED_WARP_H
#define SIM_FRONT_PACKED_WARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/inst.h"
#include "model/wait.h"

/* Longest stream of a warp: an instruction keeps the place of its addresses in so many bits. */
#define PACKED_MAX_BYTES ((size_t)1 << 26)

struct packed_bytes {
    uint8_t *data; /* owned; freed by packed_bytes_free */
    size_t size, room;
    bool failed; /* out of memory, or beyond PACKED_MAX_BYTES; what came after is lost */
};

void packed_bytes_free(struct packed_bytes *bytes);

/* Empties it, but keeps the memory for the next stream. */
void packed_bytes_clear(struct packed_bytes *bytes);

/* Makes room for `size` further bytes and returns where they begin; NULL, and failed: there is no
 * memory. They count once bytes->size says so. */
uint8_t *packed_bytes_reserve(struct packed_bytes *bytes, size_t size);

enum { PACKED_MASKS = 8, PACKED_PLACES = 32, PACKED_SPACES = 3 };

/* What is known of the addresses of one static instruction. */
struct packed_place {
    uint64_t base, delta; /* of its last access, and how far from the one before */
    int64_t stride;       /* bytes from lane to lane, if `lanes` is 0 */
    uint32_t lanes;       /* of a list of addresses */
    uint32_t pattern;     /* byte offset of the record with the stride or list; 0: none yet */
    uint32_t owner;       /* index of the static instruction + 1; 0: nobody */
};

/* What writer and reader both know at an instruction: they stay in step. */
struct packed_state {
    uint32_t expected;           /* index of the instruction that follows in memory */
    uint32_t active;             /* lanes of the instruction before */
    uint32_t mask[PACKED_MASKS]; /* lane masks used lately, a ring */
    uint32_t mask_next;
    uint64_t last[PACKED_SPACES]; /* base of the last access to global, shared, local memory */
    struct packed_place place[PACKED_PLACES];
};

/* State of packing one warp; begins with packed_writer_begin. */
struct packed_writer {
    struct packed_bytes *out;
    const struct inst *code; /* the static instructions: which ones access memory */
    size_t run;              /* byte offset of the run that is being counted; SIZE_MAX: none */
    const struct wait *wait; /* begins with the next instruction; NULL: none does */
    struct packed_state state;
};

/* `code` and `out` must outlive the writer. What `out` holds already is not touched, but offsets
 * are counted from its begin: use one packed_bytes for each warp. */
void packed_writer_begin(struct packed_writer *writer, const struct inst *code,
                         struct packed_bytes *out);

/*
 * Adds the warp's next instruction: index, active, exec (WARP_INST_DIVERGENT and WRITES in flags;
 * the others are found out by the reader), of MATCH.ANY its token. `addresses` is read if the
 * instruction's class accesses memory and exec is not 0.
 */
void packed_put(struct packed_writer *writer, const struct warp_inst *inst,
                const struct lane_addresses *addresses);

/* The next wait->length instructions, the last one a branch, are the pass of a loop that is
 * repeated until the wait is over. *wait is read when the first of them is added. */
void packed_put_wait(struct packed_writer *writer, const struct wait *wait);

/* The last instruction added was the warp's last: an EXIT, as the core expects; a stream that ends
 * with anything else counts as damaged. */
void packed_writer_end(struct packed_writer *writer);

/* State of unpacking; plain bytes, may be copied. */
struct packed_reader {
    const uint8_t *begin, *at, *end;
    const struct inst *code;
    uint32_t code_size;
    uint32_t run;        /* instructions left of the run */
    bool damaged;        /* the bytes made no sense */
    bool writes;         /* the next instruction does so that others may wait for it */
    uint32_t pass_left;  /* instructions left of a wait's pass */
    uint32_t wait;       /* byte offset of the latest wait */
    const uint8_t *pass; /* where its pass begins, and the state there */
    struct packed_state pass_state;
    struct packed_state state;
};

/* `code` and `data` must outlive the reader. */
void packed_reader_begin(struct packed_reader *reader, const struct inst *code, uint32_t code_size,
                         const uint8_t *data, size_t size);

/* The next instruction. Bytes that make no sense (a damaged recording) end the stream: then it
 * gives false, and an EXIT-like instruction with WARP_INST_LAST. */
bool packed_next(struct packed_reader *reader, struct warp_inst *inst);

/* The wait of the instruction yielded last, which has WARP_INST_WAITS. */
void packed_wait(const struct packed_reader *reader, struct wait *wait);

/* The next instruction is once more the first of the pass that has ended with the latest one. */
void packed_repeat(struct packed_reader *reader);

/* The addresses of an instruction that the reader, or one that it is a copy of, has yielded. Those
 * of lanes that execute are as put; whether they are given as affine may differ. */
void packed_addresses(const struct packed_reader *reader, const struct warp_inst *inst,
                      struct lane_addresses *addresses);

#endif
