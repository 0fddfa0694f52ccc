/* `$name` and `$(name*4)` in the text of a point, replaced by what one combination of its `each`
 * says. */
#ifndef SIM_CALIBRATE_EXPAND_H
#define SIM_CALIBRATE_EXPAND_H

#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

enum { EXPAND_KEYS = 6, EXPAND_TEXT = 48 };

/* One value of each key. */
struct expand_values {
    uint32_t count;
    const char *key[EXPAND_KEYS], *value[EXPAND_KEYS];
};

/*
 * Copies text[0 .. size) to *expanded, which the caller frees, with a terminator behind its *length
 * bytes. Comments stay as they are. `file` and `line`, that of the text's first byte, are for
 * messages: a name that is not among the values, or a formula that is none.
 */
enum simsm_status expand(const char *text, size_t size, const struct expand_values *values,
                         const char *file, uint32_t line, char **expanded, size_t *length,
                         struct simsm_error *error);

#endif
