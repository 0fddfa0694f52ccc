#include "calibrate/known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/outfile.h"

enum { LIMIT = 4 << 20 };
enum known_column { FILE_, POINT_, ERROR_, REASON_, COLUMNS };

static const char *const names[COLUMNS] = {"file", "point", "error", "reason"};

const struct known_miss *known_find(const struct known *known, const char *file, const char *point)
{
    for (size_t i = 0; i < known->misses; i++)
        if (strcmp(known->miss[i].point, point) == 0 && strcmp(known->miss[i].file, file) == 0)
            return &known->miss[i];
    return NULL;
}

bool known_is_worse(const struct known_miss *miss, double error)
{
    if (isnan(miss->error) || isnan(error))
        return isnan(error) && !isnan(miss->error);
    return fabs(error) > 1.05 * fabs(miss->error) + 0.005;
}

bool known_add(struct known *known, const struct known_miss *miss)
{
    struct known_miss *more = realloc(known->miss, (known->misses + 1) * sizeof *more);
    if (!more)
        return false;
    known->miss = more;
    known->miss[known->misses++] = *miss;
    return true;
}

static enum simsm_status read_miss(struct known *known, struct csv_reader *csv)
{
    struct known_miss miss = {.error = NAN};
    char *end = NULL, **cell = csv->cell;
    if (strlen(cell[FILE_]) >= sizeof miss.file || strlen(cell[POINT_]) >= sizeof miss.point ||
        strlen(cell[REASON_]) >= sizeof miss.reason)
        return csv_fail(csv, "a name or the reason is too long");
    (void)snprintf(miss.file, sizeof miss.file, "%s", cell[FILE_]);
    (void)snprintf(miss.point, sizeof miss.point, "%s", cell[POINT_]);
    (void)snprintf(miss.reason, sizeof miss.reason, "%s", cell[REASON_]);
    if (*cell[ERROR_])
        miss.error = strtod(cell[ERROR_], &end);
    if (*cell[ERROR_] && (*end || !isfinite(miss.error)))
        return csv_fail(csv, "error: a number such as 0.07 is expected, found '%.40s'",
                        cell[ERROR_]);
    if (known_find(known, miss.file, miss.point))
        return csv_fail(csv, "there is a second row for %s %s", miss.file, miss.point);
    return known_add(known, &miss) ? SIMSM_OK : err_no_memory(csv->error);
}

enum simsm_status known_read(struct known *known, const char *path, struct simsm_error *error)
{
    struct csv_reader csv;
    *known = (struct known){.misses = 0};
    if (access(path, F_OK) != 0)
        return SIMSM_OK;
    enum simsm_status status =
        csv_open(&csv, path, "list of known misses", names, COLUMNS, LIMIT, error);
    while (status == SIMSM_OK && csv_next(&csv, &status))
        status = read_miss(known, &csv);
    csv_close(&csv);
    return status;
}

enum simsm_status known_write(const struct known *known, const char *path,
                              struct simsm_error *error)
{
    struct outfile out;
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    for (int i = 0; i < COLUMNS; i++)
        csv_cell(out.file, names[i], i + 1 < COLUMNS ? ',' : '\n');
    for (size_t i = 0; i < known->misses; i++) {
        const struct known_miss *miss = &known->miss[i];
        csv_cell(out.file, miss->file, ',');
        csv_cell(out.file, miss->point, ',');
        if (!isnan(miss->error))
            (void)fprintf(out.file, "%.4f", miss->error);
        (void)fputc(',', out.file);
        csv_cell(out.file, miss->reason, '\n');
    }
    return outfile_commit(&out, error);
}

void known_free(struct known *known)
{
    free(known->miss);
    *known = (struct known){.misses = 0};
}
