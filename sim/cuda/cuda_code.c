/* The registered device code of the program: a list of fatbins, of kernels and of variables. */
#include "cuda/cuda_code.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cuda/assemble.h"
#include "cuda/kernel_title.h"
#include "sass/sass_inst.h"

enum { PLAIN_MAX = 256, CUBIN_MOST = 1 << 30, SAID_MAX = 4608 };

struct fatbin {
    struct fatbin *next;
    const void *data;
    size_t size; /* bytes; 0: the program registered no fatbin */
    void *owned; /* the copy made by code_add_image; NULL: the program's own data */
    struct sass_module *module;
    struct exec_module *loaded;
    enum cuda_error refused; /* why loading failed; the message was printed */
};

struct program_code {
    struct fatbin *fatbin;
    struct program_kernel *kernel;
    struct variable *variable;
    char said[SAID_MAX]; /* the last line about code without kernels for the GPU */
};

struct program_code *code_of_program(void)
{
    static struct program_code code;
    return &code;
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

struct fatbin *code_add_fatbin(struct program_code *code, const void *wrapper)
{
    struct fatbin *fatbin = calloc(1, sizeof *fatbin);
    if (!fatbin)
        return NULL;
    fatbin->data = wrapper ? sass_wrapped_fatbin(wrapper, &fatbin->size) : NULL;
    fatbin->next = code->fatbin;
    code->fatbin = fatbin;
    return fatbin;
}

/* Returns the size in bytes of a cubin in memory, from its section and segment tables; that of its
 * header if the header is no cubin's. */
static size_t elf_bytes(const uint8_t *data)
{
    Elf64_Ehdr head;
    memcpy(&head, data, sizeof head);
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != EM_CUDA ||
        (head.e_shnum && head.e_shentsize != sizeof(Elf64_Shdr)) || head.e_shoff > CUBIN_MOST ||
        head.e_phoff > CUBIN_MOST)
        return sizeof head;
    const size_t sections = head.e_shoff + (size_t)head.e_shnum * head.e_shentsize;
    const size_t segments = head.e_phoff + (size_t)head.e_phnum * head.e_phentsize;
    size_t end = sections > segments ? sections : segments;
    for (size_t i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, data + head.e_shoff + i * head.e_shentsize, sizeof section);
        if (section.sh_type == SHT_NOBITS)
            continue;
        if (section.sh_offset > CUBIN_MOST || section.sh_size > CUBIN_MOST)
            return sizeof head;
        const size_t last = section.sh_offset + section.sh_size;
        end = last > end ? last : end;
    }
    return end;
}

/* Returns the image behind a wrapper, or `data` if there is no wrapper. Sets *size if it is 0. */
static const void *find_image(const void *data, size_t *size)
{
    size_t wrapped = 0;
    const void *inner = *size ? NULL : sass_wrapped_fatbin(data, &wrapped);
    if (inner)
        *size = wrapped;
    else if (!*size)
        *size = memcmp(data, ELFMAG, SELFMAG) == 0 ? elf_bytes(data) : sass_fatbin_bytes(data);
    if (!*size)
        *size = strlen(data);
    return inner ? inner : data;
}

struct fatbin *code_add_image(struct program_code *code, const void *data, size_t size)
{
    const void *image = find_image(data, &size);
    struct fatbin *fatbin = calloc(1, sizeof *fatbin);
    void *copy = malloc(size ? size : 1);
    if (!fatbin || !copy) {
        free(fatbin);
        free(copy);
        return NULL;
    }
    memcpy(copy, image, size);
    *fatbin = (struct fatbin){.next = code->fatbin, .data = copy, .size = size, .owned = copy};
    code->fatbin = fatbin;
    return fatbin;
}

bool code_has_image(const struct program_code *code, const struct fatbin *fatbin)
{
    const struct fatbin *f = code->fatbin;
    while (f && f != fatbin)
        f = f->next;
    return f && f->owned;
}

