/* Functions that fill struct simsm_error. */
#ifndef SIM_BASE_ERR_H
#define SIM_BASE_ERR_H

#include <stdint.h>

#include "simsm/error.h"

/* Fill *error (NULL is allowed) and return `status`. `file` may be NULL. */
enum simsm_status err_set(struct simsm_error *error, enum simsm_status status, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));
enum simsm_status err_at(struct simsm_error *error, enum simsm_status status, const char *file,
                         uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Fills *error with "out of memory". Returns SIMSM_FAILED. */
enum simsm_status err_no_memory(struct simsm_error *error);

#endif
