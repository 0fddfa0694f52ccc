/* Compiled GPU code as it lies in files: what tests/data/sass/module holds is described there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/infile.h"
#include "sass/image/sass_module.h"

#define DATA "tests/data/sass/module/"

static void die(const struct simsm_error *error)
{
    char text[1200];
    fail_msg("%s", simsm_error_text(error, text, sizeof text));
}

static uint8_t *slurp(const char *path, size_t *size)
{
    struct simsm_error error;
    char *text = NULL;
    if (infile_read(path, "test", 1 << 20, &text, size, &error) != SIMSM_OK)
        die(&error);
    return (uint8_t *)text;
}

/* The module in a file that holds one cubin. */
static struct sass_module *load(const char *path)
{
    struct simsm_error error;
    struct sass_module *module = NULL;
    size_t size;
    uint8_t *data = slurp(path, &size);
    if (sass_module_open(&module, data, size, path, &error) != SIMSM_OK)
        die(&error);
    free(data); /* the module has copies */
    return module;
}

static const struct sass_kernel *kernel_of(const struct sass_module *module, const char *name)
{
    const struct sass_kernel *kernel = sass_module_kernel(module, name);
    if (!kernel)
        fail_msg("there is no kernel %s", name);
    return kernel;
}

static uint64_t word_at(const uint8_t *at)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)at[i] << 8 * i;
    return word;
}

static const struct {
    const char *path;
    uint32_t sm, param_base, reserved_shared;
} features[] = {
    {DATA "features.sm_75.cubin", 75, 0x160, 0},
    {DATA "features.sm_80.cubin", 80, 0x160, 0},
    {DATA "features.sm_90.cubin", 90, 0x210, 0x400},
    {DATA "features.12.sm_80.cubin", 80, 0x160, 0},
};
enum { FEATURES = sizeof features / sizeof features[0] };

static void kernels_say_what_they_need(void **state)
{
    (void)state;
    for (unsigned i = 0; i < FEATURES; i++) {
        struct sass_module *module = load(features[i].path);
        assert_int_equal(module->sm, features[i].sm);
        assert_int_equal(module->kernels, 8);
        const struct sass_kernel *bounded = kernel_of(module, "bounded");
        assert_string_equal(bounded->name, "_Z7boundedPi5mixedcx");
        assert_int_equal(bounded->shared_static, 256 + features[i].reserved_shared);
        assert_int_equal(bounded->barriers, 1);
        assert_int_equal(bounded->max_threads, 128);
        assert_int_equal(bounded->required[0], 0);
        assert_int_equal(bounded->param_base, features[i].param_base);
        assert_true(bounded->registers >= 8 && bounded->registers <= 64);
        assert_false(bounded->has_externs);
        const struct sass_kernel *plain = kernel_of(module, "plain");
        assert_int_equal(plain->shared_static, features[i].reserved_shared);
        assert_int_equal(plain->barriers, 0);
        assert_int_equal(plain->max_threads, 0);
        assert_int_equal(plain->entry, 0);
        assert_int_equal(kernel_of(module, "locals")->local_bytes, 160);
        assert_int_equal(kernel_of(module, "prints")->local_bytes, 8);
        assert_true(kernel_of(module, "prints")->has_externs);
        assert_non_null(kernel_of(module, "jumps")->constant2);
        assert_null(plain->constant2);
        sass_module_close(module);
    }
}

static void parameters_are_by_ordinal(void **state)
{
    (void)state;
    static const struct sass_param bounded[] = {{0, 8}, {8, 24}, {32, 1}, {40, 8}};
    for (unsigned i = 0; i < FEATURES; i++) {
        struct sass_module *module = load(features[i].path);
        const struct sass_kernel *kernel = kernel_of(module, "bounded");
        assert_int_equal(kernel->params, 4);
        assert_memory_equal(kernel->param, bounded, sizeof bounded);
        assert_int_equal(kernel->param_bytes, 48);
        assert_int_equal(kernel->constant0_bytes, features[i].param_base + 48);
        sass_module_close(module);
    }
}

static void kernels_are_found_by_both_names(void **state)
{
    (void)state;
    struct sass_module *module = load(features[0].path);
    assert_non_null(sass_module_kernel(module, "_ZN5outer5innerIfEEvPT_"));
    assert_ptr_equal(sass_module_kernel(module, "outer::inner"),
                     sass_module_kernel(module, "_ZN5outer5innerIfEEvPT_"));
    assert_ptr_equal(sass_module_kernel(module, "inner"),
                     sass_module_kernel(module, "outer::inner"));
    assert_null(sass_module_kernel(module, "nner"));
    assert_null(sass_module_kernel(module, "_Z5plain"));
    sass_module_close(module);
}

