#include <math.h>
#include <string.h>

#include "report/report_gap.h"
#include "report/section.h"

static struct quantity tenths(long n)
{
    return quantity_percent((double)n / 10);
}

static void theoretical(const struct section *section, long share)
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
    section_row(section, "theoretical", tenths(share),
                "%u of %u warps per SM: %u block%s, limited by %s", o->warps, o->max_warps,
                o->blocks, o->blocks == 1 ? "" : "s", binding);
    section_row(section, "blocks per SM", quantity_count(o->blocks), "fits: %s", limits);
}

void section_occupancy(const struct section *section)
{
    const struct simsm_gap *gap = &section->stats->gap;
    struct gap_shares shares;
    bool ran = gap_shares(section->stats, &shares);
    section_title(section, "Occupancy");
    theoretical(section, shares.theoretical);
    if (!ran) {
        section_row(section, "achieved", quantity_percent(NAN), "no block has run");
        return;
    }
    double warps = (double)gap->alive / (double)gap->capacity * section->stats->occupancy.warps;
    section_row(section, "achieved", tenths(shares.achieved),
                "%s warps per SM, mean over its active cycles", quantity_ratio(warps).text);
    section_row(section, "lost", tenths(shares.lost), "the gap between the two, by cause:");
    for (int i = 0; i < GAP_CAUSES; i++) {
        char label[32];
        (void)snprintf(label, sizeof label, "  %s", shares.cause[i].name);
        section_row(section, label, tenths(shares.cause[i].tenths), "%s", shares.cause[i].phrase);
    }
}
