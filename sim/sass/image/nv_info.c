/*
 * Reads .nv.info (of the module, by symbol) and .nv.info.KERNEL: registers, stack, parameters,
 * launch bounds. Formats and attributes have the names of nvdisasm (EIATTR_*); their layout was
 * observed with ptxas 11.8 to 13.0.
 */
#include <string.h>

#include "base/err.h"
#include "sass/image/image_bytes.h"
#include "sass/image/module_build.h"

enum attribute {
    MAX_THREADS = 0x05,
    PARAM_CBANK = 0x0a,
    EXTERNS = 0x0f,
    REQNTID = 0x10,
    FRAME_SIZE = 0x11,
    MIN_STACK_SIZE = 0x12,
    KPARAM_INFO = 0x17,
    CBANK_PARAM_SIZE = 0x19,
    COOP_GROUP_INSTR_OFFSETS = 0x28,
    COOP_GROUP_MASK_REGIDS = 0x29,
    REGCOUNT = 0x2f,
    KPARAM_INFO_V2 = 0x45, /* replaces KPARAM_INFO if a parameter is too large for it */
    CTA_PER_CLUSTER = 0x3d,
    NUM_BARRIERS = 0x4c,
};

enum { MAX_PARAMS = 4096 };
static const uint32_t stack_unknown = UINT32_MAX; /* the compiler found, or suspects, recursion */

/* One record: {format, attribute, then by format: nothing, a byte, a half word or `size` bytes}. */
struct nv_info_record {
    uint8_t attribute;
    uint32_t size;
    const uint8_t *payload;
};

/*
 * Reads the record at *at and advances *at past it. Returns false at the end of the section and at
 * a damaged record.
 */
static bool next_record(const struct cubin_section *section, uint64_t *at,
                        struct nv_info_record *record)
{
    if (!section->data || *at > section->size || section->size - *at < 4)
        return false;
    const uint8_t *head = section->data + *at;
    uint32_t inside[5] = {0, 0, 1, 2, 0}; /* bytes of the payload within the head, by format */
    uint8_t format = head[0];
    if (format < 1 || format > 4)
        return false;
    record->attribute = head[1];
    record->payload = head + (format == 4 ? 4 : 2);
    record->size = format == 4 ? load16(head + 2) : inside[format];
    uint32_t behind = format == 4 ? record->size : 0; /* bytes after the head */
    if (section->size - *at - 4 < behind)
        return false;
    *at += 4 + behind;
    return true;
}

static enum simsm_status set_param(struct build *build, struct sass_kernel *kernel,
                                   struct sass_param *params, const struct nv_info_record *record)
{
    uint32_t ordinal = load16(record->payload + 4);
    uint32_t word = load32(record->payload + 8);
    if (ordinal >= MAX_PARAMS)
        return build_refuse(build, "kernel %s has more than %d parameters", kernel->name,
                            MAX_PARAMS);
    params[ordinal].offset = load16(record->payload + 6);
    params[ordinal].size = record->attribute == KPARAM_INFO ? word >> 18 : word;
    if (ordinal >= kernel->params)
        kernel->params = ordinal + 1;
    return SIMSM_OK;
}

static void set_threads(struct sass_kernel *kernel, const struct nv_info_record *record)
{
    uint64_t threads = 1;
    for (unsigned d = 0; d < 3; d++) {
        uint32_t extent = load32(record->payload + 4 * d);
        if (record->attribute == REQNTID)
            kernel->required[d] = extent;
        threads *= extent > 65535 ? 65535 : extent;
    }
    if (record->attribute == MAX_THREADS || !kernel->max_threads)
        kernel->max_threads = threads > UINT32_MAX ? UINT32_MAX : (uint32_t)threads;
}

/*
 * Returns the payload bytes that an attribute of kernels must have; 0: the attribute is not read.
 */
static uint32_t required_bytes(uint8_t attribute)
{
    static const uint8_t bytes[256] = {
        [MAX_THREADS] = 12, [PARAM_CBANK] = 8,      [REQNTID] = 12,        [KPARAM_INFO] = 12,
        [NUM_BARRIERS] = 1, [CBANK_PARAM_SIZE] = 2, [KPARAM_INFO_V2] = 12, [CTA_PER_CLUSTER] = 12,
    };
    return bytes[attribute];
}

/* Keeps the payload, words of 32 bits. */
static enum simsm_status keep_words(struct build *build, const struct nv_info_record *record,
                                    const uint32_t **words, uint32_t *count)
{
    const uint32_t size = record->size / 4;
    uint32_t *kept = keeper_take(build->keeper, size, sizeof *kept);
    if (!kept)
        return err_no_memory(build->error);
    for (uint32_t i = 0; i < size; i++)
        kept[i] = load32(record->payload + (size_t)4 * i);
    *words = kept;
    *count = size;
    return SIMSM_OK;
}