static void device_functions_are_listed_in_their_kernel(void **state)
{
    (void)state;
    struct sass_module *module = load(features[1].path);
    const struct sass_kernel *calls = kernel_of(module, "calls");
    uint64_t begin = (uint64_t)(calls->code - module->code);
    unsigned found = 0;
    assert_false(module->linked);
    assert_int_equal(module->functions, 9);
    for (uint32_t i = 0; i < module->functions; i++) {
        const struct sass_function *function = &module->function[i];
        assert_true(i == 0 || function[-1].offset <= function->offset);
        if (function->kernel)
            continue;
        found++;
        assert_non_null(strstr(function->name, "helper"));
        assert_true(function->offset > begin &&
                    function->offset + function->bytes <= begin + calls->code_bytes);
    }
    assert_int_equal(found, 1);
    sass_module_close(module);
}

static const struct sass_symbol *symbol_of(const struct sass_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->symbols; i++)
        if (strcmp(module->symbol[i].name, name) == 0)
            return &module->symbol[i];
    fail_msg("there is no symbol %s", name);
    return NULL;
}

static void variables_have_their_initial_values(void **state)
{
    (void)state;
    static const float table[4] = {1, 2, 3, 4};
    for (unsigned i = 0; i < FEATURES; i++) {
        struct sass_module *module = load(features[i].path);
        const struct sass_symbol *counter = symbol_of(module, "counter");
        const struct sass_symbol *big = symbol_of(module, "big");
        const struct sass_symbol *constants = symbol_of(module, "table");
        assert_false(counter->constant);
        assert_int_equal(counter->size, 4);
        assert_int_equal(module->globals[counter->offset], 7);
        assert_int_equal(big->size, 400);
        assert_true(big->offset >= module->globals_initialised);
        assert_true(big->offset + big->size <= module->globals_bytes);
        for (uint64_t b = 0; b < big->size; b++)
            assert_int_equal(module->globals[big->offset + b], 0);
        assert_true(constants->constant);
        assert_int_equal(constants->size, 64);
        assert_memory_equal(module->constant3 + constants->offset, table, sizeof table);
        sass_module_close(module);
    }
}

/* The relocation for the 8-byte word of a variable, in the globals or in bank 3. */
static const struct sass_relocation *relocation_of(const struct sass_module *module,
                                                   const char *variable)
{
    const struct sass_symbol *symbol = symbol_of(module, variable);
    uint8_t bank = symbol->constant ? 3 : SASS_IN_GLOBALS;
    for (uint32_t i = 0; i < module->relocations; i++)
        if (module->relocation[i].bank == bank && module->relocation[i].at == symbol->offset)
            return &module->relocation[i];
    fail_msg("%s is not relocated", variable);
    return NULL;
}

static void addresses_in_variables_are_left_open(void **state)
{
    (void)state;
    for (unsigned i = 0; i < FEATURES; i++) {
        struct sass_module *module = load(features[i].path);
        uint64_t counter = symbol_of(module, "counter")->offset;
        const struct sass_relocation *pointer = relocation_of(module, "pointer");
        assert_int_equal(pointer->offset, counter);
        assert_false(pointer->is_function || pointer->is_constant);
        assert_int_equal(relocation_of(module, "constant_pointer")->offset, counter);
        assert_int_equal(relocation_of(module, "inside")->offset,
                         symbol_of(module, "big")->offset + 20);
        const struct sass_relocation *constant = relocation_of(module, "constant_inside");
        assert_true(constant->is_constant);
        assert_int_equal(constant->offset, symbol_of(module, "table")->offset + 8);
        uint8_t *image = malloc(module->globals_bytes);
        memcpy(image, module->globals, module->globals_bytes);
        sass_relocate(module, pointer, image, UINT64_C(0x1122334455667788));
        assert_int_equal(word_at(image + pointer->at), UINT64_C(0x1122334455667788));
        free(image);
        sass_module_close(module);
    }
}

static unsigned count_relocations(const struct sass_module *module, uint8_t bank, const char *name)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < module->relocations; i++)
        count +=
            module->relocation[i].bank == bank && strcmp(module->relocation[i].name, name) == 0;
    return count;
}

static void code_gets_addresses_from_bank_4(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct sass_module *module = load(features[i].path);
        assert_int_equal(module->constant4_bytes, 56);
        assert_int_equal(count_relocations(module, 4, "counter"), 1);
        assert_int_equal(count_relocations(module, 4, "vprintf"), 1);
        for (uint32_t r = 0; r < module->relocations; r++)
            assert_true(module->relocation[r].is_function ==
                        (strcmp(module->relocation[r].name, "vprintf") == 0));
        sass_module_close(module);
    }
}

