/* Writes the difference of two runs as JSON. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "diff/diff.h"

/* jansson's *_new functions take their value over, also if they fail or the value is NULL. `bad`
 * collects their results. */
struct builder {
    int bad;
};

static void put(struct builder *b, json_t *object, const char *key, json_t *value)
{
    b->bad |= json_object_set_new(object, key, value);
}

static void add(struct builder *b, json_t *array, json_t *value)
{
    b->bad |= json_array_append_new(array, value);
}

static json_t *number(double value)
{
    if (!isfinite(value))
        return json_null();
    return value == floor(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value)
                                                       : json_real(value);
}

static json_t *text(const char *words)
{
    return words ? json_string(words) : json_null();
}

static void put_change(struct builder *b, json_t *o, const struct speed_change *change)
{
    json_t *causes = json_array();
    for (unsigned i = 0; i < change->causes; i++) {
        json_t *cause = json_object();
        put(b, cause, "rule", text(change->cause[i].rule));
        put(b, cause, "share", number(change->cause[i].share));
        put(b, cause, "phrase", text(change->cause[i].phrase));
        add(b, causes, cause);
    }
    put(b, o, "time_ratio", number(change->ratio));
    put(b, o, "noise", json_boolean(change->noise));
    put(b, o, "causes", causes);
}

static json_t *run_object(struct builder *b, const char *name, const struct diff_run *run)
{
    json_t *o = json_object();
    put(b, o, "name", text(name));
    put(b, o, "gpu", text(run->gpu));
    put(b, o, "settings", text(run->settings));
    put(b, o, "launches", number(run->total.calls));
    put(b, o, "cycles", number(run->total.cycles));
    put(b, o, "time_ns", number(speed_side_time(&run->total)));
    return o;
}

static json_t *kernel_object(struct builder *b, const struct diff_kernel *kernel)
{
    if (!kernel)
        return json_null();
    json_t *o = json_object(), *grid = json_array(), *block = json_array();
    for (int i = 0; i < 3; i++) {
        add(b, grid, number(kernel->grid[i]));
        add(b, block, number(kernel->block[i]));
    }
    put(b, o, "kernel", text(kernel->name));
    put(b, o, "grid", grid);
    put(b, o, "block", block);
    put(b, o, "launches", number(kernel->side.calls));
    put(b, o, "cycles", number(kernel->side.cycles));
    put(b, o, "time_ns", number(speed_side_time(&kernel->side)));
    return o;
}

static json_t *values(struct builder *b, double first, double second)
{
    json_t *array = json_array();
    add(b, array, number(first));
    add(b, array, number(second));
    return array;
}

static json_t *figures_object(struct builder *b, const struct speed_side *first,
                              const struct speed_side *second)
{
    json_t *o = json_object();
    for (unsigned i = 0; i < SPEED_FIGURES; i++)
        if (speed_figure_name(i))
            put(b, o, speed_figure_name(i),
                values(b, speed_figure_value(i, first), speed_figure_value(i, second)));
    return o;
}

static json_t *states_object(struct builder *b, const double *first, const double *second)
{
    json_t *o = json_object();
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++)
        if (first[s] > 0 || second[s] > 0)
            put(b, o, simsm_states[s].name, values(b, first[s], second[s]));
    return o;
}

static json_t *line_object(struct builder *b, const struct diff_line *line)
{
    if (!line->text)
        return json_null();
    json_t *o = json_object();
    if (*line->text)
        put(b, o, "text", text(line->text));
    put(b, o, "file", text(line->file));
    put(b, o, "line", line->line ? number(line->line) : json_null());
    put(b, o, "issues", number(line->issues));
    put(b, o, "cycles", number(line->cycles));
    return o;
}

static json_t *lines_array(struct builder *b, const struct diff_lines *lines)
{
    json_t *array = json_array();
    for (size_t i = 0; i < lines->lines; i++) {
        const struct diff_line_pair *line = &lines->line[i];
        json_t *o = json_object();
        if (line->a.cycles == line->b.cycles && line->a.text && line->b.text) {
            json_decref(o);
            continue;
        }
        put(b, o, "a", line_object(b, &line->a));
        put(b, o, "b", line_object(b, &line->b));
        put(b, o, "states", states_object(b, line->a.state, line->b.state));
        add(b, array, o);
    }
    return array;
}

static void put_lines(struct builder *b, json_t *o, const struct diff_pair *pair)
{
    struct diff_lines instructions = {0}, sources = {0};
    if (diff_match_instructions(pair, &instructions) &&
        diff_match_sources(&instructions, &sources)) {
        put(b, o, "sources", lines_array(b, &sources));
        put(b, o, "instructions", lines_array(b, &instructions));
    } else {
        b->bad = -1;
    }
    free(instructions.line);
    free(sources.line);
}

static json_t *pair_object(struct builder *b, const struct diff_pair *pair)
{
    json_t *o = json_object();
    put(b, o, "a", kernel_object(b, pair->a));
    put(b, o, "b", kernel_object(b, pair->b));
    put(b, o, "difference_ns", number(pair->difference));
    if (!pair->a || !pair->b)
        return o;
    put(b, o, "sentence", text(pair->change.sentence));
    put_change(b, o, &pair->change);
    put(b, o, "figures", figures_object(b, &pair->a->side, &pair->b->side));
    put(b, o, "states", states_object(b, pair->a->side.state, pair->b->side.state));
    if (pair->a->lines && pair->b->lines)
        put_lines(b, o, pair);
    return o;
}

enum simsm_status diff_show_json(FILE *file, const struct diff *diff, struct simsm_error *error)
{
    struct builder b = {0};
    json_t *root = json_object(), *kernels = json_array();
    put(&b, root, "format", json_integer(1));
    put(&b, root, "sentence", text(diff->sentence));
    put_change(&b, root, &diff->total);
    put(&b, root, "threshold", number(diff->threshold));
    put(&b, root, "a", run_object(&b, diff->a_name, diff->a));
    put(&b, root, "b", run_object(&b, diff->b_name, diff->b));
    for (size_t i = 0; i < diff->pairs; i++)
        add(&b, kernels, pair_object(&b, &diff->pair[i]));
    put(&b, root, "kernels", kernels);
    enum simsm_status status = SIMSM_OK;
    if (b.bad)
        status = err_no_memory(error);
    else if (json_dumpf(root, file, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) == 0)
        (void)fputc('\n', file); /* the caller checks for write errors */
    json_decref(root);
    return status;
}
