/* The short form of a sweep: checks the values and simulates one trace under all combinations. */
#include "sweep/variants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "sweep/workers.h"

static enum simsm_status add_values(struct sweep_axis *axis, const char *text,
                                    struct simsm_error *error)
{
    const uint32_t most = AXIS_VALUES;
    for (;;) {
        const size_t length = strcspn(text, ",");
        char *value = text_copy(text, length);
        if (!value)
            return err_no_memory(error);
        const char *wrong = axis_range_error(value);
        const bool empty = !length, added = !empty && !wrong && axis_add(axis, value, 0, 0);
        free(value);
        if (wrong)
            return err_set(error, SIMSM_BAD_INPUT,
                           "--vary %s: expected KEY=from:to:step, but in %.*s %s", axis->name,
                           (int)length, text, wrong);
        if (empty)
            return err_set(error, SIMSM_BAD_INPUT,
                           "--vary %s: a value is empty; expected KEY=a,b,c or KEY=from:to:step",
                           axis->name);
        if (!added)
            return err_set(error, SIMSM_BAD_INPUT, "--vary %s: more than %u values", axis->name,
                           most);
        if (!text[length])
            return SIMSM_OK;
        text += length + 1;
    }
}

enum simsm_status variants_add(struct variants *variants, const char *text,
                               struct simsm_error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return err_set(error, SIMSM_BAD_INPUT,
                       "--vary '%s': expected KEY=a,b,c or KEY=from:to:step, such as "
                       "sm.scheduler=gto,lrr or memory.fixed_latency=100:800:100",
                       text);
    if (variants->axes.count == VARIANTS_KEYS)
        return err_set(error, SIMSM_BAD_INPUT, "more than %d keys to vary", VARIANTS_KEYS);
    char *name = text_copy(text, (size_t)(equals - text));
    if (!name)
        return err_no_memory(error);
    const bool twice = axes_find(&variants->axes, name) != NULL;
    if (twice)
        (void)err_set(error, SIMSM_BAD_INPUT, "--vary %s is given twice", name);
    struct sweep_axis *axis = twice ? NULL : axes_add(&variants->axes, name);
    free(name);
    if (axis)
        return add_values(axis, equals + 1, error);
    return twice ? SIMSM_BAD_INPUT : err_no_memory(error);
}

const char *variants_value(const struct variants *variants, uint32_t point, uint32_t axis)
{
    SIMSM_CHECK(axis < variants->axes.count, "axis %u of %u", axis, variants->axes.count);
    for (uint32_t a = variants->axes.count - 1; a > axis; a--)
        point /= variants->axes.axis[a].values.count;
    const struct texts *values = &variants->axes.axis[axis].values;
    return values->item[point % values->count].text;
}

static enum simsm_status configure(const struct variants *variants, uint32_t point,
                                   struct simsm_config *config, struct texts *params,
                                   struct simsm_error *error)
{
    *config = *variants->config;
    for (size_t i = 0; i < variants->param_count; i++) {
        if (!texts_add(params, variants->params[i], 0, 0))
            return err_no_memory(error);
    }
    for (uint32_t a = 0; a < variants->axes.count; a++) {
        char *assignment =
            text_format("%s=%s", variants->axes.axis[a].name, variants_value(variants, point, a));
        enum simsm_status status =
            assignment ? space_apply(config, params, assignment, error) : err_no_memory(error);
        free(assignment);
        if (status != SIMSM_OK)
            return status;
    }
    return simsm_config_check(config, error);
}

/* Returns whether point `index` can be opened: SIMSM_OK, or the failure. */
static enum simsm_status try_point(const struct variants *variants, uint32_t index,
                                   struct simsm_error *error)
{
    struct simsm_config config;
    struct texts params = {0};
    enum simsm_status status = configure(variants, index, &config, &params, error);
    if (status == SIMSM_OK)
        status = outcome_check_open(variants->trace, &config, &params, error);
    texts_free(&params);
    return status;
}

/* Returns SIMSM_BAD_INPUT if a varied parameter also has a value from --param. */
static enum simsm_status check_params(const struct variants *variants,
                                      const struct sweep_axis *axis, struct simsm_error *error)
{
    const char *name = axis_parameter(axis->name);
    if (variants->param_count > VARIANTS_PARAMS)
        return err_set(error, SIMSM_BAD_INPUT, "more than %d options --param", VARIANTS_PARAMS);
    for (size_t i = 0; name && i < variants->param_count; i++) {
        const size_t length = strcspn(variants->params[i], "=");
        if (strlen(name) == length && memcmp(variants->params[i], name, length) == 0)
            return err_set(error, SIMSM_BAD_INPUT,
                           "--vary %s: the parameter also has a value, '%s': leave one of them out",
                           axis->name, variants->params[i]);
    }
    return SIMSM_OK;
}

