/*
 * A module while it is made from a cubin. The build_... functions below are called in this order.
 */
#ifndef SIM_SASS_IMAGE_MODULE_BUILD_H
#define SIM_SASS_IMAGE_MODULE_BUILD_H

#include "sass/image/elf.h"
#include "sass/image/sass_module.h"

enum place_kind { PLACE_NONE, PLACE_CODE, PLACE_GLOBALS, PLACE_BANK3, PLACE_BANK4, PLACE_BANK2 };

/* Where a section of the cubin lies in the module. */
struct section_place {
    uint8_t kind; /* enum place_kind */
    bool has_kernel;
    uint64_t offset; /* in the module's code or globals */
};

struct build {
    struct cubin cubin;
    struct keeper *keeper;
    struct sass_module *module;
    struct section_place *place; /* [cubin.sections] */
    uint32_t *kernel_section;    /* [module->kernels] section of code */
    uint32_t *kernel_symbol;     /* [module->kernels] */
    uint8_t *code, *globals, *bank3, *bank4;
    uint8_t **bank2; /* [cubin.sections] writable copies of .nv.constant2 sections */
    struct simsm_error *error;
};

/* module_layout.c: gives every section its place; copies code, globals and constants there. */
enum simsm_status build_layout(struct build *build);
/* kernels.c: functions, kernels and variables. */
enum simsm_status build_kernels(struct build *build);
/* nv_info.c: the attributes of kernels in .nv.info. */
enum simsm_status build_attributes(struct build *build);
/* relocations.c: writes known addresses, lists the others. */
enum simsm_status build_relocations(struct build *build);
/* source_lines.c: source lines. */
enum simsm_status build_lines(struct build *build);

/*
 * Returns the address that code at offset `value` of a section of code has for the kernels of that
 * section.
 */
uint64_t build_code_address(const struct build *build, uint32_t section, uint64_t value);

/* Returns whether the symbol is a function that the host can launch. */
bool build_is_kernel(const struct build *build, const struct cubin_symbol *symbol);

/* Fills the error: "PATH: is a cubin that cannot be loaded: ...". Returns its status. */
enum simsm_status build_refuse(const struct build *build, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
