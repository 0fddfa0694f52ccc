#include "draw/scale.h"

#include <math.h>

/* Returns a round distance of ticks: 1, 2, 4, 5 or 8 times a power of ten. 4 and 8 suit warps
 * and bytes. */
static double nice_tick(double span, unsigned ticks)
{
    static const double steps[] = {1, 2, 4, 5, 8, 10};
    double least = span / (ticks ? ticks : 1);
    double decade = pow(10, floor(log10(least)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i] * decade >= least * (1 - 1e-9))
            return steps[i] * decade;
    }
    return 10 * decade;
}

/* Returns a power of two as distance of ticks, for axes that count in powers of two: 64 warps
 * divide better at 16 than at 20. */
static double binary_tick(double span, unsigned ticks)
{
    double tick = 1;
    while (span / tick > (ticks ? ticks : 1))
        tick *= 2;
    return tick;
}

/* Returns whether the maximum is a number such as 16, 48 or 1024, as hardware resources are. */
static bool is_binary(double max)
{
    while (max > 3 && fmod(max, 2) == 0)
        max /= 2;
    return max == 1 || max == 2 || max == 3;
}

static struct scale make(double min, double max, unsigned ticks)
{
    if (!(max > min))
        max = min + 1;
    double span = max - min;
    struct scale scale = {.min = min, .max = max};
    bool binary = min == 0 && max >= 16 && is_binary(max);
    scale.tick = binary ? binary_tick(span, ticks) : nice_tick(span, ticks);
    if (scale.tick < 1 && span >= 2 && span <= ticks * 1.5 && span == floor(span))
        scale.tick = 1; /* a tick at each of a few whole numbers */
    scale.first = ceil(min / scale.tick - 1e-9) * scale.tick;
    scale.ticks = (unsigned)floor((max - scale.first) / scale.tick + 1e-9) + 1;
    return scale;
}

/* Makes an axis of exponents with ticks at whole numbers. */
static struct scale make_powers(double min, double max, unsigned ticks)
{
    const double low = floor(min), high = fmax(ceil(max), low + 1);
    const double tick = binary_tick(high - low, ticks), first = ceil(low / tick) * tick;
    return (struct scale){.min = low,
                          .max = high,
                          .first = first,
                          .tick = tick,
                          .ticks = (unsigned)floor((high - first) / tick) + 1};
}

static void extend(double *min, double *max, double value)
{
    if (!isfinite(value))
        return;
    *min = value < *min ? value : *min;
    *max = value > *max ? value : *max;
}

/* Makes an axis of values `step` apart, with ticks at the first value and at every n-th one
 * behind it. */
static struct scale make_stepped(double min, double max, double step, unsigned ticks)
{
    const double values = floor((max - min) / step + 0.5);
    const double tick = step * fmax(1, ceil(values / (ticks > 1 ? ticks - 1 : 1)));
    return (struct scale){.min = min,
                          .max = max,
                          .first = min,
                          .tick = tick,
                          .ticks = (unsigned)floor((max - min) / tick + 1e-9) + 1};
}

struct scale scale_x(const struct plot *plot, unsigned x_ticks)
{
    double min = INFINITY, max = -INFINITY;
    if (plot->x_max > plot->x_min)
        return make(plot->x_min, plot->x_max, x_ticks);
    for (size_t s = 0; s < plot->series_count; s++) {
        for (size_t i = 0; i < plot->series[s].count; i++)
            extend(&min, &max, plot->series[s].x[i]);
    }
    if (plot->marked)
        extend(&min, &max, plot->mark_x);
    if (plot->x_step > 0 && max > min)
        return make_stepped(min, max, plot->x_step, x_ticks);
    return max >= min ? make(min, max, x_ticks) : make(0, 1, x_ticks);
}

struct scale scale_y(const struct plot *plot, unsigned y_ticks)
{
    double min = 0, max = -INFINITY;
    if (plot->y_max > plot->y_min)
        return make(plot->y_min, plot->y_max, y_ticks);
    for (size_t s = 0; s < plot->series_count; s++) {
        for (size_t i = 0; i < plot->series[s].count; i++)
            extend(&min, &max, plot->series[s].y[i]);
    }
    if (plot->marked)
        extend(&min, &max, plot->mark_y);
    if (plot->powers)
        return make_powers(min, fmax(max, min), y_ticks);
    return max >= min ? make(min, max, y_ticks) : make(0, 1, y_ticks);
}

double scale_at(const struct scale *scale, double value)
{
    double at = (value - scale->min) / (scale->max - scale->min);
    return at < 0 ? 0 : at > 1 ? 1 : at;
}
