#include "compare/compare_launches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void launch_row_free(struct launch_row *row)
{
    free(row->program);
    free(row->kernel);
    free(row->value);
    free(row->range);
}

void launches_free(struct launches *launches)
{
    for (uint32_t i = 0; i < launches->metrics; i++)
        free(launches->metric[i]);
    for (size_t i = 0; i < launches->rows; i++)
        launch_row_free(&launches->row[i]);
    free(launches->metric);
    free(launches->row);
    *launches = (struct launches){0};
}

int launches_find(const struct launches *launches, const char *metric)
{
    for (uint32_t i = 0; i < launches->metrics; i++)
        if (strcmp(launches->metric[i], metric) == 0)
            return (int)i;
    return LAUNCHES_NO_METRIC;
}

int launches_metric(struct launches *launches, const char *metric)
{
    const int found = launches_find(launches, metric);
    if (found != LAUNCHES_NO_METRIC)
        return found;
    if (launches->metrics == launches->metric_room) {
        const uint32_t room = launches->metric_room ? 2 * launches->metric_room : 64;
        char **grown = realloc(launches->metric, room * sizeof *grown);
        if (!grown)
            return LAUNCHES_NO_METRIC;
        launches->metric = grown;
        launches->metric_room = room;
    }
    char *name = strdup(metric);
    if (!name)
        return LAUNCHES_NO_METRIC;
    launches->metric[launches->metrics] = name;
    return (int)launches->metrics++;
}

struct launch_row *launches_add(struct launches *launches, const char *program, const char *kernel)
{
    if (launches->rows == launches->row_room) {
        const size_t room = launches->row_room ? 2 * launches->row_room : 64;
        struct launch_row *grown = realloc(launches->row, room * sizeof *grown);
        if (!grown)
            return NULL;
        launches->row = grown;
        launches->row_room = room;
    }
    struct launch_row *row = &launches->row[launches->rows];
    *row = (struct launch_row){.program = strdup(program), .kernel = strdup(kernel)};
    if (!row->program || !row->kernel) {
        free(row->program);
        free(row->kernel);
        return NULL;
    }
    launches->rows++;
    return row;
}

bool launches_set(struct launch_row *row, int metric, double value)
{
    const uint32_t at = (uint32_t)metric;
    if (at >= row->room) {
        const uint32_t room = at + 64;
        double *grown = realloc(row->value, room * sizeof *grown);
        if (!grown)
            return false;
        for (uint32_t i = row->room; i < room; i++)
            grown[i] = NAN;
        row->value = grown;
        row->room = room;
    }
    row->value[at] = value;
    return true;
}

double launches_get(const struct launch_row *row, int metric)
{
    return metric >= 0 && (uint32_t)metric < row->room ? row->value[metric] : NAN;
}

bool launches_range(const struct launch_row *row, int metric, struct launch_range *range)
{
    if (metric < 0 || (uint32_t)metric >= row->ranges || isnan(row->range[metric].low))
        return false;
    *range = row->range[metric];
    return true;
}

bool launches_have_programs(const struct launches *launches)
{
    for (size_t i = 1; i < launches->rows; i++)
        if (strcmp(launches->row[i].program, launches->row[0].program) != 0)
            return true;
    return false;
}

static char *copy(char to[KERNEL_NAME], const char *from, size_t length)
{
    if (length >= KERNEL_NAME)
        length = KERNEL_NAME - 1;
    memcpy(to, from, length);
    to[length] = '\0';
    return to;
}

/* Copies the last identifier of a mangled name: the last length and identifier behind "_Z" or
 * "_ZN" (Itanium C++ ABI, 5.1). */
static char *mangled(const char *name, char to[KERNEL_NAME])
{
    const char *at = name + 2, *best = name;
    size_t best_length = strlen(name), left = best_length - 2;
    const bool nested = *at == 'N';
    at += nested;
    left -= nested;
    for (bool more = true; more; more = nested) {
        const size_t skipped = strspn(at, "KVrL"), digits = strspn(at + skipped, "0123456789");
        const unsigned long length = strtoul(at + skipped, NULL, 10);
        left -= skipped + digits;
        if (!digits || !length || length > left)
            break;
        at += skipped + digits;
        best = at;
        best_length = length;
        at += length;
        left -= length;
    }
    return copy(to, best, best_length);
}

char *kernel_function(const char *name, char to[KERNEL_NAME])
{
    static const char anonymous[] = "(anonymous namespace)";
    if (strncmp(name, "_Z", 2) == 0)
        return mangled(name, to);
    const char *from = name, *at = name;
    for (; *at && *at != '(' && *at != '<'; at++) {
        if (*at == ' ' || *at == ':')
            from = at + 1;
        if (strncmp(at + 1, anonymous, sizeof anonymous - 1) == 0)
            at += sizeof anonymous - 1;
    }
    if (strncmp(name, anonymous, sizeof anonymous - 1) == 0 && at == name)
        return kernel_function(name + sizeof anonymous - 1, to);
    return at > from ? copy(to, from, (size_t)(at - from)) : copy(to, name, strlen(name));
}
