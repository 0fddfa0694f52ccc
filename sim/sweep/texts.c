/* Lists of texts, and functions that allocate texts. */
#include "sweep/texts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *text_copy(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

bool texts_add(struct texts *texts, const char *text, uint32_t line, uint32_t column)
{
    if (texts->count == texts->room) {
        uint32_t room = texts->room ? texts->room * 2 : 8;
        struct placed_text *item = realloc(texts->item, room * sizeof *item);
        if (!item)
            return false;
        texts->item = item;
        texts->room = room;
    }
    char *copy = text_copy(text, strlen(text));
    if (!copy)
        return false;
    texts->item[texts->count++] = (struct placed_text){copy, line, column};
    return true;
}

const struct placed_text *texts_find(const struct texts *texts, const char *text)
{
    for (uint32_t i = 0; i < texts->count; i++) {
        if (strcmp(texts->item[i].text, text) == 0)
            return &texts->item[i];
    }
    return NULL;
}

void texts_free(struct texts *texts)
{
    for (uint32_t i = 0; i < texts->count; i++)
        free(texts->item[i].text);
    free(texts->item);
    *texts = (struct texts){0};
}

char *text_format(const char *form, ...)
{
    va_list list, again;
    va_start(list, form);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, form, list);
    va_end(list);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, form, again);
    va_end(again);
    return text;
}

char *text_path_beside(const char *beside, const char *path)
{
    const char *slash = strrchr(beside, '/');
    int folder = path[0] == '/' || !slash ? 0 : (int)(slash - beside) + 1;
    return text_format("%.*s%s", folder, beside, path);
}
