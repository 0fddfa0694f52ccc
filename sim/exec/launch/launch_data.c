/* The contents of the buffers of a launch file, and its arguments as parameter bytes. */
#include "exec/launch/launch_data.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/infile.h"
#include "base/outfile.h"
#include "config/suggest.h"

/* Returns the next number of SplitMix64 (Steele, Lea, Flood 2014), which gives the same sequence on
 * every host. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Writes a random element: a real in [0, value), or [0, 1) without a value; an integer below value,
 * or of all bits. */
static void random_element(const struct plan_buffer *b, uint64_t *state, uint8_t *to)
{
    uint64_t random = next_random(state), below = 0;
    double share = (double)(random >> 11) / 9007199254740992.0, wide = 1.0;
    float single = 1.0f;
    if (b->has_value && b->type == PLAN_F32)
        memcpy(&single, b->value, sizeof single);
    if (b->has_value && b->type == PLAN_F64)
        memcpy(&wide, b->value, sizeof wide);
    memcpy(&below, b->value, plan_type_bytes[b->type]);
    if (b->type == PLAN_F32) {
        single *= (float)(random >> 40) / 16777216.0f;
        memcpy(to, &single, sizeof single);
    } else if (b->type == PLAN_F64) {
        wide *= share;
        memcpy(to, &wide, sizeof wide);
    } else {
        random = below ? random % below : random;
        memcpy(to, &random, plan_type_bytes[b->type]);
    }
}

/* Writes element `index` of an iota buffer: the buffer's value, or 0, plus the index. */
static void iota_element(const struct plan_buffer *b, uint64_t index, uint8_t *to)
{
    uint64_t first = 0;
    float single;
    double wide;
    memcpy(&first, b->value, plan_type_bytes[b->type]);
    memcpy(&single, b->value, sizeof single);
    memcpy(&wide, b->value, sizeof wide);
    if (b->type == PLAN_F32) {
        single += (float)index;
        memcpy(to, &single, sizeof single);
    } else if (b->type == PLAN_F64) {
        wide += (double)index;
        memcpy(to, &wide, sizeof wide);
    } else {
        first += index;
        memcpy(to, &first, plan_type_bytes[b->type]);
    }
}

static enum simsm_status fill_from_file(const struct launch_plan *plan, const struct plan_buffer *b,
                                        uint8_t *to, struct simsm_error *error)
{
    char *bytes = NULL;
    size_t size = 0;
    enum simsm_status status =
        infile_read(b->file, "data file", (size_t)b->size, &bytes, &size, error);
    if (status == SIMSM_OK && size != b->size)
        status = err_at(error, SIMSM_BAD_INPUT, plan->path, b->line, 0,
                        "buffer %s has %llu bytes, but %s has %llu", b->name,
                        (unsigned long long)b->size, b->file, (unsigned long long)size);
    if (status == SIMSM_OK)
        memcpy(to, bytes, size);
    free(bytes);
    return status;
}

/* Elements [first, end) of the buffer. */
static void fill_elements(const struct plan_buffer *b, uint64_t first, uint64_t end,
                          uint64_t *state, uint8_t *to)
{
    const uint64_t bytes = plan_type_bytes[b->type];
    for (uint64_t i = first; i < end; i++) {
        if (b->fill == FILL_VALUE)
            memcpy(to + i * bytes, b->value, bytes);
        else if (b->fill == FILL_IOTA)
            iota_element(b, i, to + i * bytes);
        else
            random_element(b, state, to + i * bytes);
    }
}

enum simsm_status launch_data_fill(const struct launch_plan *plan, const struct plan_buffer *b,
                                   uint8_t *to, const struct exec_watch *watch,
                                   struct simsm_error *error)
{
    enum { PART = 1 << 20 }; /* elements: some milliseconds */
    static const struct exec_counts none;
    const uint64_t count = b->size / plan_type_bytes[b->type];
    uint64_t state = b->seed;
    if (b->fill == FILL_ZERO)
        return SIMSM_OK;
    if (b->fill == FILL_FILE)
        return fill_from_file(plan, b, to, error);
    for (uint64_t i = 0; i < count; i += PART) {
        if (watch && !watch->go_on(watch->context, &none))
            return err_at(error, SIMSM_INTERRUPTED, plan->path, b->line, 0,
                          "interrupted while buffer %s was filled", b->name);
        fill_elements(b, i, count - i < PART ? count : i + PART, &state, to);
    }
    return SIMSM_OK;
}

enum simsm_status launch_data_room(const struct launch_plan *plan, uint64_t *bytes,
                                   struct simsm_error *error)
{
    const uint64_t beside = plan->memory ? 0 : UINT64_C(1) << 30;
    const uint64_t most = (plan->memory ? plan->memory : DEVICE_MEMORY) - beside;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < plan->buffers; i++) {
        const struct plan_buffer *b = &plan->buffer[i];
        if (b->size > most - sum)
            return err_at(error, SIMSM_BAD_INPUT, plan->path, b->line, 0,
                          "buffer %s: the GPU's memory has no room for its %llu bytes; give "
                          "`memory:` more than %llu bytes%s",
                          b->name, (unsigned long long)b->size, (unsigned long long)(most + beside),
                          plan->memory ? ", or leave it out" : "");
        sum += b->size;
    }
    *bytes = plan->memory ? plan->memory : sum + beside;
    return SIMSM_OK;
}

