#include "compare/compare_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "config/suggest.h"

struct alias {
    const char *measured, *simulated;
};

/* Metrics that have another name in simsm. */
static const struct alias aliases[] = {
    {"gpc__cycles_elapsed.max", "sm__cycles_elapsed.max"},
    {"sm__inst_executed.sum", "smsp__inst_executed.sum"},
    {"sm__inst_executed_pipe_fma_type_fp16.sum", "sm__inst_executed_pipe_fp16.sum"},
};

/* Metrics for the time of a launch, the best first. */
static const char *const headlines[] = {"sm__cycles_elapsed.max", "gpc__cycles_elapsed.max",
                                        "gpu__time_duration.sum", "sm__cycles_active.avg"};

static int simulated_metric(const struct launches *simulated, const char *name)
{
    int found = launches_find(simulated, name);
    for (size_t i = 0; found < 0 && i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(name, aliases[i].measured) == 0)
            found = launches_find(simulated, aliases[i].simulated);
    return found;
}

double figure_error(const struct figure *figure, const struct match_pair *pair)
{
    const double s = launches_get(pair->simulated, figure->simulated);
    const double m = launches_get(pair->measured, figure->measured);
    if (figure->points)
        return s - m;
    if (s == m)
        return 0.0;
    return m != 0.0 ? 100.0 * (s - m) / fabs(m) : NAN;
}

/* Values collected in a pass over the pairs. */
struct sample {
    double *error, *x, *y; /* [count] */
    size_t count;
    bool positive;
};

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double correlation(const struct sample *sample)
{
    const double n = (double)sample->count;
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    if (sample->count < 3)
        return NAN;
    for (size_t i = 0; i < sample->count; i++) {
        sample->x[i] = sample->positive ? log(sample->x[i]) : sample->x[i];
        sample->y[i] = sample->positive ? log(sample->y[i]) : sample->y[i];
        mx += sample->x[i] / n;
        my += sample->y[i] / n;
    }
    for (size_t i = 0; i < sample->count; i++) {
        const double dx = sample->x[i] - mx, dy = sample->y[i] - my;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

static void collect(struct sample *sample, struct figure *f, const struct match *match,
                    const struct figure *filter, double above)
{
    sample->positive = true;
    f->zero = true;
    f->worst = 0.0;
    for (size_t i = 0; i < match->pairs; i++) {
        const struct match_pair *pair = &match->pair[i];
        const double error = fabs(figure_error(f, pair));
        if (isnan(error) || (filter && !(launches_get(pair->measured, filter->measured) > above)))
            continue;
        const double s = launches_get(pair->simulated, f->simulated);
        const double m = launches_get(pair->measured, f->measured);
        sample->error[sample->count] = error;
        sample->x[sample->count] = s;
        sample->y[sample->count++] = m;
        sample->positive &= s > 0 && m > 0;
        f->zero &= s == 0 && m == 0;
        if (error >= f->worst) {
            f->worst = error;
            f->worst_pair = i;
        }
    }
}

enum simsm_status figure_compute(struct figure *f, const struct match *match,
                                 const struct figure *filter, double above,
                                 struct simsm_error *error)
{
    const size_t most = match->pairs + 1;
    double *room = calloc(3 * most, sizeof *room);
    struct sample sample = {room, room + most, room + 2 * most, 0, true};
    if (!room)
        return err_no_memory(error);
    collect(&sample, f, match, filter, above);
    const size_t n = sample.count;
    f->launches = n;
    f->correlation = correlation(&sample);
    qsort(sample.error, n, sizeof *sample.error, by_size);
    f->mean = 0.0;
    for (size_t i = 0; i < n; i++)
        f->mean += sample.error[i] / (double)n;
    if (n) {
        f->median = (sample.error[(n - 1) / 2] + sample.error[n / 2]) / 2.0;
        f->p90 = sample.error[(9 * n + 9) / 10 - 1];
    } else {
        f->mean = f->median = f->p90 = f->worst = NAN;
    }
    free(room);
    return SIMSM_OK;
}

enum simsm_status figures_find(struct figures *figures, const struct match *match,
                               struct simsm_error *error)
{
    const struct launches *measured = match->measured;
    enum simsm_status status = SIMSM_OK;
    *figures = (struct figures){.headline = -1};
    figures->figure = calloc(measured->metrics + 1, sizeof *figures->figure);
    if (!figures->figure)
        return err_no_memory(error);
    for (uint32_t i = 0; i < measured->metrics && status == SIMSM_OK; i++) {
        struct figure *f = &figures->figure[figures->count];
        *f = (struct figure){.name = measured->metric[i], .measured = (int)i};
        f->simulated = simulated_metric(match->simulated, f->name);
        f->points = strstr(f->name, "pct") != NULL;
        if (f->simulated >= 0)
            status = figure_compute(f, match, NULL, 0.0, error);
        figures->count += f->launches > 0;
    }
    for (size_t i = sizeof headlines / sizeof *headlines; i-- > 0;) {
        const struct figure *f = figures_named(figures, headlines[i]);
        figures->headline = f ? (int)(f - figures->figure) : figures->headline;
    }
    return status;
}

void figures_free(struct figures *figures)
{
    free(figures->figure);
    figures->figure = NULL;
}

const struct figure *figures_named(const struct figures *figures, const char *name)
{
    for (size_t i = 0; i < figures->count; i++)
        if (strcmp(figures->figure[i].name, name) == 0)
            return &figures->figure[i];
    return NULL;
}

const char *figures_nearest(const struct figures *figures, const char *name)
{
    const char **names = calloc(figures->count + 1, sizeof *names), *near = NULL;
    for (size_t i = 0; names && i < figures->count; i++)
        names[i] = figures->figure[i].name;
    if (names)
        near = suggest_nearest(name, names, figures->count);
    free((void *)names);
    return near;
}

const char *figures_main_stall(const struct launches *launches, const struct launch_row *row,
                               char text[FIGURES_STALL])
{
    static const char before[] = "smsp__average_warps_issue_stalled_";
    static const char behind[] = "_per_issue_active.ratio";
    double most = 0.0;
    text[0] = '\0';
    for (uint32_t i = 0; i < launches->metrics; i++) {
        const char *name = launches->metric[i];
        if (strncmp(name, before, sizeof before - 1) != 0)
            continue;
        const char *reason = name + sizeof before - 1, *end = strstr(reason, behind);
        const double value = launches_get(row, (int)i);
        if (!end || end - reason >= FIGURES_STALL || !(value > most) ||
            strncmp(reason, "selected_", 9) == 0)
            continue;
        most = value;
        (void)snprintf(text, FIGURES_STALL, "%.*s", (int)(end - reason), reason);
    }
    return text;
}
