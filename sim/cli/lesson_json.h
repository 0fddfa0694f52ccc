/* A lesson as JSON, for programs that show it in another way. */
#ifndef SIM_CLI_LESSON_JSON_H
#define SIM_CLI_LESSON_JSON_H

#include <jansson.h>

#include "cli/lesson.h"

/* Returns the lesson as an object, texts in Markdown; docs/lessons/README.md names the members.
 * NULL if memory runs out. The caller frees it with json_decref(). */
json_t *lesson_json(const struct lesson *lesson);

#endif
