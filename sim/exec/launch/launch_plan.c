/* Reads launch files: tables of keys, and a function for each kind of value. */
#include "exec/launch/launch_plan.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/infile.h"
#include "exec/launch/plan_values.h"

enum { FILE_LIMIT = 16 << 20 };

static enum simsm_status kernel_value(struct plan_reader *p, void *field)
{
    return plan_text(p, field, PLAN_TEXT, "the name of a kernel");
}

/* Reads a path, which is relative to the folder of the launch file. */
static enum simsm_status path_value(struct plan_reader *p, void *field)
{
    char name[PLAN_PATH];
    enum simsm_status status = plan_text(p, name, sizeof name, "the name of a file");
    if (status != SIMSM_OK)
        return status;
    const char *slash = strrchr(p->plan->path, '/');
    int folder = name[0] == '/' || !slash ? 0 : (int)(slash - p->plan->path) + 1;
    int length = snprintf(field, PLAN_PATH, "%.*s%s", folder, p->plan->path, name);
    if (length >= 0 && length < PLAN_PATH)
        return SIMSM_OK;
    return yaml_reader_fail(&p->yaml, yaml_reader_place(&p->yaml), "this path is too long");
}

static enum simsm_status unsupported_value(struct plan_reader *p, void *field)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    bool skip = text && strcmp(text, "skip") == 0;
    if (!skip && (!text || strcmp(text, "stop") != 0))
        return plan_fail(p, "skip or stop");
    *(bool *)field = skip;
    return SIMSM_OK;
}

static enum simsm_status dimension(struct plan_reader *p, uint32_t *size, uint32_t most)
{
    enum simsm_status status = plan_u32(p, size);
    if (status == SIMSM_OK && (!*size || *size > most))
        return yaml_reader_fail(&p->yaml, yaml_reader_place(&p->yaml),
                                "a size from 1 to %u is expected, found %u", most, *size);
    return status;
}

/* Reads x, or a list [x, y, z] of one to three sizes, each from 1 to most[i]. */
static enum simsm_status dimensions(struct plan_reader *p, uint32_t size[3], const uint32_t most[3])
{
    uint32_t count = 0;
    size[0] = size[1] = size[2] = 1;
    if (p->yaml.event.type != YAML_SEQUENCE_START_EVENT)
        return dimension(p, &size[0], most[0]);
    enum simsm_status status = yaml_reader_next(&p->yaml);
    while (status == SIMSM_OK && p->yaml.event.type != YAML_SEQUENCE_END_EVENT) {
        if (count == 3)
            return yaml_reader_fail(&p->yaml, yaml_reader_place(&p->yaml),
                                    "at most three sizes are expected: x, y, z");
        status = dimension(p, &size[count], most[count]);
        count++;
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
    }
    return status;
}

/* Limits of all GPUs: CUDA C++ Programming Guide, compute capabilities. */
static enum simsm_status grid_value(struct plan_reader *p, void *field)
{
    return dimensions(p, field, (const uint32_t[3]){INT32_MAX, 65535, 65535});
}

static enum simsm_status block_value(struct plan_reader *p, void *field)
{
    return dimensions(p, field, (const uint32_t[3]){1024, 1024, 64});
}

static enum simsm_status fill_value(struct plan_reader *p, void *field)
{
    static const char *const names[FILLS] = {"zero", "value", "iota", "random", "file"};
    unsigned chosen = 0;
    enum simsm_status status =
        plan_choice(p, names, FILLS, "zero, value, iota, random or file", &chosen);
    *(enum plan_fill *)field = (enum plan_fill)chosen;
    return status;
}

static enum simsm_status type_value(struct plan_reader *p, void *field)
{
    unsigned chosen = 0;
    enum simsm_status status =
        plan_choice(p, plan_type_names, PLAN_TYPES,
                    "i8, u8, i16, u16, i32, u32, i64, u64, f32 or f64", &chosen);
    *(enum plan_type *)field = (enum plan_type)chosen;
    return status;
}

