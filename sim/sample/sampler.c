#include "sample/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sample/sampler_state.h"
#include "sample/student.h"

/* Relative half-width of the 95 % interval of a group's mean at which no further launch is timed.
 */
static const double aim = 0.03;

/* Least relative standard deviation assumed for launches that are alike but not equal: two launches
 * that agree to the cycle do not show that the next one will. */
static const double least_deviation = 0.005;

const char *const sample_mark_names[] = {
    [SAMPLE_TIMED] = "timed",
    [SAMPLE_BLOCKS] = "blocks",
    [SAMPLE_COPY] = "copy",
    [SAMPLE_ESTIMATED] = "extrapolated",
};

const char *const sample_reason_texts[SAMPLE_REASONS] = {
    [SAMPLE_FIRST] = "the first launch that does this",
    [SAMPLE_SPREAD] = "the mean of its group was not known to within 3 %",
    [SAMPLE_CONTROL] = "to see whether the group has changed",
    [SAMPLE_UNKNOWN] =
        "what it does depends on time: it reads clocks, or its blocks wait for one another",
    [SAMPLE_SAME] = "executes exactly what a timed launch did",
    [SAMPLE_IN_GROUP] = "mean of the timed launches of its group",
};

struct sampler *sampler_new(bool exact)
{
    struct sampler *sampler = calloc(1, sizeof *sampler);
    if (sampler)
        sampler->exact = exact;
    return sampler;
}

void sampler_free(struct sampler *sampler)
{
    if (!sampler)
        return;
    for (uint32_t i = 0; i < sampler->groups; i++)
        free(sampler->group[i].timed);
    free(sampler->group);
    free(sampler->row);
    free(sampler);
}

struct sample_estimate sample_estimate(const struct sample_group *group)
{
    struct sample_estimate estimate = {0};
    double squares = 0;
    for (uint32_t i = 0; i < group->count; i++)
        estimate.mean += (double)group->timed[i].figures.cycles / group->count;
    for (uint32_t i = 0; i < group->count; i++)
        squares += pow((double)group->timed[i].figures.cycles - estimate.mean, 2);
    if (group->count < 2) {
        estimate.half = INFINITY;
        return estimate;
    }
    estimate.deviation = fmax(sqrt(squares / (group->count - 1)), least_deviation * estimate.mean);
    estimate.half = student_95(group->count - 1) * estimate.deviation / sqrt(group->count);
    return estimate;
}

double sample_half(const struct sample_figures *figures)
{
    return figures->variance > 0 ? student_95(figures->freedom) * sqrt(figures->variance) : 0;
}

static bool same_shape(const struct sample_subject *a, const struct sample_subject *b)
{
    return a->identity == b->identity && a->launch.registers == b->launch.registers &&
           a->launch.shared_static == b->launch.shared_static &&
           a->launch.shared_dynamic == b->launch.shared_dynamic &&
           a->launch.carveout == b->launch.carveout &&
           a->launch.untranslated == b->launch.untranslated &&
           memcmp(a->launch.grid, b->launch.grid, sizeof a->launch.grid) == 0 &&
           memcmp(a->launch.block, b->launch.block, sizeof a->launch.block) == 0;
}

static bool belongs(const struct sample_group *group, const struct sample_subject *subject)
{
    const struct sample_signature *first = &group->first.signature;
    return same_shape(&group->first, subject) && first->known == subject->signature.known &&
           (!first->known || sample_alike(first, &subject->signature));
}

/* Returns the index of the launch's group, which is created if needed; UINT32_MAX if memory runs
 * out. */
static uint32_t find_group(struct sampler *sampler, const struct sample_subject *subject)
{
    for (uint32_t i = 0; i < sampler->groups; i++)
        if (belongs(&sampler->group[i], subject))
            return i;
    if (sampler->groups == sampler->group_room) {
        uint32_t room = sampler->group_room ? 2 * sampler->group_room : 16;
        struct sample_group *grown = realloc(sampler->group, room * sizeof *grown);
        if (!grown)
            return UINT32_MAX;
        sampler->group = grown;
        sampler->group_room = room;
    }
    struct sample_group *group = &sampler->group[sampler->groups];
    *group = (struct sample_group){.first = *subject};
    (void)snprintf(group->kernel, sizeof group->kernel, "%s", subject->kernel);
    group->first.kernel = NULL;
    return sampler->groups++;
}

