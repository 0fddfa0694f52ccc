#include <math.h>

#include "base/printable.h"
#include "report/quantity.h"
#include "sample/sampler_state.h"

enum { GROUPS_SHOWN = 20, NUMBERS_SHOWN = 4 };

/* "1, 2, 5 and 3 more": the launches that were timed. */
static void list_timed(const struct sample_group *group, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < group->count && i < NUMBERS_SHOWN; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%llu", i ? ", " : "",
                               (unsigned long long)group->timed[i].number);
    if (group->count > NUMBERS_SHOWN)
        (void)snprintf(text + at, size - at, " and %u more", group->count - NUMBERS_SHOWN);
}

/* How well the mean of launches is known of which some are timed in part. */
static double half_of_timed(const struct sample_group *group)
{
    double sum = 0;
    for (uint32_t i = 0; i < group->count; i++)
        sum += sample_half(&group->timed[i].figures);
    return group->count ? sum / group->count : 0;
}

static void print_group(const struct sample_group *group, FILE *file)
{
    char numbers[128], name[64], half[32] = "exact";
    const struct sample_estimate estimate = sample_estimate(group);
    uint64_t copies = 0;
    for (uint32_t i = 0; i < group->count; i++)
        copies += group->timed[i].copies;
    list_timed(group, numbers, sizeof numbers);
    const double in_launches = half_of_timed(group),
                 of_group = group->estimated ? estimate.half : 0;
    if (in_launches > 0 || of_group > 0)
        (void)snprintf(half, sizeof half, "+-%.2f %%",
                       100 * sqrt(in_launches * in_launches + of_group * of_group) / estimate.mean);
    (void)fprintf(file, "        %-28.28s %8llu %7u %7llu %7llu %12.0f %10s  %s\n",
                  printable(group->kernel, name, sizeof name), (unsigned long long)group->members,
                  group->count, (unsigned long long)copies, (unsigned long long)group->estimated,
                  estimate.mean, half, numbers);
    if (group->count && group->timed[0].figures.blocks_text[0])
        (void)fprintf(file, "          launch %llu: %s%s\n",
                      (unsigned long long)group->timed[0].number,
                      group->timed[0].figures.variance > 0 ? "" : "all blocks timed: ",
                      group->timed[0].figures.blocks_text);
}

void sampler_print(const struct sampler *sampler, FILE *file)
{
    const struct sample_total total = sampler_total(sampler);
    if (!total.launches)
        return;
    (void)fprintf(file,
                  "\nSampling: %llu of %llu launches timed, %llu of them in part; %llu are exact "
                  "copies of these, %llu extrapolated\n",
                  (unsigned long long)total.timed, (unsigned long long)total.launches,
                  (unsigned long long)total.parts, (unsigned long long)total.copies,
                  (unsigned long long)total.estimated);
    (void)fprintf(file, "  cycles of all launches  %.0f", total.cycles);
    if (total.half > 0)
        (void)fprintf(file, " +- %.0f (%.2f %%), 95 %% interval", total.half,
                      100 * total.half / total.cycles);
    (void)fprintf(
        file, "; timed %llu (%s)\n", (unsigned long long)total.timed_cycles,
        quantity_percent(total.cycles > 0 ? 100 * (double)total.timed_cycles / total.cycles : 100)
            .text);
    (void)fprintf(file, "        %-28s %8s %7s %7s %7s %12s %10s  %s\n", "launches that do alike",
                  "launches", "timed", "copies", "extrap.", "mean cycles", "of mean", "timed are");
    for (uint32_t i = 0; i < sampler->groups && i < GROUPS_SHOWN; i++)
        print_group(&sampler->group[i], file);
    if (sampler->groups > GROUPS_SHOWN)
        (void)fprintf(file, "        ... and %u more groups; --json FILE writes them all\n",
                      sampler->groups - GROUPS_SHOWN);
}