static void unload(struct program_code *code, struct fatbin *fatbin)
{
    for (struct program_kernel *k = code->kernel; k; k = k->next) {
        if (k->fatbin == fatbin)
            k->sass = NULL;
    }
    for (struct variable *v = code->variable; v; v = v->next) {
        if (v->fatbin == fatbin)
            v->loaded = false;
    }
    exec_module_unload(fatbin->loaded);
    sass_module_close(fatbin->module);
    fatbin->loaded = NULL;
    fatbin->module = NULL;
    fatbin->refused = CUDA_SUCCESS;
}

static void remove_kernels(struct program_code *code, const struct fatbin *fatbin)
{
    for (struct program_kernel **link = &code->kernel; *link;) {
        struct program_kernel *k = *link;
        if (k->fatbin != fatbin) {
            link = &k->next;
            continue;
        }
        *link = k->next;
        free(k->name);
        free(k->plain);
        free(k->title);
        free(k);
    }
}

static void remove_variables(struct program_code *code, const struct fatbin *fatbin)
{
    for (struct variable **link = &code->variable; *link;) {
        struct variable *v = *link;
        if (v->fatbin != fatbin) {
            link = &v->next;
            continue;
        }
        *link = v->next;
        free(v->name);
        free(v);
    }
}

void code_remove_fatbin(struct program_code *code, struct fatbin *fatbin)
{
    struct fatbin **link = &code->fatbin;
    while (*link && *link != fatbin)
        link = &(*link)->next;
    if (!*link)
        return;
    *link = fatbin->next;
    unload(code, fatbin);
    remove_kernels(code, fatbin);
    remove_variables(code, fatbin);
    free(fatbin->owned);
    free(fatbin);
}

/*
 * Returns the demangled name, to be freed; NULL if the program has loaded no C++ library
 * (__cxa_demangle). An interpreter loads it with its modules, and does not share its names.
 */
static char *demangle(const char *name)
{
    static const char *const places[] = {NULL /* the program */, "libstdc++.so.6"};
    char *text = NULL;
    for (size_t i = 0; !text && i < sizeof places / sizeof places[0]; i++) {
        char *(*function)(const char *, char *, size_t *, int *) = NULL;
        void *place = dlopen(places[i], places[i] ? RTLD_LAZY | RTLD_NOLOAD : RTLD_LAZY);
        void *symbol = place ? dlsym(place, "__cxa_demangle") : NULL;
        int status = -1;
        memcpy(&function, &symbol, sizeof symbol);
        text = function ? function(name, NULL, NULL, &status) : NULL;
        if (place)
            (void)dlclose(place);
    }
    return text;
}

/* Writes the name of the source, without parameters and template arguments. */
static void find_plain_name(const char *name, char plain[PLAIN_MAX])
{
    sass_plain_name(name, plain, PLAIN_MAX);
    char *text = strncmp(plain, "_Z", 2) == 0 ? demangle(name) : NULL;
    if (!text)
        return;
    const char *begin = strncmp(text, "void ", 5) == 0 ? text + 5 : text;
    size_t length = strcspn(begin + 1, "<(") + 1; /* skips "(" of "(anonymous namespace)" */
    (void)snprintf(plain, PLAIN_MAX, "%.*s", (int)length, begin);
    free(text);
}

bool code_add_kernel(struct program_code *code, struct fatbin *fatbin, const void *stub,
                     const char *name)
{
    char plain[PLAIN_MAX];
    find_plain_name(name, plain);
    struct program_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return false;
    *kernel = (struct program_kernel){.next = code->kernel,
                                      .fatbin = fatbin,
                                      .stub = stub,
                                      .name = copy_text(name),
                                      .plain = copy_text(plain),
                                      .carveout_percent = -1};
    code->kernel = kernel;
    return kernel->name && kernel->plain;
}

const char *code_title(struct program_kernel *kernel)
{
    if (!kernel->title) {
        kernel->title = demangle(kernel->name);
        if (kernel->title)
            kernel_title_from_demangled(kernel->title);
    }
    return kernel->title ? kernel->title : kernel->plain;
}

