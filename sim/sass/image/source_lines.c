/*
 * Reads source lines: .debug_line (lines of the source, with -lineinfo), else .nv_debug_line_sass
 * (lines of the PTX). Their addresses are relocated by symbols of kernels.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/pool.h"
#include "sass/image/dwarf.h"
#include "sass/image/module_build.h"

/* An address with which a line program begins a sequence. */
struct anchor {
    uint64_t at; /* offset in the section of lines */
    uint32_t section;
    uint64_t address; /* address in `section`; add_held: the value in the section of lines is to be
                         added */
    bool add_held;
};

/*
 * A row of the line table, by its position in the module's code. For inlined code the row has the
 * innermost line in the folder of the function into which all of it was inlined. Lines of the
 * toolkit's headers, where atomics, shuffles and the like are functions, would say nothing to the
 * user.
 */
struct line_row {
    uint64_t position;
    uint32_t order, file, line;
    uint32_t outer; /* file of the function that is not inlined */
    uint32_t call;  /* as in struct sass_line */
};

struct gather {
    struct build *build;
    struct pool anchor, row, file, call; /* file: of const char *; call: struct sass_call */
    bool no_memory;
    uint32_t section; /* section of the current sequence */
    uint64_t base;    /* added to the addresses of the sequence */
    size_t first;     /* index of the sequence's first row */
};

static int compare_anchor(const void *left, const void *right)
{
    const struct anchor *a = left, *b = right;
    return (a->at > b->at) - (a->at < b->at);
}

static int compare_position(const void *left, const void *right)
{
    const struct line_row *a = left, *b = right;
    if (a->position != b->position)
        return a->position > b->position ? 1 : -1;
    return (a->order > b->order) - (a->order < b->order);
}

static enum simsm_status find_anchors(struct gather *gather, uint32_t lines)
{
    struct build *build = gather->build;
    const struct cubin *cubin = &build->cubin;
    for (uint32_t s = 1; s < cubin->sections; s++) {
        size_t count = cubin->section[s].info == lines ? cubin_relocations(cubin, s) : 0;
        for (size_t i = 0; i < count; i++) {
            struct cubin_relocation relocation;
            enum simsm_status status = cubin_relocation(cubin, s, i, &relocation, build->error);
            if (status != SIMSM_OK)
                return status;
            struct anchor anchor = {
                .at = relocation.offset,
                .section = relocation.symbol->section,
                .address = relocation.symbol->value + relocation.addend,
                .add_held = !relocation.has_addend,
            };
            if (!pool_add(&gather->anchor, &anchor))
                return err_no_memory(build->error);
        }
    }
    if (gather->anchor.count)
        qsort(gather->anchor.data, gather->anchor.count, sizeof(struct anchor), compare_anchor);
    return SIMSM_OK;
}

static bool begin_sequence(void *context, uint64_t offset, uint64_t value)
{
    struct gather *gather = context;
    struct anchor key = {.at = offset};
    const struct anchor *anchor =
        gather->anchor.count
            ? bsearch(&key, gather->anchor.data, gather->anchor.count, sizeof key, compare_anchor)
            : NULL;
    if (!anchor || gather->build->place[anchor->section].kind != PLACE_CODE)
        return false;
    gather->section = anchor->section;
    gather->base = anchor->address - (anchor->add_held ? 0 : value);
    return true;
}

/*
 * Returns in *number the index of the row's file in the module, which has each path once. Returns
 * false if memory runs out.
 */
static bool number_file(struct gather *gather, const struct dwarf_row *row, uint32_t *number)
{
    char path[4096];
    bool absolute = row->file[0] == '/' || !row->directory || !row->directory[0];
    (void)snprintf(path, sizeof path, "%s%s%s", absolute ? "" : row->directory, absolute ? "" : "/",
                   row->file);
    const char **known = gather->file.data;
    for (size_t i = gather->file.count; i > 0; i--) { /* mostly one of the last paths */
        *number = (uint32_t)i - 1;
        if (strcmp(known[i - 1], path) == 0)
            return true;
    }
    *number = (uint32_t)gather->file.count;
    size_t size = strlen(path) + 1;
    char *copy = keeper_take(gather->build->keeper, size, 1);
    if (!copy)
        return false;
    memcpy(copy, path, size);
    return pool_add(&gather->file, &copy);
}

static bool is_same_folder(const char *path, const char *other)
{
    const char *end = strrchr(path, '/'), *other_end = strrchr(other, '/');
    size_t length = end ? (size_t)(end - path) : 0;
    return (other_end ? (size_t)(other_end - other) : 0) == length &&
           memcmp(path, other, length) == 0;
}

/* Returns 1 + the index of the call at the line of `caller`; 0 if memory is short. Mostly one of
 * the last calls has this line. */
static uint32_t number_call(struct gather *gather, const struct line_row *caller)
{
    enum { LAST = 16 };
    const struct sass_call added = {caller->file, caller->line, caller->call};
    const struct sass_call *known = gather->call.data;
    const size_t count = gather->call.count;
    for (size_t i = count; i > 0 && i + LAST > count; i--)
        if (known[i - 1].file == added.file && known[i - 1].line == added.line &&
            known[i - 1].outer == added.outer)
            return (uint32_t)i;
    gather->no_memory |= !pool_add(&gather->call, &added);
    return gather->no_memory ? 0 : (uint32_t)gather->call.count;
}

