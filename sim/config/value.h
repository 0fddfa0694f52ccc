/* The text of one value to a field of struct simsm_config, and back. */
#ifndef SIM_CONFIG_VALUE_H
#define SIM_CONFIG_VALUE_H

#include "config/schema.h"

/* Room for the text of any value: a list of 16 numbers, or a text. */
enum { VALUE_TEXT = 1040, VALUE_REASON = 256 };

/*
 * Sets the field of `row` from `text`; a LIST takes one item, appended to what it has; a MAP all of
 * its names, as "name=value name=value". `quoted`:
 * written in quotes, which only names and texts may be. On failure returns false, leaves *config
 * as it was and writes what was expected and what was found into `reason`.
 */
bool value_set(struct simsm_config *config, const struct schema_row *row, const char *text,
               bool quoted, char reason[VALUE_REASON]);

/* Empties a LIST or a MAP. */
void value_clear(struct simsm_config *config, const struct schema_row *row);

/* Gives `name` of a MAP a value, in the place of any that it has; fails as value_set does. */
bool value_set_named(struct simsm_config *config, const struct schema_row *row, const char *name,
                     const char *text, char reason[VALUE_REASON]);

/*
 * The field as value_set reads it: texts quoted, lists in brackets, sizes in bytes, reals with as
 * few digits as give the same bits. Returns `text`.
 */
const char *value_text(const struct simsm_config *config, const struct schema_row *row,
                       char text[VALUE_TEXT]);

/* A UINT field. */
uint32_t value_uint(const struct simsm_config *config, const struct schema_row *row);
/* A UINT or a REAL field. */
double value_number(const struct simsm_config *config, const struct schema_row *row);

/* What the row accepts, for messages and documents: "a whole number from 1 to 64". */
const char *value_expected(const struct schema_row *row, char text[VALUE_REASON]);

enum { VALUE_SHOWN = 72 };

/* `text` cut to some 60 bytes and free of control characters, to be quoted in a message. */
const char *value_shown(const char *text, char shown[VALUE_SHOWN]);

#endif
