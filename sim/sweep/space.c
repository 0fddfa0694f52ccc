/* Numbers the cases of a sweep and computes their configurations. */
#include "sweep/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"

/*
 * Returns the number of combinations of the values that vary for `kernel`, at most SPACE_CASES + 1.
 */
static uint64_t combinations(const struct spec *spec, const struct spec_kernel *kernel)
{
    const struct sweep_axes *both[] = {&spec->vary, &kernel->vary};
    uint64_t count = 1;
    for (size_t b = 0; b < 2; b++) {
        for (uint32_t a = 0; a < both[b]->count && count <= SPACE_CASES; a++)
            count *= both[b]->axis[a].values.count;
    }
    return count <= SPACE_CASES ? count : SPACE_CASES + 1;
}

static uint64_t cases_of_config(const struct spec *spec)
{
    uint64_t count = 0;
    for (uint32_t k = 0; k < spec->kernels; k++)
        count += combinations(spec, &spec->kernel[k]);
    return count ? count : 1; /* at least 1: spec_check() requires a kernel */
}

enum simsm_status space_count(const struct spec *spec, uint64_t *cases, struct simsm_error *error)
{
    for (uint32_t k = 0; k < spec->kernels; k++) {
        const struct spec_kernel *kernel = &spec->kernel[k];
        if (spec->vary.count + kernel->vary.count > SPACE_AXES)
            return spec_fail(spec, kernel->line, kernel->column, error,
                             "more than %d keys and groups vary", SPACE_AXES);
    }
    *cases = cases_of_config(spec) * spec->configs.count;
    if (*cases > SPACE_CASES)
        return spec_fail(spec, 0, 0, error, "the values combine to more than %d points; vary fewer",
                         SPACE_CASES);
    return SIMSM_OK;
}

void space_at(const struct spec *spec, uint64_t number, struct space_case *result)
{
    const uint64_t each = cases_of_config(spec);
    *result = (struct space_case){.config = (uint32_t)(number / each)};
    uint64_t rest = number % each;
    uint32_t k = 0;
    for (; k < spec->kernels && rest >= combinations(spec, &spec->kernel[k]); k++)
        rest -= combinations(spec, &spec->kernel[k]);
    SIMSM_CHECK(k < spec->kernels && result->config < spec->configs.count,
                "case %llu: configuration %u of %u, kernel %u of %u", (unsigned long long)number,
                result->config, spec->configs.count, k, spec->kernels);
    result->kernel = &spec->kernel[k];
    const struct sweep_axes *both[] = {&spec->vary, &spec->kernel[k].vary};
    for (size_t b = 0; b < 2; b++) {
        for (uint32_t a = 0; a < both[b]->count; a++)
            result->axis[result->axes++] = &both[b]->axis[a];
    }
    for (uint32_t a = result->axes; a-- > 0;) {
        const uint32_t values = result->axis[a]->values.count;
        const uint32_t count = values ? values : 1; /* at least 1: an axis has a value */
        result->value[a] = (uint32_t)(rest % count);
        rest /= count;
    }
}

/* Returns the value of a case on the axis `name`, or its configuration or kernel; NULL if the axis
 * does not vary for its kernel. */
static const char *value_of(const struct spec *spec, const struct space_case *this_case,
                            const char *name)
{
    if (strcmp(name, "config") == 0)
        return spec->configs.item[this_case->config].text;
    if (strcmp(name, "kernel") == 0)
        return this_case->kernel->name;
    for (uint32_t a = 0; a < this_case->axes; a++) {
        if (strcmp(this_case->axis[a]->name, name) == 0)
            return this_case->axis[a]->values.item[this_case->value[a]].text;
    }
    return NULL;
}

static bool matches(const struct spec *spec, const struct space_case *this_case,
                    const struct spec_rule *rule)
{
    for (uint32_t k = 0; k < rule->keys.count; k++) {
        const char *value = value_of(spec, this_case, rule->keys.axis[k].name);
        if (!value || !texts_find(&rule->keys.axis[k].values, value))
            return false;
    }
    return true;
}

