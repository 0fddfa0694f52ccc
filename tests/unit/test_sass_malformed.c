/* Compiled GPU code that is damaged: refused with a message, or read within its bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/infile.h"
#include "sass/image/sass_module.h"

#define DATA "tests/data/sass/module/"

struct bytes {
    uint8_t *data;
    size_t size;
};

static struct bytes slurp(const char *path)
{
    struct simsm_error error;
    char *text = NULL;
    struct bytes bytes = {0};
    assert_int_equal(infile_read(path, "test", 1 << 20, &text, &bytes.size, &error), SIMSM_OK);
    bytes.data = (uint8_t *)text;
    return bytes;
}

/* A copy of exactly these bytes, so that the address sanitizer sees what is read beyond them. */
static uint8_t *exact(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    return copy;
}

static void expect_message(enum simsm_status status, const struct simsm_error *error,
                           const char *says)
{
    assert_int_equal(status, SIMSM_BAD_INPUT);
    assert_string_equal(error->file, "input");
    if (!strstr(error->message, says))
        fail_msg("'%s' does not say '%s'", error->message, says);
}

static void refuse_module(const struct bytes *bytes, const char *says)
{
    struct simsm_error error = {.status = SIMSM_OK};
    struct sass_module *module = (struct sass_module *)&error;
    expect_message(sass_module_open(&module, bytes->data, bytes->size, "input", &error), &error,
                   says);
    assert_null(module);
}

static void refuse_file(const void *data, size_t size, const char *says)
{
    struct simsm_error error = {.status = SIMSM_OK};
    struct sass_file file;
    uint8_t *copy = exact(data, size);
    expect_message(sass_file_read(&file, copy, size, "input", &error), &error, says);
    assert_int_equal(file.images, 0);
    sass_file_close(&file);
    free(copy);
}

static void other_files_hold_no_code(void **state)
{
    (void)state;
    static const uint8_t elf32[64] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    refuse_file("", 0, "holds no GPU code: a cubin, a fatbin, or");
    refuse_file("\x7f"
                "ELF",
                4, "is not an ELF file of 64 bits");
    refuse_file(elf32, sizeof elf32, "is not an ELF file of 64 bits");
    refuse_file("kernel t\n", 9, "holds no GPU code");
    struct bytes host = slurp(DATA "host.o");
    for (size_t i = 0; i + 10 < host.size; i++) /* the section loses its name */
        if (memcmp(host.data + i, ".nv_fatbin", 11) == 0)
            host.data[i + 4] = 'q';
    refuse_file(host.data, host.size, "holds no GPU code: it was made without nvcc");
    free(host.data);
}

static void unlinked_code_is_refused(void **state)
{
    (void)state;
    struct bytes bytes = slurp(DATA "unlinked.sm_90.cubin");
    refuse_module(&bytes, "is not linked (compiled with -rdc=true); link it first");
    free(bytes.data);
}

static void cut_cubins_are_refused(void **state)
{
    (void)state;
    struct bytes whole = slurp(DATA "linked.sm_80.cubin");
    for (size_t size = 0; size < whole.size; size += size < 64 ? 1 : 61) {
        struct bytes cut = {exact(whole.data, size), size};
        refuse_module(&cut, size < 20 ? "is not a cubin" : "is a damaged cubin");
        free(cut.data);
    }
    free(whole.data);
}

static void cut_fatbins_are_refused(void **state)
{
    (void)state;
    struct bytes whole = slurp(DATA "zstd.fatbin");
    for (size_t size = 16; size < whole.size; size += 13)
        refuse_file(whole.data, size, "holds a damaged fatbin: it is longer than what holds it");
    whole.data[8] = (uint8_t)(whole.data[8] - 8); /* shorter than its entries */
    refuse_file(whole.data, whole.size - 8, "an entry is not within it");
    free(whole.data);
}

/* The file can be read, but not its code for sm_75. */
static void refuse_images(const void *data, size_t size, const char *says)
{
    struct simsm_error error = {.status = SIMSM_OK};
    struct sass_file file;
    const struct sass_image *image;
    uint8_t *copy = exact(data, size);
    assert_int_equal(sass_file_read(&file, copy, size, "input", &error), SIMSM_OK);
    assert_null(sass_file_pick(&file, 75));
    expect_message(sass_file_require(&file, "input", 75, &image, &error), &error, says);
    assert_null(image);
    sass_file_close(&file);
    free(copy);
}

