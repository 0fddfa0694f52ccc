/* Reads the parameters of a plug-in, with the checks that configuration keys have. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "plugin/plugin_parts.h"

enum { WORD = 128, LIST = 400 };

static const char *names_of(const struct simsm_policy_module *table, char text[LIST])
{
    size_t n = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < table->param_count && n < LIST; i++)
        n += (size_t)snprintf(text + n, LIST - n, "%s%s", i ? ", " : "", table->params[i].name);
    return text;
}

static enum simsm_status unknown(const struct plugin *plugin, const char *name,
                                 struct simsm_error *error)
{
    char names[LIST];
    if (!plugin->table->param_count)
        return err_set(error, SIMSM_BAD_INPUT, "policy.params.%s: the plugin %s has no parameters",
                       name, plugin->table->name);
    return err_set(error, SIMSM_BAD_INPUT,
                   "policy.params.%s: the plugin %s has no such parameter; it has %s", name,
                   plugin->table->name, names_of(plugin->table, names));
}

static const char *expected(const struct simsm_policy_param *param, char text[WORD])
{
    if (param->type == SIMSM_PARAM_BOOL)
        (void)snprintf(text, WORD, "true or false");
    else
        (void)snprintf(text, WORD, "a %snumber from %.10g to %.10g",
                       param->type == SIMSM_PARAM_WHOLE ? "whole " : "", param->min, param->max);
    return text;
}

/* Reads digits, a point and an exponent. The decimal separator is a point in every locale. */
static bool read_number(const char *text, bool whole, double *value)
{
    const char *digit = text + (*text == '-' || *text == '+');
    double sum = 0, place = 1;
    bool point = false, any = false;
    for (; *digit && *digit != 'e' && *digit != 'E'; digit++) {
        if (*digit == '.' && !point && !whole) {
            point = true;
            continue;
        }
        if (*digit < '0' || *digit > '9')
            return false;
        any = true;
        sum = sum * 10 + (*digit - '0');
        place *= point ? 10 : 1;
    }
    char *end = NULL;
    long power = 0;
    if (*digit && !whole)
        power = strtol(digit + 1, &end, 10);
    if (!any || (*digit && (whole || !end || *end)) || power > 300 || power < -300)
        return false;
    *value = (*text == '-' ? -sum : sum) / place * pow(10, (double)power);
    return true;
}

static enum simsm_status read_one(const struct simsm_policy_param *param, const char *text,
                                  double *value, struct simsm_error *error)
{
    char room[WORD];
    bool read;
    if (param->type == SIMSM_PARAM_BOOL) {
        *value = strcmp(text, "true") == 0;
        read = *value != 0 || strcmp(text, "false") == 0;
    } else {
        read = read_number(text, param->type == SIMSM_PARAM_WHOLE, value);
    }
    if (!read)
        return err_set(error, SIMSM_BAD_INPUT, "policy.params.%s: expects %s, found \"%s\"",
                       param->name, expected(param, room), text);
    bool below = *value < param->min;
    if (param->type == SIMSM_PARAM_BOOL || (!below && *value <= param->max))
        return SIMSM_OK;
    return err_set(error, SIMSM_BAD_INPUT, "policy.params.%s: %s is %s %.10g, the %s allowed",
                   param->name, text, below ? "below" : "above", below ? param->min : param->max,
                   below ? "least" : "most");
}

enum simsm_status plugin_read_values(struct plugin *plugin, const char *params,
                                     struct simsm_error *error)
{
    const struct simsm_policy_module *table = plugin->table;
    for (uint32_t i = 0; i < table->param_count; i++)
        plugin->param[i] = table->params[i].value;
    for (params += strspn(params, " "); *params; params += strspn(params, " ")) {
        char word[WORD];
        size_t length = strcspn(params, " ");
        (void)snprintf(word, sizeof word, "%.*s", length < WORD ? (int)length : WORD - 1, params);
        params += length;
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        uint32_t i = 0;
        while (i < table->param_count && strcmp(table->params[i].name, word) != 0)
            i++;
        if (i == table->param_count)
            return unknown(plugin, word, error);
        enum simsm_status status =
            read_one(&table->params[i], value ? value : "", &plugin->param[i], error);
        if (status != SIMSM_OK)
            return status;
    }
    return SIMSM_OK;
}
