#include "calibrate/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "calibrate/simulate.h"

const struct fit_rule fit_rules[] = {
#define FIT_VALUE(key, table, point, scale) {key, table, point, FIT_BY_VALUE, scale, NULL, 0, 0},
#define FIT_LESS(key, table, point, other)  {key, table, point, FIT_BY_LESS, 1, other, 0, 0},
#define FIT_DIFFERENCE(key, table, point, other, scale)                                            \
    {key, table, point, FIT_BY_DIFFERENCE, scale, other, 0, 0},
#define FIT_SOLVE(key, table, point, low, high)                                                    \
    {key, table, point, FIT_BY_SOLVE, 1, NULL, low, high},
#include "calibrate/fit_rules.def"
#undef FIT_VALUE
#undef FIT_LESS
#undef FIT_DIFFERENCE
#undef FIT_SOLVE
    {NULL, NULL, NULL, FIT_BY_VALUE, 0, NULL, 0, 0},
};

/* The data for applying one rule. */
struct fitting {
    const struct fit_task *task;
    struct simsm_config *config;
    struct fit_row *row;
    struct point *point; /* capacity of the rows */
};

static bool is_whole(const struct schema_row *row)
{
    return row->type == SCHEMA_UINT;
}

/* Sets the key to the value, rounded as the file will have it: to a whole number or to four
 * digits. */
static enum simsm_status set(struct simsm_config *config, const struct fit_row *row, double value,
                             struct simsm_error *error)
{
    const struct schema_row *key = &schema_rows[row->key];
    char text[64], reason[VALUE_REASON];
    (void)snprintf(text, sizeof text, is_whole(key) ? "%.0f" : "%.4g",
                   is_whole(key) ? round(value) : value);
    if (value_set(config, key, text, false, reason))
        return SIMSM_OK;
    return err_set(error, SIMSM_FAILED, "fitting %s to %s/%s: %s", row->rule->key, row->rule->table,
                   row->rule->point, reason);
}

static enum simsm_status no_rule(const struct fit_rule *rule, const char *key,
                                 struct simsm_error *error)
{
    return err_set(error, SIMSM_FAILED, "rule for %s: there is no key %s that is a number",
                   rule->key, key);
}

static bool is_number(int key)
{
    return key >= 0 &&
           (schema_rows[key].type == SCHEMA_UINT || schema_rows[key].type == SCHEMA_REAL);
}

/* Finds the point of the rule. Returns its table, or NULL if there is no such point. */
static const struct table *find_point(const struct fitting *f, uint32_t *index)
{
    const struct fit_rule *rule = f->row->rule;
    for (uint32_t i = 0; i < f->task->tables->count; i++) {
        const struct table *table = &f->task->tables->table[i];
        for (*index = 0; strcmp(table->name, rule->table) == 0 && *index < table->points; ++*index)
            if (strcmp(table->point[*index].name, rule->point) == 0)
                return table;
    }
    return NULL;
}

/* Simulates the point with the key set to `value`. */
static enum simsm_status try_value(const struct fitting *f, double value, double *simulated,
                                   struct simsm_error *error)
{
    uint32_t index = 0;
    char cubin[PLAN_PATH];
    struct simsm_config config = *f->config;
    const struct table *table = find_point(f, &index);
    if (!table)
        return err_set(error, SIMSM_BAD_INPUT, "fitting %s: there is no point %s/%s",
                       f->row->rule->key, f->row->rule->table, f->row->rule->point);
    struct measured *measured = malloc(sizeof *measured);
    enum simsm_status status = measured ? set(&config, f->row, value, error) : err_no_memory(error);
    tables_cubin(f->task->tables, table, config.gpu_compute_capability, cubin);
    if (status == SIMSM_OK)
        status = simsm_config_check(&config, error);
    if (status == SIMSM_OK)
        status = table_point(table, index, f->point, error);
    if (status == SIMSM_OK) {
        status = simulate(f->point, cubin, &config, f->task->stop, measured, error);
        point_free(f->point);
    }
    if (status == SIMSM_OK)
        *simulated = measured->value;
    free(measured);
    return status;
}

/* A value of the key that was tried, and the difference between its simulated result and the
 * measured one. */
struct trial {
    double value, off;
};

static enum simsm_status try_at(const struct fitting *f, double value, struct trial *trial,
                                struct simsm_error *error)
{
    double simulated = 0.0;
    enum simsm_status status = try_value(f, value, &simulated, error);
    *trial = (struct trial){value, simulated - f->row->fact->value};
    return status;
}

/* Returns whether a value between the two trials is worth trying. */
static bool can_part(const struct schema_row *key, const struct trial *low,
                     const struct trial *high)
{
    const double width = high->value - low->value;
    return is_whole(key) ? width > 1.0 : width > 1e-3 * fabs(high->value);
}

/* Returns whether a configuration may have the key at `value`. */
static bool is_allowed(const struct fitting *f, double value)
{
    struct simsm_config config = *f->config;
    struct simsm_error error;
    return set(&config, f->row, value, &error) == SIMSM_OK &&
           simsm_config_check(&config, &error) == SIMSM_OK;
}