static void compressed_nonsense_is_refused(void **state)
{
    (void)state;
    static const char *const paths[] = {DATA "zstd.fatbin", DATA "lz4.fatbin"};
    static const char *const says[] = {"is not zstd data", "is not LZ4 data"};
    for (unsigned i = 0; i < 2; i++) {
        struct bytes bytes = slurp(paths[i]);
        memset(bytes.data + 16 + 64 + 4, 0xff, 32); /* in the first entry's payload */
        refuse_images(bytes.data, bytes.size, says[i]);
        free(bytes.data);
        bytes = slurp(paths[i]);
        memset(bytes.data + 16 + 56, 0xff, 7); /* its decompressed size */
        refuse_file(bytes.data, bytes.size, "impossible sizes");
        free(bytes.data);
    }
}

/* The section of this name, or of this type if the name is NULL. */
static Elf64_Shdr *find_section(const struct bytes *bytes, const char *name)
{
    Elf64_Ehdr *elf = (Elf64_Ehdr *)(void *)bytes->data;
    Elf64_Shdr *table = (Elf64_Shdr *)(void *)(bytes->data + elf->e_shoff);
    const char *names = (const char *)bytes->data + table[elf->e_shstrndx].sh_offset;
    for (unsigned i = 0; i < elf->e_shnum; i++)
        if (strcmp(names + table[i].sh_name, name) == 0)
            return &table[i];
    fail_msg("there is no section %s", name);
    return NULL;
}

static void unknown_relocations_are_refused(void **state)
{
    (void)state;
    struct bytes bytes = slurp(DATA "linked.sm_80.cubin");
    Elf64_Shdr *section = find_section(&bytes, ".rel.text._Z4nearPfi");
    Elf64_Rel *relocation = (Elf64_Rel *)(void *)(bytes.data + section->sh_offset);
    uint64_t symbol = ELF64_R_SYM(relocation->r_info), offset = relocation->r_offset;
    relocation->r_info = ELF64_R_INFO(symbol, 0x77);
    refuse_module(&bytes, ".text._Z4nearPfi has a relocation of type 0x77 at 0x");
    relocation->r_info = ELF64_R_INFO(symbol, 2); /* an 8-byte word, in code */
    refuse_module(&bytes, "of type 0x2 at 0x");
    relocation->r_info = ELF64_R_INFO(symbol, 0x38);
    relocation->r_offset = offset + 8;
    refuse_module(&bytes, "which is not within it");
    relocation->r_offset = UINT64_MAX - 7;
    refuse_module(&bytes, "which is not within it");
    relocation->r_offset = offset;
    relocation->r_info = ELF64_R_INFO(UINT64_C(0xffffffff), 0x38);
    refuse_module(&bytes, "a relocation is for something that does not exist");
    free(bytes.data);
}

static void sections_must_make_sense(void **state)
{
    (void)state;
    struct bytes bytes = slurp(DATA "features.sm_80.cubin");
    Elf64_Shdr *section = find_section(&bytes, ".text._Z6localsPii");
    section->sh_size -= 8;
    refuse_module(&bytes, "is no sequence of 16-byte instructions");
    section->sh_size += 8;
    section->sh_offset = UINT64_MAX - 100;
    refuse_module(&bytes, "a section is not within the file");
    free(bytes.data);
    bytes = slurp(DATA "features.sm_80.cubin");
    section = find_section(&bytes, ".nv.global");
    section->sh_size = UINT64_C(1) << 40;
    refuse_module(&bytes, "makes it larger than 1024 MiB");
    section->sh_size = 400;
    section->sh_addralign = 3;
    refuse_module(&bytes, "has the alignment 3");
    free(bytes.data);
    bytes = slurp(DATA "features.sm_80.cubin");
    section = find_section(&bytes, ".nv.constant0._Z7boundedPi5mixedcx");
    section->sh_size = 0x160;
    refuse_module(&bytes, "the parameters of kernel _Z7boundedPi5mixedcx are not within");
    free(bytes.data);
}

