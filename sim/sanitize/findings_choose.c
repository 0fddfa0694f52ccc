/* Reads the options of `simsm check`. */
#include "sanitize/findings_choose.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/err.h"
#include "sanitize/findings_write.h"

enum simsm_status findings_read_tools(const char *text, uint64_t *kinds, struct simsm_error *error)
{
    *kinds = 0;
    do {
        char name[40];
        const size_t length = strcspn(text, ",");
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < 39 ? length : 39), text);
        const uint64_t selected = finding_select(name);
        if (!selected)
            return err_set(error, SIMSM_BAD_INPUT,
                           "--tool: expected memory, race, sync, init, leak, api or a kind such as "
                           "race/shared, separated by commas, but found '%s'",
                           name);
        *kinds |= selected;
        text += length + (text[length] == ',');
    } while (*text);
    return SIMSM_OK;
}

/* Reads a line into *row, whose kinds are 0 if the line is empty. */
static enum simsm_status read_line(char *line, struct suppression *row, const char *path,
                                   uint32_t number, struct simsm_error *error)
{
    char kind[40], more;
    line[strcspn(line, "#\r\n")] = '\0';
    row->kinds = 0;
    if (line[strspn(line, " \t")] == '\0')
        return SIMSM_OK;
    if (sscanf(line, "%39s %199s %c", kind, row->pattern, &more) == 2 &&
        strlen(row->pattern) + 1 < sizeof row->pattern)
        row->kinds = strcmp(kind, "*") == 0 ? UINT64_MAX : finding_select(kind);
    if (row->kinds)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, path, number, 0,
                  "expected KIND PATTERN, such as 'race/shared reduce.cu:12' or 'init my_kernel*', "
                  "the pattern at most %zu bytes long and without blanks, but found '%.60s'",
                  sizeof row->pattern - 2, line);
}

enum simsm_status findings_read_suppressions(const char *path, struct findings *findings,
                                             struct simsm_error *error)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = path ? fopen(path, "r") : NULL;
    if (path && !file)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                      "cannot be opened; --suppressions names a file");
    enum simsm_status status = SIMSM_OK;
    for (uint32_t n = 1; file && status == SIMSM_OK && getline(&line, &room, file) >= 0; n++) {
        struct suppression row;
        status = read_line(line, &row, path, n, error);
        if (status == SIMSM_OK && row.kinds && !pool_add(&findings->suppression, &row))
            status = err_no_memory(error);
    }
    if (file && ferror(file) && status == SIMSM_OK)
        status = err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot be read: %s", strerror(errno));
    if (file)
        (void)fclose(file);
    free(line);
    return status;
}

enum simsm_status findings_check_options(const char *tools, const char *as, const char *path,
                                         struct simsm_error *error)
{
    struct findings read;
    uint64_t kinds;
    if (!findings_format(as))
        return err_set(error, SIMSM_BAD_INPUT,
                       "--as: expected text or compute-sanitizer, but found '%s'", as);
    enum simsm_status status = tools ? findings_read_tools(tools, &kinds, error) : SIMSM_OK;
    findings_begin(&read, 0);
    if (status == SIMSM_OK)
        status = findings_read_suppressions(path, &read, error);
    findings_free(&read);
    return status;
}
