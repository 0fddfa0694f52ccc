#include "exec/control/exec_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "exec/control/prepare.h"
#include "exec/control/watched_steps.h"
#include "exec/memory/module_load.h"

/* Instructions of kernels that a module keeps although no launch has them: some 40 MB. */
enum { KEPT = 1 << 16 };

static void destroy(struct exec_code *code)
{
    for (uint32_t i = 0; code->text && i < code->steps; i++)
        free(code->text[i]);
    free((void *)code->text);
    free(code->decoded);
    free(code->lowered);
    free((void *)code->source);
    free(code->step);
    free(code->constant);
    free(code);
}

void exec_code_free(struct exec_code *list)
{
    while (list) {
        struct exec_code *code = list;
        SIMSM_CHECK(code->users == 0, "%u launches have code that is freed", code->users);
        list = code->next;
        destroy(code);
    }
}

/* Takes the code out of the module's list. Returns NULL if it is not there. */
static struct exec_code *take_out(const struct exec_grid *grid)
{
    struct exec_code **at = &grid->module->prepared, *code;
    while (*at && ((*at)->kernel != grid->kernel || (*at)->clock_mhz != grid->clock_mhz))
        at = &(*at)->next;
    code = *at;
    if (code)
        *at = code->next;
    return code;
}

/* Frees kernels that no launch has, those launched longest ago first, until KEPT instructions are
 * left. */
static void forget(struct exec_module *module)
{
    struct exec_code **at = &module->prepared;
    for (uint64_t kept = 0; *at;) {
        struct exec_code *code = *at;
        kept += code->steps;
        if (kept <= KEPT || code->users) {
            at = &code->next;
            continue;
        }
        *at = code->next;
        destroy(code);
    }
}

/* Gives the grid steps of its own, with the constants of its launch. */
static bool fill(struct exec_grid *grid, const struct exec_code *code)
{
    grid->span = calloc(code->steps, sizeof *grid->span);
    grid->step = malloc((code->steps + 1) * sizeof *grid->step);
    if (!grid->span || !grid->step)
        return false;
    memcpy(grid->step, code->step, (code->steps + 1) * sizeof *grid->step);
    for (uint32_t i = 0; i < code->constants; i++)
        exec_prepare_step(&grid->step[code->constant[i]], &code->decoded[code->constant[i]],
                          code->steps, grid->bank);
    if (grid->options.sanitizer)
        watch_steps(grid);
    return true;
}

enum simsm_status exec_code_take(struct exec_grid *grid, struct simsm_error *error)
{
    struct exec_code *code = take_out(grid);
    enum simsm_status status = code ? SIMSM_OK : exec_prepare(&code, grid, error);
    if (status != SIMSM_OK)
        return status;
    code->next = grid->module->prepared;
    grid->module->prepared = code;
    code->users++;
    grid->code = code;
    grid->steps = code->steps;
    grid->rows = code->rows;
    grid->races = code->races;
    grid->decoded = code->decoded;
    grid->lowered = code->lowered;
    grid->source = code->source;
    forget(grid->module);
    return fill(grid, code) ? SIMSM_OK : err_no_memory(error);
}

void exec_code_leave(struct exec_grid *grid)
{
    free(grid->span);
    free(grid->step);
    if (grid->code)
        grid->code->users--;
}
