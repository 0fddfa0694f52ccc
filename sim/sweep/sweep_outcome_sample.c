/* A sampled point: it stands for all launches of a kernel, of which some are timed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "input/front_launches.h"
#include "input/front_open.h"
#include "sample/sampler.h"
#include "sweep/sweep_outcome_inner.h"

/* The state of sampling one point. */
struct launch_sampling {
    const struct outcome_run *run;
    struct front_launches launches;
    struct sampler *sampler;
    struct sweep_outcome *one; /* the launch that was timed last */
};

/* Metrics that describe one launch and have no meaning for a sum of launches. */
static const enum metric of_launch[] = {METRIC_CYCLES_LAUNCH,
                                        METRIC_LAUNCH_SHARE,
                                        METRIC_WAVES,
                                        METRIC_GRID_SIZE,
                                        METRIC_BLOCK_SIZE,
                                        METRIC_THREAD_COUNT,
                                        METRIC_REGISTERS,
                                        METRIC_SHARED_STATIC,
                                        METRIC_SHARED_DYNAMIC,
                                        METRIC_SHARED_ALLOCATED,
                                        METRIC_SHARED_CONFIG,
                                        METRIC_LIMIT_WARPS,
                                        METRIC_LIMIT_REGISTERS,
                                        METRIC_LIMIT_SHARED,
                                        METRIC_LIMIT_BLOCKS,
                                        METRIC_LOST_REFILL,
                                        METRIC_LOST_FEW_BLOCKS,
                                        METRIC_LOST_PARTIAL_WAVE,
                                        METRIC_LOST_ACROSS_BLOCKS,
                                        METRIC_LOST_WITHIN_BLOCKS,
                                        METRIC_TAIL,
                                        METRIC_OCCUPANCY_THEORETICAL};

/* Makes the parameters of a launch: those of the run and the launch's number. Returns false if
 * memory runs out. */
static bool add_launch(const struct launch_sampling *s, uint32_t number, struct texts *params)
{
    char launch[32];
    bool good = true;
    (void)snprintf(launch, sizeof launch, "launch=%u", number);
    for (uint32_t i = 0; i < s->run->params->count && good; i++)
        good = texts_add(params, s->run->params->item[i].text, 0, 0);
    return good && texts_add(params, launch, 0, 0);
}

/* Computes the signature and the profile of a launch without timing it. */
static enum simsm_status sign(const struct launch_sampling *s, const struct texts *params,
                              struct sample_signature *signature, struct sample_profile *profile,
                              struct simsm_error *error)
{
    struct front *front;
    const char **list = calloc(params->count + (size_t)1, sizeof *list);
    if (!list)
        return err_no_memory(error);
    for (uint32_t i = 0; i < params->count; i++)
        list[i] = params->item[i].text;
    enum simsm_status status = front_open(&front, s->run->trace, s->run->config, list, error);
    free((void *)list);
    if (status != SIMSM_OK)
        return status;
    front_stop_when(front, s->run->stop);
    status = sample_sign(front, signature, profile, error);
    front_close(front);
    return status;
}

static enum simsm_status time_launch(struct launch_sampling *s, const struct texts *params,
                                     struct block_sampler *blocks, struct simsm_error *error)
{
    struct outcome_run run = *s->run;
    run.params = params;
    enum simsm_status status = outcome_launch(&run, blocks, s->one, error);
    if (status != SIMSM_OK)
        return status;
    const struct block_outcome *part = &blocks->outcome;
    const uint64_t simulated = (uint64_t)s->one->metric[METRIC_CYCLES_ELAPSED];
    struct sample_figures figures = {.cycles = simulated,
                                     .simulated = simulated,
                                     .variance = part->variance,
                                     .freedom = part->freedom,
                                     .blocks_timed = part->timed,
                                     .ipc = s->one->metric[METRIC_IPC_ACTIVE],
                                     .occupancy_percent =
                                         s->one->metric[METRIC_OCCUPANCY_ACHIEVED]};
    memcpy(figures.counter, s->one->counter, sizeof figures.counter);
    memcpy(figures.blocks_text, part->text, sizeof figures.blocks_text);
    if (part->reason == BLOCKS_SAMPLED) {
        figures.cycles = (uint64_t)llround(part->cycles);
        for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
            figures.counter[i] = (uint64_t)llround(part->counter[i]);
    }
    return sampler_timed(s->sampler, &figures, error);
}

/* Returns the index of the first launch with the same name. Kernels are identified by name in a
 * recording. */
static uint32_t kernel_of(const struct launch_sampling *s, uint32_t launch)
{
    uint32_t first = 0;
    while (strcmp(s->launches.launch[first].name, s->launches.launch[launch].name) != 0)
        first++;
    return first;
}

