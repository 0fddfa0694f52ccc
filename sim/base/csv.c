#include "base/csv.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/infile.h"

enum simsm_status csv_fail(const struct csv_reader *csv, const char *format, ...)
{
    char message[sizeof csv->error->message];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return err_at(csv->error, SIMSM_BAD_INPUT, csv->path, csv->line, 0, "%s", message);
}

/* Cuts one cell off and removes its quotes. Returns the character that ended it: ',', '\n', '\0' at
 * the end of the text, or '"' if the closing quote is missing. */
static char cut(struct csv_reader *csv, char **cell)
{
    char *from = csv->at, *to = csv->at;
    const bool quoted = *from == '"';
    *cell = from;
    from += quoted;
    for (; *from && (quoted || (*from != ',' && *from != '\n')); from++) {
        if (quoted && from[0] == '"' && from[1] != '"')
            break;
        from += quoted && *from == '"';
        csv->next_line += *from == '\n';
        *to++ = *from;
    }
    if (quoted && *from++ != '"')
        return '"';
    if (*from == '\r')
        from++;
    if (!quoted && to > *cell && to[-1] == '\r')
        to--;
    const char end = *from;
    csv->at = from + (end != '\0');
    *to = '\0';
    return end;
}

static enum simsm_status make_room(struct csv_reader *csv)
{
    if (csv->cells < csv->room)
        return SIMSM_OK;
    uint32_t room = csv->room ? 2 * csv->room : 32;
    char **cell = realloc(csv->cell, room * sizeof *cell);
    if (!cell)
        return err_no_memory(csv->error);
    csv->cell = cell;
    csv->room = room;
    return SIMSM_OK;
}

bool csv_next(struct csv_reader *csv, enum simsm_status *status)
{
    *status = SIMSM_OK;
    do {
        char end = ',';
        if (!*csv->at)
            return false;
        csv->line = csv->next_line;
        for (csv->cells = 0; end == ',' && (*status = make_room(csv)) == SIMSM_OK; csv->cells++)
            end = cut(csv, &csv->cell[csv->cells]);
        csv->next_line += end == '\n';
        if (*status == SIMSM_OK && end != '\n' && end != '\0')
            *status = csv_fail(csv, "a closing quote is missing, or text stands behind it");
    } while (*status == SIMSM_OK && csv->cells == 1 && !*csv->cell[0]);
    if (*status == SIMSM_OK && csv->columns && csv->cells != csv->columns)
        *status = csv_fail(csv, "%u cells are expected, found %u", csv->columns, csv->cells);
    return *status == SIMSM_OK;
}

static enum simsm_status check_names(struct csv_reader *csv, const char *what,
                                     const char *const *names, uint32_t cells)
{
    enum simsm_status status = SIMSM_OK;
    bool any = csv_next(csv, &status), same = any && csv->cells == cells;
    for (uint32_t i = 0; same && i < cells; i++)
        same = strcmp(csv->cell[i], names[i]) == 0;
    if (status != SIMSM_OK || same)
        return status;
    char list[400] = "";
    for (uint32_t i = 0; i < cells; i++) {
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", i ? "," : "", names[i]);
    }
    return csv_fail(csv, "this is no %s: the columns %s are expected", what, list);
}

enum simsm_status csv_open(struct csv_reader *csv, const char *path, const char *what,
                           const char *const *names, uint32_t cells, size_t limit,
                           struct simsm_error *error)
{
    size_t size = 0;
    *csv = (struct csv_reader){.path = path, .next_line = 1, .line = 1, .error = error};
    enum simsm_status status = infile_read(path, what, limit, &csv->text, &size, error);
    if (status != SIMSM_OK)
        return status;
    csv->at = csv->text;
    if (strlen(csv->text) != size)
        return csv_fail(csv, "this is no %s: it has NUL bytes", what);
    if (!names)
        return SIMSM_OK;
    status = check_names(csv, what, names, cells);
    csv->columns = cells;
    return status;
}

void csv_close(struct csv_reader *csv)
{
    free(csv->text);
    free(csv->cell);
    csv->text = NULL;
    csv->cell = NULL;
}

void csv_cell(FILE *file, const char *text, char after)
{
    if (!strpbrk(text, ",\"\n\r")) {
        (void)fprintf(file, "%s%c", text, after);
        return;
    }
    (void)fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            (void)fputc('"', file);
        (void)fputc(*text, file);
    }
    (void)fprintf(file, "\"%c", after);
}
