/*
 * The language of what people read: explanations, screens, pages. English text is the key; a
 * translation is looked up where the text is shown. Error messages, JSON, CSV and all other output
 * that programs read are always English.
 */
#ifndef SIM_LANGUAGE_LANGUAGE_H
#define SIM_LANGUAGE_LANGUAGE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Chooses the language: "en" or "zh"; NULL: the language of the environment (LC_ALL, LC_MESSAGES,
 * LANG), or English. Until the first call it is English. Returns false, and changes nothing, if
 * there are no translations into the language. Call it before other threads run.
 */
bool language_choose(const char *name);

/* The message about a name that language_choose() does not take, with the name and
 * language_names(). */
#define LANGUAGE_UNKNOWN "--lang '%s': expected %s"

/* Returns the names that language_choose() takes, as a sentence has them. */
const char *language_names(void);

/* Returns the name of translation `index` of this build, such as "zh"; NULL after the last. */
const char *language_translated(uint32_t index);

/* Returns the chosen language as HTML spells it: "en" or "zh". */
const char *language_name(void);

/* Returns the translation of `english`, or `english` if it has none. Never free it. */
const char *translate(const char *english) __attribute__((format_arg(1)));

/* The names that xgettext looks for: translates a literal; marks one that is translated later. */
#define _(english)  translate(english)
#define N_(english) english

#endif