static enum simsm_status do_launch(struct launch_sampling *s, uint32_t index,
                                   struct simsm_error *error)
{
    struct sample_subject subject = {.number = index + 1,
                                     .kernel = s->launches.launch[index].name,
                                     .identity = kernel_of(s, index),
                                     .launch = s->launches.launch[index]};
    struct sample_choice choice = {.mark = SAMPLE_COPY};
    struct sample_profile profile;
    struct block_sampler blocks;
    struct texts params = {0};
    enum simsm_status status = add_launch(s, index + 1, &params) ? SIMSM_OK : err_no_memory(error);
    if (status == SIMSM_OK)
        status = sign(s, &params, &subject.signature, &profile, error);
    if (status == SIMSM_OK)
        status = sampler_choose(s->sampler, &subject, &choice, error);
    if (status == SIMSM_OK && choice.mark == SAMPLE_TIMED) {
        block_sampler_begin(&blocks, &profile,
                            subject.signature.known ? NULL : sample_reason_texts[SAMPLE_UNKNOWN]);
        status = time_launch(s, &params, &blocks, error);
    }
    texts_free(&params);
    return status;
}

/* Fills counters and metrics with sums over all launches. */
static void take_sums(const struct launch_sampling *s, struct sweep_outcome *outcome)
{
    const struct sample_total total = sampler_total(s->sampler);
    struct simsm_metric metrics[METRIC_COUNT];
    struct simsm_stats sums = {.sms = s->run->config->gpu_sms,
                               .cycles = (uint64_t)llround(total.cycles),
                               .occupancy = {.max_warps = s->run->config->sm_warp_slots}};
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        sums.counter[i] = (uint64_t)llround(sampler_counter(s->sampler, i));
    metrics_compute(s->run->config, &sums, metrics);
    for (unsigned i = 0; i < METRIC_STALL; i++)
        outcome->metric[i] = metrics[i].value;
    for (size_t i = 0; i < sizeof of_launch / sizeof of_launch[0]; i++)
        outcome->metric[of_launch[i]] = NAN;
    memcpy(outcome->counter, sums.counter, sizeof outcome->counter);
    outcome->metric[OUTCOME_SAMPLE_LAUNCHES] = (double)total.launches;
    outcome->metric[OUTCOME_SAMPLE_TIMED] = (double)total.timed;
    outcome->metric[OUTCOME_SAMPLE_PARTS] = (double)total.parts;
    outcome->metric[OUTCOME_SAMPLE_COPIES] = (double)total.copies;
    outcome->metric[OUTCOME_SAMPLE_EXTRAPOLATED] = (double)total.estimated;
    outcome->metric[OUTCOME_SAMPLE_HALF] = total.half;
}

/* Fills kernel, grid and block, as far as all launches agree. */
static void take_launches(const struct launch_sampling *s, struct sweep_outcome *outcome)
{
    const struct simsm_launch *first = &s->launches.launch[0];
    bool same_kernel = true, same_shape = true;
    for (uint32_t i = 1; i < s->launches.count; i++) {
        const struct simsm_launch *other = &s->launches.launch[i];
        same_kernel &= strcmp(first->name, other->name) == 0;
        same_shape &= memcmp(first->grid, other->grid, sizeof first->grid) == 0 &&
                      memcmp(first->block, other->block, sizeof first->block) == 0;
    }
    (void)snprintf(outcome->kernel, sizeof outcome->kernel, "%s",
                   same_kernel ? first->name : "several kernels");
    if (same_shape) {
        memcpy(outcome->grid, first->grid, sizeof outcome->grid);
        memcpy(outcome->block, first->block, sizeof outcome->block);
    }
}

static enum simsm_status sample_all(struct launch_sampling *s, struct sweep_outcome *outcome,
                                    struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; i < s->launches.count && status == SIMSM_OK; i++)
        status = do_launch(s, i, error);
    if (status != SIMSM_OK)
        return status;
    take_launches(s, outcome);
    take_sums(s, outcome);
    return SIMSM_OK;
}

enum simsm_status outcome_sampled(const struct outcome_run *run, struct sweep_outcome *outcome,
                                  struct simsm_error *error)
{
    struct launch_sampling s = {.run = run};
    enum simsm_status status = front_launches_read(&s.launches, run->trace, error);
    if (status != SIMSM_OK)
        return status;
    s.sampler = sampler_new(true); /* L2 begins empty for each launch */
    s.one = malloc(sizeof *s.one);
    status = !s.sampler || !s.one ? err_no_memory(error)
             : !s.launches.count
                 ? err_at(error, SIMSM_BAD_INPUT, run->trace, 0, 0, "holds no launches to sample")
                 : sample_all(&s, outcome, error);
    sampler_free(s.sampler);
    free(s.one);
    front_launches_free(&s.launches);
    return status;
}
