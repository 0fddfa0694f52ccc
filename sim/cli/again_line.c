#include "cli/again_line.h"

#include <stdlib.h>
#include <string.h>

#include "cli/command_line.h"

/* Fills word[] with an option and its value, which `spelled` holds as one text. `room` holds the
 * option. Returns their number. */
static int split(const char *spelled, char room[64], char *word[2])
{
    const size_t length = strcspn(spelled, " ");
    (void)snprintf(room, 64, "%.*s", (int)length, spelled);
    word[0] = room;
    word[1] = (char *)spelled + length + 1;
    return spelled[length] ? 2 : 1;
}

char *again_line(const char *command, const char *config, const char *trace,
                 const struct option_words *spelled, char *const program[])
{
    size_t words = 0;
    while (program && program[words])
        words++;
    char **all = calloc(2 * spelled->count + words + 4, sizeof *all);
    char(*names)[64] = calloc(spelled->count + 1, sizeof *names);
    char *line = NULL;
    if (all && names) {
        int count = 0;
        all[count++] = (char *)command;
        all[count++] = (char *)config;
        if (trace)
            all[count++] = (char *)trace;
        for (size_t i = 0; i < spelled->count; i++)
            count += split(spelled->item[i], names[i], all + count);
        if (words)
            all[count++] = "--";
        for (size_t i = 0; i < words; i++)
            all[count++] = program[i];
        line = command_line_text(count, all);
    }
    free(names);
    free(all);
    return line;
}
