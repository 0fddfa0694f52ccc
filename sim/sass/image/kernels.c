/* Finds the functions, kernels and variables of a cubin, from its symbols and section names. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sass/image/module_build.h"

enum {
    MANAGED = 0x04,               /* st_other of a managed variable */
    ENTRY_POINT = 0x10,           /* st_other of a kernel */
    RESERVED_SHARED_SM90 = 0x400, /* bytes of each block's shared memory that the system reserves */
};

bool build_is_kernel(const struct build *build, const struct cubin_symbol *symbol)
{
    return symbol->type == STT_FUNC && symbol->other & ENTRY_POINT &&
           build->place[symbol->section].kind == PLACE_CODE;
}

/* Whether a symbol is a function of this module. */
static bool is_function(const struct build *build, const struct cubin_symbol *symbol)
{
    return symbol->type == STT_FUNC && build->place[symbol->section].kind == PLACE_CODE;
}

static int compare_offset(const void *left, const void *right)
{
    const struct sass_function *a = left, *b = right;
    return a->offset != b->offset ? (a->offset > b->offset) - (a->offset < b->offset)
                                  : (int)b->kernel - (int)a->kernel;
}

static enum simsm_status add_function(struct build *build, const struct cubin_symbol *symbol)
{
    struct sass_module *module = build->module;
    const struct cubin_section *section = &build->cubin.section[symbol->section];
    if (symbol->value > section->size || symbol->size > section->size - symbol->value)
        return build_refuse(build, "function %s is not within section %s", symbol->name,
                            section->name);
    module->function[module->functions++] = (struct sass_function){
        .name = symbol->name,
        .offset = (uint32_t)(build->place[symbol->section].offset + symbol->value),
        .bytes = (uint32_t)symbol->size,
        .kernel = build_is_kernel(build, symbol),
    };
    return SIMSM_OK;
}

static void add_kernel(struct build *build, uint32_t index)
{
    struct sass_module *module = build->module;
    const struct cubin_symbol *symbol = &build->cubin.symbol[index];
    const struct cubin_section *section = &build->cubin.section[symbol->section];
    uint32_t begin = (uint32_t)build->place[symbol->section].offset;
    struct sass_kernel *kernel = &module->kernel[module->kernels];
    build->kernel_section[module->kernels] = symbol->section;
    build->kernel_symbol[module->kernels++] = index;
    kernel->name = symbol->name;
    kernel->code = module->linked ? module->code : module->code + begin;
    kernel->code_bytes = module->linked ? module->code_bytes : (uint32_t)section->size;
    kernel->entry = (uint32_t)build_code_address(build, symbol->section, symbol->value);
    kernel->own_begin = module->linked ? begin : 0;
    kernel->own_bytes = (uint32_t)section->size;
    kernel->registers = section->info >> 24;
    /*
     * Toolkits up to 12.9 store the number of barriers in the flags of .text (nvdisasm:
     * SHF_BARRIERS).
     */
    kernel->barriers = (uint32_t)(section->flags >> 20) & 0x7f;
    kernel->shared_static = build->cubin.sm >= 90 ? RESERVED_SHARED_SM90 : 0;
}

static enum simsm_status add_variable(struct build *build, const struct cubin_symbol *symbol)
{
    struct sass_module *module = build->module;
    const struct cubin_section *section = &build->cubin.section[symbol->section];
    bool constant = build->place[symbol->section].kind == PLACE_BANK3;
    if (symbol->value > section->size || symbol->size > section->size - symbol->value)
        return build_refuse(build, "variable %s is not within section %s", symbol->name,
                            section->name);
    module->symbol[module->symbols++] = (struct sass_symbol){
        .name = symbol->name,
        .offset = build->place[symbol->section].offset + symbol->value,
        .size = symbol->size,
        .constant = constant,
        .managed = (symbol->other & MANAGED) != 0,
    };
    return SIMSM_OK;
}

static enum simsm_status add_symbols(struct build *build)
{
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 1; i < build->cubin.symbols && status == SIMSM_OK; i++) {
        const struct cubin_symbol *symbol = &build->cubin.symbol[i];
        uint8_t kind = build->place[symbol->section].kind;
        if (symbol->type == STT_OBJECT && (kind == PLACE_GLOBALS || kind == PLACE_BANK3))
            status = add_variable(build, symbol);
        if (!is_function(build, symbol))
            continue;
        status = add_function(build, symbol);
        if (status == SIMSM_OK && build_is_kernel(build, symbol))
            add_kernel(build, i);
    }
    return status;
}

/*
 * Assigns the content of a section to the kernel that owns it: its sh_info is the kernel's section
 * of code.
 */
static enum simsm_status assign_section(struct build *build, uint32_t index,
                                        struct sass_kernel *kernel)
{
    const struct cubin_section *s = &build->cubin.section[index];
    if (strncmp(s->name, ".nv.shared.", 11) == 0) {
        if (s->size > UINT32_MAX)
            return build_refuse(build, "section %s has %llu bytes", s->name,
                                (unsigned long long)s->size);
        kernel->shared_static = (uint32_t)s->size;
    } else if (strncmp(s->name, ".nv.constant0.", 14) == 0 ||
               build->place[index].kind == PLACE_BANK2) {
        bool literals = build->place[index].kind == PLACE_BANK2;
        if (s->size > 65536 || (s->size && !s->data))
            return build_refuse(build, "section %s has no bytes, or more than 64 KiB", s->name);
        *(literals ? &kernel->constant2 : &kernel->constant0) =
            literals ? build->bank2[index] : s->data;
        *(literals ? &kernel->constant2_bytes : &kernel->constant0_bytes) = (uint32_t)s->size;
    }
    return SIMSM_OK;
}

static enum simsm_status assign_sections(struct build *build)
{
    for (uint32_t i = 1; i < build->cubin.sections; i++) {
        for (uint32_t k = 0; k < build->module->kernels; k++) {
            if (build->cubin.section[i].info != build->kernel_section[k])
                continue;
            enum simsm_status status = assign_section(build, i, &build->module->kernel[k]);
            if (status != SIMSM_OK)
                return status;
        }
    }
    return SIMSM_OK;
}

enum simsm_status build_kernels(struct build *build)
{
    struct sass_module *module = build->module;
    size_t functions = 0, kernels = 0, variables = 0;
    for (uint32_t i = 1; i < build->cubin.symbols; i++) {
        functions += is_function(build, &build->cubin.symbol[i]);
        kernels += build_is_kernel(build, &build->cubin.symbol[i]);
        variables += build->cubin.symbol[i].type == STT_OBJECT;
    }
    struct keeper *keeper = build->keeper;
    module->function = keeper_take(keeper, functions, sizeof *module->function);
    module->kernel = keeper_take(keeper, kernels, sizeof *module->kernel);
    module->symbol = keeper_take(keeper, variables, sizeof *module->symbol);
    build->kernel_section = keeper_take(keeper, kernels, sizeof *build->kernel_section);
    build->kernel_symbol = keeper_take(keeper, kernels, sizeof *build->kernel_symbol);
    if (!module->function || !module->kernel || !module->symbol || !build->kernel_section ||
        !build->kernel_symbol)
        return err_no_memory(build->error);
    enum simsm_status status = add_symbols(build);
    if (status != SIMSM_OK)
        return status;
    qsort(module->function, module->functions, sizeof *module->function, compare_offset);
    return assign_sections(build);
}
