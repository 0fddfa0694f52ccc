/* Messages of launches that fail: the mistake, the place in the code, the thread. */
#include "exec/control/fault.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "exec/memory/watched_access.h"

char *exec_place(const struct exec_grid *grid, uint32_t at, char text[EXEC_PLACE_TEXT])
{
    char name[101];
    sass_plain_name(grid->kernel->name, name, sizeof name);
    if (at >= grid->steps) {
        (void)snprintf(text, EXEC_PLACE_TEXT, "the end of the code of %s", name);
        return text;
    }
    char inst[160];
    const char *file = NULL;
    const struct sass_module *module = exec_module_of(grid->module);
    (void)sass_text(&grid->decoded[at], inst, sizeof inst);
    uint32_t line = sass_kernel_line(module, grid->kernel, at * 16, &file);
    int length = snprintf(text, EXEC_PLACE_TEXT, "%s+0x%x (%s)", name, at * 16, inst);
    if (line && length > 0 && length < EXEC_PLACE_TEXT)
        (void)snprintf(text + length, EXEC_PLACE_TEXT - (size_t)length, " in %.100s:%u",
                       file ? file : "?", line);
    return text;
}

void exec_fault(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                enum exec_failure failure, const char *format, ...)
{
    const struct exec_block *block = warp->block;
    struct exec_grid *grid = block->grid;
    if (grid->status != SIMSM_OK)
        return;
    if (grid->options.failure)
        *grid->options.failure = failure;
    char what[384], place[EXEC_PLACE_TEXT];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(what, sizeof what, format, list);
    va_end(list);
    if (grid->options.sanitizer)
        watch_fault(warp, inst, lane, failure, what);
    uint32_t thread = warp->index * EXEC_LANES + lane;
    const uint32_t *size = grid->launch.block;
    grid->status = err_set(
        &grid->error, SIMSM_FAILED, "%s, at %s by thread (%u,%u,%u) in block (%u,%u,%u)", what,
        exec_place(grid, inst->sass->pc / 16, place), thread % size[0], thread / size[0] % size[1],
        thread / size[0] / size[1], block->id[0], block->id[1], block->id[2]);
}

void exec_deadlock(struct exec_grid *grid, const struct exec_block *block)
{
    if (grid->status != SIMSM_OK)
        return;
    if (grid->options.failure)
        *grid->options.failure = EXEC_FAILURE_DEADLOCK;
    if (grid->options.sanitizer)
        watch_deadlock(block);
}

void exec_stop(struct exec_grid *grid, enum simsm_status status, const char *format, ...)
{
    if (grid->status != SIMSM_OK)
        return;
    char what[752];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(what, sizeof what, format, list);
    va_end(list);
    grid->status = err_set(&grid->error, status, "%s", what);
}

bool exec_unrecorded(const struct exec_warp *warp, const struct exec_inst *inst, const char *what)
{
    const struct exec_grid *grid = warp->block->grid;
    if (!grid->recording || grid->pending)
        return true;
    exec_fault(warp, inst, 0, EXEC_FAILURE_UNSUPPORTED,
               "%s cannot be recorded: simulate the program itself", what);
    return false;
}
