/* The text trace as a front; docs/trace-format.md describes the language. */
#ifndef SIM_TRACE_TRACE_H
#define SIM_TRACE_TRACE_H

#include "front/front.h"

enum { TRACE_MAX_BYTES = 16 << 20 };

/*
 * Opens the text trace `path`. `config` may be NULL: divergence, seed and clock then have their
 * defaults. `params` is NULL or a NULL-terminated list of "name=value" that replaces values of the
 * trace's param lines; a name that the trace lacks is an error. On success *front must be closed
 * with front_close().
 */
enum simsm_status trace_open(struct front **front, const char *path,
                             const struct simsm_config *config, const char *const *params,
                             struct simsm_error *error);

/* As trace_open(), from `size` bytes of text with a terminator. `path` is for messages. */
enum simsm_status trace_open_text(struct front **front, const char *path, const char *text,
                                  size_t size, const struct simsm_config *config,
                                  const char *const *params, struct simsm_error *error);

#endif