enum simsm_status launch_data_make(const struct launch_plan *plan, struct device_memory *memory,
                                   uint64_t address[PLAN_BUFFERS], struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; status == SIMSM_OK && i < plan->buffers; i++) {
        const struct plan_buffer *b = &plan->buffer[i];
        address[i] = device_alloc(memory, b->size, b->name);
        if (!address[i])
            return err_at(error, plan->memory ? SIMSM_BAD_INPUT : SIMSM_FAILED, plan->path, b->line,
                          0, "buffer %s: %s its %llu bytes%s", b->name,
                          plan->memory ? "the GPU's memory has no room for"
                                       : "this computer has no memory for",
                          (unsigned long long)b->size,
                          plan->memory ? "; give `memory:` more, or leave it out" : "");
        if (b->fill == FILL_FILE)
            status = fill_from_file(plan, b, device_pointer(memory, address[i], b->size), error);
    }
    return status;
}

enum simsm_status launch_data_begin(const struct launch_plan *plan, struct device_memory *memory,
                                    const uint64_t address[PLAN_BUFFERS],
                                    const struct exec_watch *watch, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; status == SIMSM_OK && i < plan->buffers; i++) {
        const struct plan_buffer *b = &plan->buffer[i];
        if (b->fill != FILL_FILE)
            status = launch_data_fill(plan, b, device_pointer(memory, address[i], b->size), watch,
                                      error);
    }
    return status;
}

enum simsm_status launch_data_write(const struct launch_plan *plan, struct device_memory *memory,
                                    const uint64_t address[PLAN_BUFFERS], struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 0; status == SIMSM_OK && i < plan->buffers; i++) {
        const struct plan_buffer *b = &plan->buffer[i];
        struct outfile out;
        if (!b->out[0])
            continue;
        status = outfile_open(&out, b->out, error);
        if (status != SIMSM_OK)
            return status;
        (void)fwrite(device_pointer(memory, address[i], b->size), 1, (size_t)b->size, out.file);
        status = outfile_commit(&out, error);
    }
    return status;
}

static enum simsm_status no_buffer(const struct launch_plan *plan, const struct plan_argument *a,
                                   struct simsm_error *error)
{
    const char *near = NULL;
    size_t least = SIZE_MAX;
    for (uint32_t i = 0; i < plan->buffers; i++) {
        size_t distance = suggest_distance(a->text, plan->buffer[i].name);
        near = distance < least ? plan->buffer[i].name : near;
        least = distance < least ? distance : least;
    }
    bool likely = near && suggest_is_near(near, least);
    return err_at(error, SIMSM_BAD_INPUT, plan->path, a->line, a->column,
                  "there is no buffer '%.64s'%s%s%s", a->text, likely ? "; is '" : "",
                  likely ? near : "", likely ? "' meant?" : "");
}

/* Finds the bytes of an argument: *bytes points to `value` or into the argument. */
static enum simsm_status argument(const struct launch_plan *plan, const struct plan_argument *a,
                                  const uint64_t address[PLAN_BUFFERS], uint8_t value[8],
                                  const uint8_t **bytes, uint32_t *size, struct simsm_error *error)
{
    *bytes = value;
    if (a->type == PLAN_RAW) {
        *bytes = a->bytes;
        *size = a->size;
        return SIMSM_OK;
    }
    if (a->type == PLAN_POINTER) {
        uint32_t i = 0;
        while (i < plan->buffers && strcmp(plan->buffer[i].name, a->text) != 0)
            i++;
        if (i == plan->buffers)
            return no_buffer(plan, a, error);
        memcpy(value, &address[i], 8);
        *size = 8;
        return SIMSM_OK;
    }
    *size = plan_type_bytes[a->type];
    if (plan_number(a->type, a->text, value))
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, plan->path, a->line, a->column,
                  "'%.64s' is no number that %s can hold", a->text, plan_type_names[a->type]);
}

enum simsm_status launch_data_params(const struct launch_plan *plan,
                                     const struct sass_kernel *kernel,
                                     const uint64_t address[PLAN_BUFFERS], uint8_t *params,
                                     struct simsm_error *error)
{
    if (plan->arguments != kernel->params)
        return err_at(error, SIMSM_BAD_INPUT, plan->path, 0, 0,
                      "%s has %u parameters, but there are %u arguments", kernel->name,
                      kernel->params, plan->arguments);
    for (uint32_t i = 0; i < plan->arguments; i++) {
        const struct plan_argument *a = &plan->argument[i];
        const struct sass_param *param = &kernel->param[i];
        const uint8_t *bytes;
        uint8_t value[8];
        uint32_t size = 0;
        enum simsm_status status = argument(plan, a, address, value, &bytes, &size, error);
        if (status != SIMSM_OK)
            return status;
        if (size != param->size || param->offset > kernel->param_bytes ||
            size > kernel->param_bytes - param->offset)
            return err_at(error, SIMSM_BAD_INPUT, plan->path, a->line, a->column,
                          "parameter %u of %s has %u bytes, but this argument has %u", i,
                          kernel->name, param->size, size);
        memcpy(params + param->offset, bytes, size);
    }
    return SIMSM_OK;
}
