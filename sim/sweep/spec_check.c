/* Checks a spec: keys, values, contradictions. */
#include "sweep/spec_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "config/schema.h"
#include "simsm/config.h"
#include "simsm/simsm.h"

/* Checks an assignment "key=value" to the configuration. A parameter can be checked only when its
 * trace is opened. */
static enum simsm_status check_assignment(const struct spec *spec, const char *assignment,
                                          uint32_t line, uint32_t column, struct simsm_error *error)
{
    struct simsm_config scratch;
    struct simsm_error wrong;
    schema_defaults(&scratch);
    if (axis_parameter(assignment) || simsm_config_set(&scratch, assignment, &wrong) == SIMSM_OK)
        return SIMSM_OK;
    return spec_fail(spec, line, column, error, "%s", wrong.message);
}

static enum simsm_status check_texts(const struct spec *spec, const struct texts *texts,
                                     struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; i < texts->count && status == SIMSM_OK; i++)
        status = check_assignment(spec, texts->item[i].text, texts->item[i].line,
                                  texts->item[i].column, error);
    return status;
}

static enum simsm_status check_axis(const struct spec *spec, const struct sweep_axis *axis,
                                    struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    if (axis->group && strchr(axis->name, '.'))
        return spec_fail(spec, axis->line, axis->column, error,
                         "%s is a key: expected a value or a list of values; a group of keys that "
                         "vary together has a name without a dot",
                         axis->name);
    if (!axis->group && !strchr(axis->name, '.'))
        return spec_fail(spec, axis->line, axis->column, error,
                         "'%s' is neither section.key of the configuration nor param.NAME of the "
                         "trace; a group of keys that vary together maps names to settings",
                         axis->name);
    for (uint32_t i = 0; i < axis->values.count && status == SIMSM_OK; i++) {
        const struct placed_text *value = &axis->values.item[i];
        if (axis->group) {
            status = check_texts(spec, &axis->group[i], error);
            continue;
        }
        char *assignment = text_format("%s=%s", axis->name, value->text);
        status = assignment ? check_assignment(spec, assignment, value->line, value->column, error)
                            : err_no_memory(error);
        free(assignment);
    }
    return status;
}

static enum simsm_status check_axes(const struct spec *spec, const struct sweep_axes *axes,
                                    struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; i < axes->count && status == SIMSM_OK; i++)
        status = check_axis(spec, &axes->axis[i], error);
    return status;
}

static bool same_key(const char *assignment, const char *key)
{
    const size_t length = strlen(key);
    return strncmp(assignment, key, length) == 0 &&
           (assignment[length] == '=' || !assignment[length]);
}

/* Returns the first axis, other than `self`, that sets `key`, alone or in a group. NULL if there is
 * none. */
static const struct sweep_axis *axis_that_sets(const struct sweep_axes *axes,
                                               const struct sweep_axis *self, const char *key)
{
    for (uint32_t i = 0; i < axes->count; i++) {
        const struct sweep_axis *axis = &axes->axis[i];
        if (axis == self)
            continue;
        if (same_key(key, axis->name))
            return axis;
        for (uint32_t v = 0; axis->group && v < axis->values.count; v++) {
            for (uint32_t m = 0; m < axis->group[v].count; m++) {
                const char *member = axis->group[v].item[m].text;
                const size_t length = strcspn(member, "=");
                if (strncmp(member, key, length) == 0 && (key[length] == '=' || !key[length]))
                    return axis;
            }
        }
    }
    return NULL;
}

/* Returns SIMSM_BAD_INPUT if a key of a group is also set by another axis. */
static enum simsm_status check_groups(const struct spec *spec, const struct sweep_axes *axes,
                                      struct simsm_error *error)
{
    for (uint32_t i = 0; i < axes->count; i++) {
        const struct sweep_axis *axis = &axes->axis[i];
        for (uint32_t v = 0; axis->group && v < axis->values.count; v++) {
            for (uint32_t m = 0; m < axis->group[v].count; m++) {
                const struct placed_text *member = &axis->group[v].item[m];
                const struct sweep_axis *other = axis_that_sets(&spec->vary, axis, member->text);
                if (!other && axes != &spec->vary)
                    other = axis_that_sets(axes, axis, member->text);
                if (other)
                    return spec_fail(spec, member->line, member->column, error,
                                     "%.*s also gets values from '%s'; remove one of them",
                                     (int)strcspn(member->text, "="), member->text, other->name);
            }
        }
    }
    return SIMSM_OK;
}

