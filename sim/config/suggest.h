/* Messages for unknown names: the section where the name belongs, or the nearest name. */
#ifndef SIM_CONFIG_SUGGEST_H
#define SIM_CONFIG_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that hold any of these messages. */
enum { SUGGEST_TEXT = 512 };

/*
 * Writes the message for the unknown key `name` in `section` and `group` (NULL: not in a section or
 * group). Returns `text`.
 */
const char *suggest_for(const char *section, const char *group, const char *name,
                        char text[SUGGEST_TEXT]);

/* Returns the least number of letters to insert, delete, replace or swap with a neighbour. */
size_t suggest_distance(const char *a, const char *b);

/* Returns true if a name at this distance from `wanted` is likely what the user meant. */
bool suggest_is_near(const char *wanted, size_t distance);

/* Returns the nearest name if it is likely what the user meant, else NULL. */
const char *suggest_nearest(const char *wanted, const char *const *names, size_t count);

enum { SUGGEST_QUESTION = 160 };

/* Writes "; did you mean 'NAME'?" for a name that suggest_nearest found, "" for NULL. Returns
 * `text`. */
const char *suggest_question(const char *name, char text[SUGGEST_QUESTION]);

#endif
