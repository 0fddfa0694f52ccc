/* Reads the blocks and warps of a kernel's trace. */
#include "accelsim/accelsim_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accelsim/accelsim_instruction.h"
#include "accelsim/scan.h"
#include "base/check.h"
#include "base/err.h"
#include "base/printable.h"

struct walker {
    struct accelsim_lines *lines;
    const struct accelsim_header *header;
    struct accelsim_code *code;
    const struct visitor *visitor;
    struct instruction_reader reader;
    uint64_t block;   /* linear index of the current block */
    uint32_t warps;   /* warps of a block */
    uint32_t seen;    /* one bit for each warp of the block that has been read */
    const char *line; /* latest line that is not blank; NULL: end of the file */
    struct lanes lanes;
};

static enum simsm_status next(struct walker *walker, struct simsm_error *error)
{
    size_t length;
    do {
        enum simsm_status status = lines_next(walker->lines, &walker->line, &length, error);
        if (status != SIMSM_OK)
            return status;
    } while (walker->line && scan_end(walker->line));
    return SIMSM_OK;
}

static enum simsm_status expected(const struct walker *walker, const char *what,
                                  struct simsm_error *error)
{
    char found[48];
    const uint64_t *place = walker->reader.place;
    if (!walker->line)
        return lines_fail(walker->lines, error,
                          "the file ends in block %llu,%llu,%llu, where %s should follow: it was "
                          "cut off; copy it, or trace the program, again",
                          (unsigned long long)place[0], (unsigned long long)place[1],
                          (unsigned long long)place[2], what);
    return lines_fail(walker->lines, error, "expected %s, found '%s'", what,
                      printable(walker->line, found, sizeof found));
}

/* Reads a line "key = number" whose number is below `limit`. */
static bool take_number(const char *line, const char *key, uint64_t limit, uint64_t *number)
{
    return scan_text(&line, key) && scan_text(&line, "=") && scan_decimal(&line, number) &&
           scan_end(line) && *number < limit;
}

static uint32_t existing_lanes(const struct walker *walker, uint32_t warp)
{
    uint32_t threads = simsm_block_threads(&walker->header->launch) - 32 * warp;
    return threads >= 32 ? UINT32_MAX : (1u << threads) - 1u;
}

static void begin_warp(struct walker *walker, uint32_t warp)
{
    walker->seen |= 1u << warp;
    walker->reader.place[3] = warp;
    walker->reader.before = CODE_NONE;
    lanes_begin(&walker->lanes, existing_lanes(walker, warp));
    walker->visitor->warp(walker->visitor->context, walker->block, warp);
}

static void end_warp(struct walker *walker)
{
    uint32_t left = lanes_end(&walker->lanes);
    if (!left)
        return;
    if (walker->reader.collecting)
        walker->code->needs_exit = true;
    struct warp_inst leave = {.index = walker->code->exit, .active = left, .exec = left};
    walker->visitor->instruction(walker->visitor->context, CODE_NONE, &leave, NULL);
}

static enum simsm_status read_instruction(struct walker *walker, uint32_t existing,
                                          struct simsm_error *error)
{
    struct accelsim_instruction instruction;
    enum simsm_status status = instruction_read(&walker->reader, walker->line, &instruction, error);
    if (status != SIMSM_OK)
        return status;
    if (instruction.mask & ~existing)
        return lines_fail(walker->lines, error,
                          "the mask %08x has lanes that do not exist: the block's threads make "
                          "only %08x of this warp",
                          instruction.mask, existing);
    walker->reader.before = instruction.entry;
    lanes_put(&walker->lanes, &instruction);
    return SIMSM_OK;
}

/* Reads a warp from "warp = n" to its last instruction. */
static enum simsm_status read_warp(struct walker *walker, struct simsm_error *error)
{
    uint64_t warp, count;
    if (!take_number(walker->line, "warp", walker->warps, &warp))
        return expected(walker, "#END_TB or 'warp = n' with a warp that the block has", error);
    if (walker->seen >> warp & 1u)
        return lines_fail(walker->lines, error, "warp %u is in this block twice", (unsigned)warp);
    enum simsm_status status = next(walker, error);
    if (status != SIMSM_OK)
        return status;
    if (!walker->line || !take_number(walker->line, "insts", UINT64_MAX, &count))
        return expected(walker, "'insts = n', the number of the warp's instructions", error);
    uint32_t existing = existing_lanes(walker, (uint32_t)warp);
    begin_warp(walker, (uint32_t)warp);
    status = next(walker, error);
    for (uint64_t i = 0; i < count && status == SIMSM_OK; i++) {
        if (!walker->line || walker->line[0] == '#' || walker->line[0] == 'w') {
            char what[96];
            (void)snprintf(what, sizeof what, "instruction %llu of the %llu of warp %u",
                           (unsigned long long)i + 1, (unsigned long long)count, (unsigned)warp);
            return expected(walker, what, error);
        }
        status = read_instruction(walker, existing, error);
        if (status == SIMSM_OK)
            status = next(walker, error);
    }
    if (status == SIMSM_OK)
        end_warp(walker);
    return status;
}