/* Returns SIMSM_BAD_INPUT if a key or parameter gets its value from two places. */
static enum simsm_status check_sources(const struct spec *spec, const struct spec_kernel *kernel,
                                       struct simsm_error *error)
{
    for (uint32_t i = 0; i < kernel->vary.count; i++) {
        const struct sweep_axis *axis = &kernel->vary.axis[i];
        if (axes_find(&spec->vary, axis->name))
            return spec_fail(spec, axis->line, axis->column, error,
                             "%s already varies for all kernels", axis->name);
    }
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const struct placed_text *param = &kernel->params.item[i];
        const struct sweep_axes *both[] = {&spec->vary, &kernel->vary};
        for (size_t b = 0; b < 2; b++) {
            for (uint32_t a = 0; a < both[b]->count; a++) {
                const char *varied = axis_parameter(both[b]->axis[a].name);
                if (varied && same_key(param->text, varied))
                    return spec_fail(spec, param->line, param->column, error,
                                     "param.%s varies; remove its value here", varied);
            }
        }
    }
    return SIMSM_OK;
}

/* Refuses `sample` where it has no meaning. */
static enum simsm_status check_sample(const struct spec *spec, const struct spec_kernel *kernel,
                                      struct simsm_error *error)
{
    if (kernel->sample && kernel->kind == SPEC_CODE)
        return spec_fail(spec, kernel->line, kernel->column, error,
                         "sample chooses among launches, and a launch file has one: leave it out");
    if (kernel->sample && kernel->launches.count)
        return spec_fail(spec, kernel->launches.item[0].line, kernel->launches.item[0].column,
                         error, "sample stands for all launches: leave out `launches`");
    if (kernel->sample && spec->max_cycles)
        return spec_fail(spec, kernel->line, kernel->column, error,
                         "sample cannot estimate launches that max_cycles cuts off: leave one of "
                         "them out");
    return SIMSM_OK;
}

static enum simsm_status check_kernel(const struct spec *spec, const struct spec_kernel *kernel,
                                      struct simsm_error *error)
{
    static const char *const kinds[] = {"a trace", "machine code", "a program"};
    const struct {
        bool given;
        const char *key;
        enum spec_kind kind;
    } belongs[] = {{kernel->launch_file != NULL, "launch_file", SPEC_CODE},
                   {kernel->env.count > 0, "env", SPEC_PROGRAM},
                   {kernel->folder != NULL, "folder", SPEC_PROGRAM}};
    if (!kernel->path)
        return spec_fail(spec, kernel->line, kernel->column, error,
                         "a kernel needs a key trace, code or program, which names its file");
    if (kernel->kind == SPEC_CODE && !kernel->launch_file)
        return spec_fail(spec, kernel->line, kernel->column, error,
                         "code needs launch_file, which says which kernel to launch and how");
    for (size_t i = 0; i < sizeof belongs / sizeof belongs[0]; i++) {
        if (belongs[i].given && kernel->kind != belongs[i].kind)
            return spec_fail(spec, kernel->line, kernel->column, error, "%s is for %s; this is %s",
                             belongs[i].key, kinds[belongs[i].kind], kinds[kernel->kind]);
    }
    if (kernel->kind == SPEC_PROGRAM && kernel->params.count)
        return spec_fail(spec, kernel->params.item[0].line, kernel->params.item[0].column, error,
                         "a program takes arguments, not param");
    for (uint32_t i = 0; &spec->kernel[i] != kernel; i++) {
        if (strcmp(spec->kernel[i].name, kernel->name) == 0)
            return spec_fail(spec, kernel->line, kernel->column, error,
                             "a second kernel '%s'; give one of them another `name`", kernel->name);
    }
    enum simsm_status status = check_sample(spec, kernel, error);
    if (status == SIMSM_OK)
        status = check_axes(spec, &kernel->vary, error);
    if (status == SIMSM_OK)
        status = check_groups(spec, &kernel->vary, error);
    return status == SIMSM_OK ? check_sources(spec, kernel, error) : status;
}

static bool is_axis(const struct spec *spec, const char *name)
{
    bool found = strcmp(name, "config") == 0 || strcmp(name, "kernel") == 0 ||
                 axes_find(&spec->vary, name) != NULL;
    for (uint32_t i = 0; i < spec->kernels && !found; i++)
        found = axes_find(&spec->kernel[i].vary, name) != NULL;
    return found;
}

