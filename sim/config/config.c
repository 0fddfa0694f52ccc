/* The public functions of simsm/config.h. */
#include "simsm/config.h"

#include <stdio.h>
#include <string.h>

#include "base/absolute.h"
#include "base/err.h"
#include "config/config_check.h"
#include "config/config_files.h"
#include "config/suggest.h"
#include "config/value.h"

enum simsm_status simsm_config_load(struct simsm_config *config, const char *name,
                                    struct simsm_error *error)
{
    char path[CONFIG_PATH];
    struct config_origins origins;
    enum simsm_status status = config_files_find(name, path, error);
    return status == SIMSM_OK ? config_parse_file(path, config, &origins, error) : status;
}

enum simsm_status simsm_config_check(const struct simsm_config *config, struct simsm_error *error)
{
    return check_config(config, NULL, error);
}

enum { ASSIGNMENT = 768 }; /* bytes of the longest assignment, with terminator */

/* Cuts spaces off both ends of `text` in place; returns its new start. */
static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = '\0';
    return text;
}

/*
 * Returns the row of "section.key", "section.group.key" or, for a MAP, "section.key.name"; *name is
 * NULL unless the row is a MAP. Returns -1 and fills the error if there is no such key.
 */
static int find_row(char *path, const char **name, char message[SUGGEST_TEXT])
{
    *name = NULL;
    char *first = strchr(path, '.'), *second = first ? strchr(first + 1, '.') : NULL;
    if (first)
        *first++ = '\0';
    if (second)
        *second++ = '\0';
    int section = schema_first(path, NULL);
    if (section < 0 || !first) {
        if (section >= 0)
            (void)snprintf(message, SUGGEST_TEXT,
                           "%s is a section; name one of its keys, as in %s%s.%s=...", path, path,
                           schema_rows[section].group ? ".NAME" : "", schema_rows[section].key);
        else
            suggest_for(NULL, NULL, path, message);
        return -1;
    }
    bool grouped = schema_rows[section].group != NULL;
    const char *group = grouped ? first : NULL, *key = grouped ? second : first;
    if (grouped && schema_first(path, group) < 0) {
        suggest_for(path, NULL, first, message);
        return -1;
    }
    int map = grouped || !second ? -1 : schema_find(path, NULL, first);
    if (map >= 0 && schema_rows[map].type == SCHEMA_MAP) {
        *name = second;
        return map;
    }
    if (grouped ? !key : second != NULL) {
        (void)snprintf(message, SUGGEST_TEXT, "%s.%s%s", path, first,
                       grouped ? ": name one of its keys as well" : " has no further keys within");
        return -1;
    }
    int id = schema_find(path, group, key);
    if (id < 0)
        suggest_for(path, group, key, message);
    return id;
}

/* Reads the items of a list, with or without brackets. */
static bool set_list(struct simsm_config *config, const struct schema_row *row, char *value,
                     char reason[VALUE_REASON])
{
    size_t length = strlen(value);
    if (value[0] == '[' && length > 1 && value[length - 1] == ']') {
        value[length - 1] = '\0';
        value = trim(value + 1);
    }
    struct simsm_config changed; /* a bad item must not change the configuration */
    memcpy(&changed, config, sizeof changed);
    value_clear(&changed, row);
    for (char *item = value; item && *value; item = value) {
        value = strchr(item, ',');
        if (value)
            *value++ = '\0';
        if (!value_set(&changed, row, trim(item), false, reason))
            return false;
        if (!value)
            break;
    }
    memcpy(config, &changed, sizeof changed);
    return true;
}

/* Sets the field of a row; a MAP's value `name` if that is not NULL. Another value than before
 * changes what gpu.timing says, unless it is gpu.timing itself. */
static bool set_value(struct simsm_config *config, int id, const char *name, char *value,
                      char reason[VALUE_REASON])
{
    const struct schema_row *row = &schema_rows[id];
    char before[VALUE_TEXT], after[VALUE_TEXT];
    value_text(config, row, before);
    bool set = name                       ? value_set_named(config, row, name, value, reason)
               : row->type == SCHEMA_LIST ? set_list(config, row, value, reason)
                                          : value_set(config, row, value, false, reason);
    if (id != SCHEMA_gpu_timing && strcmp(before, value_text(config, row, after)) != 0)
        config->gpu_timing = SIMSM_CHANGED_timing;
    return set;
}

enum simsm_status simsm_config_set(struct simsm_config *config, const char *assignment,
                                   struct simsm_error *error)
{
    char text[ASSIGNMENT], message[SUGGEST_TEXT], reason[VALUE_REASON], path[SCHEMA_PATH];
    char shown[VALUE_SHOWN];
    size_t length = strlen(assignment);
    char *equals = NULL;
    if (length < sizeof text) {
        memcpy(text, assignment, length + 1);
        equals = strchr(text, '=');
    }
    if (!equals)
        return err_set(error, SIMSM_BAD_INPUT,
                       "\"%s\": expects section.key=value, as in sm.scheduler=gto",
                       value_shown(assignment, shown));
    *equals = '\0';
    const char *name;
    int id = find_row(trim(text), &name, message);
    if (id < 0)
        return err_set(error, SIMSM_BAD_INPUT, "%s", message);
    if (!set_value(config, id, name, trim(equals + 1), reason))
        return err_set(error, SIMSM_BAD_INPUT, "%s: %s", schema_path(&schema_rows[id], path),
                       reason);
    if (id == SCHEMA_policy_module && strchr(config->policy_module, '/'))
        (void)absolute_path(config->policy_module, sizeof config->policy_module, NULL);
    return SIMSM_OK;
}
