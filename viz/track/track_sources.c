/* Source files that a timeline names: found on this machine, and read once. */
#include "track/track_sources.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 16 << 20, PATH_BYTES = 4096 };

struct source_file {
    struct source_file *next;
    char *name; /* as the timeline has it */
    char *text; /* lines, each terminated; NULL: the file was not found */
    const char **line;
    uint32_t lines;
};

/*
 * Reads a file. A timeline may come from anywhere and name any path: only regular files of a
 * limited size are read, and nothing that makes the program wait.
 */
static char *read_text(const char *path, size_t *size)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_NONBLOCK);
    if (file < 0)
        return NULL;
    char *text = NULL;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= MOST_BYTES)
        text = malloc((size_t)about.st_size + 1);
    *size = 0;
    while (text && *size < (size_t)about.st_size) {
        ssize_t got = read(file, text + *size, (size_t)about.st_size - *size);
        if (got <= 0)
            break;
        *size += (size_t)got;
    }
    (void)close(file);
    if (text)
        text[*size] = '\0';
    return text;
}

/* Reads the file by its name, or else a file of the same base name beside the timeline. */
static char *find_text(const char *timeline, const char *name, size_t *size)
{
    char path[PATH_BYTES];
    const char *slash = strrchr(timeline, '/');
    const char *last = strrchr(name, '/');
    char *text = read_text(name, size);
    if (text)
        return text;
    (void)snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - timeline) + 1 : 0, timeline,
                   last ? last + 1 : name);
    return read_text(path, size);
}

static void split_lines(struct source_file *source, size_t size)
{
    uint32_t count = 1;
    for (size_t i = 0; i < size; i++)
        count += source->text[i] == '\n';
    source->line = calloc(count, sizeof *source->line);
    if (!source->line)
        return;
    source->line[source->lines++] = source->text;
    for (size_t i = 0; i < size; i++) {
        char *at = &source->text[i];
        if (*at == '\n' && source->lines < count)
            source->line[source->lines++] = at + 1;
        if ((unsigned char)*at < ' ' || *at == 127)
            *at = *at == '\n' ? '\0' : ' ';
    }
}

static struct source_file *load(const char *timeline, const char *name)
{
    struct source_file *source = calloc(1, sizeof *source);
    if (!source || !(source->name = strdup(name))) {
        free(source);
        return NULL;
    }
    size_t size = 0;
    source->text = find_text(timeline, name, &size);
    if (source->text)
        split_lines(source, size);
    return source;
}

const char *sources_line(struct source_file **sources, const char *timeline, const char *name,
                         uint32_t line)
{
    struct source_file *source = *sources;
    while (source && strcmp(source->name, name) != 0)
        source = source->next;
    if (!source) {
        source = load(timeline, name);
        if (!source)
            return NULL;
        source->next = *sources;
        *sources = source;
    }
    return line && line <= source->lines ? source->line[line - 1] : NULL;
}

void sources_free(struct source_file *sources)
{
    while (sources) {
        struct source_file *next = sources->next;
        free(sources->name);
        free(sources->text);
        free(sources->line);
        free(sources);
        sources = next;
    }
}
