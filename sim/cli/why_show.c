/* Prints ranked advice with its prices. */
#include "cli/why_show.h"

#include <string.h>

#include "base/printable.h"
#include "cli/why_words.h"
#include "report/quantity.h"

enum { WIDTH = 96, INDENT = 5 };

static const double worth = 0.03; /* a smaller share of the time is not worth advice */

/* A launch whose busiest resource has this share of its roof runs at the speed of the resource. */
static const double at_roof = 0.75;

unsigned why_worth(const struct experiment_kind *kind)
{
    unsigned count = 0;
    bool fault = false;
    for (unsigned i = 0; i < kind->advices; i++)
        fault |= kind->advice[i].share >= worth &&
                 advice_rows[kind->advice[i].id].kind != ADVICE_GENERAL;
    if (!fault && kind->roof.share >= at_roof)
        return 0;
    while (count < kind->advices && count < WHY_ADVICES && kind->advice[count].share >= worth)
        count++;
    return count;
}

static double all_time(const struct experiments *experiments)
{
    double sum = 0;
    for (uint32_t i = 0; i < experiments->kinds; i++)
        sum += (double)experiments->kind[i].cycles * experiments->kind[i].count;
    return sum;
}

static void print_head(FILE *file, const struct why *why, const struct experiment_kind *kind)
{
    const struct simsm_launch *l = &kind->launch;
    char name[sizeof l->name];
    const double share = (double)kind->cycles * kind->count / all_time(why->experiments);
    (void)fprintf(file, "%s, grid %ux%ux%u, block %ux%ux%u: %s",
                  printable(l->name, name, sizeof name), l->grid[0], l->grid[1], l->grid[2],
                  l->block[0], l->block[1], l->block[2],
                  quantity_of((double)kind->cycles, "cycle").text);
    if (why->experiments->kinds > 1 || kind->count > 1)
        (void)fprintf(file, ", %u launch%s, %s of the time", kind->count,
                      kind->count == 1 ? "" : "es", quantity_percent(100 * share).text);
    (void)fputc('\n', file);
}

/* Prints one advice: its price, what shows it, and what to do. */
static void print_advice(FILE *file, const struct experiment_kind *kind, unsigned number)
{
    const struct advice *advice = &kind->advice[number];
    const struct advice_row *row = &advice_rows[advice->id];
    const double left = (double)kind->cycles * (1 - advice->share);
    char text[ADVICE_PLACE + ADVICE_FIGURE];
    (void)fprintf(file, "  %u. %s: costs %s%s of the time (%s without)\n", number + 1, row->title,
                  advice->measured ? "" : "about ", quantity_percent(100 * advice->share).text,
                  quantity_count(left).text);
    (void)snprintf(text, sizeof text, "%s%s%s", advice->place,
                   *advice->place && *advice->figure ? "; " : "", advice->figure);
    why_words(file, INDENT, WIDTH, "", text);
    why_words(file, INDENT, WIDTH, "Try: ", row->remedy);
}

static void print_roof(FILE *file, const struct experiment_kind *kind, bool gains)
{
    const char *percent = quantity_percent(100 * kind->roof.share).text;
    if (gains)
        (void)fprintf(file, "  The busiest resource is %s, at %s of its roof.\n", kind->roof.name,
                      percent);
    else if (kind->roof.share >= at_roof)
        (void)fprintf(file,
                      "  Nothing to gain here: it runs at the speed of %s (%s of its roof).\n",
                      kind->roof.name, percent);
    else
        (void)fprintf(file,
                      "  No single fault costs 3 %% of the time; the busiest resource is %s, at %s "
                      "of its roof.\n",
                      kind->roof.name, percent);
}

static void print_only(FILE *file, const struct why *why, const struct experiment_kind *kind)
{
    const double left = (double)kind->only_cycles / (double)kind->cycles;
    (void)fprintf(file, "  what_if.%s: %s instead of %s, %s of the time\n", why->experiments->only,
                  quantity_of((double)kind->only_cycles, "cycle").text,
                  quantity_count((double)kind->cycles).text, quantity_percent(100 * left).text);
}

static void print_kind(FILE *file, const struct why *why, const struct experiment_kind *kind)
{
    print_head(file, why, kind);
    if (why->experiments->only) {
        print_only(file, why, kind);
        return;
    }
    const unsigned count = why_worth(kind);
    for (unsigned i = 0; i < count; i++)
        print_advice(file, kind, i);
    print_roof(file, kind, count > 0);
}

static void print_copies(FILE *file, const struct copy_price *copies)
{
    (void)fprintf(file,
                  "\nThe program: copies that run alone cost at most %s of the time of kernels and "
                  "copies\n",
                  quantity_percent(100 * copies->share).text);
    why_words(file, INDENT, WIDTH, "", copies->figure);
    why_words(file, INDENT, WIDTH, "Try: ", copy_overlap_remedy);
}

void why_print(FILE *file, const struct why *why)
{
    const struct experiments *experiments = why->experiments;
    for (uint32_t i = 0; i < why->kinds; i++) {
        if (i)
            (void)fputc('\n', file);
        print_kind(file, why, &experiments->kind[i]);
    }
    if (why->copies)
        print_copies(file, why->copies);
    if (why->kinds < experiments->kinds)
        (void)fprintf(
            file, "\nNot examined: %u further kind%s of launch, of which each takes less time.\n",
            experiments->kinds - why->kinds, experiments->kinds - why->kinds == 1 ? "" : "s");
}