static enum simsm_status check_values(const struct variants *variants,
                                      const struct sweep_axis *axis, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; i < axis->values.count && status == SIMSM_OK; i++) {
        struct simsm_config config = *variants->config;
        struct texts params = {0};
        char *assignment = text_format("%s=%s", axis->name, axis->values.item[i].text);
        status =
            assignment ? space_apply(&config, &params, assignment, error) : err_no_memory(error);
        texts_free(&params);
        free(assignment);
    }
    return status;
}

enum simsm_status variants_prepare(struct variants *variants, struct simsm_error *error)
{
    uint64_t points = 1;
    for (uint32_t a = 0; a < variants->axes.count; a++) {
        points *= variants->axes.axis[a].values.count;
        if (points > VARIANTS_POINTS)
            return err_set(error, SIMSM_BAD_INPUT,
                           "the values combine to more than %d points; vary fewer",
                           VARIANTS_POINTS);
    }
    variants->points = (uint32_t)points;
    for (uint32_t a = 0; a < variants->axes.count; a++) {
        enum simsm_status status = check_params(variants, &variants->axes.axis[a], error);
        if (status == SIMSM_OK)
            status = check_values(variants, &variants->axes.axis[a], error);
        if (status != SIMSM_OK)
            return status;
    }
    /*
     * If neither the first nor the last point can be opened, no point can: the path may be wrong.
     */
    enum simsm_status first = try_point(variants, 0, error);
    return first == SIMSM_OK ? first : try_point(variants, variants->points - 1, error);
}

struct variants_state {
    struct variants *variants;
    const struct variants_workers *workers;
    uint32_t next, ended;
};

static bool next_point(void *context, uint32_t *job)
{
    struct variants_state *running = context;
    *job = running->next;
    return running->next++ < running->variants->points;
}

static void work(void *context, uint32_t job, void *answer)
{
    const struct variants_state *running = context;
    const struct variants *variants = running->variants;
    struct sweep_outcome *outcome = answer;
    struct simsm_config config;
    struct texts params = {0};
    outcome->status = configure(variants, job, &config, &params, &outcome->error);
    const struct outcome_run run = {.config = &config,
                                    .trace = variants->trace,
                                    .params = &params,
                                    .max_cycles = variants->max_cycles,
                                    .stop = workers_stopped};
    if (outcome->status == SIMSM_OK)
        outcome_simulate(&run, outcome);
    texts_free(&params);
}

static void ended(void *context, uint32_t job, const void *answer, const char *reason,
                  double seconds)
{
    struct variants_state *running = context;
    struct variants_point *point = &running->variants->point[job];
    const struct sweep_outcome *outcome = answer;
    (void)seconds;
    if (outcome) {
        point->status = outcome->status;
        point->error = outcome->error;
        memcpy(point->metric, outcome->metric, sizeof point->metric);
    } else if (!running->workers->stop || !running->workers->stop()) {
        point->status = err_set(&point->error, SIMSM_FAILED, "%s", reason);
    }
    running->ended++;
    if (running->workers->ended)
        running->workers->ended(running->variants, running->ended);
}

enum simsm_status variants_run(struct variants *variants, const struct variants_workers *options,
                               struct simsm_error *error)
{
    struct variants_state running = {.variants = variants, .workers = options};
    const struct workers workers = {.jobs = options->jobs,
                                    .answer_size = sizeof(struct sweep_outcome),
                                    .context = &running,
                                    .next = next_point,
                                    .work = work,
                                    .ended = ended,
                                    .stop = options->stop};
    variants->point = calloc(variants->points, sizeof *variants->point);
    if (!variants->point)
        return err_no_memory(error);
    for (uint32_t i = 0; i < variants->points; i++) {
        variants->point[i].status = SIMSM_INTERRUPTED;
        for (unsigned m = 0; m < METRIC_COUNT; m++)
            variants->point[i].metric[m] = NAN;
    }
    enum simsm_status status = workers_run(&workers, error);
    for (uint32_t i = 0; i < variants->points && status == SIMSM_OK; i++) {
        if (variants->point[i].status == SIMSM_OK)
            continue;
        *error = variants->point[i].error;
        status = variants->point[i].status;
    }
    return status;
}

void variants_free(struct variants *variants)
{
    axes_free(&variants->axes);
    free(variants->point);
}
