/*
 * Applies the relocations of code, globals and constants. A linked cubin lacks the addresses of
 * variables and of functions of the runtime; addresses of its own code are known.
 */
#include <elf.h>
#include <string.h>

#include "base/err.h"
#include "base/pool.h"
#include "sass/image/image_bytes.h"
#include "sass/image/module_build.h"

enum { INSTRUCTION_BYTES = 16, WORD_BYTES = 8 };

/*
 * What a relocation of one type writes. Numbers are those in cubins of ptxas and nvlink 11.8 to
 * 13.0; the fields were found by comparing code before and after linking, and with nvdisasm.
 */
struct relocation_kind {
    uint32_t type;
    uint8_t place;   /* SASS_IN_CODE_*; 0: an 8-byte word of data */
    bool descriptor; /* descriptor of a function, not an address of code (for kernels) */
};

static const struct relocation_kind kinds[] = {
    {0x02, 0, false}, /* address */
    {0x04, 0, false}, /* generic address */
    {0x23, 0, true},
    {0x38, SASS_IN_CODE_LOW, false},
    {0x39, SASS_IN_CODE_HIGH, false},
    {0x3a, SASS_IN_CODE_CALL, false}, /* up to sm_89 */
    {0x3e, SASS_IN_CODE_LOW, true},
    {0x3f, SASS_IN_CODE_HIGH, true},
    {0x4b, SASS_IN_CODE_CALL, false}, /* sm_90 */
};

static const struct relocation_kind *find_kind(uint32_t type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].type == type)
            return &kinds[i];
    return NULL;
}

/*
 * Writes `target` / 4 into bits 80:34 of an instruction; on sm_90 its low 8 bits into bits 23:16.
 */
static void write_call(uint8_t *instruction, uint32_t sm, uint64_t target)
{
    uint64_t low = load64(instruction), high = load64(instruction + 8), value = target >> 2;
    if (sm >= 90) {
        low = (low & ~UINT64_C(0xff0000)) | (value & 0xff) << 16;
        value >>= 8;
    }
    low = (low & ((UINT64_C(1) << 34) - 1)) | value << 34;
    high = (high & ~UINT64_C(0x1ffff)) | (value >> 30 & 0x1ffff);
    store64(instruction, low);
    store64(instruction + 8, high);
}

static void write_address(uint8_t place, uint32_t sm, uint8_t *at, uint64_t address)
{
    if (place == SASS_IN_CODE_LOW)
        store32(at + 4, (uint32_t)address);
    else if (place == SASS_IN_CODE_HIGH)
        store32(at + 4, (uint32_t)(address >> 32));
    else if (place == SASS_IN_CODE_CALL)
        write_call(at, sm, address);
    else
        store64(at, address);
}

void sass_relocate(const struct sass_module *module, const struct sass_relocation *relocation,
                   void *image, uint64_t address)
{
    uint8_t *at = (uint8_t *)image + relocation->at;
    write_address(relocation->bank, module->sm, at, address);
}

/* The bytes that a section of relocations applies to. */
struct relocation_target {
    const char *name;
    uint8_t *image; /* NULL: the module does not keep these bytes */
    uint8_t bank;   /* as in struct sass_relocation; 2 for literals */
    uint64_t begin; /* offset of the section in the image */
    uint64_t bytes; /* size of the section */
};

static struct relocation_target find_target(const struct build *build, uint32_t section)
{
    const struct cubin_section *s = &build->cubin.section[section];
    const struct section_place *place = &build->place[section];
    struct relocation_target target = {.name = s->name, .begin = place->offset, .bytes = s->size};
    switch (place->kind) {
    case PLACE_CODE:
        target.image = build->code;
        break;
    case PLACE_GLOBALS:
        target.image = build->globals;
        target.bank = SASS_IN_GLOBALS;
        break;
    case PLACE_BANK2:
        target.image = build->bank2[section];
        target.bank = 2;
        break;
    case PLACE_BANK3:
        target.image = build->bank3;
        target.bank = 3;
        break;
    case PLACE_BANK4:
        target.image = build->bank4;
        target.bank = 4;
        break;
    default:
        break;
    }
    return target;
}

