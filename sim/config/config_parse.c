#include "config/config_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/absolute.h"
#include "base/err.h"
#include "base/infile.h"
#include "config/config_check.h"
#include "config/suggest.h"
#include "config/value.h"
#include "config/yaml_reader.h"

enum {
    NAME = 64
}; /* more bytes than any name of the schema has; a longer name is cut, and so unknown */

/* A file that is being read, and the file whose `base:` names it. */
struct chain {
    const struct chain *above;
    dev_t device;
    ino_t inode;
};

struct parse {
    struct yaml_reader yaml;
    struct simsm_config *config;
    struct config_origins *origins;
    const struct chain *chain; /* NULL when there is no file */
    uint32_t file;             /* index into origins->files + 1 */
    uint32_t entries;          /* keys read so far at the top level */
    /* Line of each section and group in this file, indexed by its first row; 0: not seen. */
    uint32_t section_line[SCHEMA_ROWS], group_line[SCHEMA_ROWS];
};

/* The key that has just been read, and its section and group. */
struct where {
    const char *section, *group;
    char name[NAME];
    struct yaml_place place;
};

static enum simsm_status parse_text(const char *text, size_t size, const char *file,
                                    const struct chain *chain, struct simsm_config *config,
                                    struct config_origins *origins, struct simsm_error *error);

static enum simsm_status read_file(const char *path, const struct chain *chain,
                                   struct simsm_config *config, struct config_origins *origins,
                                   struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    enum simsm_status status =
        infile_read(path, "configuration", CONFIG_LIMIT, &text, &size, error);
    if (status == SIMSM_OK)
        status = parse_text(text, size, path, chain, config, origins, error);
    free(text);
    return status;
}

/* Writes the path of `base`, relative to the folder of `file`. */
static bool beside(const char *file, const char *base, char path[CONFIG_PATH])
{
    const char *slash = strrchr(file, '/');
    int folder = base[0] == '/' || !slash ? 0 : (int)(slash - file) + 1;
    int length = snprintf(path, CONFIG_PATH, "%.*s%s", folder, file, base);
    return length > 0 && length < CONFIG_PATH;
}

