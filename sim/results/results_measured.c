/* Matches the points of a sweep with the launches that Nsight Compute measured. */
#include "results/results_measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "compare/ncu.h"
#include "compare/repeat.h"

/* Reads a grid or block size such as "40,1,1". A missing number is 0. */
static void read_size(const char *text, uint32_t size[3])
{
    for (int i = 0; i < 3; i++) {
        char *end = NULL;
        size[i] = text ? (uint32_t)strtoul(text, &end, 10) : 0;
        text = end && *end == ',' ? end + 1 : NULL;
    }
}

static bool add_point(struct launches *launches, const struct results *results,
                      const struct results_row *row)
{
    struct launch_row *added =
        launches_add(launches, row->kernel, row->function ? row->function : row->kernel);
    if (!added)
        return false;
    added->number = row->launch ? row->launch : 1;
    read_size(row->grid, added->grid);
    read_size(row->block, added->block);
    for (uint32_t i = 0; i < results->metrics.count; i++) {
        const int metric = launches_metric(launches, results->metrics.item[i].text);
        if (metric < 0 || (!isnan(row->value[i]) && !launches_set(added, metric, row->value[i])))
            return false;
    }
    return true;
}

/* Returns SIMSM_BAD_INPUT if two points are the same launch of the same kernel, under two
 * configurations: a measured launch can be compared with one of them only. */
static enum simsm_status check_once(struct results *results, struct simsm_error *error)
{
    for (uint32_t i = 0; i < results->rows; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const struct results_row *a = &results->row[i], *b = &results->row[j];
            if (a->launch == b->launch && strcmp(a->kernel, b->kernel) == 0)
                return err_set(error, SIMSM_BAD_INPUT,
                               "points %lld and %lld are of the same kernel and launch: choose one "
                               "configuration with --where",
                               (long long)b->point, (long long)a->point);
        }
    }
    return SIMSM_OK;
}

static enum simsm_status choose_figure(struct measured_points *m, const char *metric,
                                       struct simsm_error *error)
{
    const struct figure *chosen = metric ? figures_named(&m->figures, metric)
                                  : m->figures.headline >= 0
                                      ? &m->figures.figure[m->figures.headline]
                                      : NULL;
    if (!m->match.pairs)
        return err_set(error, SIMSM_BAD_INPUT,
                       "no point matches a measured launch: kernel, grid and block must be equal");
    if (!chosen)
        return err_set(error, SIMSM_BAD_INPUT, "'%s' is not a metric of both sides",
                       metric ? metric : "a time");
    m->shown = (struct shown){.match = &m->match,
                              .figures = &m->figures,
                              .chosen = chosen,
                              .gpu = m->gpu,
                              .measured_name = m->shown.measured_name};
    return SIMSM_OK;
}

enum simsm_status measured_compare(struct measured_points *m, struct results *results,
                                   const char *path, const char *metric, struct simsm_error *error)
{
    bool good = true;
    *m = (struct measured_points){.shown = {.measured_name = path}};
    enum simsm_status status = results_where(results, "state=done", error);
    if (status == SIMSM_OK)
        status = check_once(results, error);
    for (uint32_t i = 0; i < results->rows && status == SIMSM_OK && good; i++)
        good = add_point(&m->simulated, results, &results->row[i]);
    if (status == SIMSM_OK && !good)
        status = err_no_memory(error);
    if (status == SIMSM_OK)
        status = ncu_read(&m->measured, path, error);
    if (status == SIMSM_OK && m->measured.repeated && !repeat_merge(&m->measured, false))
        status = err_no_memory(error);
    if (status == SIMSM_OK)
        status = match_launches(&m->match, &m->simulated, &m->measured, error);
    if (status == SIMSM_OK)
        status = figures_find(&m->figures, &m->match, error);
    return status == SIMSM_OK ? choose_figure(m, metric, error) : status;
}

void measured_free(struct measured_points *m)
{
    figures_free(&m->figures);
    match_free(&m->match);
    launches_free(&m->simulated);
    launches_free(&m->measured);
}
