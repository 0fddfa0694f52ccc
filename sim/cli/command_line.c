/* Converts between the words of a command line and one line of text. */
#include "cli/command_line.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns whether a word needs no quotes. The first word is never quoted: it may be "simsm sweep".
 */
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

/* Copies the next word to *to, ends it with a null byte and advances *to. Returns the beginning of
 * the following word; NULL if a quotation is not closed. */
static const char *take_word(const char *line, char **to)
{
    bool quoted = false;
    for (; *line && (quoted || *line != ' '); line++) {
        if (*line == '\'')
            quoted = !quoted;
        else if (*line == '\\' && !quoted && line[1])
            *(*to)++ = *++line;
        else
            *(*to)++ = *line;
    }
    *(*to)++ = '\0';
    return quoted ? NULL : line + strspn(line, " ");
}

char **command_line_words(const char *line, int *count)
{
    size_t room = strlen(line) / 2 + 2; /* a word and a space take at least two characters */
    char **words = malloc(room * sizeof *words + strlen(line) + 1);
    char *to = (char *)(words + room);
    size_t used = 0;
    line += strspn(line, " ");
    while (words && line && *line) {
        words[used++] = to;
        line = take_word(line, &to);
    }
    if (!words || !line) {
        free(words);
        return NULL;
    }
    words[used] = NULL;
    if (count)
        *count = (int)used;
    return words;
}
