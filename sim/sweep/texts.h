/* Texts with their places in a file, and lists of them. */
#ifndef SIM_SWEEP_TEXTS_H
#define SIM_SWEEP_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct placed_text {
    char *text;            /* owned by its list */
    uint32_t line, column; /* from 1; 0: from no file */
};

/* Begins as {0}. */
struct texts {
    struct placed_text *item; /* [count] */
    uint32_t count, room;
};

/* Adds a copy; false: memory has run out. */
bool texts_add(struct texts *texts, const char *text, uint32_t line, uint32_t column);

/* The first item that equals `text`, or NULL. */
const struct placed_text *texts_find(const struct texts *texts, const char *text);

void texts_free(struct texts *texts);

/* The text that `form` gives, to be freed; NULL: memory has run out. */
char *text_format(const char *form, ...) __attribute__((format(printf, 1, 2)));

/* `length` bytes of `text` and a terminator, to be freed; NULL: memory has run out. */
char *text_copy(const char *text, size_t length);

/* `path` as seen from the folder of the file `beside`, to be freed; NULL: memory has run out. */
char *text_path_beside(const char *beside, const char *path);

#endif