static enum simsm_status parse_base(struct parse *p, const struct where *where)
{
    const struct yaml_reader *yaml = &p->yaml;
    struct yaml_place place = yaml_reader_place(yaml);
    const char *base = yaml_reader_scalar(yaml);
    char path[CONFIG_PATH], shown[VALUE_SHOWN];
    if (!base || !base[0])
        return yaml_reader_fail(yaml, place, "base: expects the name of a file, found %s",
                                yaml_reader_kind(yaml));
    value_shown(base, shown);
    if (p->entries > 1)
        return yaml_reader_fail(yaml, where->place, "base: must be the first key of the file");
    if (!p->chain)
        return yaml_reader_fail(yaml, place,
                                "base: a configuration that is no file cannot build on one");
    struct stat info;
    if (!beside(yaml->file, base, path) || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return yaml_reader_fail(yaml, place,
                                "base: there is no file \"%s\"; the name is relative to the "
                                "folder of this file",
                                shown);
    unsigned depth = 0;
    for (const struct chain *c = p->chain; c; c = c->above, depth++) {
        if (c->device == info.st_dev && c->inode == info.st_ino)
            return yaml_reader_fail(yaml, place, "base: \"%s\" builds on itself", shown);
    }
    if (depth > CONFIG_CHAIN)
        return yaml_reader_fail(yaml, place, "base: more than %d files build one on another",
                                CONFIG_CHAIN);
    struct chain next = {p->chain, info.st_dev, info.st_ino};
    return read_file(path, &next, p->config, p->origins, yaml->error);
}

static enum simsm_status bad_value(const struct parse *p, const struct schema_row *row,
                                   const char *reason)
{
    char path[SCHEMA_PATH];
    return yaml_reader_fail(&p->yaml, yaml_reader_place(&p->yaml), "%s: %s", schema_path(row, path),
                            reason);
}

static enum simsm_status set_scalar(struct parse *p, const struct schema_row *row)
{
    char reason[VALUE_REASON], text[VALUE_REASON];
    const char *scalar = yaml_reader_scalar(&p->yaml);
    if (!scalar) {
        (void)snprintf(text, sizeof text, "expects %.160s, found %s", value_expected(row, reason),
                       yaml_reader_kind(&p->yaml));
        return bad_value(p, row, text);
    }
    bool quoted = p->yaml.event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (!value_set(p->config, row, scalar, quoted, reason))
        return bad_value(p, row, reason);
    return SIMSM_OK;
}

static enum simsm_status set_list(struct parse *p, const struct schema_row *row)
{
    char expected[VALUE_REASON], text[VALUE_REASON];
    if (p->yaml.event.type != YAML_SEQUENCE_START_EVENT) {
        (void)snprintf(text, sizeof text, "expects %.160s in [ ], found %s",
                       value_expected(row, expected), yaml_reader_kind(&p->yaml));
        return bad_value(p, row, text);
    }
    value_clear(p->config, row);
    for (;;) {
        enum simsm_status status = yaml_reader_next(&p->yaml);
        if (status != SIMSM_OK || p->yaml.event.type == YAML_SEQUENCE_END_EVENT)
            return status;
        status = set_scalar(p, row);
        if (status != SIMSM_OK)
            return status;
    }
}

/* Reads the names and values of a MAP; `{}` empties it. */
static enum simsm_status set_map(struct parse *p, const struct schema_row *row)
{
    char expected[VALUE_REASON], reason[VALUE_REASON], name[NAME];
    if (p->yaml.event.type != YAML_MAPPING_START_EVENT) {
        (void)snprintf(reason, sizeof reason, "expects %.120s, found %s",
                       value_expected(row, expected), yaml_reader_kind(&p->yaml));
        return bad_value(p, row, reason);
    }
    value_clear(p->config, row);
    for (;;) {
        enum simsm_status status = yaml_reader_next(&p->yaml);
        if (status != SIMSM_OK || p->yaml.event.type == YAML_MAPPING_END_EVENT)
            return status;
        const char *key = yaml_reader_scalar(&p->yaml);
        (void)snprintf(name, sizeof name, "%s", key ? key : "");
        status = yaml_reader_next(&p->yaml);
        if (status != SIMSM_OK)
            return status;
        const char *value = yaml_reader_scalar(&p->yaml);
        if (!value_set_named(p->config, row, name, value ? value : "", reason))
            return bad_value(p, row, reason);
    }
}

static enum simsm_status twice(const struct parse *p, const struct where *where, const char *path,
                               uint32_t line)
{
    return yaml_reader_fail(&p->yaml, where->place,
                            "%s: given twice, first in line %u; keep one of them", path, line);
}

static enum simsm_status parse_field(struct parse *p, const struct where *where, int id)
{
    const struct schema_row *row = &schema_rows[id];
    struct config_origin *origin = &p->origins->at[id];
    char path[SCHEMA_PATH];
    if (origin->file == p->file)
        return twice(p, where, schema_path(row, path), origin->line);
    *origin = (struct config_origin){p->file, where->place.line, where->place.column};
    if (row->type == SCHEMA_LIST || row->type == SCHEMA_MAP)
        return row->type == SCHEMA_LIST ? set_list(p, row) : set_map(p, row);
    enum simsm_status status = set_scalar(p, row);
    if (status == SIMSM_OK && id == SCHEMA_policy_module && strchr(p->config->policy_module, '/'))
        (void)absolute_path(p->config->policy_module, sizeof p->config->policy_module,
                            p->yaml.file);
    return status;
}

static enum simsm_status parse_mapping(struct parse *p, const char *section, const char *group);

/* Reads a section, a pipe or an opcode class, whose first row is `id`. */
static enum simsm_status parse_inner(struct parse *p, const struct where *where, int id)
{
    const struct schema_row *row = &schema_rows[id];
    const char *group = where->section ? row->group : NULL;
    uint32_t *line = where->section ? &p->group_line[id] : &p->section_line[id];
    char path[SCHEMA_PATH];
    (void)snprintf(path, sizeof path, "%s%s%s", row->section, group ? "." : "", group ? group : "");
    if (*line)
        return twice(p, where, path, *line);
    *line = where->place.line;
    if (p->yaml.event.type != YAML_MAPPING_START_EVENT)
        return yaml_reader_fail(&p->yaml, yaml_reader_place(&p->yaml),
                                "%s: expects keys and values such as `%s: ...`, found %s", path,
                                !where->section && row->group ? row->group : row->key,
                                yaml_reader_kind(&p->yaml));
    return parse_mapping(p, row->section, group);
}

/* Reads the value of the key that `where` names; it is the current event. */
static enum simsm_status parse_entry(struct parse *p, const struct where *where)
{
    if (!where->section) {
        p->entries++;
        if (strcmp(where->name, "base") == 0)
            return parse_base(p, where);
    }
    bool grouped = where->section && schema_rows[schema_first(where->section, NULL)].group;
    int id = -1;
    if (!where->section)
        id = schema_first(where->name, NULL);
    else if (grouped && !where->group)
        id = schema_first(where->section, where->name);
    if (id >= 0)
        return parse_inner(p, where, id);
    if (where->section && (where->group || !grouped))
        id = schema_find(where->section, where->group, where->name);
    if (id >= 0)
        return parse_field(p, where, id);
    char text[SUGGEST_TEXT];
    return yaml_reader_fail(&p->yaml, where->place, "%s",
                            suggest_for(where->section, where->group, where->name, text));
}

/* Reads the keys of a mapping, whose start is the current event. The depth is bounded by the
 * schema. */
static enum simsm_status parse_mapping(struct parse *p, const char *section, const char *group)
{
    for (;;) {
        enum simsm_status status = yaml_reader_next(&p->yaml);
        if (status != SIMSM_OK || p->yaml.event.type == YAML_MAPPING_END_EVENT)
            return status;
        struct where where = {.section = section, .group = group};
        where.place = yaml_reader_place(&p->yaml);
        const char *name = yaml_reader_scalar(&p->yaml);
        if (!name)
            return yaml_reader_fail(&p->yaml, where.place, "expects the name of a key, found %s",
                                    yaml_reader_kind(&p->yaml));
        (void)snprintf(where.name, sizeof where.name, "%s", name);
        status = yaml_reader_next(&p->yaml);
        if (status == SIMSM_OK)
            status = parse_entry(p, &where);
        if (status != SIMSM_OK)
            return status;
    }
}

static enum simsm_status parse_text(const char *text, size_t size, const char *file,
                                    const struct chain *chain, struct simsm_config *config,
                                    struct config_origins *origins, struct simsm_error *error)
{
    struct parse p = {.config = config, .origins = origins, .chain = chain};
    (void)snprintf(origins->files[origins->file_count], CONFIG_PATH, "%s", file ? file : "");
    p.file = ++origins->file_count;
    enum simsm_status status = yaml_reader_open(&p.yaml, text, size, file, error);
    if (status == SIMSM_OK)
        status = parse_mapping(&p, NULL, NULL);
    if (status == SIMSM_OK)
        status = yaml_reader_end(&p.yaml);
    yaml_reader_close(&p.yaml);
    return status;
}

/* Checks that every key without a default has been given. */
static enum simsm_status check_given(const struct config_origins *origins, const char *file,
                                     struct simsm_error *error)
{
    char missing[512] = "", path[SCHEMA_PATH];
    size_t n = 0;
    for (int i = 0; i < SCHEMA_ROWS; i++) {
        if (schema_rows[i].required && !origins->at[i].file && n < sizeof missing)
            n += (size_t)snprintf(missing + n, sizeof missing - n, "%s%s", n ? ", " : "",
                                  schema_path(&schema_rows[i], path));
    }
    if (!n)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, file, 0, 0,
                  "these keys have no default and must be given: %s", missing);
}