/* Toolkits before 12.4 or so relocate instructions. */
static void code_itself_may_be_relocated(void **state)
{
    (void)state;
    struct sass_module *module = load(features[3].path);
    const uint64_t address = UINT64_C(0x7f0123456780);
    uint8_t *code = malloc(module->code_bytes);
    unsigned low = 0, high = 0, call = 0;
    assert_null(module->constant4);
    memcpy(code, module->code, module->code_bytes);
    for (uint32_t i = 0; i < module->relocations; i++) {
        const struct sass_relocation *relocation = &module->relocation[i];
        if (relocation->bank < SASS_IN_CODE_CALL || relocation->bank == SASS_IN_GLOBALS)
            continue;
        sass_relocate(module, relocation, code, address);
        uint64_t word = word_at(code + relocation->at),
                 old = word_at(module->code + relocation->at);
        if (relocation->bank == SASS_IN_CODE_CALL) {
            assert_true(relocation->is_function);
            assert_int_equal(word >> 34 | (word_at(code + relocation->at + 8) & 0x1ffff) << 30,
                             address >> 2);
            call++;
        } else {
            bool is_low = relocation->bank == SASS_IN_CODE_LOW;
            assert_int_equal(word >> 32, is_low ? (uint32_t)address : address >> 32);
            assert_int_equal((uint32_t)word, (uint32_t)old);
            *(is_low ? &low : &high) += 1;
        }
    }
    assert_int_equal(low, high);
    assert_true(low >= 6);
    assert_int_equal(call, 1);
    assert_int_equal(count_relocations(module, SASS_IN_CODE_CALL, "vprintf"), 1);
    free(code);
    sass_module_close(module);
}

static const struct sass_function *function_of(const struct sass_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->functions; i++)
        if (strcmp(module->function[i].name, name) == 0)
            return &module->function[i];
    fail_msg("there is no function %s", name);
    return NULL;
}

/* The target of CALL.ABS.NOINC, found with nvdisasm: 4 x bits 80:34; on sm_90 23:16 are below. */
static uint64_t call_target(const uint8_t *at, uint32_t sm)
{
    uint64_t low = word_at(at), value = low >> 34 | (word_at(at + 8) & 0x1ffff) << 30;
    return 4 * (sm >= 90 ? value << 8 | (low >> 16 & 0xff) : value);
}

static void linked_code_calls_across_sections(void **state)
{
    (void)state;
    static const char *const paths[] = {DATA "linked.sm_75.cubin", DATA "linked.sm_80.cubin",
                                        DATA "linked.sm_90.cubin"};
    for (unsigned i = 0; i < 3; i++) {
        struct sass_module *module = load(paths[i]);
        const struct sass_kernel *near = kernel_of(module, "near");
        const struct sass_function *far = function_of(module, "_Z3farfi");
        uint32_t pc = near->own_begin, end = near->own_begin + near->own_bytes;
        assert_true(module->linked);
        assert_ptr_equal(near->code, module->code);
        assert_int_equal(near->code_bytes, module->code_bytes);
        assert_int_equal(near->entry, near->own_begin);
        assert_int_equal(near->local_bytes, 48); /* of both functions that it calls */
        while (pc < end && (word_at(near->code + pc) & 0xfff) != 0x943)
            pc += 16;
        assert_true(pc < end);
        assert_int_equal(call_target(near->code + pc, module->sm), far->offset);
        /* The return address, that of the next instruction, is moved to a register. */
        bool found = false;
        for (uint32_t p = near->own_begin; p < pc; p += 16)
            found = found || ((word_at(near->code + p) & 0xfff) == 0x802 &&
                              word_at(near->code + p) >> 32 == pc + 16);
        assert_true(found);
        /* A pointer to a function is its place in the code. */
        assert_int_equal(word_at(module->globals + symbol_of(module, "chosen")->offset),
                         far->offset);
        assert_true(far->offset != 0);
        sass_module_close(module);
    }
}

static void lines_come_from_the_line_table(void **state)
{
    (void)state;
    struct sass_module *module = load(DATA "lines.sm_80.cubin");
    const struct sass_kernel *tiny = kernel_of(module, "tiny");
    const char *file = NULL;
    assert_null(module->line_problem);
    assert_int_equal(sass_kernel_line(module, tiny, 0, &file), 1);
    assert_string_equal(file, "/tmp/sass/tiny.cu");
    assert_int_equal(sass_kernel_line(module, tiny, 0x10, &file), 3);
    assert_int_equal(sass_kernel_line(module, tiny, 0x50, &file), 3);
    assert_int_equal(sass_kernel_line(module, tiny, 0x60, &file), 4);
    sass_module_close(module);
    module = load(features[0].path);
    assert_int_equal(sass_kernel_line(module, &module->kernel[0], 0, &file), 0);
    assert_null(file);
    sass_module_close(module);
}

