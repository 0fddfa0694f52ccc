/*
 * The dynamic instructions of one warp, packed into bytes: what executors and readers of foreign
 * traces write, what recordings store, and what the core is fed from.
 */
#ifndef SIM_FRONT_STREAM_STREAM_H
#define SIM_FRONT_STREAM_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/inst.h"

struct stream_bytes {
    uint8_t *data; /* owned; freed by stream_bytes_free */
    size_t size, room;
    bool failed; /* out of memory; what came after is lost */
};

void stream_bytes_free(struct stream_bytes *bytes);

/* State of packing one warp; begins with stream_writer_begin. */
struct stream_writer {
    struct stream_bytes *out;
    const struct inst *code; /* the static instructions: which ones access memory, which branch */
    uint32_t expected;       /* index of the instruction that follows in memory */
    uint32_t active;
    bool held; /* an instruction is kept back until its flags are known */
    struct warp_inst last;
    /* what the encoding needs besides is added here */
};

void stream_writer_begin(struct stream_writer *writer, const struct inst *code,
                         struct stream_bytes *out);

/*
 * Adds the warp's next instruction: index, active, exec (WARP_INST_DIVERGENT in flags; TAKEN and
 * LAST are found out by the writer). `addresses` is read if it accesses memory and exec is not 0.
 */
void stream_put(struct stream_writer *writer, const struct warp_inst *inst,
                const struct lane_addresses *addresses);

/* The last instruction added was the warp's last. */
void stream_writer_end(struct stream_writer *writer);

/* State of unpacking; plain bytes, may be copied. */
struct stream_reader {
    const uint8_t *begin, *at, *end;
    const struct inst *code;
    uint32_t expected, active;
    /* as above */
};

void stream_reader_begin(struct stream_reader *reader, const struct inst *code, const uint8_t *data,
                         size_t size);

/* The next instruction. Bytes that make no sense (a damaged recording) end the stream: then it
 * gives false, and an EXIT-like instruction with WARP_INST_LAST. */
bool stream_next(struct stream_reader *reader, struct warp_inst *inst);

/* The addresses of an instruction that the reader has yielded, as put. */
void stream_addresses(const struct stream_reader *reader, const struct warp_inst *inst,
                      struct lane_addresses *addresses);

#endif
