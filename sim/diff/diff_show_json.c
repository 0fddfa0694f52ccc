/* Writes the difference of two runs as JSON. */
#include <jansson.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/json_build.h"
#include "diff/diff.h"

static void put_change(struct json_builder *b, json_t *o, const struct speed_change *change)
{
    json_t *causes = json_array();
    for (unsigned i = 0; i < change->causes; i++) {
        json_t *cause = json_object();
        json_put(b, cause, "rule", json_text(change->cause[i].rule));
        json_put(b, cause, "share", json_count(change->cause[i].share));
        json_put(b, cause, "phrase", json_text(change->cause[i].phrase));
        json_add(b, causes, cause);
    }
    json_put(b, o, "time_ratio", json_count(change->ratio));
    json_put(b, o, "noise", json_boolean(change->noise));
    json_put(b, o, "causes", causes);
}

static json_t *run_object(struct json_builder *b, const char *name, const struct diff_run *run)
{
    json_t *o = json_object();
    json_put(b, o, "name", json_text(name));
    json_put(b, o, "gpu", json_text(run->gpu));
    json_put(b, o, "settings", json_text(run->settings));
    json_put(b, o, "launches", json_count(run->total.calls));
    json_put(b, o, "cycles", json_count(run->total.cycles));
    json_put(b, o, "time_ns", json_count(speed_side_time(&run->total)));
    return o;
}

static json_t *kernel_object(struct json_builder *b, const struct diff_kernel *kernel)
{
    if (!kernel)
        return json_null();
    json_t *o = json_object();
    json_put(b, o, "kernel", json_text(kernel->name));
    json_put(b, o, "grid", json_triple(b, kernel->grid));
    json_put(b, o, "block", json_triple(b, kernel->block));
    json_put(b, o, "launches", json_count(kernel->side.calls));
    json_put(b, o, "cycles", json_count(kernel->side.cycles));
    json_put(b, o, "time_ns", json_count(speed_side_time(&kernel->side)));
    return o;
}

static json_t *values(struct json_builder *b, double first, double second)
{
    json_t *array = json_array();
    json_add(b, array, json_count(first));
    json_add(b, array, json_count(second));
    return array;
}

static json_t *figures_object(struct json_builder *b, const struct speed_side *first,
                              const struct speed_side *second)
{
    json_t *o = json_object();
    for (unsigned i = 0; i < SPEED_FIGURES; i++)
        if (speed_figure_name(i))
            json_put(b, o, speed_figure_name(i),
                     values(b, speed_figure_value(i, first), speed_figure_value(i, second)));
    return o;
}

static json_t *states_object(struct json_builder *b, const double *first, const double *second)
{
    json_t *o = json_object();
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++)
        if (first[s] > 0 || second[s] > 0)
            json_put(b, o, simsm_states[s].name, values(b, first[s], second[s]));
    return o;
}

static json_t *line_object(struct json_builder *b, const struct diff_line *line)
{
    if (!line->text)
        return json_null();
    json_t *o = json_object();
    if (*line->text)
        json_put(b, o, "text", json_text(line->text));
    json_put(b, o, "file", json_text(line->file));
    json_put(b, o, "line", line->line ? json_count(line->line) : json_null());
    json_put(b, o, "issues", json_count(line->issues));
    json_put(b, o, "cycles", json_count(line->cycles));
    return o;
}

static json_t *lines_array(struct json_builder *b, const struct diff_lines *lines)
{
    json_t *array = json_array();
    for (size_t i = 0; i < lines->lines; i++) {
        const struct diff_line_pair *line = &lines->line[i];
        json_t *o = json_object();
        if (line->a.cycles == line->b.cycles && line->a.text && line->b.text) {
            json_decref(o);
            continue;
        }
        json_put(b, o, "a", line_object(b, &line->a));
        json_put(b, o, "b", line_object(b, &line->b));
        json_put(b, o, "states", states_object(b, line->a.state, line->b.state));
        json_add(b, array, o);
    }
    return array;
}

static void put_lines(struct json_builder *b, json_t *o, const struct diff_pair *pair)
{
    struct diff_lines instructions = {0}, sources = {0};
    if (diff_match_instructions(pair, &instructions) &&
        diff_match_sources(&instructions, &sources)) {
        json_put(b, o, "sources", lines_array(b, &sources));
        json_put(b, o, "instructions", lines_array(b, &instructions));
    } else {
        b->bad = -1;
    }
    free(instructions.line);
    free(sources.line);
}

static json_t *pair_object(struct json_builder *b, const struct diff_pair *pair)
{
    json_t *o = json_object();
    json_put(b, o, "a", kernel_object(b, pair->a));
    json_put(b, o, "b", kernel_object(b, pair->b));
    json_put(b, o, "difference_ns", json_count(pair->difference));
    if (!pair->a || !pair->b)
        return o;
    json_put(b, o, "sentence", json_text(pair->change.sentence));
    put_change(b, o, &pair->change);
    json_put(b, o, "figures", figures_object(b, &pair->a->side, &pair->b->side));
    json_put(b, o, "states", states_object(b, pair->a->side.state, pair->b->side.state));
    if (pair->a->lines && pair->b->lines)
        put_lines(b, o, pair);
    return o;
}

enum simsm_status diff_show_json(FILE *file, const struct diff *diff, struct simsm_error *error)
{
    struct json_builder b = {0};
    json_t *root = json_object(), *kernels = json_array();
    json_put(&b, root, "format", json_integer(1));
    json_put(&b, root, "sentence", json_text(diff->sentence));
    put_change(&b, root, &diff->total);
    json_put(&b, root, "threshold", json_count(diff->threshold));
    json_put(&b, root, "a", run_object(&b, diff->a_name, diff->a));
    json_put(&b, root, "b", run_object(&b, diff->b_name, diff->b));
    for (size_t i = 0; i < diff->pairs; i++)
        json_add(&b, kernels, pair_object(&b, &diff->pair[i]));
    json_put(&b, root, "kernels", kernels);
    enum simsm_status status = SIMSM_OK;
    if (b.bad)
        status = err_no_memory(error);
    else if (json_dumpf(root, file, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) == 0)
        (void)fputc('\n', file); /* the caller checks for write errors */
    json_decref(root);
    return status;
}
