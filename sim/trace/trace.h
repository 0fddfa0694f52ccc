/* The text trace: docs/trace-format.md. */
#ifndef SIM_TRACE_TRACE_H
#define SIM_TRACE_TRACE_H

#include "front/front.h"

enum { TRACE_MAX_BYTES = 16 << 20 };

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

#endif