/* Returns `bound`, or the value nearest to it that the other keys allow: a latency of L2 has to be
 * below that of DRAM. */
static double allowed_bound(const struct fitting *f, double bound)
{
    const struct schema_row *key = &schema_rows[f->row->key];
    double inside = value_number(f->config, key);
    if (is_allowed(f, bound) || !is_allowed(f, inside))
        return bound;
    while (fabs(bound - inside) > (is_whole(key) ? 1.0 : 1e-3 * fabs(inside))) {
        const double at = (bound + inside) / 2.0;
        const double middle = is_whole(key) ? floor(at) : at;
        if (middle == inside || middle == bound)
            break;
        *(is_allowed(f, middle) ? &inside : &bound) = middle;
    }
    return inside;
}

/* Finds the value by bisection: the measured result lies between the results of the two ends. */
static enum simsm_status solve(const struct fitting *f, double *value, struct simsm_error *error)
{
    const struct schema_row *key = &schema_rows[f->row->key];
    struct trial low, high, middle;
    enum simsm_status status = try_at(f, allowed_bound(f, f->row->rule->low), &low, error);
    if (status == SIMSM_OK)
        status = try_at(f, allowed_bound(f, f->row->rule->high), &high, error);
    if (status != SIMSM_OK)
        return status;
    f->row->out_of_range = (low.off > 0.0) == (high.off > 0.0) && low.off != 0.0 && high.off != 0.0;
    while (!f->row->out_of_range && can_part(key, &low, &high)) {
        double at = (low.value + high.value) / 2.0;
        status = try_at(f, is_whole(key) ? floor(at) : at, &middle, error);
        if (status != SIMSM_OK)
            return status;
        if ((middle.off > 0.0) == (low.off > 0.0))
            low = middle;
        else
            high = middle;
    }
    const struct trial *best = fabs(high.off) < fabs(low.off) ? &high : &low;
    *value = best->value;
    f->row->simulated = best->off + f->row->fact->value;
    return SIMSM_OK;
}

static enum simsm_status apply(const struct fitting *f, struct simsm_error *error)
{
    struct fit_row *row = f->row;
    const struct fit_rule *rule = row->rule;
    double value = (row->fact->value - (row->other ? row->other->value : 0.0)) * rule->scale;
    enum simsm_status status = SIMSM_OK;
    if (rule->how == FIT_BY_LESS) {
        const int other = schema_find_path(rule->other);
        if (!is_number(other))
            return no_rule(rule, rule->other, error);
        value -= value_number(f->config, &schema_rows[other]);
    } else if (rule->how == FIT_BY_SOLVE) {
        status = solve(f, &value, error);
    }
    return status == SIMSM_OK ? set(f->config, row, value, error) : status;
}

/* Returns the fact if it is a measured number. Published values are for comparison only, not for
 * fitting. */
static const struct fact *measured_fact(const struct facts *facts, const struct fit_rule *rule,
                                        const char *point)
{
    const struct fact *fact = facts_find(facts, rule->table, point);
    return fact && !fact->list && !fact->source[0] ? fact : NULL;
}

static enum simsm_status apply_all(struct fit *fit, const struct fit_task *task,
                                   struct simsm_config *config, struct point *point,
                                   struct simsm_error *error)
{
    for (const struct fit_rule *rule = task->rules; rule->key; rule++) {
        struct fit_row *row = &fit->row[fit->rows++];
        const struct fitting fitting = {task, config, row, point};
        *row = (struct fit_row){.rule = rule, .key = schema_find_path(rule->key), .simulated = NAN};
        if (!is_number(row->key))
            return no_rule(rule, rule->key, error);
        row->fact = measured_fact(task->facts, rule, rule->point);
        if (rule->how == FIT_BY_DIFFERENCE) {
            row->other = measured_fact(task->facts, rule, rule->other);
            row->fact = row->other ? row->fact : NULL;
        }
        value_text(config, &schema_rows[row->key], row->before);
        enum simsm_status status = SIMSM_OK;
        if (row->fact)
            status = apply(&fitting, error);
        if (status != SIMSM_OK)
            return status;
        value_text(config, &schema_rows[row->key], row->after);
    }
    return simsm_config_check(config, error);
}

enum simsm_status fit_run(struct fit *fit, const struct fit_task *task, struct simsm_config *config,
                          struct simsm_error *error)
{
    uint32_t rules = 0;
    while (task->rules[rules].key)
        rules++;
    *fit = (struct fit){.row = calloc(rules + 1u, sizeof *fit->row)};
    struct point *point = malloc(sizeof *point);
    enum simsm_status status = fit->row && point ? SIMSM_OK : err_no_memory(error);
    if (status == SIMSM_OK)
        status = apply_all(fit, task, config, point, error);
    free(point);
    return status;
}

void fit_free(struct fit *fit)
{
    free(fit->row);
    *fit = (struct fit){.rows = 0};
}
