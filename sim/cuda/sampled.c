#include "cuda/sampled.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "front/sass/execute/undo.h"

/* A launch that is executed so that it can be taken back. */
struct trial {
    struct exec_undo *undo;
    FILE *printed; /* what the kernel prints, held back */
    char *text;
    size_t size;
};

static void hold_back(void *context, const char *text, size_t size)
{
    struct trial *trial = context;
    (void)fwrite(text, 1, size, trial->printed);
}

static enum simsm_status begin(struct trial *trial, struct runtime *rt, struct simsm_error *error)
{
    *trial = (struct trial){.undo = exec_undo_create(rt->memory)};
    trial->printed = open_memstream(&trial->text, &trial->size);
    return trial->undo && trial->printed ? SIMSM_OK : err_no_memory(error);
}

/* Prints what was held back, if it has happened. */
static void end(struct trial *trial, const struct exec_options *options, bool happened)
{
    if (trial->printed && fclose(trial->printed) == 0 && happened && trial->size)
        options->print(options->print_context, trial->text, trial->size);
    free(trial->text);
    exec_undo_destroy(trial->undo);
}

/* Executes all blocks. What they do that depends on time is not known: then *known is false, and
 * nothing has been executed. */
static enum simsm_status try(struct trial *trial, struct exec_launch launch,
                             struct sample_signature *signature, struct journal_launch *row,
                             struct simsm_error *error)
{
    struct front *front;
    launch.options.undo = trial->undo;
    launch.options.print = hold_back;
    launch.options.print_context = trial;
    enum simsm_status status = exec_front_open(&front, &launch, error);
    if (status != SIMSM_OK)
        return status;
    status = sample_sign(front, signature, error);
    row->warp_instructions = exec_front_counts(front)->warp_instructions;
    front_close(front);
    return status;
}

static enum simsm_status time_again(struct runtime *rt, struct exec_launch *launch,
                                    const struct watch *watch, struct journal_launch *row,
                                    char **note, struct simsm_error *error)
{
    enum simsm_status status = timed_run(rt, launch, watch, row, note, error);
    return status == SIMSM_OK ? journal_sampled(rt->journal, row, error) : status;
}

enum simsm_status sampled_run(struct runtime *rt, struct exec_launch *launch,
                              const struct watch *watch, struct journal_launch *row, char **note,
                              struct simsm_error *error)
{
    struct trial trial;
    struct sample_signature signature;
    enum simsm_status status = begin(&trial, rt, error);
    if (status == SIMSM_OK)
        status = try(&trial, *launch, &signature, row, error);
    if (status == SIMSM_OK)
        status = journal_sample(rt->journal, row, &signature, error);
    const bool again = status == SIMSM_OK && row->mark == SAMPLE_TIMED;
    if (again && !exec_undo_restore(trial.undo))
        status = err_no_memory(error);
    row->timed = again;
    end(&trial, &launch->options, !again);
    return again && status == SIMSM_OK ? time_again(rt, launch, watch, row, note, error) : status;
}
