/* Plans a sweep: loads configurations and inputs, chooses cases and finds their recordings. */
#include "sweep/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/infile.h"
#include "input/front_launches.h"
#include "sweep/sweep_outcome.h"

enum { SPEC_LIMIT = 1 << 20 };

enum simsm_status plan_configure(const struct plan *plan, uint32_t place,
                                 struct space_case *this_case, struct simsm_config *config,
                                 struct texts *params, struct simsm_error *error)
{
    space_at(&plan->spec, plan->wanted[place].number, this_case);
    *config = plan->base[this_case->config];
    return space_configure(&plan->spec, this_case, config, params, error);
}

/* Loads the configurations. A bare name is looked up as on the command line. A path is relative to
 * the folder of the spec. */
static enum simsm_status load_configs(struct plan *plan, struct simsm_error *error)
{
    const struct spec *spec = &plan->spec;
    plan->base = calloc(spec->configs.count, sizeof *plan->base);
    if (!plan->base)
        return err_no_memory(error);
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; i < spec->configs.count && status == SIMSM_OK; i++) {
        const struct placed_text *name = &spec->configs.item[i];
        const bool is_path = strchr(name->text, '/') || strstr(name->text, ".yaml");
        char *path = is_path ? text_path_beside(spec->path, name->text)
                             : text_copy(name->text, strlen(name->text));
        struct simsm_error wrong;
        char text[1200];
        if (!path)
            status = err_no_memory(error);
        else if (simsm_config_load(&plan->base[i], path, &wrong) != SIMSM_OK)
            status = spec_fail(spec, name->line, name->column, error, "%s",
                               simsm_error_text(&wrong, text, sizeof text));
        free(path);
    }
    return status;
}

static enum simsm_status read_kernel(const struct spec *spec, const struct spec_kernel *kernel,
                                     struct plan_kernel *known, struct simsm_error *error)
{
    struct front_launches launches = {0};
    enum simsm_status status = inputs_read(&known->inputs, spec, kernel, error);
    if (status == SIMSM_OK && kernel->kind == SPEC_TRACE)
        status = front_launches_read(&launches, kernel->path, error);
    known->launches = launches.count;
    front_launches_free(&launches);
    if (status == SIMSM_OK && kernel->sample && kernel->kind == SPEC_TRACE && !known->launches)
        status = spec_fail(spec, kernel->line, kernel->column, error,
                           "sample is for the launches of a recording, a list of traces or a "
                           "program; %s is one launch",
                           kernel->path);
    for (uint32_t i = 0; i < kernel->launches.count && status == SIMSM_OK; i++) {
        const struct placed_text *number = &kernel->launches.item[i];
        if (kernel->kind == SPEC_TRACE && strtoul(number->text, NULL, 10) > known->launches)
            status = spec_fail(spec, number->line, number->column, error,
                               "there is no launch %s: %s has %u launches", number->text,
                               kernel->path, known->launches);
    }
    return status;
}

static enum simsm_status read_kernels(struct plan *plan, struct simsm_error *error)
{
    plan->kernel = calloc(plan->spec.kernels, sizeof *plan->kernel);
    if (!plan->kernel)
        return err_no_memory(error);
    enum simsm_status status = SIMSM_OK;
    for (uint32_t k = 0; k < plan->spec.kernels && status == SIMSM_OK; k++)
        status = read_kernel(&plan->spec, &plan->spec.kernel[k], &plan->kernel[k], error);
    return status;
}

static enum simsm_status choose_cases(struct plan *plan, struct simsm_error *error)
{
    uint64_t count;
    enum simsm_status status = space_count(&plan->spec, &count, error);
    if (status != SIMSM_OK)
        return status;
    bool *met = calloc(plan->spec.only.count + plan->spec.exclude.count + (size_t)1, sizeof *met);
    plan->wanted = calloc(count, sizeof *plan->wanted);
    status = met && plan->wanted ? SIMSM_OK : err_no_memory(error);
    for (uint64_t i = 0; i < count && status == SIMSM_OK; i++) {
        struct space_case this_case;
        space_at(&plan->spec, i, &this_case);
        if (space_wanted(&plan->spec, &this_case, met))
            plan->wanted[plan->cases++] = (struct plan_case){i, PLAN_NO_RECORDING};
    }
    if (status == SIMSM_OK)
        status = space_check_rules_met(&plan->spec, met, error);
    free(met);
    if (status != SIMSM_OK)
        return status;
    return plan->cases ? SIMSM_OK
                       : spec_fail(&plan->spec, 0, 0, error, "`only` and `exclude` leave no point");
}

/* Returns whether a case can be opened; the kernel must be a trace. */
static enum simsm_status try_case(const struct plan *plan, uint32_t place,
                                  struct simsm_error *error)
{
    struct space_case this_case;
    struct simsm_config config;
    struct texts params = {0};
    enum simsm_status status = plan_configure(plan, place, &this_case, &config, &params, error);
    if (status == SIMSM_OK)
        status = simsm_config_check(&config, error);
    if (status == SIMSM_OK && plan->kernel[this_case.kernel - plan->spec.kernel].launches)
        status = texts_add(&params, "launch=1", 0, 0) ? SIMSM_OK : err_no_memory(error);
    if (status == SIMSM_OK)
        status = outcome_check_open(this_case.kernel->path, &config, &params, error);
    texts_free(&params);
    return status;
}

