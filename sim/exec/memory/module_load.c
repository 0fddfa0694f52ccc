/* Gives the variables and constants of a module their places in device memory, and relocates its
 * code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "exec/control/exec_code.h"
#include "exec/control/exec_grid.h"
#include "exec/memory/module_load.h"

static enum simsm_status no_room(struct simsm_error *error, uint64_t bytes)
{
    return err_set(error, SIMSM_FAILED,
                   "device memory has no room for the %llu bytes of the module's variables",
                   (unsigned long long)bytes);
}

/* Returns the address of the symbol of a relocation. */
static uint64_t address_of(const struct exec_module *loaded, uint32_t relocation)
{
    const struct sass_relocation *r = &loaded->module->relocation[relocation];
    if (r->is_function)
        return EXEC_EXTERN_BASE + UINT64_C(16) * relocation;
    return (r->is_constant ? loaded->constants : loaded->globals) + r->offset;
}

static void *image_of(struct exec_module *loaded, uint8_t bank)
{
    switch (bank) {
    case SASS_IN_GLOBALS:
        return device_pointer(loaded->memory, loaded->globals, 1);
    case SASS_IN_CODE_LOW:
    case SASS_IN_CODE_HIGH:
    case SASS_IN_CODE_CALL:
        return loaded->code;
    case 3:
        return loaded->constant3;
    case 4:
        return loaded->constant4;
    default:
        return NULL;
    }
}

static enum simsm_status relocate(struct exec_module *loaded, struct simsm_error *error)
{
    const struct sass_module *module = loaded->module;
    for (uint32_t i = 0; i < module->relocations; i++) {
        void *image = image_of(loaded, module->relocation[i].bank);
        if (!image)
            return err_set(
                error, SIMSM_FAILED,
                "the address of %s is needed in constant bank %u, which is not supported",
                module->relocation[i].name, module->relocation[i].bank);
        sass_relocate(module, &module->relocation[i], image, address_of(loaded, i));
    }
    return SIMSM_OK;
}

static bool copy(uint8_t **to, const void *from, size_t bytes)
{
    *to = malloc(bytes + 1);
    if (*to && bytes)
        memcpy(*to, from, bytes);
    return *to != NULL;
}

static enum simsm_status place(struct exec_module *loaded, struct simsm_error *error)
{
    const struct sass_module *module = loaded->module;
    struct device_memory *memory = loaded->memory;
    loaded->globals = device_alloc(memory, module->globals_bytes, "__device__ variables");
    loaded->constants = device_alloc(memory, module->constant3_bytes, "__constant__ variables");
    loaded->workspace = device_alloc(memory, EXEC_WORKSPACE, "workspace of the grid barrier");
    if (!loaded->globals || !loaded->constants || !loaded->workspace)
        return no_room(error, module->globals_bytes + module->constant3_bytes);
    device_holds_values(memory, loaded->globals);
    device_holds_values(memory, loaded->constants);
    device_holds_values(memory, loaded->workspace);
    loaded->constant3 = device_pointer(memory, loaded->constants, 1);
    if (module->constant3_bytes)
        memcpy(loaded->constant3, module->constant3, module->constant3_bytes);
    if (module->globals_initialised)
        memcpy(device_pointer(memory, loaded->globals, module->globals_initialised),
               module->globals, module->globals_initialised);
    if (!copy(&loaded->constant4, module->constant4, module->constant4_bytes) ||
        !copy(&loaded->code, module->code, module->code_bytes))
        return err_no_memory(error);
    return relocate(loaded, error);
}

enum simsm_status exec_module_load(struct exec_module **loaded, const struct sass_module *module,
                                   struct device_memory *memory, struct simsm_error *error)
{
    *loaded = NULL;
    struct exec_module *made = calloc(1, sizeof *made);
    if (!made)
        return err_no_memory(error);
    made->module = module;
    made->memory = memory;
    enum simsm_status status = place(made, error);
    if (status != SIMSM_OK) {
        exec_module_unload(made);
        return status;
    }
    *loaded = made;
    return SIMSM_OK;
}

void exec_module_unload(struct exec_module *loaded)
{
    if (!loaded)
        return;
    (void)device_free(loaded->memory, loaded->globals);
    (void)device_free(loaded->memory, loaded->constants);
    (void)device_free(loaded->memory, loaded->workspace);
    exec_code_free(loaded->prepared);
    free(loaded->constant4);
    free(loaded->code);
    free(loaded);
}

bool exec_module_symbol(const struct exec_module *loaded, const char *name, uint64_t *address,
                        uint64_t *size, bool *constant, void **host)
{
    const struct sass_module *module = loaded->module;
    for (uint32_t i = 0; i < module->symbols; i++) {
        const struct sass_symbol *symbol = &module->symbol[i];
        if (strcmp(symbol->name, name) != 0)
            continue;
        *address = (symbol->constant ? loaded->constants : loaded->globals) + symbol->offset;
        *size = symbol->size;
        *constant = symbol->constant;
        *host = device_pointer(loaded->memory, *address, symbol->size);
        return true;
    }
    return false;
}

const struct sass_module *exec_module_of(const struct exec_module *loaded)
{
    return loaded->module;
}

const char *exec_module_extern(const struct exec_module *loaded, uint64_t address)
{
    uint64_t index = (address - EXEC_EXTERN_BASE) / 16;
    if (address < EXEC_EXTERN_BASE || address % 16 || index >= loaded->module->relocations ||
        !loaded->module->relocation[index].is_function)
        return NULL;
    return loaded->module->relocation[index].name;
}
