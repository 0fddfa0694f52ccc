/* Stacked bars of the states that warps spent their cycles in. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "draw/bar_chart.h"
#include "report/metrics.h"
#include "results/figure.h"

enum {
    STATES = SIMSM_STATE_COUNT - SIMSM_STATE_ISSUED, /* states of a resident warp */
    SHOWN = 10,                                      /* states with a part of their own */
    WIDTH = 60,                                      /* of a bar, in pixels */
};

bool figure_states(struct texts *metrics)
{
    struct simsm_metric all[METRIC_COUNT];
    bool good = true;
    metrics_describe(all);
    for (unsigned i = 0; i < STATES && good; i++)
        good = texts_add(metrics, all[METRIC_STALL + i].name, 0, 0);
    return good;
}

/* The bars. A bar is the mean of its points. */
struct stack_bars {
    struct texts label;
    double (*share)[STATES]; /* [label.count] percent of the cycles, by state */
    uint32_t *points;        /* [label.count] */
};

static void free_bars(struct stack_bars *bars)
{
    texts_free(&bars->label);
    free(bars->share);
    free(bars->points);
}

/* Returns whether the row has warp states. A sampled point, which stands for several launches, has
 * none: shares of single launches do not add up to shares of their sum. */
static bool has_states(const struct results_row *row)
{
    for (unsigned i = 0; i < STATES; i++)
        if (row->value[i] > 0)
            return true;
    return false;
}

/* Adds the shares of a row to a bar. The states are the first metrics of the row. */
static void add_row(struct stack_bars *bars, uint32_t bar, const struct results_row *row)
{
    double sum = 0;
    for (unsigned i = 0; i < STATES; i++)
        sum += isnan(row->value[i]) ? 0 : row->value[i];
    for (unsigned i = 0; i < STATES && sum > 0; i++)
        bars->share[bar][i] += isnan(row->value[i]) ? 0 : 100 * row->value[i] / sum;
    bars->points[bar] += sum > 0;
}

static enum simsm_status gather(struct stack_bars *bars, struct results *results,
                                const struct pivot_request *table, struct simsm_error *error)
{
    struct texts keys = {0};
    bool good = true;
    bars->share = calloc(results->rows + (size_t)1, sizeof *bars->share);
    bars->points = calloc(results->rows + (size_t)1, sizeof *bars->points);
    for (uint32_t i = 0; i < table->rows.count && good; i++)
        good = texts_add(&keys, table->rows.item[i].text, 0, 0);
    for (uint32_t i = 0; i < table->columns.count && good; i++)
        good = texts_add(&keys, table->columns.item[i].text, 0, 0);
    good = good && bars->share && bars->points;
    for (uint32_t i = 0; i < results->rows && good; i++) {
        if (strcmp(results->row[i].state, "done") != 0 || !has_states(&results->row[i]))
            continue;
        char *label = pivot_label(results, &results->row[i], &keys);
        const uint32_t bar = label ? pivot_place(&bars->label, label) : UINT32_MAX;
        free(label);
        good = bar != UINT32_MAX;
        if (good)
            add_row(bars, bar, &results->row[i]);
    }
    for (uint32_t b = 0; b < bars->label.count && good; b++) {
        for (unsigned i = 0; i < STATES; i++)
            bars->share[b][i] /= bars->points[b] ? bars->points[b] : 1;
    }
    texts_free(&keys);
    return good ? SIMSM_OK : err_no_memory(error);
}

/* Chooses the states with the most cycles over all bars, in the order of enum simsm_state. Returns
 * their number. */
static unsigned choose(const struct stack_bars *bars, unsigned chosen[SHOWN])
{
    double sum[STATES] = {0};
    bool taken[STATES] = {false};
    unsigned count = 0;
    for (uint32_t b = 0; b < bars->label.count; b++) {
        for (unsigned i = 0; i < STATES; i++)
            sum[i] += bars->share[b][i];
    }
    for (unsigned n = 0; n < SHOWN; n++) {
        unsigned best = STATES;
        for (unsigned i = 0; i < STATES; i++) {
            if (!taken[i] && sum[i] > 0 && (best == STATES || sum[i] > sum[best]))
                best = i;
        }
        if (best < STATES)
            taken[best] = true;
    }
    for (unsigned i = 0; i < STATES; i++) {
        if (taken[i])
            chosen[count++] = i;
    }
    return count;
}

/* Returns a colour that differs from others[count]: `colour`, or a lighter one. Several states
 * share a colour in timelines, where letters tell them apart. */
static uint32_t distinct_colour(uint32_t colour, const uint32_t *others, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (others[i] == colour)
            return distinct_colour(colour + ((0xFFFFFF - colour) >> 1 & 0x7F7F7F), others, count);
    return colour;
}

static enum simsm_status draw(FILE *file, const struct stack_bars *bars, const char *title,
                              struct simsm_error *error)
{
    unsigned chosen[SHOWN];
    const unsigned count = choose(bars, chosen);
    const size_t groups = bars->label.count;
    const char *series[SHOWN + 1];
    uint32_t colour[SHOWN + 1]; /* colours as in timelines */
    const char **group = calloc(groups + 1, sizeof *group);
    double *value = calloc((groups + 1) * (count + 1), sizeof *value);
    for (unsigned i = 0; i < count; i++)
        series[i] = simsm_states[SIMSM_STATE_ISSUED + chosen[i]].name;
    for (unsigned i = 0; i < count; i++)
        colour[i] = distinct_colour(simsm_states[SIMSM_STATE_ISSUED + chosen[i]].light, colour, i);
    series[count] = "others";
    colour[count] = 0xbbbbbb;
    for (size_t g = 0; group && value && g < groups; g++) {
        double rest = 100;
        group[g] = bars->label.item[g].text;
        for (unsigned i = 0; i < count; i++) {
            value[g * (count + 1) + i] = bars->share[g][chosen[i]];
            rest -= bars->share[g][chosen[i]];
        }
        value[g * (count + 1) + count] = rest > 1e-9 ? rest : 0;
    }
    const unsigned width = (unsigned)(120 + WIDTH * (groups < 24 ? groups : 24));
    const struct bar_chart chart = {.title = title ? title : "What warps spent their time on",
                                    .y_label = "% of the warps' cycles",
                                    .group = group,
                                    .series = series,
                                    .groups = groups,
                                    .count = count + 1,
                                    .colour = colour,
                                    .value = value,
                                    .stacked = true};
    const bool good = group && value;
    if (good)
        bar_chart_svg(file, &chart, width < 640 ? 640 : width, 440);
    free((void *)group);
    free(value);
    return good ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status figure_stack(FILE *file, struct results *results,
                               const struct pivot_request *table, const char *title,
                               struct simsm_error *error)
{
    struct stack_bars bars = {0};
    enum simsm_status status = gather(&bars, results, table, error);
    if (status == SIMSM_OK && !bars.label.count)
        status =
            err_set(error, SIMSM_BAD_INPUT, "--draw stack: no point that is done has warp states");
    if (status == SIMSM_OK)
        status = draw(file, &bars, title, error);
    free_bars(&bars);
    return status;
}
