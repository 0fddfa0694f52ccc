/*
 * Reads DWARF and symbols with libdw of elfutils. Nothing is read before a finding asks for it.
 * Files with debugging information apart from the program are not looked for: on some systems that
 * would ask a server.
 */
#include "cuda/host_source.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sass/image/sass_module.h"

struct host_source {
    struct program_code *code;
    Dwfl *files; /* NULL: not open */
};

/* A stack that is being resolved. */
struct walk {
    struct host_source *source;
    struct host_stack *stack;
    bool any;     /* leaves out nothing */
    bool in_stub; /* the last function is the one with which nvcc launches a kernel */
};

/* The name of the function with which nvcc launches a kernel; the kernel's host function calls it.
 */
static const char stub_pattern[] = "*_device_stub_*";

/* What is not the program's own. PART_OBJECT: the name of its file, without the folder. */
enum frame_part { PART_FILE, PART_OBJECT, PART_FUNCTION, PART_BARE_FUNCTION };
static const struct {
    enum frame_part part; /* PART_BARE_FUNCTION: a function whose file is not known */
    const char *pattern;
} foreign[] = {
    {PART_FILE, "/usr/include/*"},
    {PART_FILE, "/usr/lib/gcc/*"},
    {PART_FILE, "*/targets/*/include/*"},
    {PART_FILE, "*/cuda/include/*"},
    {PART_FILE, "*/cuda-[0-9]*/include/*"},
    {PART_FILE, "*/nvidia/*/include/*"},
    {PART_FILE, "*/cuda_runtime.h"},
    {PART_FILE, "*/cuda_runtime_api.h"},
    {PART_FILE, "*.cudafe1.stub.c"},
    {PART_FILE, "*/csu/*"},
    {PART_OBJECT, "libc.so.6"},
    {PART_OBJECT, "lib[at]san.so*"}, /* whose functions stand in front of those of libc */
    {PART_OBJECT, "libcuda.so.1"},
    {PART_OBJECT, "libcudart.so*"},
    {PART_OBJECT, "libffi.so*"},
    {PART_OBJECT, "_ctypes.*"},
    {PART_OBJECT, "libpython*"},
    {PART_OBJECT, "python[0-9]*"},
    {PART_FUNCTION, "_start"},
    {PART_FUNCTION, stub_pattern},
    {PART_FUNCTION, "libcudart_static_*"}, /* NVIDIA's runtime as part of the program */
    {PART_BARE_FUNCTION, "__cuda[A-Z]*"},
    {PART_BARE_FUNCTION, "cuda[A-Z]*"}, /* templates of the toolkit's headers */
};

static bool is_foreign(const struct host_frame *frame)
{
    const char *slash = strrchr(frame->object, '/');
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        const enum frame_part part = foreign[i].part;
        const char *text = part == PART_FILE     ? frame->file
                           : part == PART_OBJECT ? slash ? slash + 1 : frame->object
                                                 : frame->function;
        if (part == PART_BARE_FUNCTION && frame->file[0])
            continue;
        if (fnmatch(foreign[i].pattern, text, 0) == 0)
            return true;
    }
    return false;
}

struct host_source *host_source_create(struct program_code *code)
{
    struct host_source *made = calloc(1, sizeof *made);
    if (made)
        made->code = code;
    return made;
}

void host_source_free(struct host_source *source)
{
    if (source && source->files)
        dwfl_end(source->files);
    free(source);
}

static int no_other_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                         const char *file, const char *link, GElf_Word crc, char **found)
{
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
    *found = NULL;
    return -1;
}

/* Reads the list of files that the process has mapped. */
static bool list_files(struct host_source *source)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                             .find_debuginfo = no_other_file};
    if (!source->files)
        source->files = dwfl_begin(&callbacks);
    else
        dwfl_report_begin(source->files);
    return source->files && dwfl_linux_proc_report(source->files, getpid()) == 0 &&
           dwfl_report_end(source->files, NULL, NULL) == 0;
}

/* Returns the file mapped at `address`, or NULL. The program may have loaded it since the last
 * list. */
static Dwfl_Module *file_at(struct host_source *source, uint64_t address)
{
    Dwfl_Module *module = source->files ? dwfl_addrmodule(source->files, address) : NULL;
    if (module || !list_files(source))
        return module;
    return dwfl_addrmodule(source->files, address);
}

/* Returns the compilation unit of `address`, or NULL. Not every compiler writes an index of them.
 */
static Dwarf_Die *unit_at(Dwfl_Module *module, uint64_t address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);
    if (unit)
        return unit;
    while ((unit = dwfl_module_nextcu(module, unit, bias)))
        if (dwarf_haspc(unit, address - *bias) > 0)
            return unit;
    return NULL;
}

