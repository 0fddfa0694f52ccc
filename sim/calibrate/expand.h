/* Replaces `$name` and `$(name*4)` in the text of a point by the values of one combination of
 * its `each`. */
#ifndef SIM_CALIBRATE_EXPAND_H
#define SIM_CALIBRATE_EXPAND_H

#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

enum { EXPAND_KEYS = 6, EXPAND_TEXT = 48 };

/* One combination: a value for each key. */
struct expand_values {
    uint32_t count;
    const char *key[EXPAND_KEYS], *value[EXPAND_KEYS];
};

/*
 * Copies text[0 .. size) with replaced names to *expanded, which the caller frees, and sets
 * *length; a terminator follows. Comments stay as they are. `file` and `line`, the place of the
 * text's first byte, are for messages. An unknown name or an invalid formula is an error.
 */
enum simsm_status expand(const char *text, size_t size, const struct expand_values *values,
                         const char *file, uint32_t line, char **expanded, size_t *length,
                         struct simsm_error *error);

#endif