bool code_add_variable(struct program_code *code, struct fatbin *fatbin,
                       const struct variable *variable)
{
    struct variable *added = calloc(1, sizeof *added);
    if (!added)
        return false;
    *added = *variable;
    added->next = code->variable;
    added->fatbin = fatbin;
    added->name = copy_text(variable->name);
    code->variable = added;
    return added->name != NULL;
}

struct program_kernel *code_find_kernel(struct program_code *code, const void *stub)
{
    struct program_kernel *kernel = code->kernel;
    while (kernel && kernel->stub != stub && kernel != stub)
        kernel = kernel->next;
    return kernel;
}

/* Lists the images of the file: "sm_75, sm_80, PTX compute_80". */
static void list_images(const struct sass_file *file, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < file->images && used < size; i++) {
        const struct sass_image *image = &file->image[i];
        int length = snprintf(text + used, size - used, "%s%s_%u", used ? ", " : "",
                              image->ptx ? "PTX compute" : "sm", image->sm);
        used += length > 0 ? (size_t)length : 0;
    }
}

/* Returns whether `text` is not what was said last: libraries load one part of their code after the
 * other, and the same holds for each. */
static bool is_news(struct program_code *code, const char *text)
{
    if (strcmp(code->said, text) == 0)
        return false;
    (void)snprintf(code->said, sizeof code->said, "%s", text);
    return true;
}

/*
 * Prints that the program has no machine code for the GPU. `why`: why its PTX could not be
 * compiled; "" if it has no PTX.
 */
static enum cuda_error no_image(const struct runtime *rt, const struct sass_file *file,
                                const char *why)
{
    char images[256];
    uint32_t sm = rt->config.gpu_compute_capability;
    if (!sass_knows_sm(sm))
        return rt_report(CUDA_NO_KERNEL_IMAGE_FOR_DEVICE,
                         "%s runs text traces only: code for compute capability %u.%u is not "
                         "executed, code for sm_75 to sm_90 is. Choose another configuration",
                         rt->config.gpu_name, sm / 10, sm % 10);
    list_images(file, images, sizeof images);
    char text[SAID_MAX];
    (void)snprintf(text, sizeof text,
                   "the program has no machine code for %s (compute capability %u.%u); it has "
                   "%s%s%s. Rebuild it with -arch=sm_%u, or choose another configuration",
                   rt->config.gpu_name, sm / 10, sm % 10, images[0] ? images : "none",
                   *why ? ", which cannot be compiled: " : "", why, sm);
    return is_news(rt->code, text) ? rt_report(CUDA_NO_KERNEL_IMAGE_FOR_DEVICE, "%s", text)
                                   : CUDA_NO_KERNEL_IMAGE_FOR_DEVICE;
}

static enum cuda_error report_error(const struct simsm_error *error, enum cuda_error code)
{
    char text[1100];
    return rt_report(code, "%s", simsm_error_text(error, text, sizeof text));
}

static enum cuda_error read_module(struct fatbin *fatbin, const void *data, size_t size)
{
    struct simsm_error error;
    if (sass_module_open(&fatbin->module, data, size, "the program's code", &error) == SIMSM_OK)
        return CUDA_SUCCESS;
    return report_error(&error, CUDA_INVALID_KERNEL_IMAGE);
}

/*
 * Compiles the PTX of a program without machine code for the GPU, as a GPU's driver does. `ptx`
 * NULL: the program has no PTX; this is an error.
 */
static enum cuda_error compile_module(const struct runtime *rt, struct fatbin *fatbin,
                                      const struct sass_file *file, const struct sass_image *ptx)
{
    const uint32_t sm = rt->config.gpu_compute_capability;
    char assembler[4096], *cubin = NULL;
    size_t size = 0;
    struct simsm_error error;
    if (!ptx || !sass_knows_sm(sm))
        return no_image(rt, file, "");
    if (assemble(ptx, sm, NULL, &cubin, &size, assembler, sizeof assembler, &error) != SIMSM_OK)
        return no_image(rt, file, error.message);
    char text[SAID_MAX];
    (void)snprintf(text, sizeof text, "%s compiles the program's PTX for compute_%u to sm_%u",
                   assembler, ptx->sm, sm);
    if (is_news(rt->code, text))
        (void)fprintf(stderr, "simsm: %s\n", text);
    enum cuda_error result = read_module(fatbin, cubin, size);
    free(cubin);
    return result;
}

