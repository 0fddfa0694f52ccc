/* Paths of policy plugins in a spec, and the values of the axis `policy`. */
#include "sweep/spec_policy.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "plugin/plugin.h"
#include "simsm/policy.h"

/* Makes the path in "policy.module=./my.so" relative to the folder of the spec. Returns false if
 * memory runs out. */
static bool place_plugin(const struct spec *spec, struct texts *assignments)
{
    static const char key[] = "policy.module=";
    for (uint32_t i = 0; i < assignments->count; i++) {
        char **text = &assignments->item[i].text;
        if (strncmp(*text, key, sizeof key - 1) != 0 || !strchr(*text, '/'))
            continue;
        char *path = text_path_beside(spec->path, *text + sizeof key - 1);
        char *placed = path ? text_format("%s%s", key, path) : NULL;
        free(path);
        if (!placed)
            return false;
        free(*text);
        *text = placed;
    }
    return true;
}

static bool place_plugins(const struct spec *spec, struct sweep_axes *axes)
{
    bool done = true;
    for (uint32_t a = 0; a < axes->count && done; a++) {
        struct sweep_axis *axis = &axes->axis[a];
        const bool named = strcmp(axis->name, "policy.module") == 0;
        for (uint32_t v = 0; v < axis->values.count && done; v++) {
            char **value = &axis->values.item[v].text;
            if (axis->group)
                done = place_plugin(spec, &axis->group[v]);
            char *placed =
                named && strchr(*value, '/') ? text_path_beside(spec->path, *value) : NULL;
            done = done && (placed || !named || !strchr(*value, '/'));
            if (placed) {
                free(*value);
                *value = placed;
            }
        }
    }
    return done;
}

/* Where the settings of a plugin go: into the group of one value. */
struct policy_choices {
    struct texts *settings;
    const struct placed_text *value;
    bool lost; /* out of memory */
};

static void choose(void *context, const char *key, const char *value)
{
    struct policy_choices *chosen = context;
    char *assignment = text_format("%s=%s", key, value);
    chosen->lost |= !assignment || !texts_add(chosen->settings, assignment, chosen->value->line,
                                              chosen->value->column);
    free(assignment);
}

static bool is_scheduler(const char *name)
{
    const struct simsm_scheduler *const *scheduler = simsm_schedulers;
    while (*scheduler && strcmp((*scheduler)->name, name) != 0)
        scheduler++;
    return *scheduler != NULL;
}

/* Adds the settings that a value of the axis `policy` stands for: a scheduler of simsm, or a
 * plugin. */
static enum simsm_status expand_value(const struct spec *spec, const struct placed_text *value,
                                      struct texts *settings, struct simsm_error *error)
{
    struct policy_choices chosen = {.settings = settings, .value = value};
    struct simsm_error wrong;
    char message[1200];
    if (is_scheduler(value->text)) {
        choose(&chosen, "sm.scheduler", value->text);
        return chosen.lost ? err_no_memory(error) : SIMSM_OK;
    }
    char *name = strchr(value->text, '/') ? text_path_beside(spec->path, value->text)
                                          : text_copy(value->text, strlen(value->text));
    if (!name)
        return err_no_memory(error);
    enum simsm_status status = plugin_choices(name, choose, &chosen, &wrong);
    free(name);
    if (status != SIMSM_OK)
        return spec_fail(spec, value->line, value->column, error,
                         "'%s' is neither a scheduler of simsm nor a policy plugin: %s",
                         value->text, simsm_error_text(&wrong, message, sizeof message));
    return chosen.lost ? err_no_memory(error) : SIMSM_OK;
}

static enum simsm_status expand(const struct spec *spec, struct sweep_axes *axes,
                                struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t a = 0; a < axes->count && status == SIMSM_OK; a++) {
        struct sweep_axis *axis = &axes->axis[a];
        if (strcmp(axis->name, "policy") != 0 || axis->group)
            continue;
        axis->group = calloc(axis->values.count, sizeof *axis->group);
        if (!axis->group)
            return err_no_memory(error);
        for (uint32_t v = 0; v < axis->values.count && status == SIMSM_OK; v++)
            status = expand_value(spec, &axis->values.item[v], &axis->group[v], error);
    }
    return status;
}

enum simsm_status spec_policies(struct spec *spec, struct simsm_error *error)
{
    bool placed = place_plugin(spec, &spec->set) && place_plugins(spec, &spec->vary);
    for (uint32_t k = 0; k < spec->kernels && placed; k++)
        placed = place_plugins(spec, &spec->kernel[k].vary);
    enum simsm_status status = placed ? expand(spec, &spec->vary, error) : err_no_memory(error);
    for (uint32_t k = 0; k < spec->kernels && status == SIMSM_OK; k++)
        status = expand(spec, &spec->kernel[k].vary, error);
    return status;
}