/* kernels.cu calls atomics, shuffles and cooperative groups, which are functions of headers. */
static void lines_of_inlined_code_are_the_callers(void **state)
{
    (void)state;
    struct sass_module *module = load("tests/data/sass/execute/kernels.sm_90.cubin");
    uint32_t told = 0, headers = 0;
    for (uint32_t f = 0; f < module->files; f++)
        headers += strstr(module->file[f], ".hpp") || strstr(module->file[f], ".h");
    assert_true(headers > 2);
    for (uint32_t k = 0; k < module->kernels; k++) {
        const struct sass_kernel *kernel = &module->kernel[k];
        for (uint32_t pc = 0; pc < kernel->own_bytes; pc += 16) {
            const char *file = NULL;
            if (sass_kernel_line(module, kernel, kernel->own_begin + pc, &file) == 0)
                continue;
            told++;
            if (!strstr(file, "/kernels.cu"))
                fail_msg("%s+0x%x: %s", kernel->name, pc, file);
        }
    }
    assert_true(told > 1000);
    sass_module_close(module);
}

static void calls_of_inlined_code_are_lines_of_callers(void **state)
{
    (void)state;
    struct sass_module *module = load("tests/data/sass/module/inlined.sm_90.cubin");
    const struct sass_kernel *fill = kernel_of(module, "fill");
    uint32_t stores[2] = {0};
    for (uint32_t pc = 0; pc < fill->code_bytes; pc += 16) {
        const char *file;
        const uint32_t call = sass_kernel_call(module, fill, pc, 0, &file);
        if (sass_kernel_line(module, fill, pc, &file) != 3)
            continue;
        assert_true(call == 8 || call == 9);
        stores[call - 8]++;
        assert_int_equal(sass_kernel_call(module, fill, pc, 1, &file), 14);
        assert_non_null(strstr(file, "/inlined.cu"));
        assert_int_equal(sass_kernel_call(module, fill, pc, 2, &file), 0);
        assert_null(file);
    }
    assert_true(stores[0] && stores[1]);
    sass_module_close(module);
}

static struct sass_file open_file(const char *path)
{
    struct simsm_error error;
    struct sass_file file;
    if (sass_file_open(&file, path, &error) != SIMSM_OK)
        die(&error);
    return file;
}

static void load_images(struct sass_file *file)
{
    struct simsm_error error;
    for (uint32_t i = 0; i < file->images; i++)
        if (sass_image_load(&file->image[i], "x", &error) != SIMSM_OK)
            die(&error);
}

static void files_hold_several_images(void **state)
{
    (void)state;
    static const char *const paths[] = {DATA "zstd.fatbin", DATA "lz4.fatbin", DATA "host.o"};
    static const uint32_t sm[] = {75, 80, 90, 90};
    struct sass_file first = open_file(paths[0]);
    load_images(&first);
    for (unsigned i = 0; i < 3; i++) {
        struct sass_file file = open_file(paths[i]);
        load_images(&file);
        assert_int_equal(file.images, 4);
        assert_int_equal(file.units, 1);
        for (uint32_t k = 0; k < 4; k++) {
            const struct sass_image *image = &file.image[k];
            assert_int_equal(image->sm, sm[k]);
            assert_int_equal(image->kind, k == 3 ? SASS_IMAGE_PTX : SASS_IMAGE_CUBIN);
            assert_true(image->ptx == (k == 3));
            assert_false(image->empty);
            assert_int_equal(image->size, first.image[k].size);
            assert_memory_equal(image->data, first.image[k].data, image->size);
        }
        sass_image_unload(&file.image[0]);
        assert_int_equal(sass_file_pick(&file, 75)->size, first.image[0].size);
        assert_non_null(file.image[0].data);
        assert_non_null(strstr((const char *)file.image[3].data, ".target sm_90"));
        sass_file_close(&file);
    }
    sass_file_close(&first);
}