/* Returns whether a rule matches the case. Sets met[i] if rule i does. */
static bool any_matches(const struct spec *spec, const struct space_case *this_case,
                        const struct spec_rules *rules, bool *met)
{
    bool any = false;
    for (uint32_t i = 0; i < rules->count; i++) {
        const bool one = matches(spec, this_case, &rules->rule[i]);
        any |= one;
        met[i] |= one;
    }
    return any;
}

bool space_wanted(const struct spec *spec, const struct space_case *this_case, bool *met)
{
    const bool chosen = any_matches(spec, this_case, &spec->only, met);
    const bool left_out = any_matches(spec, this_case, &spec->exclude, met + spec->only.count);
    return (chosen || !spec->only.count) && !left_out;
}

/* Writes a rule as "kernel: a, gpu.sms: [1, 2]", shortened if it is long. */
static void describe_rule(const struct spec_rule *rule, char text[200])
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t k = 0; k < rule->keys.count && used < 120; k++) {
        const struct sweep_axis *axis = &rule->keys.axis[k];
        const bool list = axis->values.count > 1;
        used += (size_t)snprintf(text + used, 60, "%s%.40s: %s", k ? ", " : "", axis->name,
                                 list ? "[" : "");
        for (uint32_t v = 0; v < axis->values.count && used < 120; v++)
            used += (size_t)snprintf(text + used, 40, "%s%.30s", v ? ", " : "",
                                     axis->values.item[v].text);
        used += (size_t)snprintf(text + used, 20, "%s", used >= 120 ? " ..." : list ? "]" : "");
    }
}

enum simsm_status space_check_rules_met(const struct spec *spec, const bool *met,
                                        struct simsm_error *error)
{
    const struct spec_rules *const both[] = {&spec->only, &spec->exclude};
    static const char *const names[] = {"only", "exclude"};
    for (size_t b = 0; b < 2; b++) {
        for (uint32_t i = 0; i < both[b]->count; i++) {
            const struct spec_rule *rule = &both[b]->rule[i];
            char text[200];
            if (*met++)
                continue;
            describe_rule(rule, text);
            return spec_fail(spec, rule->line, rule->column, error,
                             "%s: no point has all of {%s}: the rule matches nothing", names[b],
                             text);
        }
    }
    return SIMSM_OK;
}

enum simsm_status space_apply(struct simsm_config *config, struct texts *params,
                              const char *assignment, struct simsm_error *error)
{
    const char *parameter = axis_parameter(assignment);
    if (!parameter)
        return simsm_config_set(config, assignment, error);
    return texts_add(params, parameter, 0, 0) ? SIMSM_OK : err_no_memory(error);
}

static enum simsm_status apply_all(struct simsm_config *config, struct texts *params,
                                   const struct texts *assignments, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; i < assignments->count && status == SIMSM_OK; i++)
        status = space_apply(config, params, assignments->item[i].text, error);
    return status;
}

static enum simsm_status apply_axis(struct simsm_config *config, struct texts *params,
                                    const struct sweep_axis *axis, uint32_t value,
                                    struct simsm_error *error)
{
    if (axis->group)
        return apply_all(config, params, &axis->group[value], error);
    char *assignment = text_format("%s=%s", axis->name, axis->values.item[value].text);
    enum simsm_status status =
        assignment ? space_apply(config, params, assignment, error) : err_no_memory(error);
    free(assignment);
    return status;
}

enum simsm_status space_configure(const struct spec *spec, const struct space_case *this_case,
                                  struct simsm_config *config, struct texts *params,
                                  struct simsm_error *error)
{
    const struct texts *given = &this_case->kernel->params;
    enum simsm_status status = apply_all(config, params, &spec->set, error);
    for (uint32_t i = 0; i < given->count && status == SIMSM_OK; i++) {
        if (!texts_add(params, given->item[i].text, 0, 0))
            status = err_no_memory(error);
    }
    for (uint32_t a = 0; a < this_case->axes && status == SIMSM_OK; a++)
        status = apply_axis(config, params, this_case->axis[a], this_case->value[a], error);
    return status;
}
