/* The table of advice, how it is ranked and named; advice_estimate.c computes its shares. */
#include "report/advice.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "language/language.h"
#include "report/advice_estimate.h"

enum { GENERAL_WEIGHT = 3 }; /* a fault with this part of the share of GENERAL advice explains it */

const struct advice_row advice_rows[ADVICE_COUNT] = {
#define ADVICE(id, name, experiment, kind, title, remedy)                                          \
    [ADVICE_##id] = {name, experiment, ADVICE_##kind, title, remedy},
#include "report/advice.def"
#undef ADVICE
};

static double rank_of(const struct advice *advice)
{
    const enum advice_kind kind = advice_rows[advice->id].kind;
    const bool general = kind == ADVICE_GENERAL || kind == ADVICE_FIXED;
    return general ? advice->share / GENERAL_WEIGHT : advice->share;
}

void advice_rank(struct advice *advice, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        const struct advice moved = advice[i];
        unsigned at = i;
        for (; at && rank_of(&advice[at - 1]) < rank_of(&moved); at--)
            advice[at] = advice[at - 1];
        advice[at] = moved;
    }
}

/* Writes where the advice's line is: the source line and its file, as far as they are known. */
static void find_place(const struct simsm_stats *stats, struct advice *advice)
{
    if (advice->line >= stats->line_count)
        return;
    const struct simsm_line_info *info = &stats->line_info[advice->line];
    const char *slash = info->file ? strrchr(info->file, '/') : NULL;
    const char *file = slash ? slash + 1 : info->file ? info->file : "";
    if (info->line)
        (void)snprintf(advice->place, sizeof advice->place, _("%s%sline %u: %s"), file,
                       *file ? " " : "", info->line, info->text);
    else
        (void)snprintf(advice->place, sizeof advice->place, _("at 0x%x: %s"), info->pc, info->text);
    (void)printable(advice->place, advice->place, sizeof advice->place);
}

unsigned advice_find(const struct simsm_config *config, const struct simsm_stats *stats,
                     const struct simsm_metric metrics[METRIC_COUNT],
                     struct advice advice[ADVICE_COUNT])
{
    enum { LEAST_PER_MILLE = 2 };
    const struct advice_input in = {config, stats, metrics};
    unsigned count = 0;
    if (!stats->counter[SIMSM_COUNTER_INST_EXECUTED])
        return 0;
    for (unsigned id = 0; id < ADVICE_COUNT; id++) {
        struct advice *a = &advice[count];
        *a = (struct advice){.id = (enum advice_id)id, .line = ADVICE_NO_LINE};
        advice_estimate(&in, a);
        a->estimate = a->share;
        find_place(stats, a);
        count += a->share * 1000 >= LEAST_PER_MILLE; /* false for NaN */
    }
    advice_rank(advice, count);
    return count;
}