/* What a base says of its values does not hold if a file above the base changes some of them. */
static void mark_changed(struct simsm_config *config, const struct config_origins *origins)
{
    for (int i = 0; i < SCHEMA_ROWS; i++)
        if (origins->at[i].file && origins->at[i].file < origins->at[SCHEMA_gpu_timing].file)
            config->gpu_timing = SIMSM_CHANGED_timing;
}

static enum simsm_status finish(enum simsm_status status, const char *file,
                                struct simsm_config *config, const struct config_origins *origins,
                                struct simsm_error *error)
{
    if (status == SIMSM_OK)
        mark_changed(config, origins);
    if (status == SIMSM_OK)
        status = check_given(origins, file, error);
    if (status == SIMSM_OK)
        status = check_config(config, origins, error);
    return status;
}

static enum simsm_status parse_whole(const char *text, size_t size, const char *file,
                                     struct simsm_config *config, struct config_origins *origins,
                                     struct simsm_error *error)
{
    struct chain chain = {NULL, 0, 0};
    struct stat info;
    *origins = (struct config_origins){.file_count = 0};
    if (file && stat(file, &info) == 0)
        chain = (struct chain){NULL, info.st_dev, info.st_ino};
    schema_defaults(config);
    return parse_text(text, size, file, file ? &chain : NULL, config, origins, error);
}

enum simsm_status config_parse_origins(const char *text, size_t size, const char *file,
                                       struct config_origins *origins, struct simsm_error *error)
{
    struct simsm_config config;
    return parse_whole(text, size, file, &config, origins, error);
}

enum simsm_status config_parse(const char *text, size_t size, const char *file,
                               struct simsm_config *config, struct simsm_error *error)
{
    struct config_origins origins;
    enum simsm_status status = parse_whole(text, size, file, config, &origins, error);
    return finish(status, file, config, &origins, error);
}

enum simsm_status config_parse_file(const char *path, struct simsm_config *config,
                                    struct config_origins *origins, struct simsm_error *error)
{
    *origins = (struct config_origins){.file_count = 0};
    struct chain chain = {NULL, 0, 0};
    struct stat info;
    if (strlen(path) >= CONFIG_PATH)
        return err_set(error, SIMSM_BAD_INPUT,
                       "the name of a configuration is longer than %d bytes", CONFIG_PATH - 1);
    if (stat(path, &info) == 0)
        chain = (struct chain){NULL, info.st_dev, info.st_ino};
    schema_defaults(config);
    enum simsm_status status = read_file(path, &chain, config, origins, error);
    return finish(status, path, config, origins, error);
}
