#include <math.h>
#include <string.h>

#include "compare/agree.h"
#include "compare/balance.h"
#include "compare/show.h"
#include "compare/show_value.h"

const char *const show_table_names[SHOW_TABLES] = {
    [SHOW_SUMMARY] = "summary",
    [SHOW_PROGRAMS] = "programs",
    [SHOW_LAUNCHES] = "launches",
    [SHOW_METRICS] = "metrics",
};

/* Sums for a row of a launch or a program. */
struct sums {
    size_t launches;
    double cycles[2], occupancy[2], dram[2]; /* [0] measured, [1] simulated */
    double longest, errors;
    char stall[2][FIGURES_STALL]; /* kernel of the longest launch */
};

static const char occupancy_metric[] = "sm__warps_active.avg.pct_of_peak_sustained_active";

static void add_side(struct sums *sums, int side, const struct launches *launches,
                     const struct launch_row *row, double cycles, bool longest)
{
    sums->cycles[side] += cycles;
    sums->occupancy[side] += agree_sum(launches, row, occupancy_metric, NULL);
    sums->dram[side] += agree_sum(launches, row, "dram__bytes_read.sum", "dram__bytes_write.sum");
    if (longest)
        (void)figures_main_stall(launches, row, sums->stall[side]);
}

static void add(struct sums *sums, const struct shown *shown, const struct match_pair *p)
{
    const struct figure *f = shown->chosen;
    const double measured = launches_get(p->measured, f->measured);
    const bool longest = sums->launches == 0 || measured > sums->longest;
    if (longest)
        sums->longest = measured;
    sums->launches++;
    sums->errors += fabs(figure_error(f, p));
    add_side(sums, 0, shown->match->measured, p->measured, measured, longest);
    add_side(sums, 1, shown->match->simulated, p->simulated,
             launches_get(p->simulated, f->simulated), longest);
}

/* Writes two values such as "12.3 / 14.5", or "-" if there are none. */
static void two(FILE *file, const double value[2], double scale)
{
    if (isnan(value[0]) || isnan(value[1]))
        (void)fprintf(file, " - |");
    else
        (void)fprintf(file, " %.3g / %.3g |", value[0] * scale, value[1] * scale);
}

/* Writes the cells from the cycles on. A program also has the mean error of its launches. */
static void show_sums(FILE *file, const struct sums *s, const struct figure *f, bool mean)
{
    char measured[SHOW_VALUE], simulated[SHOW_VALUE], error[SHOW_VALUE];
    (void)fprintf(file, " %s | %s | %s |", show_value(s->cycles[0], measured),
                  show_value(s->cycles[1], simulated),
                  show_error(f, 100.0 * (s->cycles[1] / s->cycles[0] - 1.0), error));
    if (mean)
        (void)fprintf(file, " %s |", show_size(f, s->errors / (double)s->launches, error));
    two(file, s->occupancy, 1.0 / (double)s->launches);
    if (strcmp(s->stall[0], s->stall[1]) == 0)
        (void)fprintf(file, " %s |", *s->stall[0] ? s->stall[0] : "-");
    else
        (void)fprintf(file, " %s / %s |", s->stall[0], s->stall[1]);
    two(file, s->dram, 1e-6);
    (void)fputc('\n', file);
}

static const char columns[] = "occupancy, % | warps wait most for | DRAM, MB |\n";

static void show_programs(FILE *file, const struct shown *shown)
{
    const struct match *m = shown->match;
    (void)fprintf(file,
                  "| program | launches | measured | simulated | error | mean error | %s"
                  "|---|--:|--:|--:|--:|--:|--:|---|--:|\n",
                  columns);
    for (size_t i = 0; i < m->pairs;) {
        char group[KERNEL_NAME], next[KERNEL_NAME];
        struct sums sums = {.launches = 0};
        (void)show_group(m, m->pair[i].measured, group);
        for (; i < m->pairs && strcmp(show_group(m, m->pair[i].measured, next), group) == 0; i++)
            add(&sums, shown, &m->pair[i]);
        (void)fprintf(file, "| %s | %zu |", group, sums.launches);
        show_sums(file, &sums, shown->chosen, true);
    }
}

/* Writes a range such as "3100 to 3183", or "-" for a launch that the GPU ran once. */
static void show_range(FILE *file, const struct shown *shown, const struct launch_row *measured)
{
    struct launch_range range;
    char low[SHOW_VALUE], high[SHOW_VALUE];
    if (launches_range(measured, shown->chosen->measured, &range))
        (void)fprintf(file, " %s to %s |", show_value(range.low, low),
                      show_value(range.high, high));
    else
        (void)fprintf(file, " - |");
}

