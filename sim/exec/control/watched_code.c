/* Answers about instructions: their places, and what becomes of the values that they load. */
#include "exec/control/watched_steps.h"

#include <stdio.h>
#include <string.h>

#include "exec/control/watched_inner.h"
#include "exec/memory/module_load.h"

static struct sass_inst decode(const struct exec_module *loaded, const struct sass_kernel *kernel,
                               uint32_t at)
{
    const uint8_t *words = loaded->code + (kernel->code - loaded->module->code);
    struct sass_inst sass;
    uint64_t word[2];
    memcpy(word, words + at * sizeof word, sizeof word);
    sass_decode(&sass, word, at * 16, loaded->module->sm);
    return sass;
}

void watch_place(const void *module, const void *kernel, uint32_t at, struct finding_place *place)
{
    const struct exec_module *loaded = module;
    const struct sass_kernel *code = kernel;
    const char *file = NULL;
    sass_plain_name(code->name, place->kernel, sizeof place->kernel);
    if (at >= code->code_bytes / 16)
        return;
    const struct sass_inst sass = decode(loaded, code, at);
    (void)sass_text(&sass, place->code, sizeof place->code);
    place->offset = at * 16;
    place->line = sass_kernel_line(loaded->module, code, at * 16, &file);
    (void)snprintf(place->file, sizeof place->file, "%s", file ? file : "");
    for (uint32_t i = 0; i < PLACE_CALLS; i++) {
        const uint32_t line = sass_kernel_call(loaded->module, code, at * 16, i, &file);
        if (!line)
            break;
        (void)snprintf(place->inlined[i].file, sizeof place->inlined[i].file, "%s", file);
        place->inlined[i].line = line;
        place->inlined_count++;
    }
}

static bool has_register(const struct sass_operand *operand, uint32_t index)
{
    return operand->kind == SASS_REGISTER && operand->index != SASS_RZ && index >= operand->index &&
           index < operand->index + operand->words;
}

/* Returns what the instruction does with the register. */
static enum sanitizer_use use_by(const struct sass_inst *sass, uint32_t index)
{
    static const enum sass_role sources[] = {SASS_A, SASS_B, SASS_C, SASS_DATA, SASS_DATA2};
    static const uint16_t choices[] = {SASS_OP_FSETP, SASS_OP_ISETP, SASS_OP_DSETP, SASS_OP_FSEL,
                                       SASS_OP_SEL,   SASS_OP_FMNMX, SASS_OP_IMNMX, SASS_OP_HSETP2,
                                       SASS_OP_FSET,  SASS_OP_PLOP3};
    const bool stores = sass->op == SASS_OP_STG || sass->op == SASS_OP_STS ||
                        sass->op == SASS_OP_STL || sass->op == SASS_OP_ST;
    bool maybe = sass->guard.index != SASS_PT;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        maybe |= sass->op == choices[i];
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        if (!has_register(&sass->operand[sources[i]], index))
            continue;
        return maybe ? USE_MAYBE : stores && sources[i] == SASS_DATA ? USE_COPIES : USE_COMPUTES;
    }
    return USE_NONE;
}

enum sanitizer_use watch_uses(const void *module, const void *kernel, uint32_t at, uint32_t word)
{
    const struct sass_kernel *code = kernel;
    const uint32_t steps = code->code_bytes / 16;
    const struct sass_inst load = decode(module, code, at);
    enum sanitizer_use use = USE_NONE;
    if (load.operand[SASS_D].kind != SASS_REGISTER || load.operand[SASS_D].index == SASS_RZ)
        return USE_COMPUTES; /* an atomic operation */
    const uint32_t index = load.operand[SASS_D].index + word;
    for (uint32_t i = 1, next = at + 1; i < steps && next < steps && use != USE_COMPUTES; i++) {
        const struct sass_inst sass = decode(module, code, next);
        const enum sanitizer_use here = use_by(&sass, index);
        const bool always = watch_is_always(&sass.guard) && watch_is_always(&sass.operand[SASS_PP]);
        use = here > use ? here : use;
        if (watch_is_always(&sass.guard) && (has_register(&sass.operand[SASS_D], index) ||
                                             has_register(&sass.operand[SASS_D2], index)))
            return use;
        if (sass.op == SASS_OP_EXIT && always)
            return use;
        next = sass.op == SASS_OP_BRA && always ? (uint32_t)(sass.target / 16) : next + 1;
    }
    return use;
}