static struct sample_timed *find_same(const struct sampler *sampler,
                                      const struct sample_group *group, uint64_t hash)
{
    for (uint32_t i = 0; sampler->exact && i < group->count; i++)
        if (group->timed[i].hash == hash)
            return &group->timed[i];
    return NULL;
}

/*
 * Returns true for launches that are timed as a control, ever more rarely: about four each time the
 * group grows by a factor of e. The choice has no period, so that it cannot agree with a period of
 * the program.
 */
static bool is_control(uint32_t group, uint64_t member)
{
    uint64_t hash = (member + 1) * UINT64_C(0x9e3779b97f4a7c15) + group;
    hash = (hash ^ hash >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    return (hash >> 32) % (4 + member / 4) == 0;
}

static enum sample_reason reason_to_time(const struct sample_group *group, uint32_t index)
{
    if (!group->first.signature.known)
        return SAMPLE_UNKNOWN;
    if (group->count == 0)
        return SAMPLE_FIRST;
    const struct sample_estimate estimate = sample_estimate(group);
    if (estimate.half > aim * estimate.mean)
        return SAMPLE_SPREAD;
    return is_control(index, group->members) ? SAMPLE_CONTROL : SAMPLE_IN_GROUP;
}

static void decide(struct sampler *sampler, struct sample_group *group,
                   const struct sample_subject *subject, struct sample_choice *choice)
{
    const struct sample_signature *signature = &subject->signature;
    struct sample_timed *same =
        signature->known ? find_same(sampler, group, signature->hash) : NULL;
    group->members++;
    if (same) {
        same->copies++;
        choice->mark = SAMPLE_COPY;
        choice->reason = SAMPLE_SAME;
        choice->like = same->number;
        choice->figures = same->figures;
        return;
    }
    choice->reason = reason_to_time(group, choice->group);
    if (choice->reason != SAMPLE_IN_GROUP)
        return;
    group->estimated++;
    choice->mark = SAMPLE_ESTIMATED;
    choice->figures = group->timed[group->count - 1].figures;
    choice->figures.cycles = (uint64_t)llround(sample_estimate(group).mean);
}

static bool add_row(struct sampler *sampler, uint64_t number, const struct sample_choice *choice)
{
    if (sampler->rows == sampler->row_room) {
        size_t room = sampler->row_room ? 2 * sampler->row_room : 64;
        struct sample_row *grown = realloc(sampler->row, room * sizeof *grown);
        if (!grown)
            return false;
        sampler->row = grown;
        sampler->row_room = room;
    }
    sampler->row[sampler->rows++] = (struct sample_row){.number = number,
                                                        .like = choice->like,
                                                        .cycles = choice->figures.cycles,
                                                        .group = choice->group,
                                                        .mark = (uint8_t)choice->mark,
                                                        .reason = (uint8_t)choice->reason};
    return true;
}

/* Removes the launch that was to be timed, as it failed. */
static void forget_pending(struct sampler *sampler)
{
    if (sampler->pending)
        sampler->group[sampler->row[--sampler->rows].group].members--;
    sampler->pending = false;
}

enum simsm_status sampler_choose(struct sampler *sampler, const struct sample_subject *subject,
                                 struct sample_choice *choice, struct simsm_error *error)
{
    *choice = (struct sample_choice){.mark = SAMPLE_TIMED};
    forget_pending(sampler);
    choice->group = find_group(sampler, subject);
    if (choice->group == UINT32_MAX)
        return err_no_memory(error);
    decide(sampler, &sampler->group[choice->group], subject, choice);
    sampler->pending = choice->mark == SAMPLE_TIMED;
    sampler->hash = subject->signature.known ? subject->signature.hash : 0;
    return add_row(sampler, subject->number, choice) ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status sampler_timed(struct sampler *sampler, const struct sample_figures *figures,
                                struct simsm_error *error)
{
    struct sample_row *row = &sampler->row[sampler->rows - 1];
    struct sample_group *group = &sampler->group[row->group];
    if (group->count == group->room) {
        uint32_t room = group->room ? 2 * group->room : 4;
        struct sample_timed *grown = realloc(group->timed, room * sizeof *grown);
        if (!grown)
            return err_no_memory(error);
        group->timed = grown;
        group->room = room;
    }
    group->timed[group->count++] =
        (struct sample_timed){.number = row->number, .hash = sampler->hash, .figures = *figures};
    row->cycles = figures->cycles;
    if (figures->variance > 0)
        row->mark = SAMPLE_BLOCKS;
    sampler->pending = false;
    return SIMSM_OK;
}
