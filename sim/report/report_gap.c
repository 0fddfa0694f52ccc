#include "report/report_gap.h"
#include "language/language.h"

#include <math.h>

/*
 * Rounds the causes so that the figures shown add up to `lost`: each is rounded down, and the
 * missing tenths are added to the causes that lost most by it.
 */
static void round_causes(struct gap_shares *shares, const double exact[GAP_CAUSES])
{
    long sum = 0;
    for (int i = 0; i < GAP_CAUSES; i++) {
        shares->cause[i].tenths = (long)floor(exact[i]);
        sum += shares->cause[i].tenths;
    }
    for (; sum < shares->lost; sum++) {
        int most = 0;
        for (int i = 1; i < GAP_CAUSES; i++)
            if (exact[i] - (double)shares->cause[i].tenths >
                exact[most] - (double)shares->cause[most].tenths)
                most = i;
        shares->cause[most].tenths++;
    }
    for (; sum > shares->lost; sum--) { /* `lost` was rounded down and the causes up */
        int least = -1;
        for (int i = 0; i < GAP_CAUSES; i++)
            if (shares->cause[i].tenths > 0 &&
                (least < 0 || exact[i] - (double)shares->cause[i].tenths <
                                  exact[least] - (double)shares->cause[least].tenths))
                least = i;
        if (least < 0)
            return;
        shares->cause[least].tenths--;
    }
}

/* Returns true if the parts do not exceed the whole: statistics may come from a damaged file. */
static bool sensible(const struct simsm_stats *stats)
{
    const struct simsm_gap *g = &stats->gap;
    const uint64_t parts[] = {g->alive,      g->within_blocks, g->refill,
                              g->few_blocks, g->partial_wave,  g->across_blocks};
    uint64_t left = g->capacity;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i] > left)
            return false;
        left -= parts[i];
    }
    return stats->occupancy.warps <= stats->occupancy.max_warps;
}

bool gap_shares(const struct simsm_stats *stats, struct gap_shares *shares)
{
    const struct simsm_gap *gap = &stats->gap;
    const struct simsm_occupancy *o = &stats->occupancy;
    const struct {
        const char *name, *phrase;
        uint64_t places;
    } causes[GAP_CAUSES] = {
        {_("within blocks"), _("warps that ended while others of their block still ran"),
         gap->within_blocks},
        {_("across blocks"), _("nothing left to start, and the last blocks do not end together"),
         gap->across_blocks},
        {_("few blocks"), _("places never filled: the grid has less than one full wave"),
         gap->few_blocks},
        {_("partial last wave"), _("places that got no block of the last wave"), gap->partial_wave},
        {_("refill"), _("blocks were waiting, but had not started yet"), gap->refill},
    };
    double exact[GAP_CAUSES];
    *shares = (struct gap_shares){0};
    if (o->max_warps == 0)
        return false;
    shares->theoretical = lround(1000.0 * o->warps / o->max_warps);
    if (gap->capacity == 0 || !sensible(stats))
        return false;
    double scale = 1000.0 * o->warps / o->max_warps / (double)gap->capacity;
    shares->achieved = lround(scale * (double)gap->alive);
    shares->lost = shares->theoretical - shares->achieved;
    for (int i = 0; i < GAP_CAUSES; i++) {
        shares->cause[i].name = causes[i].name;
        shares->cause[i].phrase = causes[i].phrase;
        exact[i] = scale * (double)causes[i].places;
    }
    round_causes(shares, exact);
    return true;
}