static void attributes_must_make_sense(void **state)
{
    (void)state;
    struct bytes bytes = slurp(DATA "features.sm_80.cubin");
    Elf64_Shdr *section = find_section(&bytes, ".nv.info._Z7boundedPi5mixedcx");
    uint8_t *info = bytes.data + section->sh_offset, *param = NULL;
    uint64_t at = 0;
    while (at + 16 <= section->sh_size && !param) /* each record is padded to 4 bytes */
        if (info[at] == 4 && info[at + 1] == 0x17 && info[at + 2] == 12)
            param = info + at;
        else
            at += 4;
    assert_non_null(param);
    param[4 + 11] = 0xff; /* the size */
    refuse_module(&bytes, "of kernel _Z7boundedPi5mixedcx is missing or has no room");
    param[4 + 5] = 0xff; /* the ordinal */
    refuse_module(&bytes, "has more than 4096 parameters");
    param[2] = 0xff;
    param[3] = 0xff; /* bytes of the record */
    refuse_module(&bytes, ".nv.info._Z7boundedPi5mixedcx has a damaged record at byte");
    param[0] = 9; /* its format */
    refuse_module(&bytes, "has a damaged record");
    free(bytes.data);
}

/* Reads all that a module points to. */
static uint64_t touch(const struct sass_module *module)
{
    uint64_t sum = 0;
    const char *file;
    for (uint32_t i = 0; i < module->code_bytes; i++)
        sum += module->code[i];
    for (uint32_t k = 0; k < module->kernels; k++) {
        const struct sass_kernel *kernel = &module->kernel[k];
        assert_true(kernel->code >= module->code &&
                    kernel->code + kernel->code_bytes <= module->code + module->code_bytes);
        assert_true(kernel->own_bytes <= kernel->code_bytes &&
                    kernel->own_begin <= kernel->code_bytes - kernel->own_bytes);
        for (uint32_t i = 0; i < kernel->constant0_bytes; i++)
            sum += kernel->constant0[i];
        for (uint32_t i = 0; i < kernel->constant2_bytes; i++)
            sum += kernel->constant2[i];
        for (uint32_t i = 0; i < kernel->params; i++)
            sum += kernel->param[i].size;
        for (uint32_t pc = 0; pc < kernel->code_bytes; pc += 16)
            sum += sass_kernel_line(module, kernel, pc, &file);
        sum += strlen(kernel->name) + (sass_module_kernel(module, kernel->name) != NULL);
    }
    for (uint32_t i = 0; i < module->symbols; i++)
        sum += strlen(module->symbol[i].name);
    for (uint32_t i = 0; i < module->relocations; i++)
        sum += strlen(module->relocation[i].name);
    return sum;
}

/* A generator of our own, so that a failure can be repeated. */
static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

static void damage(uint8_t *data, size_t size, uint64_t *random)
{
    unsigned count = 1 + next_random(random) % 4;
    for (unsigned i = 0; i < count; i++)
        data[next_random(random) % size] = (uint8_t)next_random(random);
}

static void random_damage_is_survived(void **state)
{
    (void)state;
    enum { ROUNDS = 1500 };
    static const char *const paths[] = {DATA "linked.sm_90.cubin", DATA "lines.sm_80.cubin",
                                        DATA "zstd.fatbin", DATA "lz4.fatbin", DATA "host.o"};
    uint64_t random = 7, sum = 0;
    unsigned good = 0, bad = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct simsm_error error = {.status = SIMSM_OK};
        struct sass_file file;
        struct bytes bytes = slurp(paths[round % 5]);
        damage(bytes.data, bytes.size, &random);
        enum simsm_status status = sass_file_read(&file, bytes.data, bytes.size, "input", &error);
        for (uint32_t i = 0; i < file.images && status == SIMSM_OK; i++) {
            struct sass_module *module = NULL;
            if (file.image[i].ptx)
                continue;
            status = sass_image_load(&file.image[i], "input", &error);
            if (status != SIMSM_OK)
                break;
            status =
                sass_module_open(&module, file.image[i].data, file.image[i].size, "input", &error);
            if (status == SIMSM_OK)
                sum += touch(module);
            sass_module_close(module);
        }
        if (status != SIMSM_OK)
            expect_message(status, &error, "");
        *(status == SIMSM_OK ? &good : &bad) += 1;
        sass_file_close(&file);
        free(bytes.data);
    }
    assert_true(good > ROUNDS / 10 && bad > ROUNDS / 100 && sum > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_files_hold_no_code),
        cmocka_unit_test(unlinked_code_is_refused),
        cmocka_unit_test(cut_cubins_are_refused),
        cmocka_unit_test(cut_fatbins_are_refused),
        cmocka_unit_test(compressed_nonsense_is_refused),
        cmocka_unit_test(unknown_relocations_are_refused),
        cmocka_unit_test(sections_must_make_sense),
        cmocka_unit_test(attributes_must_make_sense),
        cmocka_unit_test(random_damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
