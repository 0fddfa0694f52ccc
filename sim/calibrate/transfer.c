#include "calibrate/transfer.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "config/config_check.h"

const struct transfer_rule transfer_rules[] = {
#define OWN(key)                            {key, TRANSFER_OWN, NULL, NULL, ""},
#define SAME(key, over, where)              {key, TRANSFER_SAME, NULL, over, where},
#define SCALED(key, reference, over, where) {key, TRANSFER_SCALED, reference, over, where},
#include "calibrate/transfer_rules.def"
#undef OWN
#undef SAME
#undef SCALED
    {NULL, TRANSFER_OWN, NULL, NULL, NULL},
};

const struct transfer_rule *transfer_rule(int key)
{
    char path[SCHEMA_PATH];
    schema_path(&schema_rows[key], path);
    for (const struct transfer_rule *rule = transfer_rules; rule->key; rule++)
        if (fnmatch(rule->key, path, 0) == 0)
            return rule;
    return NULL;
}

/* Returns whether the target is a GPU for which the rule holds. */
static bool holds(const struct transfer_rule *rule, const struct simsm_config *from,
                  const struct simsm_config *target)
{
    if (!rule->where[0])
        return true;
    const int key = schema_find_path(rule->where);
    if (key >= 0)
        return value_number(from, &schema_rows[key]) == value_number(target, &schema_rows[key]);
    return target->gpu_compute_capability >= lround(10.0 * strtod(rule->where, NULL));
}

static bool replaceable(const struct transfer_rule *rule, const char *trust)
{
    return sources_rank(trust) >= sources_rank(rule->over);
}

/* Writes the value that the rule gives, in the text of a file, and the comment on it. */
static void value_and_comment(struct transfer_row *row, const struct transfer_config *from,
                              const struct simsm_config *target)
{
    const struct schema_row *key = &schema_rows[row->key];
    const char *unit = strcmp(key->unit, "cycle") == 0 ? "cycles" : "same";
    char was[VALUE_TEXT];
    value_text(&from->config, key, was);
    (void)snprintf(row->after, sizeof row->after, "%s", was);
    (void)snprintf(row->comment, sizeof row->comment, "%s: %s %.60s",
                   strcmp(key->unit, "ns") == 0 ? "ns" : unit, from->name, was);
    if (row->rule->how != TRANSFER_SCALED)
        return;
    const int reference = schema_find_path(row->rule->reference);
    const double there = value_number(&from->config, &schema_rows[reference]);
    const double scaled = value_number(&from->config, &schema_rows[row->key]) *
                          value_number(target, &schema_rows[reference]) / there;
    const bool time = reference == SCHEMA_gpu_clock_mhz;
    (void)snprintf(row->after, sizeof row->after, key->type == SCHEMA_UINT ? "%.0f" : "%.4g",
                   key->type == SCHEMA_UINT ? round(scaled) : scaled);
    (void)snprintf(row->comment, sizeof row->comment, "%s: %s %.60s at %g%s",
                   time ? "ns" : row->rule->reference, from->name, was, there, time ? " MHz" : "");
}

/* Applies the rule to one key, and keeps a row of it if it holds there. */
static enum simsm_status apply(struct transfer *transfer, const struct transfer_rule *rule, int key,
                               const struct transfer_config *from, struct transfer_config *target,
                               bool all, struct simsm_error *error)
{
    struct transfer_row *row = &transfer->row[transfer->rows];
    const char *trust = from->source[key].trust;
    char path[SCHEMA_PATH], reason[VALUE_REASON];
    const char *reference = rule->reference ? rule->reference : rule->key;
    if (rule->how == TRANSFER_OWN || !holds(rule, &from->config, &target->config) ||
        !(all || replaceable(rule, target->source[key].trust)))
        return SIMSM_OK;
    *row = (struct transfer_row){.rule = rule, .key = key};
    row->trust = sources_rank(trust) > sources_rank("transferred") ? "estimate" : "transferred";
    value_text(&target->config, &schema_rows[key], row->before);
    value_and_comment(row, from, &target->config);
    if (!value_set(&target->config, &schema_rows[key], row->after, row->after[0] == '"', reason))
        return err_at(error, SIMSM_BAD_INPUT, target->path, 0, 0,
                      "%s is scaled by %s (%s): %s; correct %s of this file",
                      schema_path(&schema_rows[key], path), reference, row->comment, reason,
                      reference);
    transfer->rows++;
    return SIMSM_OK;
}

/* Says in gpu.timing that most values are taken over. */
static void set_timing(struct transfer *transfer, struct transfer_config *target)
{
    static const char word[] = "transferred";
    const struct schema_row *timing = &schema_rows[SCHEMA_gpu_timing];
    struct transfer_row *row = &transfer->row[transfer->rows++];
    char reason[VALUE_REASON];
    *row = (struct transfer_row){.rule = transfer_rule(SCHEMA_gpu_timing),
                                 .trust = "derived",
                                 .key = SCHEMA_gpu_timing,
                                 .comment = "what most sources in this file are"};
    value_text(&target->config, timing, row->before);
    (void)snprintf(row->after, sizeof row->after, "%s", word);
    (void)value_set(&target->config, timing, word, false, reason);
}

/* Returns by which rule the key has its value that begins the message of check_config(). */
static const char *rule_of(const struct transfer *transfer, const char *message)
{
    char path[SCHEMA_PATH];
    for (uint32_t i = 0; i < transfer->rows; i++) {
        const size_t length = strlen(schema_path(&schema_rows[transfer->row[i].key], path));
        if (strncmp(path, message, length) == 0 && message[length] == ':')
            return transfer->row[i].comment;
    }
    return "a value of this file";
}

static enum simsm_status check(const struct transfer *transfer,
                               const struct transfer_config *target, struct simsm_error *error)
{
    struct simsm_error found;
    if (check_config(&target->config, NULL, &found) == SIMSM_OK)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, target->path, 0, 0,
                  "%s (%s); correct what the values are scaled by, such as gpu.clock_mhz of this "
                  "file",
                  found.message, rule_of(transfer, found.message));
}

enum simsm_status transfer_run(struct transfer *transfer, const struct transfer_config *from,
                               struct transfer_config *target, bool all, struct simsm_error *error)
{
    *transfer =
        (struct transfer){.row = calloc(SCHEMA_ROWS, sizeof *transfer->row), .from = from->name};
    if (!transfer->row)
        return err_no_memory(error);
    enum simsm_status status = SIMSM_OK;
    for (const struct transfer_rule *rule = transfer_rules; rule->key; rule++)
        for (int key = 0; status == SIMSM_OK && key < SCHEMA_ROWS; key++)
            if (transfer_rule(key) == rule)
                status = apply(transfer, rule, key, from, target, all, error);
    if (status == SIMSM_OK && all && target->config.gpu_timing != SIMSM_TRANSFERRED_timing)
        set_timing(transfer, target);
    return status == SIMSM_OK ? check(transfer, target, error) : status;
}

void transfer_free(struct transfer *transfer)
{
    free(transfer->row);
    *transfer = (struct transfer){.row = NULL};
}
