#include "calibrate/reasons.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/err.h"

enum { LIMIT = 1 << 20 };
enum reasons_column { FILE_, POINTS_, REASON_, COLUMNS };

static const char *const names[COLUMNS] = {"file", "points", "reason"};

/* Returns whether the name matches the pattern, in which * stands for any text. */
static bool fits(const char *pattern, const char *name)
{
    const char *star = NULL,
               *after = NULL; /* the last *, and the end of the text that it matches */
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            after = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++after;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

static enum simsm_status read_reason(struct reasons *reasons, const struct csv_reader *csv)
{
    char *const *cell = csv->cell;
    struct reason *more =
        realloc(reasons->reason, (reasons->reasons + 1) * sizeof *reasons->reason);
    if (!more)
        return err_no_memory(csv->error);
    reasons->reason = more;
    struct reason *row = &more[reasons->reasons];
    if (strlen(cell[FILE_]) >= sizeof row->file || strlen(cell[POINTS_]) >= sizeof row->points ||
        strlen(cell[REASON_]) >= sizeof row->text)
        return csv_fail(csv, "a name or the reason is too long");
    (void)snprintf(row->file, sizeof row->file, "%s", cell[FILE_]);
    (void)snprintf(row->points, sizeof row->points, "%s", cell[POINTS_]);
    (void)snprintf(row->text, sizeof row->text, "%s", cell[REASON_]);
    reasons->reasons++;
    return SIMSM_OK;
}

enum simsm_status reasons_read(struct reasons *reasons, const char *path, struct simsm_error *error)
{
    struct csv_reader csv;
    *reasons = (struct reasons){.reasons = 0};
    if (access(path, F_OK) != 0)
        return SIMSM_OK;
    enum simsm_status status =
        csv_open(&csv, path, "list of reasons", names, COLUMNS, LIMIT, error);
    while (status == SIMSM_OK && csv_next(&csv, &status))
        status = read_reason(reasons, &csv);
    csv_close(&csv);
    return status;
}

void reasons_free(struct reasons *reasons)
{
    free(reasons->reason);
    *reasons = (struct reasons){.reasons = 0};
}

void reasons_give(const struct reasons *reasons, struct known_miss *miss)
{
    for (size_t i = 0; i < reasons->reasons; i++) {
        const struct reason *row = &reasons->reason[i];
        if (strcmp(row->file, miss->file) != 0 || !fits(row->points, miss->point))
            continue;
        (void)snprintf(miss->reason, sizeof miss->reason, "%s", row->text);
        return;
    }
}
