/* The launch part of a recording: a kernel launch and its static instructions, written and read. */
#ifndef SIM_RECORD_RECORDING_LAUNCH_H
#define SIM_RECORD_RECORDING_LAUNCH_H

#include "record/recording_format.h"
#include "record/recording_write.h"
#include "simsm/kernel.h"

/* Appends the payload of a launch part. Sets payload->failed if memory runs out. */
void launch_write(struct byte_buffer *payload, const struct recording_launch *launch,
                  const char *command);

/* The content of a launch part; freed by launch_read_free(). */
struct launch_read {
    struct simsm_launch launch;
    char program[128], command[4096], source[256], paths[128];
    struct inst *code;       /* [code_size] */
    const char *const *text; /* [code_size] */
    uint32_t code_size;
    char *characters; /* the characters of all texts */
    struct front_memory memory;
    struct front_buffer *buffer; /* [memory.buffers] */
};

/*
 * Reads a payload. Returns NULL, or what is wrong with the payload as static text; *launch is then
 * empty. A core can run what was read, except that the code may use more named barriers than the
 * configuration has.
 */
const char *launch_take(struct launch_read *launch, struct smtr_cursor cursor);
void launch_read_free(struct launch_read *launch);

/*
 * Each returns NULL, or the reason as static text why a core cannot run such a launch or such code.
 */
const char *launch_shape_wrong(const struct simsm_launch *launch);
const char *launch_code_wrong(const struct inst *code, uint32_t code_size);

#endif