static enum simsm_status apply_to_kernel(struct build *build, struct sass_kernel *kernel,
                                         struct sass_param *params,
                                         const struct nv_info_record *record)
{
    if (record->attribute == EXTERNS)
        kernel->has_externs = true;
    if (record->size < required_bytes(record->attribute))
        return build_refuse(build, "attribute 0x%x of kernel %s is too short", record->attribute,
                            kernel->name);
    switch (record->attribute) {
    case KPARAM_INFO:
    case KPARAM_INFO_V2:
        return set_param(build, kernel, params, record);
    case PARAM_CBANK:
        kernel->param_base = load16(record->payload + 4);
        break;
    case CBANK_PARAM_SIZE:
        kernel->param_bytes = load16(record->payload);
        break;
    case MAX_THREADS:
    case REQNTID:
        set_threads(kernel, record);
        break;
    case CTA_PER_CLUSTER:
        for (unsigned d = 0; d < 3; d++)
            kernel->cluster[d] = load32(record->payload + 4 * d);
        break;
    case COOP_GROUP_INSTR_OFFSETS:
        return keep_words(build, record, &kernel->warp_function, &kernel->warp_functions);
    case COOP_GROUP_MASK_REGIDS:
        return keep_words(build, record, &kernel->warp_mask, &kernel->warp_masks);
    case NUM_BARRIERS:
        kernel->barriers = record->payload[0];
        break;
    default:
        break;
    }
    return SIMSM_OK;
}

static enum simsm_status store_params(struct build *build, struct sass_kernel *kernel,
                                      const struct sass_param *params)
{
    if (kernel->constant0_bytes < kernel->param_base ||
        kernel->constant0_bytes - kernel->param_base < kernel->param_bytes)
        return build_refuse(build, "the parameters of kernel %s are not within constant bank 0",
                            kernel->name);
    for (uint32_t i = 0; i < kernel->params; i++)
        if (params[i].size == 0 || params[i].offset > kernel->param_bytes ||
            params[i].size > kernel->param_bytes - params[i].offset)
            return build_refuse(build, "parameter %u of kernel %s is missing or has no room", i,
                                kernel->name);
    struct sass_param *kept = keeper_take(build->keeper, kernel->params, sizeof *kept);
    if (!kept)
        return err_no_memory(build->error);
    if (kernel->params)
        memcpy(kept, params, kernel->params * sizeof *kept);
    kernel->param = kept;
    return SIMSM_OK;
}

static enum simsm_status read_kernel(struct build *build, uint32_t k)
{
    struct sass_param params[MAX_PARAMS] = {0};
    struct sass_kernel *kernel = &build->module->kernel[k];
    for (uint32_t i = 1; i < build->cubin.sections; i++) {
        const struct cubin_section *s = &build->cubin.section[i];
        struct nv_info_record record;
        uint64_t at = 0;
        if (s->info != build->kernel_section[k] || strncmp(s->name, ".nv.info.", 9) != 0)
            continue;
        while (next_record(s, &at, &record)) {
            enum simsm_status status = apply_to_kernel(build, kernel, params, &record);
            if (status != SIMSM_OK)
                return status;
        }
        if (at != s->size)
            return build_refuse(build, "section %s has a damaged record at byte %llu", s->name,
                                (unsigned long long)at);
    }
    return store_params(build, kernel, params);
}

/* Returns the kernel of a symbol, or NULL. */
static struct sass_kernel *kernel_of(const struct build *build, uint32_t symbol)
{
    for (uint32_t k = 0; k < build->module->kernels; k++)
        if (build->kernel_symbol[k] == symbol)
            return &build->module->kernel[k];
    return NULL;
}

static void apply_to_module(const struct build *build, const struct nv_info_record *record)
{
    if (record->size < 8)
        return;
    struct sass_kernel *kernel = kernel_of(build, load32(record->payload));
    uint32_t value = load32(record->payload + 4);
    bool stack = record->attribute == FRAME_SIZE || record->attribute == MIN_STACK_SIZE;
    if (kernel && record->attribute == REGCOUNT)
        kernel->registers = value;
    else if (kernel && stack && value != stack_unknown && value > kernel->local_bytes)
        kernel->local_bytes = value;
}

enum simsm_status build_attributes(struct build *build)
{
    const struct cubin_section *s = &build->cubin.section[cubin_find(&build->cubin, ".nv.info")];
    struct nv_info_record record;
    uint64_t at = 0;
    while (next_record(s, &at, &record))
        apply_to_module(build, &record);
    if (s->data && at != s->size)
        return build_refuse(build, "section .nv.info has a damaged record at byte %llu",
                            (unsigned long long)at);
    for (uint32_t k = 0; k < build->module->kernels; k++) {
        const struct sass_kernel *kernel = &build->module->kernel[k];
        if (kernel->registers == 0 || kernel->registers > 255)
            return build_refuse(build, "kernel %s says that it needs %u registers", kernel->name,
                                kernel->registers);
        enum simsm_status status = read_kernel(build, k);
        if (status != SIMSM_OK)
            return status;
    }
    return SIMSM_OK;
}
