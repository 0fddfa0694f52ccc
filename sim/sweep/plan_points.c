/* The identities of the points of a plan, and their rows in the file of results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "config/sources.h"
#include "plugin/plugin.h"
#include "sweep/hash.h"
#include "sweep/plan.h"
#include "sweep/version.h"

static const char *const kinds[] = {"trace", "code", "program"};

enum { POINT_INPUTS = 128 };

/* What all launches of a case have in common. */
struct case_description {
    struct space_case this_case;
    struct simsm_config config;
    struct texts params, varied, set;
    char config_hash[HASH_TEXT];
    int64_t config_number;
    char *arguments, *folder;
    struct store_input input[POINT_INPUTS];
    uint32_t inputs;
    char plugin_path[PLUGIN_PATH], plugin_hash[HASH_TEXT];
    char problem[1200]; /* why the case cannot be simulated; "": it can */
    bool is_news; /* the problem arose in this sweep: replaces an older reason in the results */
};

static void release(struct case_description *d)
{
    texts_free(&d->params);
    texts_free(&d->varied);
    texts_free(&d->set);
    free(d->arguments);
    free(d->folder);
}

/* Adds the policy plugin to the inputs, because it decides results as the configuration does. Sets
 * `problem` if it cannot be read. */
static void add_plugin(struct case_description *d)
{
    struct simsm_error wrong;
    if (!d->config.policy_module[0] || d->problem[0])
        return;
    struct store_input *input = &d->input[d->inputs];
    *input = (struct store_input){.role = "policy", .path = d->plugin_path, .hash = d->plugin_hash};
    if (plugin_find(d->config.policy_module, d->plugin_path, &wrong) == SIMSM_OK &&
        hash_file(d->plugin_path, d->plugin_hash, &input->bytes, &wrong) == SIMSM_OK)
        d->inputs++;
    else
        (void)simsm_error_text(&wrong, d->problem, sizeof d->problem);
}

/* Removes comments from a configuration's text. The text is stored once for each configuration of
 * the sweep, so its size matters. */
static void drop_comments(char *text)
{
    char *to = text;
    for (const char *line = text; *line;) {
        const char *end = line + strcspn(line, "\n");
        const char *next = end + (*end == '\n');
        const char *comment = sources_comment(line, end);
        end = comment ? comment : end;
        while (end > line && (end[-1] == ' ' || end[-1] == '#'))
            end--;
        const size_t length = (size_t)(end - line);
        memmove(to, line, length);
        to += length;
        if (length)
            *to++ = '\n';
        line = next;
    }
    *to = '\0';
}

static enum simsm_status dump(struct store *store, struct case_description *d,
                              struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return err_no_memory(error);
    enum simsm_status status = simsm_config_dump(&d->config, file, error);
    if (fclose(file) != 0 && status == SIMSM_OK)
        status = err_no_memory(error);
    if (status == SIMSM_OK) {
        drop_comments(text);
        hash_bytes(text, strlen(text), d->config_hash);
        status = store_config(store, d->config_hash, text, &d->config_number, error);
    }
    free(text);
    return status;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct placed_text *)a)->text, ((const struct placed_text *)b)->text);
}

static void write_arguments(FILE *file, const struct case_description *d)
{
    const struct spec_kernel *kernel = d->this_case.kernel;
    for (uint32_t i = 0; i < kernel->env.count; i++)
        (void)fprintf(file, "env %s\n", kernel->env.item[i].text);
    for (uint32_t i = 1; i < kernel->program.count; i++)
        (void)fprintf(file, "argument %s\n", kernel->program.item[i].text);
    for (uint32_t i = 0; i < d->params.count; i++)
        (void)fprintf(file, "param %s\n", d->params.item[i].text);
    if (kernel->sample)
        (void)fprintf(file, "sample all\n");
}

static enum simsm_status describe_arguments(struct case_description *d, struct simsm_error *error)
{
    size_t size = 0;
    FILE *file = open_memstream(&d->arguments, &size);
    if (!file)
        return err_no_memory(error);
    if (d->params.count)
        qsort(d->params.item, d->params.count, sizeof *d->params.item, by_text);
    write_arguments(file, d);
    const char *folder = d->this_case.kernel->folder;
    d->folder = folder ? inputs_absolute(folder) : NULL;
    return fclose(file) == 0 && (d->folder || !folder) ? SIMSM_OK : err_no_memory(error);
}

