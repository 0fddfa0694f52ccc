/*
 * Launches with --sample: executes a launch on trial, asks the sampler, and times all blocks, some
 * or none.
 */
#include "cuda/launch_sampling.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "cuda/device_launch.h"
#include "cuda/launch_copies.h"
#include "cuda/outputs.h"
#include "exec/memory/undo.h"

/* An execution that can be undone. */
struct trial_execution {
    struct exec_undo *undo;
    FILE *printed; /* what the kernel printed during the trial */
    char *text;
    size_t size;
};

/* Stores what the kernel prints. */
static void store_printed(void *context, const char *text, size_t size)
{
    struct trial_execution *trial = context;
    (void)fwrite(text, 1, size, trial->printed);
}

static enum simsm_status trial_begin(struct trial_execution *trial, struct runtime *rt,
                                     struct simsm_error *error)
{
    *trial = (struct trial_execution){.undo = exec_undo_create(rt->memory)};
    trial->printed = open_memstream(&trial->text, &trial->size);
    return trial->undo && trial->printed ? SIMSM_OK : err_no_memory(error);
}

/*
 * Ends the trial. Prints the stored text if `happened`: the trial is then the launch's only
 * execution.
 */
static void trial_end(struct trial_execution *trial, const struct exec_options *options,
                      bool happened)
{
    if (trial->printed && fclose(trial->printed) == 0 && happened && trial->size)
        options->print(options->print_context, trial->text, trial->size);
    free(trial->text);
    exec_undo_destroy(trial->undo);
}

/*
 * Executes all blocks and describes what they do in *signature and *profile. If what they do
 * depends on time, signature->known is false.
 */
static enum simsm_status execute_trial(struct trial_execution *trial, struct exec_launch launch,
                                       struct sample_signature *signature,
                                       struct sample_profile *profile, struct journal_launch *row,
                                       struct simsm_error *error)
{
    struct front *front;
    launch.options.undo = trial->undo;
    launch.options.print = store_printed;
    launch.options.print_context = trial;
    enum simsm_status status = exec_front_open(&front, &launch, error);
    if (status != SIMSM_OK)
        return status;
    status = sample_sign(front, signature, profile, error);
    signature->known = signature->known && !profile->waits;
    row->warp_instructions = exec_front_counts(front)->warp_instructions;
    front_close(front);
    return status;
}

/* Returns why all blocks of the launch must be timed; NULL if a part of the blocks may be timed. */
static const char *reason_to_time_all(const struct runtime *rt, const struct exec_launch *launch,
                                      const struct sample_signature *signature)
{
    if (!signature->known)
        return sample_reason_texts[SAMPLE_UNKNOWN];
    if (launch->options.cooperative)
        return "the launch is cooperative: its blocks may wait for all others";
    return rt->l2 ? "--warm: the next launch finds L2 as this one leaves it" : NULL;
}

/*
 * Returns whether the effects of the trial can be restored without a second execution: only memory
 * changed, and nothing was printed.
 */
static bool can_repeat(const struct trial_execution *trial)
{
    return fflush(trial->printed) == 0 && trial->size == 0 && exec_undo_repeatable(trial->undo);
}

/*
 * Undoes the trial, times the launch or some of its blocks, and restores the effects of the other
 * blocks.
 */
static enum simsm_status time_after_trial(struct runtime *rt, struct exec_launch *launch,
                                          const struct launch_watch *watch,
                                          struct trial_execution *trial,
                                          struct block_sampler *blocks, struct journal_launch *row,
                                          struct simsm_error *error)
{
    const struct timed_part part = {.blocks = blocks, .skip_untimed = can_repeat(trial)};
    device_launch_forget(launch->options.device_call_context);
    if (!exec_undo_restore(trial->undo))
        return err_no_memory(error);
    enum simsm_status status = launch_time(rt, launch, watch, &part, row, error);
    if (status != SIMSM_OK)
        return status;
    if (part.skip_untimed && blocks->outcome.reason == BLOCKS_SAMPLED)
        exec_undo_repeat(trial->undo);
    return journal_add_sampled(rt->journal, row, &blocks->outcome, error);
}

enum simsm_status launch_time_sampled(struct runtime *rt, struct exec_launch *launch,
                                      const struct launch_watch *watch, struct journal_launch *row,
                                      struct simsm_error *error)
{
    struct sample_profile profile;
    struct block_sampler blocks;
    struct trial_execution trial;
    struct sample_signature signature;
    enum simsm_status status = trial_begin(&trial, rt, error);
    if (status == SIMSM_OK)
        status = execute_trial(&trial, *launch, &signature, &profile, row, error);
    if (status == SIMSM_OK)
        status = journal_choose_sample(rt->journal, row, &signature, error);
    const bool again = status == SIMSM_OK && row->mark == SAMPLE_TIMED;
    row->timed = again;
    if (again) {
        block_sampler_begin(&blocks, &profile, reason_to_time_all(rt, launch, &signature));
        status = time_after_trial(rt, launch, watch, &trial, &blocks, row, error);
    }
    trial_end(&trial, &launch->options, !again);
    return status;
}

enum simsm_status launch_time_once(struct runtime *rt, struct exec_launch *launch,
                                   const struct launch_watch *watch, struct journal_launch *row,
                                   struct simsm_error *error)
{
    struct sample_profile profile;
    struct trial_execution trial;
    struct sample_signature signature;
    if (launch->options.cooperative || !launch_copies_may_repeat(rt->copies, row))
        return launch_time(rt, launch, watch, NULL, row, error);
    enum simsm_status status = trial_begin(&trial, rt, error);
    if (status == SIMSM_OK)
        status = execute_trial(&trial, *launch, &signature, &profile, row, error);
    const bool again = status != SIMSM_OK || !launch_copies_find(rt->copies, &signature, row);
    if (again) {
        /* A failure comes again, with its place in time. */
        device_launch_forget(launch->options.device_call_context);
        status = exec_undo_restore(trial.undo) ? launch_time(rt, launch, watch, NULL, row, error)
                                               : err_no_memory(error);
        if (status == SIMSM_OK && signature.known)
            launch_copies_add(rt->copies, signature.hash, row);
    }
    trial_end(&trial, &launch->options, !again);
    if (!again)
        outputs_say_copy(rt, row);
    return status;
}