static void name_function(Dwarf_Die *die, struct host_frame *frame)
{
    Dwarf_Attribute attribute;
    const char *linked =
        dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    const char *name = dwarf_diename(die);
    if (linked)
        sass_plain_name(linked, frame->function, sizeof frame->function);
    if (name && (!linked || strncmp(frame->function, "_Z", 2) == 0))
        (void)snprintf(frame->function, sizeof frame->function, "%s", name);
}

static uint32_t number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    (void)dwarf_formudata(dwarf_attr(die, name, &attribute), &value);
    return (uint32_t)value;
}

static void add_frame(struct walk *walk, const struct host_frame *frame, bool is_inlined)
{
    struct host_stack *stack = walk->stack;
    const bool is_stub = fnmatch(stub_pattern, frame->function, 0) == 0;
    /* The host function of a kernel; one that is not inlined is known by its address. */
    const bool of_kernel = walk->in_stub && !is_stub && is_inlined;
    walk->in_stub = is_stub;
    if (stack->count < HOST_FRAMES && (walk->any || (!of_kernel && !is_foreign(frame))))
        stack->frame[stack->count++] = *frame;
}

/* Sets the place of the call to which an inlined function's code belongs. */
static void go_to_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct host_frame *frame)
{
    Dwarf_Files *files = NULL;
    size_t count = 0;
    const uint32_t index = number_of(inlined, DW_AT_call_file);
    const char *file = dwarf_getsrcfiles(unit, &files, &count) == 0 && index < count
                           ? dwarf_filesrc(files, index, NULL, NULL)
                           : NULL;
    (void)snprintf(frame->file, sizeof frame->file, "%s", file ? file : "");
    frame->line = number_of(inlined, DW_AT_call_line);
}

/* Adds the inlined functions around `address`; *frame has the line of the innermost, and gets that
 * of the function into which all were inlined. */
static void add_inlined(struct walk *walk, Dwarf_Die *unit, uint64_t address,
                        struct host_frame *frame)
{
    Dwarf_Die *scope = NULL, innermost;
    int scopes = dwarf_getscopes(unit, address, &scope);
    if (scopes <= 0)
        return;
    innermost = scope[0];
    free(scope);
    scope = NULL;
    scopes = dwarf_getscopes_die(&innermost, &scope);
    for (int i = 0; i < scopes; i++) {
        const int tag = dwarf_tag(&scope[i]);
        if (tag == DW_TAG_subprogram)
            name_function(&scope[i], frame);
        if (tag == DW_TAG_subprogram)
            break;
        if (tag != DW_TAG_inlined_subroutine)
            continue;
        struct host_frame inner = *frame;
        name_function(&scope[i], &inner);
        add_frame(walk, &inner, true);
        go_to_call(unit, &scope[i], frame);
    }
    free(scope);
}

/* Sets function, object and offsets of a frame. Returns false if the frame is the host function of
 * a kernel. */
static bool name_frame(const struct walk *walk, Dwfl_Module *module, uint64_t address,
                       struct host_frame *frame)
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    Dwarf_Addr begin = 0;
    const char *object = dwfl_module_info(module, NULL, &begin, NULL, NULL, NULL, NULL, NULL);
    const char *name = dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    const void *function = (const void *)(uintptr_t)(address - offset);
    if (!walk->any && name && code_find_kernel(walk->source->code, function))
        return false;
    (void)snprintf(frame->object, sizeof frame->object, "%s", object ? object : "");
    frame->at = address + 1 - begin;
    frame->offset = name ? offset + 1 : frame->at;
    if (name)
        sass_plain_name(name, frame->function, sizeof frame->function);
    return true;
}

static void add(struct walk *walk, uint64_t address)
{
    struct host_frame frame = {.at = 0};
    Dwfl_Module *module = file_at(walk->source, address);
    Dwarf_Addr bias = 0;
    int number = 0;
    if (!module)
        return;
    if (!name_frame(walk, module, address, &frame)) {
        walk->in_stub = false;
        return;
    }
    Dwarf_Die *unit = unit_at(module, address, &bias);
    Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (file && dwarf_lineno(line, &number) == 0) {
        (void)snprintf(frame.file, sizeof frame.file, "%s", file);
        frame.line = (uint32_t)number;
        add_inlined(walk, unit, address - bias, &frame);
    }
    add_frame(walk, &frame, false);
}

void host_source_resolve(struct host_source *source, void *const *address, uint32_t count,
                         struct host_stack *stack)
{
    struct walk walk = {.source = source, .stack = stack};
    for (uint32_t i = 0; i < count; i++) /* the call is in front of the return address */
        add(&walk, (uintptr_t)address[i] - 1);
    walk.any = true;
    if (!stack->count && count)
        add(&walk, (uintptr_t)address[0] - 1);
}
