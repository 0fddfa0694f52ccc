#include "exec/waiting/second_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "exec/control/fault.h"
#include "exec/memory/undo.h"
#include "exec/waiting/clocks.h"

struct exec_again {
    struct exec_grid *grid;
    struct exec_options options; /* as they were */
    struct exec_clocks *clocks;
    struct exec_undo *undo;
    char *printed; /* held back */
    size_t printed_size, printed_room;
};

static bool reads_place(const struct sass_inst *inst)
{
    enum { VIRTID = 0x03, VIRTUALSMID = 0x43 };
    uint32_t number = sass_mod(inst, SASS_MOD_SR);
    return (inst->op == SASS_OP_S2R || inst->op == SASS_OP_S2UR || inst->op == SASS_OP_CS2R) &&
           (number == VIRTID || number == VIRTUALSMID);
}

bool exec_again_matters(const struct exec_grid *grid)
{
    for (uint32_t i = 0; i < grid->steps; i++)
        if (grid->lowered[i].reads_clock || reads_place(&grid->decoded[i]))
            return true;
    return false;
}

static void print_now(struct exec_again *again)
{
    if (again->printed_size)
        again->options.print(again->options.print_context, again->printed, again->printed_size);
    again->printed_size = 0;
}

/* For options.print: holds the text back. */
static void hold_back(void *context, const char *text, size_t size)
{
    struct exec_again *again = context;
    if (size > again->printed_room - again->printed_size) {
        size_t room = 2 * again->printed_room + size;
        char *grown = realloc(again->printed, room);
        if (!grown) {
            exec_stop(again->grid, SIMSM_FAILED, "out of memory for what the kernel prints");
            return;
        }
        again->printed = grown;
        again->printed_room = room;
    }
    memcpy(again->printed + again->printed_size, text, size);
    again->printed_size += size;
}

enum simsm_status exec_again_create(struct exec_again **again, struct exec_grid *grid,
                                    struct simsm_error *error)
{
    struct exec_again *made = calloc(1, sizeof *made);
    *again = NULL;
    if (!made)
        return err_no_memory(error);
    made->grid = grid;
    made->options = grid->options;
    made->clocks =
        exec_clocks_create(simsm_grid_blocks(&grid->launch), simsm_block_warps(&grid->launch));
    made->undo = exec_undo_create(grid->memory);
    if (!made->clocks || !made->undo) {
        exec_again_destroy(made);
        return err_no_memory(error);
    }
    grid->undo = made->undo;
    grid->clocks = made->clocks;
    if (grid->options.print) {
        grid->options.print = hold_back;
        grid->options.print_context = made;
    }
    *again = made;
    return SIMSM_OK;
}

void exec_again_destroy(struct exec_again *again)
{
    if (!again)
        return;
    print_now(again);
    exec_clocks_destroy(again->clocks);
    exec_undo_destroy(again->undo);
    free(again->printed);
    free(again);
}

enum simsm_status exec_again_keep(struct exec_again *again, uint64_t block,
                                  const struct byte_buffer *cursor, struct simsm_error *error)
{
    return exec_clocks_keep(again->clocks, block, cursor, error);
}

void exec_again_place(struct exec_again *again, uint64_t block, uint32_t warp, uint32_t sm,
                      uint32_t slot)
{
    exec_clocks_place(again->clocks, block, warp, sm, slot);
}

void exec_again_clock(struct exec_again *again, uint64_t block, uint32_t warp, uint32_t ordinal,
                      uint64_t cycle)
{
    exec_clocks_set(again->clocks, block, warp, ordinal, cycle);
}

static char *describe(const struct exec_grid *grid, const struct exec_difference *difference)
{
    enum { NOTE = 800 };
    char place[EXEC_PLACE_TEXT] = "an instruction that is not known", name[101];
    char *note = malloc(NOTE);
    sass_plain_name(grid->kernel->name, name, sizeof name);
    if (difference->index != UINT32_MAX)
        (void)exec_place(grid, difference->index, place);
    if (note)
        (void)snprintf(note, NOTE,
                       "what %s does depends on the clock values, or numbers of SM or warp, that "
                       "it reads, first at %s in block %llu, warp %u: its results come from "
                       "simulated ones, but its time is that of a run with others, in which clocks "
                       "counted instructions, four cycles for each",
                       name, place, (unsigned long long)difference->block, difference->warp);
    return note;
}

/* Executes all blocks; *differs: one did something else than the first time, *difference what. */
static enum simsm_status execute_all(struct exec_again *again, struct byte_buffer *cursor,
                                     bool *differs, struct exec_difference *difference,
                                     struct simsm_error *error)
{
    struct exec_grid *grid = again->grid;
    const uint64_t blocks = simsm_grid_blocks(&grid->launch);
    const uint32_t warps = simsm_block_warps(&grid->launch);
    enum simsm_status status = SIMSM_OK;
    for (uint64_t b = 0; b < blocks && status == SIMSM_OK; b++) {
        status = exec_grid_finish(grid, b, cursor, error);
        if (status == SIMSM_OK && !*differs)
            *differs = exec_clocks_differ(again->clocks, b, cursor, grid->lowered, grid->steps,
                                          difference);
        for (uint32_t w = 0; w < warps; w++) {
            buffer_free(&cursor[w]);
            cursor[w] = (struct byte_buffer){0};
        }
    }
    return status;
}

static enum simsm_status take_back(struct exec_again *again, struct simsm_error *error)
{
    struct exec_grid *grid = again->grid;
    if (exec_clocks_lost(again->clocks) || !exec_undo_restore(again->undo))
        return err_no_memory(error);
    grid->undo = NULL;
    grid->timed = true;
    grid->options.print = again->options.print;
    grid->options.print_context = again->options.print_context;
    again->printed_size = 0;
    exec_grid_rewind(grid);
    return SIMSM_OK;
}

enum simsm_status exec_again_run(struct exec_again *again, char **note, struct simsm_error *error)
{
    struct exec_grid *grid = again->grid;
    const struct exec_counts counted = grid->counts; /* of what has been timed */
    struct exec_difference difference;
    bool differs = false;
    *note = NULL;
    struct byte_buffer *cursor = calloc(simsm_block_warps(&grid->launch), sizeof *cursor);
    enum simsm_status status = cursor ? take_back(again, error) : err_no_memory(error);
    if (status == SIMSM_OK)
        status = execute_all(again, cursor, &differs, &difference, error);
    free(cursor);
    grid->counts = counted;
    if (differs)
        *note = describe(grid, &difference);
    return status;
}