static bool add_setting(struct texts *settings, const char *key, const char *value)
{
    char *text = text_format("%s=%s", key, value);
    const bool good = text && texts_add(settings, text, 0, 0);
    free(text);
    return good;
}

static bool add_all(struct texts *to, const struct texts *from, const char *prefix)
{
    bool good = true;
    for (uint32_t i = 0; i < from->count && good; i++) {
        char *text = text_format("%s%s", prefix, from->item[i].text);
        good = text && texts_add(to, text, 0, 0);
        free(text);
    }
    return good;
}

static enum simsm_status describe_settings(const struct plan *plan, struct case_description *d,
                                           struct simsm_error *error)
{
    const struct space_case *c = &d->this_case;
    bool good =
        add_all(&d->set, &plan->spec.set, "") && add_all(&d->set, &c->kernel->params, "param.");
    for (uint32_t a = 0; a < c->axes && good; a++) {
        const struct sweep_axis *axis = c->axis[a];
        good = add_setting(&d->varied, axis->name, axis->values.item[c->value[a]].text) &&
               (!axis->group || add_all(&d->set, &axis->group[c->value[a]], ""));
    }
    return good ? SIMSM_OK : err_no_memory(error);
}

static enum simsm_status describe(const struct plan *plan, struct store *store, uint32_t place,
                                  struct case_description *d, struct simsm_error *error)
{
    enum simsm_status status =
        plan_configure(plan, place, &d->this_case, &d->config, &d->params, error);
    if (status != SIMSM_OK)
        return status;
    const struct inputs *inputs = &plan->kernel[d->this_case.kernel - plan->spec.kernel].inputs;
    const uint32_t recording = plan->wanted[place].recording;
    struct simsm_error wrong;
    if (simsm_config_check(&d->config, &wrong) != SIMSM_OK)
        (void)simsm_error_text(&wrong, d->problem, sizeof d->problem);
    else if (recording != PLAN_NO_RECORDING && !plan->recordings.recording[recording].launches) {
        (void)snprintf(d->problem, sizeof d->problem, "%s",
                       plan->recordings.recording[recording].problem);
        d->is_news = plan->recordings.recording[recording].tried;
    }
    if (inputs->count + 1 > POINT_INPUTS)
        return err_set(error, SIMSM_BAD_INPUT, "a kernel has more than %d input files",
                       POINT_INPUTS - 1);
    memcpy(d->input, inputs->input, inputs->count * sizeof *d->input);
    d->inputs = inputs->count;
    add_plugin(d);
    status = dump(store, d, error);
    if (status == SIMSM_OK)
        status = describe_settings(plan, d, error);
    return status == SIMSM_OK ? describe_arguments(d, error) : status;
}

static enum simsm_status identify(const struct case_description *d, uint32_t launch,
                                  char identity[HASH_TEXT], struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return err_no_memory(error);
    (void)fprintf(file, "point 1\nversion %s\nconfig %s\nlaunch %u\n%s", sweep_version,
                  d->config_hash, launch, d->arguments);
    for (uint32_t i = 0; i < d->inputs; i++)
        (void)fprintf(file, "%s %s\n", d->input[i].role, d->input[i].hash);
    const bool good = fclose(file) == 0;
    if (good)
        hash_bytes(text, size, identity);
    free(text);
    return good ? SIMSM_OK : err_no_memory(error);
}

static enum simsm_status write_point(struct plan *plan, struct store *store, int64_t sweep,
                                     uint32_t place, uint32_t launch, struct case_description *d,
                                     struct simsm_error *error)
{
    struct plan_point *point = &plan->point[plan->points++];
    *point = (struct plan_point){.place = place, .launch = launch};
    enum simsm_status status = identify(d, launch, point->identity, error);
    const struct store_point row = {.identity = point->identity,
                                    .version = sweep_version,
                                    .kind = kinds[d->this_case.kernel->kind],
                                    .config = d->config_number,
                                    .launch = launch,
                                    .arguments = d->arguments,
                                    .folder = d->folder,
                                    .input = d->input,
                                    .inputs = d->inputs};
    if (status == SIMSM_OK)
        status = store_point(store, &row, &point->id, &point->state, error);
    const struct store_member member = {
        .sweep = sweep,
        .point = point->id,
        .config = plan->spec.configs.item[d->this_case.config].text,
        .kernel = d->this_case.kernel->name,
        .varied = &d->varied,
        .set = &d->set,
    };
    if (status == SIMSM_OK)
        status = store_member(store, &member, error);
    point->hopeless = d->problem[0] && point->state != STORE_DONE;
    if (status != SIMSM_OK || !point->hopeless || (point->state == STORE_FAILED && !d->is_news))
        return status;
    struct sweep_outcome none = {.kernel = ""};
    point->state = STORE_FAILED;
    return store_outcome(store, point->id, &none, d->problem, error);
}