/* The values of a buffer's keys, not checked against each other yet. */
struct raw_buffer {
    struct plan_buffer buffer;
    uint64_t count;
    char value[PLAN_NAME];
};

static enum simsm_status short_text(struct plan_reader *p, void *field)
{
    return plan_text(p, field, PLAN_NAME, "a value");
}

#define BUFFER(field) offsetof(struct raw_buffer, buffer.field)
static const struct plan_key buffer_keys[] = {
    {"size", plan_u64, BUFFER(size)},
    {"count", plan_u64, offsetof(struct raw_buffer, count)},
    {"type", type_value, BUFFER(type)},
    {"fill", fill_value, BUFFER(fill)},
    {"value", short_text, offsetof(struct raw_buffer, value)},
    {"seed", plan_u64, BUFFER(seed)},
    {"file", path_value, BUFFER(file)},
    {"out", path_value, BUFFER(out)},
    {NULL, NULL, 0},
};

static enum simsm_status finish_buffer(struct plan_reader *p, struct raw_buffer *raw,
                                       struct yaml_place place)
{
    struct plan_buffer *b = &raw->buffer;
    const char *wrong = NULL;
    uint8_t bytes = plan_type_bytes[b->type];
    if ((b->size != 0) == (raw->count != 0))
        wrong = "either size (bytes) or count (elements) is needed, and not 0";
    else if (raw->count > UINT64_MAX / bytes)
        wrong = "this is too large";
    else if ((b->fill == FILL_VALUE) && !raw->value[0])
        wrong = "fill: value needs a value";
    else if ((b->fill == FILL_FILE) != (b->file[0] != '\0'))
        wrong = "fill: file and file belong together";
    else if (raw->value[0] && !plan_number(b->type, raw->value, b->value))
        wrong = "value is no number of this type";
    if (wrong)
        return yaml_reader_fail(&p->yaml, place, "buffer %s: %s", b->name, wrong);
    b->size = b->size ? b->size : raw->count * bytes;
    b->has_value = raw->value[0] != '\0';
    b->line = place.line;
    return SIMSM_OK;
}

static enum simsm_status buffers_value(struct plan_reader *p, void *field)
{
    struct launch_plan *plan = field;
    plan->buffers = 0;
    if (p->yaml.event.type != YAML_MAPPING_START_EVENT)
        return plan_fail(p, "a mapping of names to buffers");
    enum simsm_status status = yaml_reader_next(&p->yaml);
    while (status == SIMSM_OK && p->yaml.event.type != YAML_MAPPING_END_EVENT) {
        struct raw_buffer raw = {.buffer = {.type = PLAN_I32, .seed = 1}};
        struct yaml_place place = yaml_reader_place(&p->yaml);
        if (plan->buffers == PLAN_BUFFERS)
            return yaml_reader_fail(&p->yaml, place, "there are more than %d buffers",
                                    PLAN_BUFFERS);
        status = plan_text(p, raw.buffer.name, PLAN_NAME, "the name of a buffer");
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
        if (status == SIMSM_OK)
            status = plan_mapping(p, buffer_keys, &raw);
        if (status == SIMSM_OK)
            status = finish_buffer(p, &raw, place);
        plan->buffer[plan->buffers] = raw.buffer;
        plan->buffers += status == SIMSM_OK;
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
    }
    return status;
}

/* Reads the value of an argument, whose key is its type. */
static enum simsm_status set_argument(struct plan_reader *p, struct plan_argument *a, unsigned type)
{
    if (a->text[0])
        return yaml_reader_fail(
            &p->yaml, yaml_reader_place(&p->yaml),
            "an argument has one value; write the next behind a '-' of its own");
    a->type = (enum plan_type)type;
    return plan_text(p, a->text, PLAN_TEXT, "a value");
}

#define ARGUMENT(name, type)                                                                       \
    static enum simsm_status argument_##name(struct plan_reader *p, void *field)                   \
    {                                                                                              \
        return set_argument(p, field, type);                                                       \
    }
