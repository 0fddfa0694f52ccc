/* Compiled GPU code, as a file of any kind: read, and all that it points to touched. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sass/image/sass_module.h"

static void check(int holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s\n", what);
    abort();
}

static uint64_t sum(const uint8_t *bytes, uint64_t size)
{
    uint64_t result = 0;
    for (uint64_t i = 0; i < size; i++)
        result += bytes[i];
    return result;
}

static uint64_t touch_kernel(const struct sass_module *module, const struct sass_kernel *kernel)
{
    uint64_t result = strlen(kernel->name) + sum(kernel->constant0, kernel->constant0_bytes) +
                      sum(kernel->constant2, kernel->constant2_bytes);
    const char *file;
    char plain[64];
    check(kernel->code >= module->code &&
              kernel->code + kernel->code_bytes <= module->code + module->code_bytes,
          "a kernel's code is not the module's");
    check(kernel->own_bytes <= kernel->code_bytes &&
              kernel->own_begin <= kernel->code_bytes - kernel->own_bytes,
          "a kernel's section is not within its code");
    check(kernel->param_bytes + (uint64_t)kernel->param_base <= kernel->constant0_bytes,
          "parameters are not within bank 0");
    for (uint32_t i = 0; i < kernel->params; i++)
        check(kernel->param[i].offset + (uint64_t)kernel->param[i].size <= kernel->param_bytes,
              "a parameter has no room");
    for (uint32_t i = 0; i < kernel->lines; i++)
        check(i == 0 || kernel->line[i - 1].pc < kernel->line[i].pc, "lines are not in order");
    for (uint32_t pc = 0; pc < kernel->code_bytes; pc += 16)
        if (sass_kernel_line(module, kernel, pc, &file))
            result += strlen(file);
    sass_plain_name(kernel->name, plain, sizeof plain);
    return result + strlen(plain);
}

/* A writable copy; what is not there becomes one byte. */
static uint8_t *copy_of(const uint8_t *bytes, uint64_t size)
{
    uint8_t *copy = calloc(size + 1, 1);
    check(copy != NULL, "out of memory");
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}

static void relocate(const struct sass_module *module)
{
    uint8_t *code = copy_of(module->code, module->code_bytes);
    uint8_t *bank3 = copy_of(module->constant3, module->constant3_bytes);
    uint8_t *bank4 = copy_of(module->constant4, module->constant4_bytes);
    uint8_t *globals = copy_of(module->globals, module->globals_initialised);
    for (uint32_t i = 0; i < module->relocations; i++) {
        const struct sass_relocation *relocation = &module->relocation[i];
        uint8_t *image = relocation->bank == 3                 ? bank3
                         : relocation->bank == 4               ? bank4
                         : relocation->bank == SASS_IN_GLOBALS ? globals
                                                               : code;
        sass_relocate(module, relocation, image, UINT64_C(0x7f0011223344));
    }
    free(code);
    free(bank3);
    free(bank4);
    free(globals);
}

static uint64_t touch(const struct sass_module *module)
{
    uint64_t result = sum(module->code, module->code_bytes);
    for (uint32_t i = 0; i < module->kernels; i++)
        result += touch_kernel(module, &module->kernel[i]);
    for (uint32_t i = 0; i < module->functions; i++) {
        const struct sass_function *function = &module->function[i];
        check(function->offset + (uint64_t)function->bytes <= module->code_bytes,
              "a function is not within the code");
        result += strlen(function->name);
    }
    for (uint32_t i = 0; i < module->symbols; i++) {
        const struct sass_symbol *symbol = &module->symbol[i];
        check(symbol->offset + symbol->size <=
                  (symbol->constant ? module->constant3_bytes : module->globals_bytes),
              "a variable is not within its image");
        result += strlen(symbol->name);
    }
    relocate(module);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t result = 0;
    struct simsm_error error = {.status = SIMSM_OK};
    struct sass_file file;
    enum simsm_status status = sass_file_read(&file, data, size, "input", &error);
    for (uint32_t i = 0; status == SIMSM_OK && i < file.images; i++) {
        struct sass_module *module = NULL;
        status = sass_image_load(&file.image[i], "input", &error);
        if (status != SIMSM_OK)
            break;
        result += sum(file.image[i].data, file.image[i].size);
        if (file.image[i].ptx)
            continue;
        status = sass_module_open(&module, file.image[i].data, file.image[i].size, "input", &error);
        if (status == SIMSM_OK)
            result += touch(module);
        sass_module_close(module);
    }
    check(status == SIMSM_OK || (error.status == status && error.message[0] != '\0'),
          "refused without a reason");
    check(result != UINT64_MAX, "an impossible sum");
    sass_file_close(&file);
    return 0;
}
