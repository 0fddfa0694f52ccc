#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/printable.h"
#include "compare/agree.h"
#include "compare/show.h"
#include "compare/show_value.h"

enum { MOST_LAUNCHES = 20, MOST_NAMED = 8, NAME_WIDTH = 40 };

static void name_unmatched(FILE *file, const struct match *match, size_t from, size_t count,
                           const char *side)
{
    char name[SHOW_NAME];
    if (!count)
        return;
    (void)fprintf(file, "  only %s: %zu:", side, count);
    for (size_t i = from; i < from + count && i < from + MOST_NAMED; i++) {
        const struct match_pair *p = &match->pair[i];
        (void)fprintf(file, "%s %s", i > from ? "," : "",
                      show_launch(match, p->measured ? p->measured : p->simulated, name));
    }
    (void)fprintf(file, "%s\n", count > MOST_NAMED ? ", ..." : "");
}

static void show_head(FILE *file, const struct shown *shown)
{
    const struct match *m = shown->match;
    (void)fprintf(file,
                  "%zu launches simulated%s%s, %zu measured (%s)\n"
                  "%zu of them matched, by kernel, grid, block and order\n",
                  m->simulated->rows, *shown->gpu ? " on " : "", shown->gpu, m->measured->rows,
                  shown->measured_name, m->pairs);
    name_unmatched(file, m, m->pairs, m->only_measured, "measured");
    name_unmatched(file, m, m->pairs + m->only_measured, m->only_simulated, "simulated");
}

/* A launch with its error, for sorting: qsort takes no context. */
struct off {
    const struct match_pair *pair;
    double error, size;
};

static int by_size(const void *a, const void *b)
{
    const struct off *x = a, *y = b;
    const int order = (y->size > x->size) - (y->size < x->size);
    return order ? order : (x->pair > y->pair) - (x->pair < y->pair);
}

static void show_launch_row(FILE *file, const struct shown *shown, const struct off *off)
{
    const struct match *m = shown->match;
    const struct match_pair *p = off->pair;
    const struct figure *f = shown->chosen;
    char name[SHOW_NAME], s[SHOW_VALUE], r[SHOW_VALUE], e[SHOW_VALUE];
    char waits_s[FIGURES_STALL], waits_m[FIGURES_STALL];
    (void)figures_main_stall(m->simulated, p->simulated, waits_s);
    (void)figures_main_stall(m->measured, p->measured, waits_m);
    (void)fprintf(
        file, "  %-*.*s  %12s  %12s  %10s  %s%s%s\n", NAME_WIDTH, NAME_WIDTH,
        show_launch(m, p->measured, name), show_value(launches_get(p->simulated, f->simulated), s),
        show_value(launches_get(p->measured, f->measured), r), show_error(f, off->error, e),
        waits_s, *waits_m && strcmp(waits_s, waits_m) != 0 ? " / " : "",
        strcmp(waits_s, waits_m) != 0 ? waits_m : "");
}

static enum simsm_status show_launches(FILE *file, const struct shown *shown,
                                       struct simsm_error *error)
{
    const struct match *m = shown->match;
    const bool worst = !shown->all && m->pairs > MOST_LAUNCHES;
    struct off *off = calloc(m->pairs + 1, sizeof *off);
    if (!off)
        return err_no_memory(error);
    for (size_t i = 0; i < m->pairs; i++) {
        const double e = figure_error(shown->chosen, &m->pair[i]);
        off[i] = (struct off){&m->pair[i], e, isnan(e) ? -1.0 : fabs(e)};
    }
    if (worst)
        qsort(off, m->pairs, sizeof *off, by_size);
    (void)fprintf(file, "\nLaunches by %s", shown->chosen->name);
    if (worst)
        (void)fprintf(file, ": the %d furthest off of %zu; --all shows each", MOST_LAUNCHES,
                      m->pairs);
    (void)fprintf(file, "\n  %-*s  %12s  %12s  %10s  %s\n", NAME_WIDTH, "launch", "simulated",
                  "measured", "error", "warps wait most for (simulated / measured)");
    for (size_t i = 0; i < m->pairs && (!worst || i < MOST_LAUNCHES); i++)
        show_launch_row(file, shown, &off[i]);
    free(off);
    return SIMSM_OK;
}

