/* A program with PTX alone: ptxas, here a script, makes machine code of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cuda_fixture.h"

enum cuda_error cudaFuncGetAttributes(struct cuda_func_attributes *attributes, const void *stub);
struct link;
int cuLinkCreate_v2(unsigned count, const int *option, void **value, struct link **made);
int cuLinkAddData_v2(struct link *link, int kind, const void *data, size_t size, const char *name,
                     unsigned count, const int *option, void **value);
int cuLinkAddFile_v2(struct link *link, int kind, const char *file, unsigned count,
                     const int *option, void **value);
int cuLinkComplete(struct link *link, void **cubin, size_t *size);
int cuLinkDestroy(struct link *link);
int cuModuleLoadData(void **module, const void *image);
int cuModuleGetFunction(void **function, void *module, const char *name);

static const char vecadd[1]; /* its address is the host function */
static char folder[] = "/tmp/simsm-test-XXXXXX", assembler[64], linker[64], ptx[64], path[8192];

/* Writes a file of the test's folder. */
static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int begin(void **state)
{
    (void)state;
    const char *before = getenv("PATH");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(assembler, sizeof assembler, "%s/ptxas", folder);
    (void)snprintf(linker, sizeof linker, "%s/nvlink", folder);
    (void)snprintf(ptx, sizeof ptx, "%s/in.ptx", folder);
    (void)snprintf(path, sizeof path, "%s:%s", folder, before ? before : "/bin:/usr/bin");
    write_file(ptx, "the text");
    return setenv("PATH", path, 1) || setenv("TMPDIR", folder, 1);
}

static int finish(void **state)
{
    (void)state;
    (void)unlink(ptx);
    (void)unlink(assembler);
    (void)unlink(linker);
    return rmdir(folder); /* fails if anything was left there */
}

/* Returns the error of querying the kernel's attributes, if `script` is ptxas and the PTX is for
 * `sm`. */
static enum cuda_error ask_on(const char *config, const char *script, uint32_t sm,
                              struct cuda_func_attributes *attributes)
{
    struct test_fatbin fatbin;
    enum { PTX = 1 };
    write_file(assembler, script);
    assert_int_equal(chmod(assembler, 0700), 0);
    program_begin(config, NULL, NULL);
    assert_true(fatbin_make_of(&fatbin, PTX, ptx, sm));
    void **handle = __cudaRegisterFatBinary(&fatbin);
    __cudaRegisterFunction(handle, vecadd, NULL, "vecadd", -1, NULL, NULL, NULL, NULL, NULL);
    enum cuda_error error = cudaFuncGetAttributes(attributes, vecadd);
    __cudaUnregisterFatBinary(handle);
    rt_reset_for_test();
    free(fatbin.bytes);
    return error;
}

static enum cuda_error ask(const char *script, uint32_t sm, struct cuda_func_attributes *attributes)
{
    return ask_on("configs/t4.yaml", script, sm, attributes);
}

static void ptx_is_compiled(void **state)
{
    (void)state;
    struct cuda_func_attributes attributes;
    const char *script =
        "#!/bin/sh\n"
        "[ \"$1 $2\" = '-arch=sm_75 -o' ] && [ \"$(cat \"$4\")\" = 'the text' ] &&\n"
        "cp tests/data/sass/execute/kernels.sm_75.cubin \"$3\"\n";
    assert_int_equal(ask(script, 60, &attributes), CUDA_SUCCESS);
    assert_int_equal(attributes.binary_version, 75);
    assert_int_equal(ask(script, 75, &attributes), CUDA_SUCCESS);
}

/* PTX with the letter of an SM is for this one alone. */
static void the_suffix_of_the_target_is_kept(void **state)
{
    (void)state;
    struct cuda_func_attributes attributes;
    const char *script = "#!/bin/sh\n"
                         "[ \"$1\" = -arch=sm_90a ] &&\n"
                         "cp tests/data/sass/execute/kernels.sm_90.cubin \"$3\"\n";
    write_file(ptx, ".version 8.0\n.target sm_90a\n.address_size 64\n");
    assert_int_equal(ask_on("configs/h200.yaml", script, 90, &attributes), CUDA_SUCCESS);
    assert_int_equal(attributes.binary_version, 90);
    write_file(ptx, ".version 8.0\n.target sm_75a\n.address_size 64\n");
    const char *any = "#!/bin/sh\ncp tests/data/sass/execute/kernels.sm_90.cubin \"$3\"\n";
    assert_int_equal(ask_on("configs/h200.yaml", any, 75, &attributes),
                     CUDA_NO_KERNEL_IMAGE_FOR_DEVICE);
    write_file(ptx, "the text");
}