/* The first and the last case of a kernel; first > last: it has no case. */
struct case_ends {
    uint32_t first, last;
};

static enum simsm_status find_ends(const struct plan *plan, struct case_ends **ends,
                                   struct simsm_error *error)
{
    *ends = calloc(plan->spec.kernels, sizeof **ends);
    if (!*ends)
        return err_no_memory(error);
    for (uint32_t k = 0; k < plan->spec.kernels; k++)
        (*ends)[k] = (struct case_ends){1, 0};
    for (uint32_t i = 0; i < plan->cases; i++) {
        struct space_case this_case;
        space_at(&plan->spec, plan->wanted[i].number, &this_case);
        struct case_ends *of = &(*ends)[this_case.kernel - plan->spec.kernel];
        of->first = of->first > of->last ? i : of->first;
        of->last = i;
    }
    return SIMSM_OK;
}

/* Returns SIMSM_BAD_INPUT if neither the first nor the last case of a trace can be opened, for
 * example because the trace lacks a parameter: then no case can. */
static enum simsm_status try_kernels(const struct plan *plan, struct simsm_error *error)
{
    struct case_ends *ends;
    struct simsm_error wrong;
    char text[1200];
    enum simsm_status status = find_ends(plan, &ends, error);
    for (uint32_t k = 0; k < plan->spec.kernels && status == SIMSM_OK; k++) {
        const struct spec_kernel *kernel = &plan->spec.kernel[k];
        if (kernel->kind != SPEC_TRACE || ends[k].first > ends[k].last ||
            try_case(plan, ends[k].first, &wrong) == SIMSM_OK ||
            try_case(plan, ends[k].last, &wrong) == SIMSM_OK)
            continue;
        status = spec_fail(&plan->spec, kernel->line, kernel->column, error, "kernel '%s': %s",
                           kernel->name, simsm_error_text(&wrong, text, sizeof text));
    }
    free(ends);
    return status;
}

/* Finds the recording of each case whose kernel is machine code or a program. */
static enum simsm_status find_recordings(struct plan *plan, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; i < plan->cases && status == SIMSM_OK; i++) {
        struct space_case this_case;
        struct simsm_config config;
        struct texts params = {0};
        status = plan_configure(plan, i, &this_case, &config, &params, error);
        if (status == SIMSM_OK && this_case.kernel->kind != SPEC_TRACE)
            status = recordings_find(&plan->recordings, this_case.kernel,
                                     &plan->kernel[this_case.kernel - plan->spec.kernel].inputs,
                                     &config, &params, &plan->wanted[i].recording, error);
        texts_free(&params);
    }
    return status;
}

char *plan_folder(const struct plan *plan, const char *ending)
{
    const char *results = plan->spec.results;
    const char *slash = strrchr(results, '/'), *dot = strrchr(results, '.');
    const bool has_end = dot && (!slash || dot > slash + 1) && dot != results;
    return text_format("%.*s.%s", has_end ? (int)(dot - results) : (int)strlen(results), results,
                       ending);
}

static enum simsm_status take_results(struct plan *plan, const char *results,
                                      struct simsm_error *error)
{
    if (results) {
        free(plan->spec.results);
        plan->spec.results = text_copy(results, strlen(results));
    }
    plan->recordings.folder = plan->spec.results ? plan_folder(plan, "recordings") : NULL;
    return plan->recordings.folder ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status plan_read(struct plan *plan, const char *spec, const char *results,
                            const char *simsm, struct simsm_error *error)
{
    size_t size;
    *plan = (struct plan){.recordings = {.simsm = simsm}};
    enum simsm_status status = spec_read(&plan->spec, spec, error);
    if (status == SIMSM_OK)
        status = infile_read(spec, "sweep", SPEC_LIMIT, &plan->text, &size, error);
    if (status == SIMSM_OK)
        status = take_results(plan, results, error);
    if (status == SIMSM_OK)
        status = load_configs(plan, error);
    if (status == SIMSM_OK)
        status = read_kernels(plan, error);
    if (status == SIMSM_OK)
        status = choose_cases(plan, error);
    if (status == SIMSM_OK)
        status = try_kernels(plan, error);
    return status == SIMSM_OK ? find_recordings(plan, error) : status;
}

void plan_free(struct plan *plan)
{
    for (uint32_t k = 0; plan->kernel && k < plan->spec.kernels; k++)
        inputs_free(&plan->kernel[k].inputs);
    free(plan->kernel);
    free(plan->base);
    free(plan->text);
    free(plan->wanted);
    free(plan->point);
    recordings_free(&plan->recordings);
    spec_free(&plan->spec);
    *plan = (struct plan){0};
}
