/* Divides figures by those of a baseline point. */
#include "results/results_baseline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* A point of the baseline. */
struct baseline_point {
    char *rest; /* its values under all keys but the baseline's */
    double figure;
};

static int by_rest(const void *a, const void *b)
{
    return strcmp(((const struct baseline_point *)a)->rest,
                  ((const struct baseline_point *)b)->rest);
}

/* Returns the values of a row under all keys but `key`, as text. NULL if memory runs out. The
 * caller frees it. */
static char *rest_of(struct results *results, const struct results_row *row, const char *key)
{
    static const char *const fixed[] = {"config", "kernel", "launch"};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    for (size_t i = 0; file && i < sizeof fixed / sizeof fixed[0]; i++) {
        if (strcmp(fixed[i], key) != 0)
            (void)fprintf(file, "%s\n", results_field(results, row, fixed[i]));
    }
    for (uint32_t i = 0; file && i < results->varied.count; i++) {
        const char *name = results->varied.item[i].text;
        if (strcmp(name, key) == 0)
            continue;
        const char *value = results_field(results, row, name);
        (void)fprintf(file, "%s\n", value ? value : "");
    }
    if (file && fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

struct baseline_points {
    struct baseline_point *base;
    uint32_t count;
};

static enum simsm_status find_bases(struct results *results, const char *key, const char *value,
                                    const double *figure, struct baseline_points *bases,
                                    struct simsm_error *error)
{
    bases->base = calloc(results->rows + (size_t)1, sizeof *bases->base);
    if (!bases->base)
        return err_no_memory(error);
    bool known = false;
    for (uint32_t i = 0; i < results->rows; i++) {
        const char *has = results_field(results, &results->row[i], key);
        if (!has || strcmp(has, value) != 0)
            continue;
        known = true;
        if (strcmp(results->row[i].state, "done") != 0)
            continue;
        struct baseline_point *base = &bases->base[bases->count];
        *base = (struct baseline_point){rest_of(results, &results->row[i], key), figure[i]};
        if (!base->rest)
            return err_no_memory(error);
        bases->count++;
    }
    if (!known)
        return err_set(error, SIMSM_BAD_INPUT, "--baseline %s=%s: no point has this value", key,
                       value);
    qsort(bases->base, bases->count, sizeof *bases->base, by_rest);
    return SIMSM_OK;
}

static enum simsm_status relate(struct results *results, const char *key,
                                const struct baseline_points *bases, bool inverse, double *figure,
                                struct simsm_error *error)
{
    for (uint32_t i = 0; i < results->rows; i++) {
        const struct baseline_point wanted = {rest_of(results, &results->row[i], key), 0};
        if (!wanted.rest)
            return err_no_memory(error);
        const struct baseline_point *base =
            bsearch(&wanted, bases->base, bases->count, sizeof wanted, by_rest);
        free(wanted.rest);
        const double above = inverse && base ? base->figure : figure[i];
        const double below = inverse ? figure[i] : base ? base->figure : NAN;
        figure[i] = base && below > 0 ? above / below : NAN;
    }
    return SIMSM_OK;
}

enum simsm_status baseline_relate(struct results *results, const char *baseline, bool inverse,
                                  double *figure, struct simsm_error *error)
{
    const char *equals = strchr(baseline, '=');
    if (!equals || equals == baseline)
        return err_set(error, SIMSM_BAD_INPUT,
                       "--baseline '%s': expected KEY=VALUE, such as sm.scheduler=lrr", baseline);
    char *key = text_copy(baseline, (size_t)(equals - baseline));
    if (!key)
        return err_no_memory(error);
    struct baseline_points bases = {0};
    enum simsm_status status = find_bases(results, key, equals + 1, figure, &bases, error);
    if (status == SIMSM_OK)
        status = relate(results, key, &bases, inverse, figure, error);
    for (uint32_t i = 0; bases.base && i < bases.count; i++)
        free(bases.base[i].rest);
    free(bases.base);
    free(key);
    return status;
}