static enum simsm_status read_block_number(struct walker *walker, struct simsm_error *error)
{
    const char *at = walker->line;
    const uint32_t *grid = walker->header->launch.grid;
    uint64_t *place = walker->reader.place;
    bool good = at && scan_text(&at, "thread block") && scan_text(&at, "=") &&
                scan_decimal(&at, &place[0]) && scan_text(&at, ",") &&
                scan_decimal(&at, &place[1]) && scan_text(&at, ",") &&
                scan_decimal(&at, &place[2]) && scan_end(at);
    if (!good)
        return expected(walker, "'thread block = x,y,z'", error);
    if (place[0] >= grid[0] || place[1] >= grid[1] || place[2] >= grid[2])
        return lines_fail(walker->lines, error,
                          "block %llu,%llu,%llu does not exist in a grid of %u x %u x %u",
                          (unsigned long long)place[0], (unsigned long long)place[1],
                          (unsigned long long)place[2], grid[0], grid[1], grid[2]);
    walker->block = (place[2] * grid[1] + place[1]) * grid[0] + place[0];
    return next(walker, error);
}

/* Reads a block from the line after #BEGIN_TB to #END_TB. */
static enum simsm_status read_block(struct walker *walker, struct simsm_error *error)
{
    walker->seen = 0;
    enum simsm_status status = next(walker, error);
    if (status == SIMSM_OK)
        status = read_block_number(walker, error);
    while (status == SIMSM_OK) {
        if (!walker->line)
            return expected(walker, "#END_TB or a warp", error);
        if (strncmp(walker->line, "#END_TB", 7) == 0)
            break;
        status = read_warp(walker, error);
    }
    /* A warp without traced instructions exits at once. */
    for (uint32_t w = 0; w < walker->warps && status == SIMSM_OK; w++) {
        if (walker->seen >> w & 1u)
            continue;
        begin_warp(walker, w);
        end_warp(walker);
    }
    return status == SIMSM_OK
               ? walker->visitor->block(walker->visitor->context, walker->block, error)
               : status;
}

static enum simsm_status read_blocks(struct walker *walker, struct simsm_error *error)
{
    walker->warps = simsm_block_warps(&walker->header->launch);
    SIMSM_CHECK(walker->warps <= 32, "%u warps in a block", walker->warps);
    for (;;) {
        enum simsm_status status = read_block(walker, error);
        if (status == SIMSM_OK)
            status = next(walker, error);
        if (status != SIMSM_OK || !walker->line)
            return status;
        if (strncmp(walker->line, "#BEGIN_TB", 9) != 0)
            return expected(walker, "#BEGIN_TB or the end of the file", error);
    }
}

enum simsm_status walk(const char *path, struct accelsim_header *header, struct accelsim_code *code,
                       bool collecting, const struct visitor *visitor, struct simsm_error *error)
{
    bool blocks = false;
    struct walker *walker = calloc(1, sizeof *walker);
    if (!walker)
        return err_no_memory(error);
    enum simsm_status status = lines_open(&walker->lines, path, error);
    if (status == SIMSM_OK)
        status = header_read(header, &blocks, walker->lines, error);
    if (status == SIMSM_OK && blocks) {
        if (collecting)
            code->binary = header->binary;
        walker->header = header;
        walker->code = code;
        walker->visitor = visitor;
        walker->reader = (struct instruction_reader){
            .header = header, .code = code, .lines = walker->lines, .collecting = collecting};
        walker->lanes.code = code;
        walker->lanes.sink = visitor->instruction;
        walker->lanes.context = visitor->context;
        status = read_blocks(walker, error);
    }
    lines_close(walker->lines);
    free(walker);
    return status;
}
