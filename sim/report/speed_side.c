/* Sums over launches, and the figures that follow from them. */
#include <math.h>

#include "report/speed_change.h"

static double over(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* Returns the common value of a property of launches. The first launch sets it. */
static double common(double calls, double before, double value)
{
    return calls == 0 || before == value ? value : NAN;
}

void speed_side_merge(struct speed_side *side, const struct speed_side *more)
{
    side->clock_mhz = common(side->calls, side->clock_mhz, more->clock_mhz);
    side->block_threads = common(side->calls, side->block_threads, more->block_threads);
    side->registers = common(side->calls, side->registers, more->registers);
    side->shared_bytes = common(side->calls, side->shared_bytes, more->shared_bytes);
    side->warps_most = common(side->calls, side->warps_most, more->warps_most);
    side->calls += more->calls;
    side->cycles += more->cycles;
    side->launch_cycles += more->launch_cycles;
    side->blocks += more->blocks;
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        side->counter[i] += more->counter[i];
    for (unsigned i = 0; i < SIMSM_STATE_COUNT; i++)
        side->state[i] += more->state[i];
}

void speed_side_add(struct speed_side *side, const struct simsm_stats *stats, double clock_mhz)
{
    struct speed_side one = {
        .clock_mhz = clock_mhz,
        .calls = 1,
        .cycles = (double)stats->cycles,
        .launch_cycles = (double)stats->launch_cycles,
        .blocks = (double)simsm_grid_blocks(&stats->launch),
        .block_threads = simsm_block_threads(&stats->launch),
        .registers = stats->launch.registers,
        .shared_bytes = (double)stats->launch.shared_static + stats->launch.shared_dynamic,
        .warps_most = stats->occupancy.warps,
    };
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        one.counter[i] = (double)stats->counter[i];
    for (unsigned i = 0; i < SIMSM_STATE_COUNT; i++)
        one.state[i] = (double)stats->states[i];
    speed_side_merge(side, &one);
}

double speed_side_time(const struct speed_side *side)
{
    return side->cycles * 1e3 / side->clock_mhz;
}

#define SIDE       side
#define SUM(id)    (side->counter[SIMSM_COUNTER_##id])
#define OVER(a, b) over((a), (b))

double speed_figure_value(enum speed_figure figure, const struct speed_side *side)
{
    switch (figure) {
#define FIGURE(id, name, kind, value)                                                              \
    case SPEED_##id:                                                                               \
        return (value);
#include "report/speed_figures.def"
#undef FIGURE
    default:
        return NAN;
    }
}

static double mark(bool *used)
{
    *used = true;
    return 0;
}

void speed_counters(bool used[SIMSM_COUNTER_COUNT])
{
    const struct speed_side none = {0}, *const side = &none;
    double sum = 0;
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        used[i] = false;
#undef SUM
#define SUM(id)                              mark(&used[SIMSM_COUNTER_##id])
#define FIGURE(figure_id, name, kind, value) sum += (value);
#include "report/speed_figures.def"
#undef FIGURE
    (void)sum;
}

enum figure_kind { COUNT, RATIO, PERCENT, BYTES };

static const struct {
    const char *name;
    enum figure_kind kind;
} figures[SPEED_FIGURES] = {
#define FIGURE(id, name, kind, value) {name, kind},
#include "report/speed_figures.def"
#undef FIGURE
};

const char *speed_figure_name(enum speed_figure figure)
{
    return figures[figure].name;
}

struct quantity speed_figure_text(enum speed_figure figure, double value)
{
    struct quantity (*const text[])(double) = {[COUNT] = quantity_count,
                                               [RATIO] = quantity_ratio,
                                               [PERCENT] = quantity_percent,
                                               [BYTES] = quantity_bytes};
    const bool whole = figures[figure].kind == RATIO && value == floor(value);
    return text[whole ? COUNT : figures[figure].kind](value);
}
