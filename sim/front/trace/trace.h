/* The text trace: docs/trace-format.md. */
#ifndef SIM_FRONT_TRACE_TRACE_H
#define SIM_FRONT_TRACE_TRACE_H

#include "front/front.h"

enum { TRACE_MAX_BYTES = 16 << 20 };

/* A named region of global memory. */
struct trace_buffer {
    const char *name;
    uint64_t base, bytes;
};

/*
 * Opens the text trace `path`. `config` may be NULL: then divergence, seed and clock are the
 * schema's defaults. `params` is a list of "name=value" that ends with NULL, or NULL: values that
 * take the place of those in the trace's param lines; a name that it does not have is an error.
 * On success *front must be closed with front_close.
 */
enum simsm_status trace_open(struct front **front, const char *path,
                             const struct simsm_config *config, const char *const *params,
                             struct simsm_error *error);

/* As trace_open, from `size` bytes of text with a terminator; `path` is for messages. */
enum simsm_status trace_open_text(struct front **front, const char *path, const char *text,
                                  size_t size, const struct simsm_config *config,
                                  const char *const *params, struct simsm_error *error);

/* Buffer `index` of a text trace; false if it has no more, or is no text trace. */
bool trace_buffer(const struct front *front, size_t index, struct trace_buffer *buffer);

/* Bytes of local memory of a thread, and where local memory begins; 0 if it is no text trace. */
uint32_t trace_local_bytes(const struct front *front);
uint64_t trace_local_base(const struct front *front);

#endif