static enum cuda_error read_fatbin(struct runtime *rt, struct fatbin *fatbin)
{
    const uint32_t sm = rt->config.gpu_compute_capability;
    struct sass_file file;
    struct simsm_error error;
    if (sass_file_read(&file, fatbin->data, fatbin->size, "the program's fatbin", &error) !=
        SIMSM_OK)
        return report_error(&error, CUDA_INVALID_KERNEL_IMAGE);
    const struct sass_image *image = sass_knows_sm(sm) ? sass_file_pick(&file, sm) : NULL;
    if (!image && sass_knows_sm(sm))
        image = sass_file_pick_empty(&file, sm);
    enum cuda_error result = image ? read_module(fatbin, image->data, image->size)
                                   : compile_module(rt, fatbin, &file, assemble_pick(&file, sm));
    sass_file_close(&file);
    return result;
}

static enum cuda_error open_module(struct runtime *rt, struct fatbin *fatbin)
{
    struct sass_image text;
    struct simsm_error error;
    if (fatbin->size == 0)
        return rt_report(CUDA_INVALID_KERNEL_IMAGE,
                         "the program registered code that is not a fatbin");
    const struct sass_file alone = {.image = &text, .images = 1, .units = 1};
    enum cuda_error result = assemble_is_ptx(fatbin->data, fatbin->size, &text)
                                 ? compile_module(rt, fatbin, &alone, &text)
                                 : read_fatbin(rt, fatbin);
    if (result == CUDA_SUCCESS &&
        exec_module_load(&fatbin->loaded, fatbin->module, rt->memory, &error) != SIMSM_OK)
        result = report_error(&error, CUDA_MEMORY_ALLOCATION);
    return result;
}

/*
 * Registers a managed variable, which lies in device memory, at its host address, so that program
 * and kernels use the same address. Returns that address.
 */
static void *share(struct runtime *rt, const char *name, uint64_t address, uint64_t size)
{
    void *host = device_pointer(rt->memory, address, size);
    if (device_pointer(rt->memory, (uintptr_t)host, size) != host)
        (void)device_map(rt->memory, (uintptr_t)host, host, size, name);
    return host;
}

/* Finds the address of a variable in the loaded code. */
static void place_variable(struct runtime *rt, struct variable *variable)
{
    bool constant;
    void *host = NULL;
    uint64_t size;
    if (!exec_module_symbol(variable->fatbin->loaded, variable->name, &variable->address, &size,
                            &constant, &host))
        return;
    variable->loaded = true;
    if (!variable->managed)
        return;
    host = share(rt, variable->name, variable->address, size);
    *variable->managed = host;
    variable->address = (uintptr_t)host;
}

enum cuda_error code_load(struct runtime *rt, struct fatbin *fatbin)
{
    if (fatbin->loaded || fatbin->refused)
        return fatbin->refused;
    fatbin->refused = open_module(rt, fatbin);
    if (fatbin->refused)
        return fatbin->refused;
    for (struct program_kernel *k = rt->code->kernel; k; k = k->next) {
        if (k->fatbin == fatbin)
            k->sass = sass_module_kernel(fatbin->module, k->name);
    }
    for (struct variable *v = rt->code->variable; v; v = v->next) {
        if (v->fatbin == fatbin)
            place_variable(rt, v);
    }
    return CUDA_SUCCESS;
}

