/* Messages for names that are not in the schema: where they belong, or what is nearest. */
#ifndef SIM_CONFIG_SUGGEST_H
#define SIM_CONFIG_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* Room for any of these messages. */
enum { SUGGEST_TEXT = 512 };

/*
 * `name` was found where `section` and `group` say (each NULL for "not within one") and is not
 * known there. Returns `text`.
 */
const char *suggest_for(const char *section, const char *group, const char *name,
                        char text[SUGGEST_TEXT]);

/* Least number of letters to insert, delete, replace or swap with their neighbour. */
size_t suggest_distance(const char *a, const char *b);

/* Whether a name so far from `wanted` is likely what was meant. */
bool suggest_is_near(const char *wanted, size_t distance);

/* The nearest of these names, if it is likely what was meant; NULL: none is. */
const char *suggest_nearest(const char *wanted, const char *const *names, size_t count);

enum { SUGGEST_QUESTION = 160 };

/* Writes "; did you mean 'NAME'?" for a name that suggest_nearest found, "" for NULL. Returns
 * `text`. */
const char *suggest_question(const char *name, char text[SUGGEST_QUESTION]);

#endif
