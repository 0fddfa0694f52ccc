/* Lays out the sections of a cubin in the module: code, the image of the globals, constants. */
#include <elf.h>
#include <string.h>

#include "base/err.h"
#include "sass/image/module_build.h"

enum {
    CODE_ALIGN = 128, /* as ptxas aligns .text */
    INSTRUCTION_BYTES = 16,
};

/* Limits above the size of any module, so that a damaged size cannot cause a large allocation. */
static const uint64_t globals_limit = UINT64_C(1) << 30, code_limit = UINT64_C(1) << 31;

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static uint8_t kind_of(const char *name)
{
    static const struct {
        const char *prefix;
        uint8_t kind;
    } kinds[] = {
        {".text.", PLACE_CODE},         {".nv.constant2.", PLACE_BANK2},
        {".nv.constant3", PLACE_BANK3}, {".nv.constant4", PLACE_BANK4},
        {".nv.global", PLACE_GLOBALS},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (begins(name, kinds[i].prefix))
            return kinds[i].kind;
    return PLACE_NONE;
}

/* Places a section after the *bytes bytes that are in use. */
static enum simsm_status append(struct build *build, uint32_t section, uint64_t align,
                                uint64_t limit, uint64_t *bytes)
{
    const struct cubin_section *s = &build->cubin.section[section];
    if (align == 0 || align > 4096 || (align & (align - 1)) != 0)
        return build_refuse(build, "section %s has the alignment %llu", s->name,
                            (unsigned long long)align);
    uint64_t offset = (*bytes + align - 1) & ~(align - 1);
    if (s->size > limit || offset > limit - s->size)
        return build_refuse(build, "section %s makes it larger than %llu MiB", s->name,
                            (unsigned long long)(limit >> 20));
    build->place[section].offset = offset;
    *bytes = offset + s->size;
    return SIMSM_OK;
}

/*
 * Places the sections of code, either those with kernels or those without. Sections with kernels
 * come first, so that no device function has address 0, the null pointer.
 */
static enum simsm_status place_code(struct build *build, bool kernels, uint64_t *bytes)
{
    for (uint32_t i = 1; i < build->cubin.sections; i++) {
        const struct cubin_section *s = &build->cubin.section[i];
        if (build->place[i].kind != PLACE_CODE || build->place[i].has_kernel != kernels)
            continue;
        if (s->size % INSTRUCTION_BYTES || (s->size && !s->data))
            return build_refuse(build, "section %s is no sequence of 16-byte instructions",
                                s->name);
        enum simsm_status status = append(build, i, CODE_ALIGN, code_limit, bytes);
        if (status != SIMSM_OK)
            return status;
        if (!kernels && s->size)
            build->module->linked = true;
    }
    return SIMSM_OK;
}

/* Places the sections of globals, either those with bytes in the file or those without. */
static enum simsm_status place_globals(struct build *build, bool initialised, uint64_t *bytes)
{
    for (uint32_t i = 1; i < build->cubin.sections; i++) {
        const struct cubin_section *s = &build->cubin.section[i];
        if (build->place[i].kind != PLACE_GLOBALS || (s->data != NULL) != initialised)
            continue;
        enum simsm_status status = append(build, i, s->align, globals_limit, bytes);
        if (status != SIMSM_OK)
            return status;
    }
    return SIMSM_OK;
}

static void copy_sections(struct build *build, uint8_t kind, uint8_t *image)
{
    for (uint32_t i = 1; i < build->cubin.sections; i++)
        if (build->place[i].kind == kind && build->cubin.section[i].data)
            memcpy(image + build->place[i].offset, build->cubin.section[i].data,
                   build->cubin.section[i].size);
}

/* Copies a constant bank that the whole module shares: at most one section, at most 64 KiB. */
static enum simsm_status copy_bank(struct build *build, uint8_t kind, uint8_t **bank,
                                   uint32_t *bytes)
{
    for (uint32_t i = 1; i < build->cubin.sections; i++) {
        const struct cubin_section *s = &build->cubin.section[i];
        if (build->place[i].kind != kind || s->size == 0)
            continue;
        if (*bytes || s->size > 65536)
            return build_refuse(build, "section %s is a second one, or exceeds 64 KiB", s->name);
        *bank = keeper_take(build->keeper, s->size, 1);
        if (!*bank)
            return err_no_memory(build->error);
        *bytes = (uint32_t)s->size;
        if (s->data)
            memcpy(*bank, s->data, s->size);
    }
    return SIMSM_OK;
}

static enum simsm_status copy_literals(struct build *build)
{
    for (uint32_t i = 1; i < build->cubin.sections; i++) {
        const struct cubin_section *s = &build->cubin.section[i];
        if (build->place[i].kind != PLACE_BANK2 || !s->data)
            continue;
        build->bank2[i] = keeper_take(build->keeper, s->size, 1);
        if (!build->bank2[i])
            return err_no_memory(build->error);
        memcpy(build->bank2[i], s->data, s->size);
    }
    return SIMSM_OK;
}

static enum simsm_status copy_constants(struct build *build)
{
    struct sass_module *module = build->module;
    enum simsm_status status =
        copy_bank(build, PLACE_BANK3, &build->bank3, &module->constant3_bytes);
    if (status == SIMSM_OK)
        status = copy_bank(build, PLACE_BANK4, &build->bank4, &module->constant4_bytes);
    module->constant3 = build->bank3;
    module->constant4 = build->bank4;
    return status == SIMSM_OK ? copy_literals(build) : status;
}

static enum simsm_status copy_code_and_globals(struct build *build, uint64_t code_bytes)
{
    struct sass_module *module = build->module;
    build->code = keeper_take(build->keeper, code_bytes, 1);
    build->globals = keeper_take(build->keeper, module->globals_bytes, 1);
    if (!build->code || !build->globals)
        return err_no_memory(build->error);
    copy_sections(build, PLACE_CODE, build->code);
    copy_sections(build, PLACE_GLOBALS, build->globals);
    module->code = build->code;
    module->code_bytes = (uint32_t)code_bytes;
    module->globals = build->globals;
    return SIMSM_OK;
}

enum simsm_status build_layout(struct build *build)
{
    struct sass_module *module = build->module;
    uint64_t code = 0;
    build->place = keeper_take(build->keeper, build->cubin.sections, sizeof *build->place);
    build->bank2 = keeper_take(build->keeper, build->cubin.sections, sizeof *build->bank2);
    if (!build->place || !build->bank2)
        return err_no_memory(build->error);
    for (uint32_t i = 1; i < build->cubin.sections; i++)
        build->place[i].kind = kind_of(build->cubin.section[i].name);
    for (uint32_t i = 1; i < build->cubin.symbols; i++)
        if (build_is_kernel(build, &build->cubin.symbol[i]))
            build->place[build->cubin.symbol[i].section].has_kernel = true;
    enum simsm_status status = place_code(build, true, &code);
    if (status == SIMSM_OK)
        status = place_code(build, false, &code);
    if (status == SIMSM_OK)
        status = place_globals(build, true, &module->globals_bytes);
    module->globals_initialised = module->globals_bytes;
    if (status == SIMSM_OK)
        status = place_globals(build, false, &module->globals_bytes);
    if (status == SIMSM_OK)
        status = copy_code_and_globals(build, code);
    return status == SIMSM_OK ? copy_constants(build) : status;
}

uint64_t build_code_address(const struct build *build, uint32_t section, uint64_t value)
{
    return (build->module->linked ? build->place[section].offset : 0) + value;
}