ARGUMENT(i8, PLAN_I8)
ARGUMENT(u8, PLAN_U8)
ARGUMENT(i16, PLAN_I16)
ARGUMENT(u16, PLAN_U16)
ARGUMENT(i32, PLAN_I32)
ARGUMENT(u32, PLAN_U32)
ARGUMENT(i64, PLAN_I64)
ARGUMENT(u64, PLAN_U64)
ARGUMENT(f32, PLAN_F32)
ARGUMENT(f64, PLAN_F64)
ARGUMENT(buffer, PLAN_POINTER)

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Reads bytes such as "00 01 ff": an argument of another type, such as a struct. */
static enum simsm_status argument_bytes(struct plan_reader *p, void *field)
{
    struct plan_argument *a = field;
    const char *text = yaml_reader_scalar(&p->yaml);
    if (a->text[0] || !text || !(a->bytes = malloc(strlen(text) / 2 + 1)))
        return plan_fail(p, "bytes in hexadecimal, such as \"00 01 ff\"");
    a->type = PLAN_RAW;
    a->text[0] = ' ';
    while (*text) {
        int high = hex_digit(text[0]), low = high < 0 ? -1 : hex_digit(text[1]);
        if (low < 0 || a->size == PLAN_BYTES)
            return plan_fail(p, "bytes in hexadecimal, such as \"00 01 ff\"");
        a->bytes[a->size++] = (uint8_t)(high * 16 + low);
        text += 2;
        while (*text == ' ')
            text++;
    }
    return SIMSM_OK;
}

static const struct plan_key argument_keys[] = {
    {"i8", argument_i8, 0},
    {"u8", argument_u8, 0},
    {"i16", argument_i16, 0},
    {"u16", argument_u16, 0},
    {"i32", argument_i32, 0},
    {"u32", argument_u32, 0},
    {"i64", argument_i64, 0},
    {"u64", argument_u64, 0},
    {"f32", argument_f32, 0},
    {"f64", argument_f64, 0},
    {"buffer", argument_buffer, 0},
    {"bytes", argument_bytes, 0},
    {"name", short_text, offsetof(struct plan_argument, name)},
    {NULL, NULL, 0},
};

static enum simsm_status arguments_value(struct plan_reader *p, void *field)
{
    struct launch_plan *plan = field;
    launch_plan_free(plan);
    if (p->yaml.event.type != YAML_SEQUENCE_START_EVENT)
        return plan_fail(p, "a list of arguments such as `- i32: 5`");
    enum simsm_status status = yaml_reader_next(&p->yaml);
    while (status == SIMSM_OK && p->yaml.event.type != YAML_SEQUENCE_END_EVENT) {
        struct yaml_place place = yaml_reader_place(&p->yaml);
        if (plan->arguments == PLAN_ARGUMENTS)
            return yaml_reader_fail(&p->yaml, place, "there are more than %d arguments",
                                    PLAN_ARGUMENTS);
        struct plan_argument *a = &plan->argument[plan->arguments++];
        *a = (struct plan_argument){.line = place.line, .column = place.column};
        status = plan_mapping(p, argument_keys, a);
        if (status == SIMSM_OK && !a->text[0])
            return yaml_reader_fail(&p->yaml, place, "this argument has no value");
        if (status == SIMSM_OK)
            status = yaml_reader_next(&p->yaml);
    }
    return status;
}

#define PLAN(field) offsetof(struct launch_plan, field)
const struct plan_key launch_plan_keys[] = {
    {"kernel", kernel_value, PLAN(kernel)},
    {"grid", grid_value, PLAN(grid)},
    {"block", block_value, PLAN(block)},
    {"shared", plan_u32, PLAN(shared)},
    {"stack", plan_u32, PLAN(stack)},
    {"memory", plan_positive, PLAN(memory)},
    {"heap", plan_positive, PLAN(heap)},
    {"cooperative", plan_bool, PLAN(cooperative)},
    {"unsupported", unsupported_value, PLAN(skip_unsupported)},
    {"max_instructions", plan_positive, PLAN(max_instructions)},
    {"buffers", buffers_value, 0},
    {"arguments", arguments_value, 0},
    {NULL, NULL, 0},
};

