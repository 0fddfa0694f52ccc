#include <math.h>

#include "sample/sampler_state.h"
#include "sample/student.h"

/* What is added to the total's variance, and what for its degrees of freedom. */
static void add_variance(double more, double freedom, double *variance, double *weighed)
{
    *variance += more;
    *weighed += more * more / freedom;
}

static void add_group(const struct sample_group *group, struct sample_total *total,
                      double *variance, double *weighed)
{
    const double each = group->count ? (double)group->estimated / group->count : 0;
    double in_part = 0, freedom = INFINITY;
    for (uint32_t i = 0; i < group->count; i++) {
        const struct sample_timed *timed = &group->timed[i];
        const double stands_for = (double)(1 + timed->copies) + each;
        total->timed_cycles += timed->figures.simulated;
        total->cycles += (double)timed->figures.cycles * (double)(1 + timed->copies);
        total->copies += timed->copies;
        if (timed->figures.variance <= 0)
            continue;
        total->parts++;
        in_part += stands_for * sqrt(timed->figures.variance);
        freedom = fmin(freedom, timed->figures.freedom);
    }
    /* Launches that do alike, timed in part, err alike. */
    if (in_part > 0)
        add_variance(in_part * in_part, freedom, variance, weighed);
    total->timed += group->count;
    total->estimated += group->estimated;
    if (!group->estimated)
        return;
    /* Of a sum of `n` more values: their own spread, and that of the mean that stands for each. */
    const struct sample_estimate estimate = sample_estimate(group);
    const double n = (double)group->estimated;
    total->cycles += n * estimate.mean;
    add_variance(pow(estimate.deviation, 2) * (n + n * n / group->count), group->count - 1,
                 variance, weighed);
}

struct sample_total sampler_total(const struct sampler *sampler)
{
    struct sample_total total = {0};
    double variance = 0, weighed = 0;
    for (uint32_t i = 0; i < sampler->groups; i++)
        add_group(&sampler->group[i], &total, &variance, &weighed);
    total.launches = total.timed + total.copies + total.estimated;
    /* Degrees of freedom of a sum of variances: Satterthwaite, Biometrics Bulletin 2 (6), 1946. */
    if (variance > 0)
        total.half = student_95(variance * variance / weighed) * sqrt(variance);
    return total;
}

double sampler_counter(const struct sampler *sampler, unsigned counter)
{
    double sum = 0;
    for (uint32_t g = 0; g < sampler->groups; g++) {
        const struct sample_group *group = &sampler->group[g];
        double each = group->count ? (double)group->estimated / group->count : 0;
        for (uint32_t i = 0; i < group->count; i++)
            sum += (double)group->timed[i].figures.counter[counter] *
                   ((double)(1 + group->timed[i].copies) + each);
    }
    return sum;
}
