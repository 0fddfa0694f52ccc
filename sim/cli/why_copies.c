#include "cli/why_copies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the table that describe a copy. None of them is quoted in a copy's row. */
enum { WHAT = 2, NS = 13, BYTES = 19, CALL, ALONE, COLUMNS };

/* Parts a row at its commas. Returns whether it has all columns. */
static bool part(char *row, const char *column[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++) {
        char *end = row + strcspn(row, ",\n");
        if (*end != ',')
            return false;
        *end = '\0';
        column[i] = row;
        row = end + 1;
    }
    return true;
}

/* Adds the copy of a row to the sums. *all: the time of all memory operations. */
static bool add_copy(struct copy_overlap *overlap, char *row, double *all)
{
    const char *column[COLUMNS];
    if (!part(row, column))
        return false;
    struct copy_row copy = {.to_device = strcmp(column[WHAT], "host to device") == 0,
                            .alone = copy_alone_named(column[ALONE]),
                            .bytes = strtoull(column[BYTES], NULL, 10),
                            .ns = strtod(column[NS], NULL)};
    (void)snprintf(copy.call, sizeof copy.call, "%s", column[CALL]);
    (void)snprintf(copy.what, sizeof copy.what, "%s", column[WHAT]);
    *all += copy.ns;
    return copy_overlap_add(overlap, &copy);
}

/* Reads the table. Returns whether all of it was understood. */
static bool read_table(const char *path, struct copy_overlap *overlap, double *all)
{
    static const char of_copy[] = ",copy,";
    char *row = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    bool good = file && getline(&row, &room, file) > 0; /* the names of the columns */
    while (good && getline(&row, &room, file) > 0) {
        if (strncmp(row, of_copy, sizeof of_copy - 1) == 0)
            good = add_copy(overlap, row, all);
        else
            copy_overlap_launch(overlap);
    }
    free(row);
    if (file)
        (void)fclose(file);
    return good;
}

bool why_copies_price(const char *table, const struct experiments *experiments,
                      struct copy_price *price)
{
    struct copy_overlap overlap = {0};
    struct copy_times times = {.alone = HUGE_VAL};
    for (uint32_t i = 0; i < experiments->kinds; i++)
        times.kernels += (double)experiments->kind[i].cycles * experiments->kind[i].count * 1e3 /
                         experiments->config->gpu_clock_mhz;
    times.all = times.kernels;
    const bool worth =
        read_table(table, &overlap, &times.all) && copy_overlap_price(&overlap, &times, price);
    copy_overlap_free(&overlap);
    return worth;
}
