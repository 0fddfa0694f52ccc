/* A launch block of a recording: a kernel launch and its static instructions, to bytes and back. */
#ifndef SIM_RECORD_RECORDING_LAUNCH_H
#define SIM_RECORD_RECORDING_LAUNCH_H

#include "record/recording_format.h"
#include "record/recording_write.h"
#include "simsm/kernel.h"

/* Appends the payload; failing memory sets payload->failed. */
void launch_write(struct packed_bytes *payload, const struct recording_launch *launch,
                  const char *command);

/* What a launch block holds. */
struct launch_read {
    struct simsm_launch launch;
    char program[128], command[4096], source[256], paths[128];
    struct inst *code;       /* [code_size] */
    const char *const *text; /* [code_size] */
    uint32_t code_size;
    char *characters; /* what the texts point to */
    struct front_memory memory;
    struct front_buffer *buffer; /* [memory.buffers] */
};

/*
 * Reads a payload; returns NULL, or what is wrong with it: then *launch holds nothing. What it
 * fills in is such that a core can run it, except that `barriers` may be fewer than it uses.
 */
const char *launch_take(struct launch_read *launch, struct smtr_cursor cursor);
void launch_read_free(struct launch_read *launch);

/* NULL, or what keeps a core from running such a launch or such code. */
const char *launch_shape_wrong(const struct simsm_launch *launch);
const char *launch_code_wrong(const struct inst *code, uint32_t code_size);

#endif
