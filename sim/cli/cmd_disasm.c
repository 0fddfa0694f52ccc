/* `simsm disasm FILE`: the kernels in a file and their machine code. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/printable.h"
#include "cli/cli.h"
#include "cli/disasm_names.h"
#include "sass/image/sass_module.h"
#include "sass/sass_inst.h"

enum { KEY_KERNEL = 256, KEY_CONTROL, KEY_SM, INSTRUCTION_BYTES = 16 };

struct disasm_request {
    const char *file, *kernel; /* kernel NULL: all kernels */
    uint32_t sm;               /* 80 for sm_80; 0: all */
    bool control;
    uint64_t instructions, unknown;
    bool decoded;           /* an image was found that simsm can decode */
    uint32_t shown;         /* kernels with --kernel, otherwise images */
    uint32_t unreadable;    /* images that could not be read */
    bool control_explained; /* the legend of the control bits was printed */
};

static const struct argp_option options[] = {
    {"kernel", KEY_KERNEL, "NAME", 0, "only kernels of this name, mangled or as in the source", 0},
    {"control", KEY_CONTROL, 0, 0,
     "show the control bits that the compiler set (the output explains them) and the raw words", 0},
    {"sm", KEY_SM, "N", 0, "only code for sm_N, such as 80", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct disasm_request *request = state->input;
    switch (key) {
    case KEY_KERNEL:
        request->kernel = value;
        return 0;
    case KEY_CONTROL:
        request->control = true;
        return 0;
    case KEY_SM: {
        const char *digits = strncmp(value, "sm_", 3) == 0 ? value + 3 : value;
        char *end;
        unsigned long sm = strtoul(digits, &end, 10);
        if (*digits < '0' || *digits > '9' || *end || sm == 0 || sm > 255)
            argp_error(state, "--sm: expected a number such as 80, found '%s'", value);
        request->sm = (uint32_t)sm;
        return 0;
    }
    case ARGP_KEY_ARG:
        if (request->file)
            argp_error(state, "one file at a time");
        request->file = value;
        return 0;
    case ARGP_KEY_END:
        if (!request->file)
            argp_error(state, "name a file: a cubin, a fatbin, or a program with GPU code");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const char *clean(const char *name)
{
    static char text[4096];
    return printable(name, text, sizeof text);
}

/* ---- Heads ---- */

static void print_name(const char *what, const char *name)
{
    char plain[512];
    sass_plain_name(name, plain, sizeof plain);
    (void)printf("\n%s %s", what, clean(name));
    (void)printf(strcmp(plain, name) == 0 ? "\n" : " (%s)\n", clean(plain));
}

static void print_head(const struct sass_module *module, const struct sass_kernel *kernel)
{
    print_name("kernel", kernel->name);
    (void)printf("  sm_%u, %u registers, %u B shared memory, %u B local memory, %u barrier%s%s\n",
                 module->sm, kernel->registers, kernel->shared_static, kernel->local_bytes,
                 kernel->barriers, kernel->barriers == 1 ? "" : "s",
                 kernel->has_externs ? ", calls functions of the runtime" : "");
    if (kernel->required[0])
        (void)printf("  blocks of %u x %u x %u threads\n", kernel->required[0], kernel->required[1],
                     kernel->required[2]);
    else if (kernel->max_threads)
        (void)printf("  blocks of at most %u threads\n", kernel->max_threads);
    (void)printf("  parameters: %u, %u B from c[0x0][0x%x] on\n", kernel->params,
                 kernel->param_bytes, kernel->param_base);
    for (uint32_t i = 0; i < kernel->params; i++)
        (void)printf("  parameter %u: offset %u, %u B\n", i, kernel->param[i].offset,
                     kernel->param[i].size);
}

/* Prints the legend of the control bits before the first kernel, if --control is given. */
static void explain_control(struct disasm_request *request)
{
    if (!request->control || request->control_explained)
        return;
    (void)printf("\ncontrol bits, as in B01----:R2:W0:Y:S04\n"
                 "  B01----  waits until scoreboards 0 and 1 have been released\n"
                 "  R2       releases scoreboard 2 when the operands have been read (-: none)\n"
                 "  W0       releases scoreboard 0 when the result has been written (-: none)\n"
                 "  Y        the scheduler prefers another warp next\n"
                 "  S04      the warp's next instruction is issued 4 cycles later, or later still\n"
                 "then the instruction's upper and lower 64 bits\n");
    request->control_explained = true;
}

/* ---- Instructions ---- */

/* A range of code. Program counters are byte offsets in `code`. */
struct code_range {
    const struct sass_module *module;
    const struct sass_kernel *kernel; /* for source lines; NULL: none */
    const uint8_t *code;
    uint32_t begin, end;
    bool *label; /* [(end - begin) / INSTRUCTION_BYTES] a jump goes to this instruction */
};

static void decode(const struct code_range *stretch, uint32_t pc, struct sass_inst *inst)
{
    uint64_t word[2] = {0, 0};
    for (unsigned i = 0; i < INSTRUCTION_BYTES; i++)
        word[i / 8] |= (uint64_t)stretch->code[pc + i] << 8 * (i % 8);
    sass_decode(inst, word, pc, stretch->module->sm);
}

/* Returns whether inst->target is the address of an instruction. */
static bool has_target(const struct sass_inst *inst)
{
    switch (inst->op) {
    case SASS_OP_BRA:
    case SASS_OP_BSSY:
    case SASS_OP_JMP:
        return true;
    case SASS_OP_CALL:
        return inst->target != 0; /* otherwise the target is in a register */
    default:
        return false;
    }
}

static void find_labels(struct code_range *stretch)
{
    for (uint32_t pc = stretch->begin; pc < stretch->end; pc += INSTRUCTION_BYTES) {
        struct sass_inst inst;
        decode(stretch, pc, &inst);
        if (has_target(&inst) && inst.target >= stretch->begin && inst.target < stretch->end)
            stretch->label[(inst.target - stretch->begin) / INSTRUCTION_BYTES] = true;
    }
}

/* Returns the function that begins at byte `offset` of the module's code; NULL if there is none. */
static const struct sass_function *function_at(const struct sass_module *module, uint32_t offset)
{
    uint32_t low = 0, high = module->functions;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (module->function[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < module->functions && module->function[low].offset == offset;
    return found ? &module->function[low] : NULL;
}

/* Prints the lines before an instruction: the name of a function that begins there, the label, and
 * the source line if it differs from *last. Updates *last. */
static void print_marks(const struct code_range *stretch, uint32_t pc, uint32_t *last)
{
    const struct sass_module *module = stretch->module;
    uint32_t in_module = (uint32_t)(stretch->code - module->code) + pc;
    const struct sass_function *function = function_at(module, in_module);
    const char *file = NULL;
    if (function && pc != stretch->begin)
        (void)printf("%s:\n", clean(function->name));
    if (stretch->label[(pc - stretch->begin) / INSTRUCTION_BYTES])
        (void)printf(".L_%x:\n", pc);
    uint32_t line = stretch->kernel ? sass_kernel_line(module, stretch->kernel, pc, &file) : 0;
    if (line && line != *last)
        (void)printf("        // %s:%u\n", clean(file), line);
    *last = line;
}

static void print_instruction(struct disasm_request *request, const struct sass_inst *inst)
{
    char text[512], control[64];
    (void)sass_text(inst, text, sizeof text);
    (void)sass_control_text(inst, control, sizeof control);
    if (request->control)
        (void)printf("  %04x  %s  %016" PRIx64 " %016" PRIx64 "  %s", inst->pc, control,
                     inst->word[1], inst->word[0], text);
    else
        (void)printf("  %04x  %s", inst->pc, text);
    if (inst->op == SASS_OP_UNKNOWN)
        (void)printf("  // unknown: %016" PRIx64 " %016" PRIx64, inst->word[1], inst->word[0]);
    else if (inst->unread[0] | inst->unread[1])
        (void)printf("  // bits without a known meaning: %" PRIx64 " %016" PRIx64, inst->unread[1],
                     inst->unread[0]);
    (void)printf("\n");
    request->instructions++;
    request->unknown += inst->op == SASS_OP_UNKNOWN || inst->unread[0] | inst->unread[1];
}

static enum simsm_status print_code(struct disasm_request *request, struct code_range *stretch,
                                    struct simsm_error *error)
{
    uint32_t last = 0;
    stretch->label =
        calloc((stretch->end - stretch->begin) / INSTRUCTION_BYTES + 1, sizeof *stretch->label);
    if (!stretch->label)
        return err_no_memory(error);
    find_labels(stretch);
    for (uint32_t pc = stretch->begin; pc < stretch->end; pc += INSTRUCTION_BYTES) {
        struct sass_inst inst;
        decode(stretch, pc, &inst);
        print_marks(stretch, pc, &last);
        print_instruction(request, &inst);
    }
    free(stretch->label);
    return SIMSM_OK;
}

/* ---- Images ---- */

static enum simsm_status print_kernel(struct disasm_request *request,
                                      const struct sass_module *module,
                                      const struct sass_kernel *kernel, struct simsm_error *error)
{
    struct code_range stretch = {
        .module = module,
        .kernel = kernel,
        .code = kernel->code,
        .begin = kernel->own_begin,
        .end = kernel->own_begin + kernel->own_bytes,
    };
    explain_control(request);
    print_head(module, kernel);
    return print_code(request, &stretch, error);
}

/* Prints the functions of linked code that are in no kernel's section. */
static enum simsm_status print_functions(struct disasm_request *request,
                                         const struct sass_module *module,
                                         struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    uint32_t end = 0;
    for (uint32_t i = 0; i < module->kernels; i++) /* kernels come first in the code */
        if (module->kernel[i].own_begin + module->kernel[i].own_bytes > end)
            end = module->kernel[i].own_begin + module->kernel[i].own_bytes;
    for (uint32_t i = 0; module->linked && i < module->functions && status == SIMSM_OK; i++) {
        const struct sass_function *function = &module->function[i];
        struct code_range stretch = {
            .module = module,
            .kernel = module->kernels ? &module->kernel[0] : NULL,
            .code = module->code,
            .begin = function->offset,
            .end = function->offset + function->bytes / INSTRUCTION_BYTES * INSTRUCTION_BYTES,
        };
        if (function->offset < end || function->offset % INSTRUCTION_BYTES)
            continue;
        print_name("function", function->name);
        status = print_code(request, &stretch, error);
    }
    return status;
}

static enum simsm_status print_module(struct disasm_request *request,
                                      const struct sass_module *module, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    if (module->line_problem)
        (void)printf("%s: source lines are missing: %s\n", request->file, module->line_problem);
    for (uint32_t i = 0; i < module->kernels && status == SIMSM_OK; i++) {
        bool wanted = !request->kernel || sass_is_called(module->kernel[i].name, request->kernel);
        if (wanted)
            status = print_kernel(request, module, &module->kernel[i], error);
        request->shown += request->kernel && wanted;
    }
    request->shown += !request->kernel;
    return status == SIMSM_OK && !request->kernel ? print_functions(request, module, error)
                                                  : status;
}

static void print_other(struct disasm_request *request, const struct sass_image *image)
{
    if (image->ptx)
        (void)printf("unit %u: PTX for compute_%u, which is no machine code\n", image->unit,
                     image->sm);
    else if (image->kind != SASS_IMAGE_CUBIN)
        (void)printf("unit %u: an intermediate form (kind %u) for sm_%u, no machine code\n",
                     image->unit, image->kind, image->sm);
    else
        (void)printf("unit %u: code for sm_%u, which cannot be decoded\n", image->unit, image->sm);
    request->shown += !request->kernel;
}

/* Returns whether the image may hold a kernel of this name. It does not if the last part of the
 * name ("f" of "ns::f") is nowhere in its bytes. */
static bool may_hold(const struct sass_image *image, const char *name)
{
    const char *last = strrchr(name, ':');
    last = last ? last + 1 : name;
    size_t length = strlen(last);
    const uint8_t *at = image->data, *end = image->data + image->size;
    while (length && (size_t)(end - at) >= length) {
        at = memchr(at, last[0], (size_t)(end - at) - length + 1);
        if (!at)
            return false;
        if (memcmp(at, last, length) == 0)
            return true;
        at++;
    }
    return length == 0;
}

static void print_unreadable(struct disasm_request *request, const struct sass_image *image,
                             const struct simsm_error *error)
{
    char text[1200];
    cli_flush();
    (void)fprintf(stderr, "simsm: unit %u, code for sm_%u is left out: %s\n", image->unit,
                  image->sm, simsm_error_text(error, text, sizeof text));
    request->unreadable++;
}

static enum simsm_status print_loaded(struct disasm_request *request,
                                      const struct sass_image *image, struct simsm_error *error)
{
    struct sass_module *module;
    if (image->empty || (request->kernel && !may_hold(image, request->kernel)))
        return SIMSM_OK;
    enum simsm_status status =
        sass_module_inspect(&module, image->data, image->size, request->file, error);
    if (status != SIMSM_OK)
        return status;
    if (!request->kernel)
        (void)printf("unit %u: code for sm_%u, %u kernel%s%s\n", image->unit, image->sm,
                     module->kernels, module->kernels == 1 ? "" : "s",
                     module->unlinked ? ", not linked: addresses in it are missing" : "");
    status = print_module(request, module, error);
    sass_module_close(module);
    return status;
}

/* Prints one image. If the file has several images and this image is damaged, prints a warning and
 * continues. */
static enum simsm_status print_image(struct disasm_request *request, struct sass_image *image,
                                     bool only, struct simsm_error *error)
{
    if (request->sm && image->sm != request->sm)
        return SIMSM_OK;
    if (image->kind != SASS_IMAGE_CUBIN || !sass_knows_sm(image->sm)) {
        if (!request->kernel)
            print_other(request, image);
        return SIMSM_OK;
    }
    enum simsm_status status = sass_image_load(image, request->file, error);
    request->decoded = true;
    if (status == SIMSM_OK)
        status = print_loaded(request, image, error);
    sass_image_unload(image);
    if (status != SIMSM_BAD_INPUT || only)
        return status;
    print_unreadable(request, image, error);
    return SIMSM_OK;
}

/* Fills *error with the reason why nothing matched --kernel or --sm. */
static enum simsm_status fail_nothing_shown(const struct disasm_request *request,
                                            const struct sass_file *file, struct simsm_error *error)
{
    const struct sass_image *image;
    if (request->kernel)
        return disasm_no_kernel(file, request->file, request->kernel, request->sm, error);
    enum simsm_status status =
        sass_file_require(file, request->file, request->sm ? request->sm : 90, &image, error);
    return status != SIMSM_OK
               ? status
               : err_at(error, SIMSM_BAD_INPUT, request->file, 0, 0,
                        "has no code for sm_%u, but for sm_%u, which also runs on it", request->sm,
                        image->sm);
}

static void print_summary(const struct disasm_request *request)
{
    (void)printf("\n%" PRIu64 " instructions, ", request->instructions);
    if (request->unknown)
        (void)printf("%" PRIu64 " of them not known or with bits without a known meaning\n",
                     request->unknown);
    else
        (void)printf("all known\n");
}

static enum simsm_status disassemble(struct disasm_request *request, struct simsm_error *error)
{
    struct sass_file file;
    enum simsm_status status = sass_file_open(&file, request->file, error);
    for (uint32_t i = 0; status == SIMSM_OK && i < file.images; i++)
        status = print_image(request, &file.image[i], file.images == 1, error);
    if (status == SIMSM_OK && request->shown == 0)
        status = fail_nothing_shown(request, &file, error);
    sass_file_close(&file);
    if (status == SIMSM_OK && !request->decoded && !request->kernel)
        status = err_at(error, SIMSM_BAD_INPUT, request->file, 0, 0,
                        "has no machine code for sm_75 to sm_90, which is all that simsm decodes");
    if (status == SIMSM_OK && request->instructions)
        print_summary(request);
    return status;
}

const struct command_parser disasm_parser = {
    .argp = {.options = options,
             .parser = parse_option,
             .args_doc = "FILE",
             .doc = "Lists the GPU machine code (SASS) in FILE: a cubin, a fatbin, or a program, "
                    "object or "
                    "shared library that nvcc made."},
};

int cmd_disasm(int argc, char **argv)
{
    struct disasm_request request = {0};
    struct simsm_error error;
    command_parser_run(&disasm_parser, argc, argv, 0, &request);
    enum simsm_status status = disassemble(&request, &error);
    cli_flush();
    return cli_finish(status == SIMSM_OK ? SIMSM_OK : cli_fail(&error));
}
