/* Reads the values of launch files, and makes the messages for wrong values. */
#include "exec/launch/plan_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/suggest.h"

enum simsm_status plan_fail(struct plan_reader *p, const char *what)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    struct yaml_place place = yaml_reader_place(&p->yaml);
    if (text && *text)
        return yaml_reader_fail(&p->yaml, place, "%s is expected, found '%.60s'", what, text);
    return yaml_reader_fail(&p->yaml, place, "%s is expected, found %s", what,
                            yaml_reader_kind(&p->yaml));
}

/* Writes the names of the keys to `text`, as in "a, b, c". */
static const char *list_keys(const struct plan_key *keys, char text[512])
{
    size_t used = 0;
    text[0] = '\0';
    for (const struct plan_key *key = keys; key->name && used < 512; key++)
        used += (size_t)snprintf(text + used, 512 - used, "%s%s", used ? ", " : "", key->name);
    return text;
}

static enum simsm_status unknown_key(struct plan_reader *p, const char *name,
                                     const struct plan_key *keys)
{
    char known[512];
    const struct plan_key *near = NULL;
    size_t least = SIZE_MAX;
    for (const struct plan_key *key = keys; key->name; key++) {
        size_t distance = suggest_distance(name, key->name);
        if (distance >= least)
            continue;
        least = distance;
        near = key;
    }
    bool likely = near && suggest_is_near(near->name, least);
    return yaml_reader_fail(
        &p->yaml, yaml_reader_place(&p->yaml), "there is no key '%.60s' here%s%s%s", name,
        likely ? "; is '" : "; there are: ", likely ? near->name : list_keys(keys, known),
        likely ? "' meant?" : "");
}

enum simsm_status plan_mapping(struct plan_reader *p, const struct plan_key *keys, void *object)
{
    bool seen[32] = {false};
    if (p->yaml.event.type != YAML_MAPPING_START_EVENT)
        return plan_fail(p, "a mapping of keys to values");
    enum simsm_status status = yaml_reader_next(&p->yaml);
    while (status == SIMSM_OK && p->yaml.event.type != YAML_MAPPING_END_EVENT) {
        const char *name = yaml_reader_scalar(&p->yaml);
        if (!name)
            return plan_fail(p, "a key");
        const struct plan_key *key = keys;
        while (key->name && strcmp(key->name, name) != 0)
            key++;
        if (!key->name)
            return unknown_key(p, name, keys);
        if (seen[key - keys])
            return yaml_reader_fail(&p->yaml, yaml_reader_place(&p->yaml), "%s is given twice",
                                    name);
        seen[key - keys] = true;
        status = yaml_reader_next(&p->yaml);
        if (status == SIMSM_OK)
            status = key->read(p, (char *)object + key->offset);
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
    }
    return status;
}

enum simsm_status plan_text(struct plan_reader *p, char *field, size_t size, const char *what)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    if (!text || !*text)
        return plan_fail(p, what);
    if (strlen(text) >= size)
        return yaml_reader_fail(&p->yaml, yaml_reader_place(&p->yaml),
                                "%s of at most %zu bytes is expected", what, size - 1);
    (void)snprintf(field, size, "%s", text);
    return SIMSM_OK;
}

enum simsm_status plan_u64(struct plan_reader *p, void *field)
{
    static const struct {
        const char *name;
        unsigned shift;
    } units[] = {{"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    const char *text = yaml_reader_scalar(&p->yaml);
    char *end = NULL;
    unsigned long long number = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 0) : 0;
    while (end && *end == ' ')
        end++;
    for (size_t i = 0; end && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(end, units[i].name) != 0 || number > UINT64_MAX >> units[i].shift)
            continue;
        *(uint64_t *)field = (uint64_t)number << units[i].shift;
        return SIMSM_OK;
    }
    return plan_fail(p, "a whole number such as 4096 or 4 KiB");
}

enum simsm_status plan_positive(struct plan_reader *p, void *field)
{
    enum simsm_status status = plan_u64(p, field);
    if (status == SIMSM_OK && !*(uint64_t *)field)
        return plan_fail(p, "at least 1 (without this key: no limit of your own)");
    return status;
}

enum simsm_status plan_u32(struct plan_reader *p, void *field)
{
    uint64_t number = 0;
    enum simsm_status status = plan_u64(p, &number);
    if (status == SIMSM_OK && number > INT32_MAX)
        return yaml_reader_fail(&p->yaml, yaml_reader_place(&p->yaml), "%llu is too large",
                                (unsigned long long)number);
    *(uint32_t *)field = (uint32_t)number;
    return status;
}

enum simsm_status plan_bool(struct plan_reader *p, void *field)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    bool yes = text && strcmp(text, "true") == 0;
    if (!yes && (!text || strcmp(text, "false") != 0))
        return plan_fail(p, "true or false");
    *(bool *)field = yes;
    return SIMSM_OK;
}

enum simsm_status plan_skip(struct plan_reader *p, void *field)
{
    (void)field;
    for (uint32_t depth = 0;;) {
        yaml_event_type_t type = p->yaml.event.type;
        depth += type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
        depth -= type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
        if (!depth)
            return SIMSM_OK;
        enum simsm_status status = yaml_reader_next(&p->yaml);
        if (status != SIMSM_OK)
            return status;
    }
}

enum simsm_status plan_choice(struct plan_reader *p, const char *const *names, unsigned count,
                              const char *what, unsigned *chosen)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    for (unsigned i = 0; text && i < count; i++) {
        if (strcmp(text, names[i]) != 0)
            continue;
        *chosen = i;
        return SIMSM_OK;
    }
    return plan_fail(p, what);
}
