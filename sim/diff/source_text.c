/* Lines of source files. */
#include "diff/source_text.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"

enum { ROOM = 1024 };

void source_text(const char *path, uint32_t line, char *text, size_t size)
{
    char room[ROOM];
    FILE *file = path ? fopen(path, "r") : NULL;
    *text = '\0';
    for (uint32_t at = 1; file && at <= line && fgets(room, sizeof room, file);) {
        const size_t length = strcspn(room, "\r\n");
        if (at == line) {
            room[length] = '\0';
            (void)printable(room + strspn(room, " \t"), text, size);
            break;
        }
        at += room[length] == '\n' || room[length] == '\r';
    }
    if (file)
        (void)fclose(file);
}
