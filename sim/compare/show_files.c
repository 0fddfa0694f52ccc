/* A comparison as CSV, JSON and SVG. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/err.h"
#include "compare/show.h"
#include "compare/show_value.h"
#include "draw/scatter.h"

static void number(FILE *file, double value, char after)
{
    if (!isnan(value))
        (void)fprintf(file, "%.12g", value);
    (void)fputc(after, file);
}

void show_csv(FILE *file, const struct shown *shown)
{
    (void)fprintf(file, "program,launch,kernel,metric,unit,simulated,measured,error\n");
    for (size_t i = 0; i < shown->match->pairs; i++) {
        const struct match_pair *p = &shown->match->pair[i];
        for (size_t k = 0; k < shown->figures->count; k++) {
            const struct figure *f = &shown->figures->figure[k];
            csv_cell(file, p->measured->program, ',');
            (void)fprintf(file, "%u,", p->measured->number);
            csv_cell(file, p->measured->kernel, ',');
            csv_cell(file, f->name, ',');
            (void)fprintf(file, "%s,", f->points ? "points" : "%");
            number(file, launches_get(p->simulated, f->simulated), ',');
            number(file, launches_get(p->measured, f->measured), ',');
            number(file, figure_error(f, p), '\n');
        }
    }
}

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text(const char *bytes)
{
    json_t *value = json_string(bytes);
    return value ? value : json_string("?"); /* text that is not UTF-8 */
}

static json_t *figure_object(const struct figure *f)
{
    return json_pack("{s:o, s:s, s:I, s:o, s:o, s:o, s:o, s:o}", "metric", text(f->name), "unit",
                     f->points ? "points" : "%", "launches", (json_int_t)f->launches, "mean",
                     real(f->mean), "median", real(f->median), "p90", real(f->p90), "worst",
                     real(f->worst), "correlation", real(f->correlation));
}

/* {"program", "number", "kernel", "metrics": {name: [simulated, measured, error]}} */
static json_t *launch_object(const struct shown *shown, const struct match_pair *p)
{
    json_t *metrics = json_object();
    for (size_t k = 0; p->simulated && p->measured && k < shown->figures->count; k++) {
        const struct figure *f = &shown->figures->figure[k];
        (void)json_object_set_new(
            metrics, f->name,
            json_pack("[o, o, o]", real(launches_get(p->simulated, f->simulated)),
                      real(launches_get(p->measured, f->measured)), real(figure_error(f, p))));
    }
    const struct launch_row *row = p->measured ? p->measured : p->simulated;
    return json_pack("{s:o, s:I, s:o, s:o}", "program", text(row->program), "number",
                     (json_int_t)row->number, "kernel", text(row->kernel), "metrics", metrics);
}

enum simsm_status show_json(FILE *file, const struct shown *shown, struct simsm_error *error)
{
    const struct match *m = shown->match;
    json_t *figures = json_array(), *launches = json_array();
    json_t *only_measured = json_array(), *only_simulated = json_array();
    int bad = 0;
    for (size_t i = 0; i < shown->figures->count; i++)
        bad |= json_array_append_new(figures, figure_object(&shown->figures->figure[i]));
    for (size_t i = 0; i < m->pairs + m->only_measured + m->only_simulated; i++) {
        json_t *to = i < m->pairs ? launches : m->pair[i].measured ? only_measured : only_simulated;
        bad |= json_array_append_new(to, launch_object(shown, &m->pair[i]));
    }
    json_t *root = json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "format", 1, "gpu", text(shown->gpu),
                             "errors", figures, "launches", launches, "only_measured",
                             only_measured, "only_simulated", only_simulated);
    enum simsm_status status = SIMSM_OK;
    if (!root || bad)
        status = err_no_memory(error);
    else if (json_dumpf(root, file, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0)
        (void)fputc('\n', file); /* the caller checks for write errors */
    json_decref(root);
    return status;
}

/* Returns the index of a name in the list, adding a new name without copying it. */
static size_t group_of(char **list, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(list[i], name) == 0)
            return i;
    list[*count] = strdup(name);
    *count += list[*count] != NULL;
    return *count ? *count - 1 : 0;
}

/* Returns the program of a launch without its size: cuda/verify names a larger size NAME@SIZE. */
static const char *colour_of(const struct match *match, const struct launch_row *row,
                             char text[KERNEL_NAME])
{
    (void)show_group(match, row, text);
    text[strcspn(text, "@")] = '\0';
    return text;
}

static void draw(FILE *file, const struct shown *shown, struct scatter_point *point, char **group,
                 char (*title)[SHOW_NAME + SHOW_VALUE])
{
    const struct match *m = shown->match;
    struct scatter scatter = {.title = shown->chosen->name,
                              .x_label = "measured",
                              .y_label = "simulated",
                              .point = point,
                              .points = m->pairs,
                              .group = (const char *const *)group,
                              .band = 0.2};
    for (size_t i = 0; i < m->pairs; i++) {
        const struct match_pair *p = &m->pair[i];
        char name[KERNEL_NAME], launch[SHOW_NAME], e[SHOW_VALUE];
        point[i] = (struct scatter_point){
            launches_get(p->measured, shown->chosen->measured),
            launches_get(p->simulated, shown->chosen->simulated),
            group_of(group, &scatter.groups, colour_of(m, p->measured, name)), title[i]};
        (void)snprintf(title[i], sizeof title[i], "%s %s", show_launch(m, p->measured, launch),
                       show_error(shown->chosen, figure_error(shown->chosen, p), e));
    }
    const size_t legend = 14 * scatter.groups + 120;
    scatter_svg(file, &scatter, 900, legend < 720 ? 720 : legend > 1100 ? 1100 : (unsigned)legend);
    for (size_t i = 0; i < scatter.groups; i++)
        free(group[i]);
}

enum simsm_status show_svg(FILE *file, const struct shown *shown, struct simsm_error *error)
{
    const size_t most = shown->match->pairs + 1;
    struct scatter_point *point = calloc(most, sizeof *point);
    char **group = calloc(most, sizeof *group);
    char(*title)[SHOW_NAME + SHOW_VALUE] = calloc(most, sizeof *title);
    const bool room = point && group && title;
    if (room)
        draw(file, shown, point, group, title);
    free(point);
    free(group);
    free(title);
    return room ? SIMSM_OK : err_no_memory(error);
}
