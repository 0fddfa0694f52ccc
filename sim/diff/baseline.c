/* Writes the baseline of `simsm check-speed`, and judges a run against it. */
#include "diff/baseline.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/json_build.h"

static json_t *triple(const uint32_t size[3])
{
    return json_pack("[i, i, i]", (int)size[0], (int)size[1], (int)size[2]);
}

/* Returns the counters that the figures of speed_figures.def need; counters of 0 are left out. */
static json_t *counters_object(const struct speed_side *side)
{
    bool used[SIMSM_COUNTER_COUNT];
    json_t *o = json_object();
    int bad = 0;
    speed_counters(used);
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        if (used[i] && side->counter[i] > 0)
            bad |= json_object_set_new(o, simsm_counters[i].name, json_count(side->counter[i]));
    if (!bad)
        return o;
    json_decref(o);
    return NULL;
}

static json_t *states_object(const struct speed_side *side)
{
    json_t *o = json_object();
    int bad = 0;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++)
        if (side->state[s] > 0)
            bad |= json_object_set_new(o, simsm_states[s].name, json_count(side->state[s]));
    if (!bad)
        return o;
    json_decref(o);
    return NULL;
}

static json_t *kernel_object(const struct diff_kernel *kernel)
{
    const struct speed_side *side = &kernel->side;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kernel",
                     kernel->name, "grid", triple(kernel->grid), "block", triple(kernel->block),
                     "calls", json_count(side->calls), "cycles", json_count(side->cycles),
                     "launch_cycles", json_count(side->launch_cycles), "blocks",
                     json_count(side->blocks), "registers", json_count(side->registers),
                     "shared_bytes", json_count(side->shared_bytes), "warps_per_sm",
                     json_count(side->warps_most), "counters", counters_object(side), "states",
                     states_object(side));
}

static bool write_line(FILE *file, json_t *line)
{
    const bool done = line && json_dumpf(line, file, JSON_COMPACT | JSON_REAL_PRECISION(15)) == 0;
    (void)fputc('\n', file);
    json_decref(line);
    return done || ferror(file);
}

enum simsm_status baseline_write(FILE *file, const struct diff_run *run, struct simsm_error *error)
{
    bool done = write_line(
        file, json_pack("{s:i, s:s, s:o, s:s}", "baseline", BASELINE_VERSION, "gpu", run->gpu,
                        "clock_mhz", json_count(run->total.clock_mhz), "settings", run->settings));
    for (size_t i = 0; i < run->kernels && done; i++)
        done = write_line(file, kernel_object(&run->kernel[i]));
    return done ? SIMSM_OK : err_no_memory(error);
}

static bool is_slower(double a, double b, const struct budget *budget)
{
    return b > a * (1 + budget->most);
}

/* Writes a kernel that is slower, gone or new. Returns whether it breaks the budget. */
static bool judge(FILE *file, const struct diff_pair *pair, const struct budget *budget)
{
    const char *mark = budget->markdown ? "- " : "  ";
    if (!pair->a || !pair->b) {
        (void)fprintf(file, "%s%s: %s\n", mark, (pair->a ? pair->a : pair->b)->name,
                      pair->a ? "in the baseline only; it does not run"
                              : "not in the baseline; renew it with --write");
        return false;
    }
    const double a = speed_side_time(&pair->a->side), b = speed_side_time(&pair->b->side);
    if (!is_slower(a, b, budget))
        return false;
    (void)fprintf(file, "%s%s: %.0f instead of %.0f cycles (%+.1f %%)", mark, pair->b->name,
                  pair->b->side.cycles, pair->a->side.cycles, 100 * (b / a - 1));
    for (unsigned i = 0; i < pair->change.causes; i++)
        (void)fprintf(file, "%s%s", i ? ", and " : ": ", pair->change.cause[i].phrase);
    (void)fputc('\n', file);
    return true;
}

bool budget_check(FILE *file, const struct diff *diff, const struct budget *budget)
{
    const double a = speed_side_time(&diff->a->total), b = speed_side_time(&diff->b->total);
    char *rows = NULL;
    size_t size = 0, slower = 0;
    FILE *list = open_memstream(&rows, &size);
    for (size_t i = 0; list && i < diff->pairs; i++)
        slower += judge(list, &diff->pair[i], budget);
    const bool good = list && fclose(list) == 0 && !slower && !is_slower(a, b, budget);
    (void)fprintf(file,
                  "%s%s the budget of %.3g %%: %zu of %zu kernels take longer than %s allows. "
                  "%s.%s\n\n",
                  budget->markdown ? "**" : "", good ? "Within" : "Over", 100 * budget->most,
                  slower, diff->pairs, diff->a_name, diff->sentence, budget->markdown ? "**" : "");
    (void)fputs(rows ? rows : "", file);
    free(rows);
    return good;
}