enum simsm_status launch_plan_complete(const struct launch_plan *plan, uint32_t line,
                                       struct simsm_error *error)
{
    if (plan->kernel[0] && plan->grid[0] && plan->block[0])
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, plan->path, line, 0,
                  "%s is missing; kernel, grid and block are needed",
                  !plan->kernel[0] ? "kernel"
                  : !plan->grid[0] ? "grid"
                                   : "block");
}

static enum simsm_status open_reader(struct plan_reader *p, const char *text, size_t size,
                                     struct simsm_error *error)
{
    enum simsm_status status = yaml_reader_open(&p->yaml, text, size, p->plan->path, error);
    if (status == SIMSM_OK || p->yaml.parser.error != YAML_NO_ERROR ||
        p->yaml.event.type == YAML_NO_EVENT || p->yaml.event.type == YAML_MAPPING_START_EVENT)
        return status;
    return yaml_reader_fail(&p->yaml, (struct yaml_place){1, 1},
                            "is no launch file: keys such as `kernel:`, `grid:` and `block:` with "
                            "their values are expected");
}

static enum simsm_status parse_text(struct launch_plan *plan, const char *text, size_t size,
                                    struct simsm_error *error)
{
    struct plan_reader p = {.plan = plan};
    enum simsm_status status = open_reader(&p, text, size, error);
    if (status == SIMSM_OK)
        status = plan_mapping(&p, launch_plan_keys, plan);
    if (status == SIMSM_OK)
        status = yaml_reader_end(&p.yaml);
    yaml_reader_close(&p.yaml);
    return status == SIMSM_OK ? launch_plan_complete(plan, 0, error) : status;
}

/* Replaces the value of the argument that `param`, "name=value", names. */
static enum simsm_status replace(struct launch_plan *plan, const char *param,
                                 struct simsm_error *error)
{
    const char *equals = strchr(param, '=');
    size_t length = equals ? (size_t)(equals - param) : strlen(param);
    for (uint32_t i = 0; equals && i < plan->arguments; i++) {
        struct plan_argument *a = &plan->argument[i];
        if (strlen(a->name) != length || strncmp(a->name, param, length) != 0)
            continue;
        if (a->type == PLAN_RAW || strlen(equals + 1) >= sizeof a->text)
            break;
        (void)snprintf(a->text, sizeof a->text, "%s", equals + 1);
        return SIMSM_OK;
    }
    return err_at(error, SIMSM_BAD_INPUT, plan->path, 0, 0,
                  "no argument can take '%.100s': give it a name, as in `- {i32: 5, name: n}`, and "
                  "write n=6",
                  param);
}

enum simsm_status launch_plan_read(struct launch_plan *plan, const char *path,
                                   const char *const *params, struct simsm_error *error)
{
    *plan = (struct launch_plan){.memory = 0};
    if (strlen(path) >= sizeof plan->path)
        return err_set(error, SIMSM_BAD_INPUT, "the path of the launch file is too long");
    (void)snprintf(plan->path, sizeof plan->path, "%s", path);
    char *text = NULL;
    size_t size = 0;
    enum simsm_status status = infile_read(path, "launch file", FILE_LIMIT, &text, &size, error);
    if (status == SIMSM_OK)
        status = parse_text(plan, text, size, error);
    free(text);
    for (; status == SIMSM_OK && params && *params; params++)
        if (strncmp(*params, "launch=", 7) != 0)
            status = replace(plan, *params, error);
    return status;
}

void launch_plan_free(struct launch_plan *plan)
{
    for (uint32_t i = 0; i < plan->arguments; i++)
        free(plan->argument[i].bytes);
    plan->arguments = 0;
}