static void show_launches(FILE *file, const struct shown *shown)
{
    const struct match *m = shown->match;
    const bool runs = m->measured->repeated;
    (void)fprintf(file,
                  "| launch | kernel |%s measured | simulated | error | %s"
                  "|---|---|%s--:|--:|--:|--:|---|--:|\n",
                  runs ? " runs |" : "", columns, runs ? "--:|" : "");
    for (size_t i = 0; i < m->pairs; i++) {
        const struct match_pair *p = &m->pair[i];
        char name[SHOW_NAME], function[KERNEL_NAME];
        struct sums sums = {.launches = 0};
        add(&sums, shown, p);
        (void)fprintf(file, "| %s | %s |", show_launch(m, p->measured, name),
                      kernel_function(p->measured->kernel, function));
        if (runs)
            show_range(file, shown, p->measured);
        show_sums(file, &sums, shown->chosen, false);
    }
}

static void show_figure(FILE *file, const struct figure *f, const char *name)
{
    char mean[SHOW_VALUE], median[SHOW_VALUE], p90[SHOW_VALUE], worst[SHOW_VALUE];
    (void)fprintf(file, "| %s | %zu | %s | %s | %s | %s |", name, f->launches,
                  show_size(f, f->mean, mean), show_size(f, f->median, median),
                  show_size(f, f->p90, p90), show_size(f, f->worst, worst));
    (void)fprintf(file, isnan(f->correlation) ? " - |\n" : " %.4f |\n", f->correlation);
}

static void figure_titles(FILE *file, const char *first)
{
    (void)fprintf(file,
                  "| %s | launches | mean error | median | 90 %% below | worst | correlation |\n"
                  "|---|--:|--:|--:|--:|--:|--:|\n",
                  first);
}

/* Writes the mean errors that one mean over all launches hides, because that mean weighs all
 * launches alike and ignores the sign. */
static enum simsm_status show_balance(FILE *file, const struct shown *shown,
                                      struct simsm_error *error)
{
    struct balance b;
    char text[SHOW_VALUE];
    enum simsm_status status = balance_compute(&b, shown->match, shown->chosen, error);
    if (status != SIMSM_OK)
        return status;
    (void)fprintf(file,
                  "\n| of all launches | |\n|---|--:|\n"
                  "| mean error by program (%zu, the launches of each averaged first) | %s |\n",
                  b.programs, show_size(shown->chosen, b.by_program, text));
    if (b.programs > 1 && b.largest_launches > 1)
        (void)fprintf(file, "| mean error without %s (%zu of %zu launches) | %s |\n", b.largest,
                      b.largest_launches, b.launches,
                      show_size(shown->chosen, b.without_largest, text));
    (void)fprintf(
        file,
        "| mean signed error | %s |\n"
        "| launches whose value is too small (cycles: too fast) | %.1f %% (%zu of %zu) |\n",
        show_error(shown->chosen, b.signed_mean, text),
        100.0 * (double)b.too_small / (double)b.launches, b.too_small, b.launches);
    return SIMSM_OK;
}

static enum simsm_status show_summary(FILE *file, const struct shown *shown,
                                      struct simsm_error *error)
{
    struct figure of_long = *shown->chosen;
    struct agreement rows[AGREE_MOST];
    enum simsm_status status =
        figure_compute(&of_long, shown->match, shown->chosen, SHOW_LONG, error);
    if (status != SIMSM_OK)
        return status;
    figure_titles(file, shown->chosen->name);
    show_figure(file, shown->chosen, "all launches");
    show_figure(file, &of_long, "longer than 20 thousand cycles");
    status = show_balance(file, shown, error);
    if (status != SIMSM_OK)
        return status;
    (void)fprintf(file, "\n| quantity | agrees if within | launches that agree |\n|---|---|--:|\n");
    const size_t count = agree_count(shown->match, rows);
    for (size_t i = 0; i < count; i++)
        (void)fprintf(file, "| %s | %s | %.1f %% (%zu of %zu) |\n", rows[i].what, rows[i].within,
                      100.0 * (double)rows[i].agree / (double)rows[i].launches, rows[i].agree,
                      rows[i].launches);
    return SIMSM_OK;
}

enum simsm_status show_markdown(FILE *file, const struct shown *shown, enum show_table table,
                                struct simsm_error *error)
{
    if (table == SHOW_SUMMARY)
        return show_summary(file, shown, error);
    if (table == SHOW_PROGRAMS)
        show_programs(file, shown);
    if (table == SHOW_LAUNCHES)
        show_launches(file, shown);
    if (table == SHOW_METRICS)
        figure_titles(file, "metric");
    for (size_t i = 0; table == SHOW_METRICS && i < shown->figures->count; i++)
        show_figure(file, &shown->figures->figure[i], shown->figures->figure[i].name);
    return SIMSM_OK;
}
