/*
 * The dynamic instructions of one warp, packed into bytes. The executor and the readers of foreign
 * traces write them, recordings store them, the core reads them. docs/recording-format.md describes
 * the bytes.
 */
#ifndef SIM_FRONT_PACKED_WARP_H
#define SIM_FRONT_PACKED_WARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/byte_buffer.h"
#include "model/inst.h"
#include "model/wait.h"

/*
 * Longest packed sequence of a warp: warp_inst.flags holds the offset of an address record in 26
 * bits. packed_put() sets `failed` of the buffer beyond it.
 */
#define PACKED_MAX_BYTES ((size_t)1 << 26)

enum { PACKED_MASKS = 8, PACKED_PLACES = 32, PACKED_SPACES = 3 };

/* What writer and reader know of the addresses of one static instruction. */
struct packed_place {
    uint64_t base, delta; /* base of the latest access; its distance from the access before */
    int64_t stride;       /* bytes from lane to lane, if `lanes` is 0 */
    uint32_t lanes;   /* the lanes of the latest address list; 0: the latest pattern is a stride */
    uint32_t pattern; /* byte offset of the record with the stride or list; 0: none yet */
    uint32_t owner;   /* index of the static instruction + 1; 0: unused */
};

/* The state that writer and reader share: both update it in the same way at every instruction. */
struct packed_state {
    uint32_t expected;           /* index of the next instruction in memory */
    uint32_t active;             /* active lanes of the previous instruction */
    uint32_t mask[PACKED_MASKS]; /* ring of recently used lane masks */
    uint32_t mask_next;
    uint64_t last[PACKED_SPACES]; /* base of the latest access to global, shared, local memory */
    struct packed_place place[PACKED_PLACES];
};

/* State of packing one warp; starts with packed_writer_begin(). */
struct packed_writer {
    struct byte_buffer *out;
    const struct inst *code; /* static instructions: which of them access memory */
    size_t run;              /* byte offset of the run that is being counted; SIZE_MAX: none */
    const struct wait *wait; /* begins with the next instruction; NULL: none */
    struct packed_state state;
};

/*
 * Starts packing into `out`. `code` and `out` must outlive the writer. Bytes that `out` already
 * holds stay, but all offsets count from its start: use one buffer for each warp.
 */
void packed_writer_begin(struct packed_writer *writer, const struct inst *code,
                         struct byte_buffer *out);

/*
 * Adds the warp's next instruction. Reads index, active, exec, from flags WARP_INST_DIVERGENT and
 * WARP_INST_WRITES (the reader derives the other flags), and the token of MATCH.ANY, LDC and BAR.
 * Reads `addresses` if the instruction's class accesses memory and exec is not 0. Failures set
 * out->failed.
 */
void packed_put(struct packed_writer *writer, const struct warp_inst *inst,
                const struct lane_addresses *addresses);

/* Declares that the next instruction has to wait (model/wait.h). *wait is read when that
 * instruction is added. */
void packed_put_wait(struct packed_writer *writer, const struct wait *wait);

/* A place in a sequence that is being written. */
struct packed_mark {
    size_t size, run;
    uint8_t counted; /* length of the run that the place lies in */
    struct packed_state state;
};

void packed_mark(const struct packed_writer *writer, struct packed_mark *mark);
/* Takes back all that has been added since *mark was set. */
void packed_rewind(struct packed_writer *writer, const struct packed_mark *mark);

/*
 * Ends the sequence. The last instruction added must be an EXIT; the reader treats any other end as
 * damage.
 */
void packed_writer_end(struct packed_writer *writer);

/* State of unpacking: plain bytes that may be copied. */
struct packed_reader {
    const uint8_t *begin, *at, *end;
    const struct inst *code;
    uint32_t code_size;
    uint32_t run;  /* instructions left of the current run */
    bool damaged;  /* the bytes were invalid */
    bool writes;   /* the next instruction has WARP_INST_WRITES */
    bool waits;    /* the next instruction has WARP_INST_WAITS */
    uint32_t wait; /* byte offset of the latest wait */
    struct packed_state state;
};

/* Starts reading `size` bytes at `data`. `code` and `data` must outlive the reader. */
void packed_reader_begin(struct packed_reader *reader, const struct inst *code, uint32_t code_size,
                         const uint8_t *data, size_t size);

/*
 * Returns the next instruction in *inst. Invalid bytes (a damaged recording) end the sequence: the
 * function returns false and an instruction with WARP_INST_LAST.
 */
bool packed_next(struct packed_reader *reader, struct warp_inst *inst);

/* Fills *wait with the wait at byte `offset`: reader->wait of an instruction with WARP_INST_WAITS.
 */
void packed_wait(const struct packed_reader *reader, uint32_t offset, struct wait *wait);

/* Returns whether the next instruction has a wait, and if so, fills *wait and *index. */
bool packed_will_wait(const struct packed_reader *reader, struct wait *wait, uint32_t *index);

/*
 * Fills *addresses for an instruction that this reader, or the reader it was copied from, has
 * returned. The addresses of executing lanes are those that were packed; whether they are given as
 * affine may differ.
 */
void packed_addresses(const struct packed_reader *reader, const struct warp_inst *inst,
                      struct lane_addresses *addresses);

#endif