/* Writes all metrics of one launch. */
static void show_one(FILE *file, const struct shown *shown, const struct match_pair *pair)
{
    char name[SHOW_NAME], s[SHOW_VALUE], m[SHOW_VALUE], e[SHOW_VALUE];
    (void)fprintf(file, "\n%s\n  %12s  %12s  %10s  metric\n",
                  show_launch(shown->match, pair->measured, name), "simulated", "measured",
                  "error");
    for (size_t i = 0; i < shown->figures->count; i++) {
        const struct figure *f = &shown->figures->figure[i];
        const double simulated = launches_get(pair->simulated, f->simulated);
        const double measured = launches_get(pair->measured, f->measured);
        if (!isnan(simulated) && !isnan(measured))
            (void)fprintf(file, "  %12s  %12s  %10s  %s\n", show_value(simulated, s),
                          show_value(measured, m), show_error(f, figure_error(f, pair), e),
                          f->name);
    }
}

static void show_figure(FILE *file, const struct figure *f, const char *name)
{
    char mean[SHOW_VALUE], median[SHOW_VALUE], p90[SHOW_VALUE], worst[SHOW_VALUE];
    char correlation[SHOW_VALUE] = "-";
    if (!isnan(f->correlation))
        (void)snprintf(correlation, sizeof correlation, "%.4f", f->correlation);
    (void)fprintf(file, "  %10s  %10s  %10s  %10s  %11s  %8zu  %s\n", show_size(f, f->mean, mean),
                  show_size(f, f->median, median), show_size(f, f->p90, p90),
                  show_size(f, f->worst, worst), correlation, f->launches, name);
}

static void show_metrics(FILE *file, const struct shown *shown)
{
    char name[SHOW_NAME];
    (void)fprintf(file,
                  "\nErrors: simulated - measured, in %% of measured (of percentages in points, "
                  "pp)\n  %10s  %10s  %10s  %10s  %11s  %8s  metric\n",
                  "mean", "median", "90 % below", "worst", "correlation", "launches");
    size_t zeros = 0;
    for (size_t i = 0; i < shown->figures->count; i++) {
        const struct figure *f = &shown->figures->figure[i];
        if (f->zero)
            zeros++;
        else
            show_figure(file, f, printable(f->name, name, sizeof name));
    }
    if (zeros)
        (void)fprintf(file, "  %zu more are 0 on both sides in all launches\n", zeros);
}

static enum simsm_status show_long(FILE *file, const struct shown *shown, struct simsm_error *error)
{
    if (shown->figures->headline < 0)
        return SIMSM_OK;
    const struct figure *f = &shown->figures->figure[shown->figures->headline];
    struct figure of_long = *f;
    enum simsm_status status = figure_compute(&of_long, shown->match, f, SHOW_LONG, error);
    if (status == SIMSM_OK && of_long.launches && of_long.launches < f->launches) {
        char name[SHOW_NAME];
        (void)snprintf(name, sizeof name, "%.60s above %.0f", f->name, SHOW_LONG);
        show_figure(file, &of_long, name);
    }
    return status;
}

static void show_agreement(FILE *file, const struct match *match)
{
    struct agreement rows[AGREE_MOST];
    const size_t count = agree_count(match, rows);
    for (size_t i = 0; i < count; i++)
        (void)fprintf(file, "%s  %5.1f %%  %4zu of %4zu launches: %s, %s\n",
                      i ? "" : "\nAgreement\n",
                      100.0 * (double)rows[i].agree / (double)rows[i].launches, rows[i].agree,
                      rows[i].launches, rows[i].what, rows[i].within);
}

enum simsm_status show_text(FILE *file, const struct shown *shown, struct simsm_error *error)
{
    const struct match *m = shown->match;
    show_head(file, shown);
    if (m->pairs == 1 || shown->all)
        for (size_t i = 0; i < m->pairs; i++)
            show_one(file, shown, &m->pair[i]);
    if (m->pairs < 2)
        return SIMSM_OK;
    enum simsm_status status = show_launches(file, shown, error);
    if (status != SIMSM_OK)
        return status;
    show_metrics(file, shown);
    status = show_long(file, shown, error);
    show_agreement(file, m);
    return status;
}