static void what_cannot_be_compiled_is_refused(void **state)
{
    (void)state;
    struct cuda_func_attributes attributes;
    assert_int_equal(ask("#!/bin/sh\necho no such instruction; exit 255\n", 75, &attributes),
                     CUDA_NO_KERNEL_IMAGE_FOR_DEVICE);
    assert_int_equal(ask("#!/bin/sh\necho data >$3\n", 75, &attributes), CUDA_INVALID_KERNEL_IMAGE);
    /* for a newer GPU */
    assert_int_equal(
        ask("#!/bin/sh\ncp tests/data/sass/execute/kernels.sm_75.cubin $3\n", 80, &attributes),
        CUDA_NO_KERNEL_IMAGE_FOR_DEVICE);
}

/* PTX is compiled to be linked when it is added, and the rest when the link is completed. */
static void code_is_linked(void **state)
{
    (void)state;
    static const char text[] = ".version 8.0\n.target sm_60\n.address_size 64\n";
    static const int option[] = {5, 6}; /* CU_JIT_ERROR_LOG_BUFFER and its size */
    char log[200] = "not empty";
    void *value[] = {log, (void *)sizeof log};
    struct link *link;
    void *cubin, *module, *function;
    size_t size = 0;
    program_begin("configs/t4.yaml", NULL, NULL);
    write_file(assembler, "#!/bin/sh\n[ \"$1 $5\" = '-arch=sm_75 -c' ] && echo ptx >\"$3\"\n");
    write_file(linker,
               "#!/bin/sh\n"
               "[ \"$1 $2\" = '-arch=sm_75 -o' ] && [ \"$(cat \"$4\" $5)\" = 'ptx\n!<arch>' ] &&\n"
               "[ -z \"$6\" ] && cp tests/data/sass/execute/kernels.sm_75.cubin \"$3\" ||\n"
               "{ echo 'nvlink error: Undefined reference'; exit 255; }\n");
    assert_int_equal(chmod(linker, 0700), 0);
    assert_int_equal(cuLinkCreate_v2(2, option, value, &link), 0);
    assert_int_equal(value[1], 0);
    assert_int_equal(cuLinkAddData_v2(link, 1, text, sizeof text, "", 0, NULL, NULL), 0);
    assert_int_equal(cuLinkAddData_v2(link, 1, "data", 4, "", 0, NULL, NULL), 200);
    assert_int_equal(cuLinkAddData_v2(link, 0, "data", 4, "", 0, NULL, NULL), 200);
    assert_int_equal(cuLinkAddData_v2(link, 2, "data", 4, "", 0, NULL, NULL), 200);
    assert_int_equal(cuLinkAddData_v2(link, 3, "data", 4, "", 0, NULL, NULL), 999);
    assert_int_equal(cuLinkAddData_v2(link, 4, "!<arch", 6, "", 0, NULL, NULL), 200);
    assert_int_equal(cuLinkAddFile_v2(link, 4, "no such file", 0, NULL, NULL), 301);
    assert_int_equal(cuLinkAddData_v2(link, 9, "data", 4, "", 0, NULL, NULL), 1);
    assert_int_equal(cuLinkComplete(link, &cubin, &size), 300);
    assert_non_null(strstr(log, "nvlink error: Undefined reference"));
    assert_int_equal(value[1], strlen(log));
    assert_int_equal(cuLinkAddData_v2(link, 4, "!<arch>\n", 8, "", 0, NULL, NULL), 0);
    assert_int_equal(cuLinkComplete(link, &cubin, &size), 0);
    assert_true(size > 1000);
    assert_int_equal(cuLinkComplete(link, &cubin, &size), 400);
    assert_int_equal(cuModuleLoadData(&module, cubin), 0);
    assert_int_equal(cuModuleGetFunction(&function, module, "vecadd"), 0);
    assert_int_equal(cuLinkDestroy(link), 0);
    assert_int_equal(cuLinkDestroy(link), 400);
    assert_int_equal(cuLinkComplete(link, &cubin, &size), 400);

    /* No input: what comes of PTX without contents. */
    write_file(linker, "#!/bin/sh\n[ \"$(cat \"$4\")\" = ptx ] && [ -z \"$5\" ] &&\n"
                       "cp tests/data/sass/execute/kernels.sm_75.cubin \"$3\"\n");
    assert_int_equal(cuLinkCreate_v2(0, NULL, NULL, &link), 0);
    assert_int_equal(cuLinkComplete(link, &cubin, &size), 0);
    assert_int_equal(cuLinkDestroy(link), 0);
    rt_reset_for_test();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ptx_is_compiled),
        cmocka_unit_test(the_suffix_of_the_target_is_kept),
        cmocka_unit_test(what_cannot_be_compiled_is_refused),
        cmocka_unit_test(code_is_linked),
    };
    return cmocka_run_group_tests(tests, begin, finish);
}