/* Fills in file, line, outer and call of a row of inlined code; struct line_row says how. */
static void place_inlined(struct gather *gather, uint64_t call, struct line_row *placed)
{
    const char *const *file = gather->file.data;
    const struct line_row *row = gather->row.data;
    if (call == 0 || call > gather->row.count - gather->first)
        return;
    const struct line_row *caller = &row[gather->first + call - 1];
    if (caller->line == 0)
        return;
    placed->outer = caller->outer;
    if (is_same_folder(file[placed->file], file[placed->outer])) {
        placed->call = number_call(gather, caller);
        return;
    }
    placed->file = caller->file;
    placed->line = caller->line;
    placed->call = caller->call;
}

static bool take_row(void *context, const struct dwarf_row *row)
{
    struct gather *gather = context;
    uint64_t offset = gather->base + row->address;
    struct line_row placed = {.order = (uint32_t)gather->row.count, .line = row->line};
    if (offset > gather->build->cubin.section[gather->section].size)
        return true;
    placed.position = gather->build->place[gather->section].offset + offset;
    if (!row->file)
        placed.line = 0;
    else if (!number_file(gather, row, &placed.file))
        gather->no_memory = true;
    placed.outer = placed.file;
    if (placed.line && !gather->no_memory)
        place_inlined(gather, row->call, &placed);
    if (!pool_add(&gather->row, &placed))
        gather->no_memory = true;
    if (row->end)
        gather->first = gather->row.count;
    return !gather->no_memory;
}

static struct dwarf_strings find_strings(const struct cubin *cubin)
{
    const struct cubin_section *line = &cubin->section[cubin_find(cubin, ".debug_line_str")];
    const struct cubin_section *other = &cubin->section[cubin_find(cubin, ".debug_str")];
    return (struct dwarf_strings){
        .line = line->data,
        .line_bytes = line->data ? line->size : 0,
        .other = other->data,
        .other_bytes = other->data ? other->size : 0,
    };
}

static enum simsm_status read_rows(struct gather *gather, const char *section)
{
    struct build *build = gather->build;
    uint32_t lines = cubin_find(&build->cubin, section);
    if (lines == 0 || !build->cubin.section[lines].data)
        return SIMSM_OK;
    gather->anchor.count = 0;
    enum simsm_status status = find_anchors(gather, lines);
    if (status != SIMSM_OK)
        return status;
    struct dwarf_strings strings = find_strings(&build->cubin);
    struct dwarf_sink sink = {.address = begin_sequence, .row = take_row, .context = gather};
    const char *wrong = dwarf_lines(build->cubin.section[lines].data,
                                    build->cubin.section[lines].size, &strings, &sink);
    if (gather->no_memory)
        return err_no_memory(build->error);
    if (wrong) /* the module is usable without lines */
        build->module->line_problem = wrong;
    return SIMSM_OK;
}

/*
 * Merges rows at one position: the last row holds, except that the end of a sequence never hides
 * the start of another. Returns the number of rows that remain, at the start of `row`.
 */
static size_t merge_rows(struct line_row *row, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool same = kept > 0 && row[kept - 1].position == row[i].position;
        if (same && row[i].line == 0)
            continue;
        row[same ? kept - 1 : kept] = row[i];
        kept += !same;
    }
    return kept;
}

static size_t first_from(const struct line_row *row, size_t count, uint64_t position)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (row[middle].position < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Converts all rows to lines of the module and assigns each kernel the lines of its code. */
static enum simsm_status assign_lines(struct build *build, const struct line_row *row, size_t count)
{
    struct sass_module *module = build->module;
    struct sass_line *line = keeper_take(build->keeper, count, sizeof *line);
    if (!line)
        return err_no_memory(build->error);
    for (size_t i = 0; i < count; i++)
        line[i] =
            (struct sass_line){(uint32_t)row[i].position, row[i].file, row[i].line, row[i].call};
    for (uint32_t k = 0; k < module->kernels; k++) {
        struct sass_kernel *kernel = &module->kernel[k];
        uint64_t begin = (uint64_t)(kernel->code - module->code);
        size_t first = first_from(row, count, begin);
        size_t last = first_from(row, count, begin + kernel->code_bytes);
        kernel->line = line + first;
        kernel->lines = (uint32_t)(last - first);
        /*
         * Program counters of a kernel with code of its own count from the start of its section;
         * several kernels of one section share the lines.
         */
        for (size_t i = first; i < last; i++)
            line[i].pc = (uint32_t)(row[i].position - begin);
    }
    return SIMSM_OK;
}

enum simsm_status build_lines(struct build *build)
{
    struct gather gather = {
        .build = build,
        .anchor = {.size = sizeof(struct anchor)},
        .row = {.size = sizeof(struct line_row)},
        .file = {.size = sizeof(const char *)},
        .call = {.size = sizeof(struct sass_call)},
    };
    enum simsm_status status = read_rows(&gather, ".debug_line");
    if (status == SIMSM_OK && gather.row.count == 0)
        status = read_rows(&gather, ".nv_debug_line_sass");
    if (status == SIMSM_OK && gather.row.count) {
        qsort(gather.row.data, gather.row.count, sizeof(struct line_row), compare_position);
        status =
            assign_lines(build, gather.row.data, merge_rows(gather.row.data, gather.row.count));
    }
    build->module->file = gather.file.data;
    build->module->files = (uint32_t)gather.file.count;
    build->module->call = gather.call.data;
    build->module->calls = (uint32_t)gather.call.count;
    if (gather.file.data && !keeper_adopt(build->keeper, gather.file.data))
        status = err_no_memory(build->error);
    if (gather.call.data && !keeper_adopt(build->keeper, gather.call.data))
        status = err_no_memory(build->error);
    pool_free(&gather.anchor);
    pool_free(&gather.row);
    return status;
}
