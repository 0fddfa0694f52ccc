/* Lists of texts with their places in a file, and functions that allocate texts. */
#ifndef SIM_SWEEP_TEXTS_H
#define SIM_SWEEP_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text and its place in a file. */
struct placed_text {
    char *text;            /* owned by its list */
    uint32_t line, column; /* from 1; 0: not from a file */
};

/* Begins as {0}. */
struct texts {
    struct placed_text *item; /* [count] */
    uint32_t count, room;
};

/* Adds a copy of `text`. Returns false if memory runs out. */
bool texts_add(struct texts *texts, const char *text, uint32_t line, uint32_t column);

/* Returns the first item that equals `text`; NULL if there is none. */
const struct placed_text *texts_find(const struct texts *texts, const char *text);

/* Frees the items and empties the list. */
void texts_free(struct texts *texts);

/* Returns the formatted text, as printf does. NULL if memory runs out. The caller frees it. */
char *text_format(const char *form, ...) __attribute__((format(printf, 1, 2)));

/* Returns a copy of the first `length` bytes of `text`. NULL if memory runs out. The caller frees
 * it. */
char *text_copy(const char *text, size_t length);

/* Returns `path` relative to the folder of the file `beside`; an absolute path stays. NULL if
 * memory runs out. The caller frees it. */
char *text_path_beside(const char *beside, const char *path);

#endif