/* Returns the number of launches that a case has; 0: a single launch without a number. */
static uint32_t launches_of(const struct plan *plan, uint32_t place,
                            const struct spec_kernel *kernel)
{
    const uint32_t recording = plan->wanted[place].recording;
    if (recording == PLAN_NO_RECORDING)
        return plan->kernel[kernel - plan->spec.kernel].launches;
    return plan->recordings.recording[recording].launches;
}

static enum simsm_status write_launches(struct plan *plan, struct store *store, int64_t sweep,
                                        uint32_t place, struct case_description *d,
                                        struct simsm_error *error)
{
    const struct spec_kernel *kernel = d->this_case.kernel;
    const uint32_t has = kernel->sample ? 0 : launches_of(plan, place, kernel);
    const uint32_t chosen = has ? kernel->launches.count : 0;
    const uint32_t count = !has ? 1 : chosen ? chosen : has;
    struct plan_point *grown = realloc(plan->point, (plan->points + (size_t)count) * sizeof *grown);
    if (!grown)
        return err_no_memory(error);
    plan->point = grown;
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; i < count && status == SIMSM_OK; i++) {
        uint32_t launch = !has ? 0 : i + 1;
        if (chosen)
            launch = (uint32_t)strtoul(kernel->launches.item[i].text, NULL, 10);
        const bool missing = launch > has;
        if (missing)
            (void)snprintf(d->problem, sizeof d->problem,
                           "there is no launch %u: the kernel has %u launches", launch, has);
        status = write_point(plan, store, sweep, place, launch, d, error);
        if (missing)
            d->problem[0] = '\0';
    }
    return status;
}

static enum simsm_status write_case(struct plan *plan, struct store *store, int64_t sweep,
                                    uint32_t place, struct simsm_error *error)
{
    struct case_description *d = calloc(1, sizeof *d);
    if (!d)
        return err_no_memory(error);
    enum simsm_status status = describe(plan, store, place, d, error);
    if (status == SIMSM_OK)
        status = write_launches(plan, store, sweep, place, d, error);
    release(d);
    free(d);
    return status;
}

struct point_order {
    int64_t id;
    uint32_t place;
};

static int by_id(const void *a, const void *b)
{
    const struct point_order *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

/* Marks points that equal an earlier point, because a varied value changes nothing. Only the first
 * of them is simulated. */
static enum simsm_status mark_repeated(struct plan *plan, struct simsm_error *error)
{
    struct point_order *order = calloc(plan->points, sizeof *order);
    if (!order)
        return err_no_memory(error);
    for (uint32_t i = 0; i < plan->points; i++)
        order[i] = (struct point_order){plan->point[i].id, i};
    qsort(order, plan->points, sizeof *order, by_id);
    for (uint32_t i = 1; i < plan->points; i++)
        plan->point[order[i].place].again = order[i].id == order[i - 1].id;
    free(order);
    return SIMSM_OK;
}

enum simsm_status plan_points(struct plan *plan, struct store *store, struct simsm_error *error)
{
    int64_t sweep = 0;
    char *path = inputs_absolute(plan->spec.path);
    enum simsm_status status = path ? store_begin(store, error) : err_no_memory(error);
    if (status == SIMSM_OK)
        status = store_sweep(store, plan->spec.name, path, plan->text, &sweep, error);
    for (uint32_t i = 0; i < plan->cases && status == SIMSM_OK; i++)
        status = write_case(plan, store, sweep, i, error);
    if (status == SIMSM_OK)
        status = mark_repeated(plan, error);
    free(path);
    return status == SIMSM_OK ? store_commit(store, error) : status;
}
