#include "cli/lesson_show.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/companion.h"
#include "base/err.h"
#include "base/infile.h"
#include "cli/command_line.h"
#include "cli/lesson_prose.h"
#include "cli/signals.h"

enum { LINE = 4096, OUTPUT_LIMIT = 16 << 20 };

static const char output_name[] = "output-of-command";

enum simsm_status lesson_scratch_open(struct lesson_scratch *scratch, struct simsm_error *error)
{
    static const char *const folders[] = {"configs", "traces"};
    const char *temporary = getenv("TMPDIR");
    char root[LESSON_PATH], link[LESSON_PATH + 16], target[LESSON_PATH + 16];
    enum simsm_status status = lesson_root(root, error);
    if (status != SIMSM_OK)
        return status;
    (void)snprintf(scratch->path, sizeof scratch->path, "%s/simsm-learn-XXXXXX",
                   temporary && temporary[0] == '/' ? temporary : "/tmp");
    if (!mkdtemp(scratch->path))
        return err_set(error, SIMSM_FAILED, "no folder can be made for the experiment: %s",
                       scratch->path);
    for (unsigned i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        (void)snprintf(link, sizeof link, "%s/%s", scratch->path, folders[i]);
        (void)snprintf(target, sizeof target, "%s/%s", root, folders[i]);
        if (status == SIMSM_OK && symlink(target, link) != 0)
            status = err_set(error, SIMSM_FAILED, "%s cannot be made", link);
    }
    if (status != SIMSM_OK)
        lesson_scratch_close(scratch);
    return status;
}

void lesson_scratch_close(const struct lesson_scratch *scratch)
{
    DIR *folder = opendir(scratch->path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        (void)unlinkat(dirfd(folder), entry->d_name, 0); /* links and files; "." and ".." stay */
    if (folder)
        (void)closedir(folder);
    (void)rmdir(scratch->path);
}

/* Runs "simsm ..." in the scratch folder and reads its output, which the caller frees; NULL if it
 * cannot be run. */
static char *run_command(const char *line, const struct lesson_scratch *scratch)
{
    char path[LESSON_PATH + 32], *text = NULL;
    size_t size;
    int count, result = 0;
    struct simsm_error error;
    struct companion companion = {0};
    (void)snprintf(path, sizeof path, "%s/%s", scratch->path, output_name);
    char **words = command_line_words(line, &count);
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool started = words && here >= 0 && output >= 0 && chdir(scratch->path) == 0;
    if (started) {
        started = companion_start(&companion, "simsm", (const char *const *)words + 1, output,
                                  STDERR_FILENO, &error) == SIMSM_OK;
        (void)companion_wait(&companion, signals_first, &result);
        started = fchdir(here) == 0 && started;
    }
    if (started && infile_read(path, "output", OUTPUT_LIMIT, &text, &size, &error) != SIMSM_OK)
        text = NULL;
    if (output >= 0)
        (void)close(output);
    if (here >= 0)
        (void)close(here);
    free(words);
    return text;
}

/* Returns whether a line of the output equals the quoted one but for blanks at its end. */
static bool same_line(const char *a, size_t n, const char *b, size_t m)
{
    while (n && a[n - 1] == ' ')
        n--;
    while (m && b[m - 1] == ' ')
        m--;
    return n == m && memcmp(a, b, n) == 0;
}

/* Returns whether the output has all quoted lines in this order; "..." stands for any lines. */
static bool has_lines(const char *output, const char *quoted, const char *end)
{
    while (quoted < end) {
        size_t length = strcspn(quoted, "\n");
        bool found = same_line(quoted, length, "...", 3);
        while (!found && *output) {
            size_t line = strcspn(output, "\n");
            found = same_line(output, line, quoted, length);
            output += line + (output[line] == '\n');
        }
        if (!found)
            return false;
        quoted += length + 1;
    }
    return true;
}

static void print_indented(const char *text, const char *end)
{
    while (text < end) {
        size_t length = strcspn(text, "\n");
        (void)printf("    %.*s\n", (int)length, text);
        text += length + 1;
    }
}

/* Prints the command in the line at `text` with its output; returns the end of the quotation. */
static const char *show_command(const char *text, const char *end,
                                const struct lesson_scratch *scratch)
{
    char line[LINE];
    const char *quoted = text + strcspn(text, "\n") + 1, *stop = quoted;
    while (stop < end && strncmp(stop, "```", 3) != 0 && strncmp(stop, "$ ", 2) != 0)
        stop += strcspn(stop, "\n") + 1;
    (void)snprintf(line, sizeof line, "%.*s", (int)(quoted - text - 3), text + 2);
    (void)printf("    $ %s\n", line);
    (void)fflush(stdout);
    char *output = scratch ? run_command(line, scratch) : NULL;
    if (signals_first())
        stop = end;
    else if (!output || (quoted < stop && has_lines(output, quoted, stop)))
        print_indented(quoted, stop);
    else
        print_indented(output, output + strlen(output));
    free(output);
    return stop;
}

void lesson_show(struct lesson_section section, const struct lesson_scratch *scratch)
{
    const char *text = section.text, *end = section.text + section.size;
    bool code = false;
    while (text < end && !signals_first()) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t length = newline ? (size_t)(newline - text) : (size_t)(end - text);
        if (strncmp(text, "```", 3) == 0) {
            code = !code;
        } else if (code && strncmp(text, "$ simsm ", 8) == 0) {
            text = show_command(text, end, scratch);
            continue;
        } else if (code || strncmp(text, "    ", 4) == 0) {
            (void)printf("%s%.*s\n", code ? "    " : "", (int)length, text);
        } else if (length) {
            text = lesson_prose(text, end);
            continue;
        } else {
            (void)printf("\n");
        }
        text += length + 1;
    }
}