enum cuda_error code_kernel(struct runtime *rt, const void *stub, struct program_kernel **kernel)
{
    *kernel = code_find_kernel(rt->code, stub);
    if (!*kernel) /* toolkit 13 takes the pointer for a kernel handle */
        return rt_report(stub && rt_toolkit() >= 13 ? CUDA_INVALID_RESOURCE_HANDLE
                                                    : CUDA_INVALID_DEVICE_FUNCTION,
                         "the program registered no kernel at %p", stub);
    enum cuda_error error = code_load(rt, (*kernel)->fatbin);
    if (error != CUDA_SUCCESS)
        return error;
    return (*kernel)->sass ? CUDA_SUCCESS
                           : rt_report(CUDA_INVALID_DEVICE_FUNCTION,
                                       "the machine code has no kernel %s", (*kernel)->name);
}

enum cuda_error code_variable(struct runtime *rt, const void *shadow, struct variable **variable)
{
    struct variable *v = rt->code->variable;
    while (v && v->shadow != shadow && !(v->managed && *v->managed == shadow))
        v = v->next;
    *variable = v;
    if (!v)
        return rt_report(CUDA_INVALID_SYMBOL, "the program registered no variable at %p", shadow);
    enum cuda_error error = code_load(rt, v->fatbin);
    if (error == CUDA_SUCCESS && !v->loaded)
        error = rt_report(CUDA_INVALID_SYMBOL, "the machine code has no variable %s", v->name);
    return error;
}

struct program_kernel *code_named_kernel(struct runtime *rt, struct fatbin *fatbin,
                                         const char *name)
{
    for (struct program_kernel *k = rt->code->kernel; k; k = k->next)
        if (k->fatbin == fatbin && strcmp(k->name, name) == 0)
            return k;
    for (uint32_t i = 0; i < fatbin->module->kernels; i++) {
        const struct sass_kernel *sass = &fatbin->module->kernel[i];
        if (strcmp(sass->name, name) != 0)
            continue;
        if (!code_add_kernel(rt->code, fatbin, sass, name))
            return NULL;
        rt->code->kernel->sass = sass;
        return rt->code->kernel;
    }
    return NULL;
}

unsigned code_kernels(const struct fatbin *fatbin, const char **name, unsigned room)
{
    for (uint32_t i = 0; i < fatbin->module->kernels && i < room; i++)
        name[i] = fatbin->module->kernel[i].name;
    return fatbin->module->kernels;
}

bool code_named_variable(const struct fatbin *fatbin, const char *name, uint64_t *address,
                         uint64_t *size)
{
    bool constant;
    void *host;
    return exec_module_symbol(fatbin->loaded, name, address, size, &constant, &host);
}

bool code_managed_variable(struct runtime *rt, const struct fatbin *fatbin, const char *name,
                           void **address, uint64_t *size)
{
    uint64_t on_device;
    const struct sass_module *module = fatbin->module;
    for (uint32_t i = 0; i < module->symbols; i++) {
        if (!module->symbol[i].managed || strcmp(module->symbol[i].name, name) != 0)
            continue;
        (void)code_named_variable(fatbin, name, &on_device, size);
        *address = share(rt, name, on_device, *size);
        return true;
    }
    return false;
}

uint64_t code_hash(struct program_kernel *kernel)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a, of words of 64 bits */
    const struct sass_kernel *sass = kernel->sass;
    for (uint32_t i = 0; !kernel->code_hash && i + 8 <= sass->code_bytes; i += 8) {
        uint64_t word;
        memcpy(&word, sass->code + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
    }
    if (!kernel->code_hash)
        kernel->code_hash = hash ^ sass->entry;
    return kernel->code_hash;
}

struct exec_module *code_module(const struct program_kernel *kernel)
{
    SIMSM_CHECK(kernel->fatbin->loaded, "the code of kernel %s is not loaded", kernel->name);
    return kernel->fatbin->loaded;
}

uint32_t code_sm(const struct program_kernel *kernel)
{
    SIMSM_CHECK(kernel->fatbin->module, "the code of kernel %s is not loaded", kernel->name);
    return kernel->fatbin->module->sm;
}

void code_unload(struct program_code *code)
{
    for (struct fatbin *f = code->fatbin; f; f = f->next)
        unload(code, f);
}