/* Returns whether `value` is the name of a configuration (`name` "config"), the name of a kernel
 * ("kernel"), or a value of the axis `name`. */
static bool is_value(const struct spec *spec, const char *name, const char *value)
{
    const struct sweep_axis *axis = axes_find(&spec->vary, name);
    if (strcmp(name, "config") == 0)
        return texts_find(&spec->configs, value);
    bool found = axis && texts_find(&axis->values, value);
    for (uint32_t i = 0; i < spec->kernels && !found; i++) {
        axis = axes_find(&spec->kernel[i].vary, name);
        found = strcmp(name, "kernel") == 0 ? strcmp(spec->kernel[i].name, value) == 0
                                            : axis && texts_find(&axis->values, value);
    }
    return found;
}

/* Returns SIMSM_BAD_INPUT if a value of a rule never occurs. Values of one range FROM:TO:STEP have
 * the same place; one of them must occur. */
static enum simsm_status check_values(const struct spec *spec, const struct sweep_axis *axis,
                                      struct simsm_error *error)
{
    const struct texts *values = &axis->values;
    for (uint32_t i = 0; i < values->count;) {
        const struct placed_text *first = &values->item[i];
        bool found = false;
        for (; i < values->count && values->item[i].line == first->line &&
               values->item[i].column == first->column;
             i++)
            found = found || is_value(spec, axis->name, values->item[i].text);
        if (!found)
            return spec_fail(spec, first->line, first->column, error,
                             "%s is never %s in this sweep: the condition matches nothing",
                             axis->name, first->text);
    }
    return SIMSM_OK;
}

static enum simsm_status check_rules(const struct spec *spec, const struct spec_rules *rules,
                                     struct simsm_error *error)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        const struct sweep_axes *keys = &rules->rule[i].keys;
        for (uint32_t k = 0; k < keys->count; k++) {
            const struct sweep_axis *axis = &keys->axis[k];
            if (!is_axis(spec, axis->name))
                return spec_fail(spec, axis->line, axis->column, error,
                                 "'%s' does not vary: expected config, kernel or a key of vary",
                                 axis->name);
            if (axis->group)
                return spec_fail(spec, axis->line, axis->column, error,
                                 "%s: expected a value or a list of values", axis->name);
            enum simsm_status status = check_values(spec, axis, error);
            if (status != SIMSM_OK)
                return status;
        }
    }
    return SIMSM_OK;
}

static enum simsm_status check_set(const struct spec *spec, struct simsm_error *error)
{
    for (uint32_t i = 0; i < spec->set.count; i++) {
        const struct placed_text *set = &spec->set.item[i];
        if (axis_parameter(set->text))
            return spec_fail(spec, set->line, set->column, error,
                             "a parameter belongs to a kernel: give it there, under `param`");
    }
    for (uint32_t i = 0; i < spec->set.count; i++) {
        const struct placed_text *set = &spec->set.item[i];
        const struct sweep_axis *axis = axis_that_sets(&spec->vary, NULL, set->text);
        for (uint32_t k = 0; k < spec->kernels && !axis; k++)
            axis = axis_that_sets(&spec->kernel[k].vary, NULL, set->text);
        if (axis)
            return spec_fail(spec, set->line, set->column, error,
                             "'%s' varies this key; remove it here or there", axis->name);
    }
    return check_texts(spec, &spec->set, error);
}

enum simsm_status spec_check(const struct spec *spec, struct simsm_error *error)
{
    if (!spec->configs.count)
        return spec_fail(spec, 0, 0, error, "names no GPU; add a key, such as configs: [t4]");
    if (!spec->kernels)
        return spec_fail(spec, 0, 0, error,
                         "names no kernel; add a key, such as kernels: [divergent.trace]");
    if (spec->threads > SIMSM_THREADS_MAX)
        return spec_fail(spec, 0, 0, error, "threads: expected at most %d, found %llu",
                         SIMSM_THREADS_MAX, (unsigned long long)spec->threads);
    enum simsm_status status = check_axes(spec, &spec->vary, error);
    if (status == SIMSM_OK)
        status = check_groups(spec, &spec->vary, error);
    if (status == SIMSM_OK)
        status = check_set(spec, error);
    for (uint32_t i = 0; i < spec->kernels && status == SIMSM_OK; i++)
        status = check_kernel(spec, &spec->kernel[i], error);
    if (status == SIMSM_OK)
        status = check_rules(spec, &spec->only, error);
    return status == SIMSM_OK ? check_rules(spec, &spec->exclude, error) : status;
}