static void code_runs_on_its_generation(void **state)
{
    (void)state;
    static const uint32_t runs[][2] = {{75, 75}, {80, 80}, {86, 80}, {87, 80}, {89, 80},
                                       {90, 90}, {70, 0},  {100, 0}, {61, 0}};
    struct sass_file file = open_file(DATA "zstd.fatbin");
    for (unsigned i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        const struct sass_image *image = sass_file_pick(&file, runs[i][0]);
        assert_int_equal(image ? image->sm : 0, runs[i][1]);
        assert_ptr_equal(image, sass_file_pick_unit(&file, 0, runs[i][0]));
        assert_null(sass_file_pick_unit(&file, 1, runs[i][0]));
    }
    sass_file_close(&file);
}

static void a_file_without_fitting_code_says_what_it_has(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        uint32_t sm;
        const char *says;
    } cases[] = {
        {DATA "ptx.fatbin", 80, "but PTX for compute_80; compile it with nvcc -arch=sm_80"},
        {DATA "zstd.fatbin", 100,
         "has sm_75, sm_80, sm_90, PTX for compute_90; code for sm_100 is not executed"},
        {DATA "lines.sm_80.cubin", 75, "has no machine code that runs on sm_75, but sm_80;"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct simsm_error error;
        const struct sass_image *image;
        struct sass_file file = open_file(cases[i].path);
        assert_int_equal(sass_file_require(&file, "x", cases[i].sm, &image, &error),
                         SIMSM_BAD_INPUT);
        if (!strstr(error.message, cases[i].says))
            fail_msg("'%s' does not say '%s'", error.message, cases[i].says);
        sass_file_close(&file);
    }
}

static void wrappers_lead_to_their_fatbin(void **state)
{
    (void)state;
    struct {
        uint32_t magic, version;
        const void *data, *more;
    } wrapper = {0x466243b1, 1, NULL, NULL};
    size_t size, found = 0;
    uint8_t *fatbin = slurp(DATA "zstd.fatbin", &size);
    assert_null(sass_wrapped_fatbin(&wrapper, &found));
    wrapper.data = fatbin;
    assert_ptr_equal(sass_wrapped_fatbin(&wrapper, &found), fatbin);
    assert_int_equal(found, size);
    wrapper.magic = 0;
    assert_null(sass_wrapped_fatbin(&wrapper, &found));
    free(fatbin);
}

static void names_are_those_of_the_source(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"_Z5plainPfPKfi", "plain"},
        {"cname", "cname"},
        {"_ZN2ns2ktILi5EfEEvPT0_", "ns::kt"},
        {"_ZN5outer5innerIfEEvPT_", "outer::inner"},
        {"_ZN2ns35_GLOBAL__N__52459557_6_big_cu_table2kaEPi", "ns::ka"},
        {"__nv_static_24__52459557_6_big_cu_table__ZN2ns2ksEPf", "ns::ks"},
        {"_ZN1aI3fooIiEE1bE1cvi", "a::b"},
        {"_ZL6hiddenPi", "hidden"},
        {"_ZSt4sortPi", "std::sort"},
        {"_ZN6bufferC1Ei", "buffer::buffer"},
        {"_ZN2ns3boxIiED2Ev", "ns::box::~box"},
        {"_Z", "_Z"},
        {"_Z99short", "_Z99short"},
        {"_ZN", "_ZN"},
        {"_ZN1aI", "_ZN1aI"},
        {"_ZplRK1xS1_", "_ZplRK1xS1_"},
        {"", ""},
    };
    char plain[64];
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        sass_plain_name(names[i][0], plain, sizeof plain);
        assert_string_equal(plain, names[i][1]);
    }
    sass_plain_name("_ZN5outer5innerIfEEvPT_", plain, 8);
    assert_string_equal(plain, "outer::");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_say_what_they_need),
        cmocka_unit_test(parameters_are_by_ordinal),
        cmocka_unit_test(kernels_are_found_by_both_names),
        cmocka_unit_test(device_functions_are_listed_in_their_kernel),
        cmocka_unit_test(variables_have_their_initial_values),
        cmocka_unit_test(addresses_in_variables_are_left_open),
        cmocka_unit_test(code_gets_addresses_from_bank_4),
        cmocka_unit_test(code_itself_may_be_relocated),
        cmocka_unit_test(linked_code_calls_across_sections),
        cmocka_unit_test(lines_come_from_the_line_table),
        cmocka_unit_test(lines_of_inlined_code_are_the_callers),
        cmocka_unit_test(calls_of_inlined_code_are_lines_of_callers),
        cmocka_unit_test(files_hold_several_images),
        cmocka_unit_test(code_runs_on_its_generation),
        cmocka_unit_test(a_file_without_fitting_code_says_what_it_has),
        cmocka_unit_test(wrappers_lead_to_their_fatbin),
        cmocka_unit_test(names_are_those_of_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
