#include "cli/command_line.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first word may be the program and a command: "simsm sweep". */
static bool is_plain(int place, const char *word)
{
    return place == 0 || (word[0] && !strpbrk(word, " \t\n\"'\\$&|;<>()*?[]#~`!{}"));
}

char *command_line_text(int argc, char **argv)
{
    char *line = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&line, &size);
    if (!file)
        return NULL;
    for (int i = 0; i < argc; i++) {
        bool plain = is_plain(i, argv[i]);
        (void)fprintf(file, "%s%s", i ? " " : "", plain ? "" : "'");
        for (const char *c = argv[i]; *c; c++)
            (void)(*c == '\'' && !plain ? fputs("'\\''", file) : fputc(*c, file));
        (void)fputs(plain ? "" : "'", file);
    }
    if (fclose(file) == 0)
        return line;
    free(line);
    return NULL;
}