/* Returns the addend that the field itself holds, for a relocation without an addend. */
static uint64_t implicit_addend(const struct relocation_kind *kind, const uint8_t *at)
{
    return kind->place == 0 ? load64(at) : kind->place == SASS_IN_CODE_LOW ? load32(at + 4) : 0;
}

static enum simsm_status add_open_relocation(struct build *build, struct pool *open,
                                             const struct relocation_target *target,
                                             const struct relocation_kind *kind,
                                             const struct cubin_relocation *relocation,
                                             uint64_t addend)
{
    const struct cubin_symbol *symbol = relocation->symbol;
    uint8_t place = build->place[symbol->section].kind;
    struct sass_relocation entry = {
        .bank = kind->place ? kind->place : target->bank,
        .is_function = symbol->type == STT_FUNC,
        .is_constant = place == PLACE_BANK3,
        .at = target->begin + relocation->offset,
        .name = symbol->name,
    };
    if (!entry.is_function) {
        if (place != PLACE_GLOBALS && place != PLACE_BANK3)
            return build_refuse(
                build, "%s needs the address of %s, which is not a variable of this module",
                target->name, symbol->name);
        entry.offset = build->place[symbol->section].offset + symbol->value + addend;
    }
    if (entry.bank == 2)
        return build_refuse(build, "%s needs the address of %s", target->name, symbol->name);
    return pool_add(open, &entry) ? SIMSM_OK : err_no_memory(build->error);
}

static enum simsm_status relocate(struct build *build, struct pool *open,
                                  const struct relocation_target *target,
                                  const struct cubin_relocation *relocation)
{
    const struct relocation_kind *kind = find_kind(relocation->type);
    const struct cubin_symbol *symbol = relocation->symbol;
    bool in_code = target->image == build->code;
    uint64_t bytes = in_code ? INSTRUCTION_BYTES : WORD_BYTES;
    if (!kind || (kind->place != 0) != in_code)
        return build_refuse(build, "%s has a relocation of type 0x%x at 0x%llx, which is unknown",
                            target->name, relocation->type, (unsigned long long)relocation->offset);
    if (relocation->offset > target->bytes || bytes > target->bytes - relocation->offset ||
        (in_code && relocation->offset % INSTRUCTION_BYTES))
        return build_refuse(build, "%s has a relocation at 0x%llx, which is not within it",
                            target->name, (unsigned long long)relocation->offset);
    uint8_t *at = target->image + target->begin + relocation->offset;
    uint64_t addend = relocation->has_addend ? relocation->addend : implicit_addend(kind, at);
    if (build->place[symbol->section].kind != PLACE_CODE || kind->descriptor)
        return add_open_relocation(build, open, target, kind, relocation, addend);
    write_address(kind->place, build->cubin.sm, at,
                  build_code_address(build, symbol->section, symbol->value + addend));
    return SIMSM_OK;
}

static enum simsm_status relocate_section(struct build *build, struct pool *open, uint32_t section)
{
    size_t count = cubin_relocations(&build->cubin, section);
    uint32_t about = build->cubin.section[section].info;
    if (count == 0 || about >= build->cubin.sections)
        return SIMSM_OK;
    struct relocation_target target = find_target(build, about);
    for (size_t i = 0; i < count && target.image; i++) {
        struct cubin_relocation relocation;
        enum simsm_status status =
            cubin_relocation(&build->cubin, section, i, &relocation, build->error);
        if (status == SIMSM_OK)
            status = relocate(build, open, &target, &relocation);
        if (status != SIMSM_OK)
            return status;
    }
    return SIMSM_OK;
}

enum simsm_status build_relocations(struct build *build)
{
    struct pool open = {.size = sizeof(struct sass_relocation)};
    enum simsm_status status = SIMSM_OK;
    for (uint32_t i = 1; i < build->cubin.sections && build->cubin.linked && status == SIMSM_OK;
         i++)
        status = relocate_section(build, &open, i);
    build->module->relocation = open.data;
    build->module->relocations = (uint32_t)open.count;
    if (open.data && !keeper_adopt(build->keeper, open.data))
        status = err_no_memory(build->error);
    return status;
}
