#include <math.h>
#include <string.h>

#include "report/section.h"

enum { CAUSES = 5 };

struct cause {
    const char *name, *phrase;
    uint64_t places;
    double exact; /* tenths of a per cent of all warp slots */
    long shown;   /* the same, rounded so that all add up */
};

/*
 * Rounds the causes so that they add up to `total` to the last digit shown: each is cut, and what
 * is then missing goes to those that lost most.
 */
static void round_causes(struct cause causes[CAUSES], long total)
{
    long sum = 0;
    for (int i = 0; i < CAUSES; i++) {
        causes[i].shown = (long)floor(causes[i].exact);
        sum += causes[i].shown;
    }
    for (; sum < total; sum++) {
        struct cause *most = &causes[0];
        for (int i = 1; i < CAUSES; i++) {
            if (causes[i].exact - (double)causes[i].shown > most->exact - (double)most->shown)
                most = &causes[i];
        }
        most->shown++;
    }
    for (; sum > total; sum--) { /* the ends of the scale were rounded towards each other */
        struct cause *least = NULL;
        for (int i = 0; i < CAUSES; i++) {
            if (causes[i].shown > 0 && (!least || causes[i].exact - (double)causes[i].shown <
                                                      least->exact - (double)least->shown))
                least = &causes[i];
        }
        if (!least)
            return;
        least->shown--;
    }
}

static struct quantity tenths(long n)
{
    return quantity_percent((double)n / 10);
}

static void theoretical(const struct section *section)
{
    const struct simsm_occupancy *o = &section->stats->occupancy;
    char limits[160] = "", binding[96] = "";
    for (unsigned i = 0; i < SIMSM_LIMIT_COUNT; i++) {
        char part[48];
        if (o->limit[i] == SIMSM_NO_LIMIT)
            (void)snprintf(part, sizeof part, "%s%s any", i ? ", " : "", simsm_limit_names[i]);
        else
            (void)snprintf(part, sizeof part, "%s%s %u", i ? ", " : "", simsm_limit_names[i],
                           o->limit[i]);
        (void)strncat(limits, part, sizeof limits - strlen(limits) - 1);
        if (o->limiters >> i & 1u) {
            (void)snprintf(part, sizeof part, "%s%s", binding[0] ? " and " : "",
                           simsm_limit_names[i]);
            (void)strncat(binding, part, sizeof binding - strlen(binding) - 1);
        }
    }
    section_row(section, "theoretical", tenths(lround(1000.0 * o->warps / o->max_warps)),
                "%u of %u warps per SM: %u block%s, limited by %s", o->warps, o->max_warps,
                o->blocks, o->blocks == 1 ? "" : "s", binding);
    section_row(section, "blocks per SM", quantity_count(o->blocks), "fits: %s", limits);
}

void section_occupancy(const struct section *section)
{
    const struct simsm_gap *gap = &section->stats->gap;
    const struct simsm_occupancy *o = &section->stats->occupancy;
    struct cause causes[CAUSES] = {
        {"within blocks", "warps that ended while others of their block still ran",
         gap->within_blocks, 0, 0},
        {"across blocks", "nothing left to start, and the last blocks do not end together",
         gap->across_blocks, 0, 0},
        {"few blocks", "places never filled: the grid has less than one full wave", gap->few_blocks,
         0, 0},
        {"partial last wave", "places that got no block of the last wave", gap->partial_wave, 0, 0},
        {"refill", "blocks were waiting, but had not started yet", gap->refill, 0, 0},
    };
    section_title(section, "Occupancy");
    theoretical(section);
    if (gap->capacity == 0) {
        section_row(section, "achieved", quantity_percent(NAN), "no block has run");
        return;
    }
    double scale = 1000.0 * o->warps / o->max_warps / (double)gap->capacity;
    long lost = lround(1000.0 * o->warps / o->max_warps) - lround(scale * (double)gap->alive);
    for (int i = 0; i < CAUSES; i++)
        causes[i].exact = scale * (double)causes[i].places;
    round_causes(causes, lost);
    section_row(section, "achieved", tenths(lround(scale * (double)gap->alive)),
                "%s warps per SM, mean over its active cycles",
                quantity_ratio((double)gap->alive / (double)gap->capacity * o->warps).text);
    section_row(section, "lost", tenths(lost), "the gap between the two, by cause:");
    for (int i = 0; i < CAUSES; i++) {
        char label[32];
        (void)snprintf(label, sizeof label, "  %s", causes[i].name);
        section_row(section, label, tenths(causes[i].shown), "%s", causes[i].phrase);
    }
}
