/* Collects the static instructions of a kernel and lays them out in memory. */
#include "accelsim/accelsim_code.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 128 }; /* a layer begins at a line of the instruction cache */

void code_free(struct accelsim_code *code)
{
    for (uint32_t i = 0; i < code->count; i++) {
        free(code->entry[i].key);
        free(code->entry[i].text);
    }
    free(code->entry);
    free(code->first);
    free(code->inst);
    free(code->text);
    *code = (struct accelsim_code){0};
}

static uint32_t first_at(const struct accelsim_code *code, uint32_t offset)
{
    return offset / 8 < code->first_room ? code->first[offset / 8] : CODE_NONE;
}

uint32_t code_find(const struct accelsim_code *code, uint32_t offset, const char *at,
                   const char **end)
{
    for (uint32_t i = first_at(code, offset); i != CODE_NONE; i = code->entry[i].next) {
        const struct code_entry *entry = &code->entry[i];
        if (strncmp(entry->key, at, entry->key_length) != 0)
            continue;
        *end = at + entry->key_length;
        if (entry->offset == offset && (**end == ' ' || **end == '\0'))
            return i;
    }
    return CODE_NONE;
}

uint32_t code_in_space(const struct accelsim_code *code, uint32_t entry, enum code_space space)
{
    const struct code_entry *wanted = &code->entry[entry];
    for (uint32_t i = entry; i != CODE_NONE; i = code->entry[i].next) {
        const struct code_entry *candidate = &code->entry[i];
        if (candidate->space == space && candidate->offset == wanted->offset &&
            candidate->key_length == wanted->key_length &&
            memcmp(candidate->key, wanted->key, wanted->key_length) == 0)
            return i;
    }
    return CODE_NONE;
}

static bool grow_first(struct accelsim_code *code, uint32_t needed)
{
    uint32_t room = code->first_room ? code->first_room : 1024;
    while (room <= needed)
        room *= 2;
    uint32_t *first = realloc(code->first, room * sizeof *first);
    if (!first)
        return false;
    for (uint32_t i = code->first_room; i < room; i++)
        first[i] = CODE_NONE;
    code->first = first;
    code->first_room = room;
    return true;
}

static bool make_room(struct accelsim_code *code, uint32_t offset)
{
    if (offset / 8 >= code->first_room && !grow_first(code, offset / 8))
        return false;
    if (code->count < code->room)
        return true;
    uint32_t room = code->room ? 2 * code->room : 256;
    struct code_entry *entry = realloc(code->entry, room * sizeof *entry);
    if (!entry)
        return false;
    code->entry = entry;
    code->room = room;
    return true;
}

/*
 * Returns the layer for a new entry, or CODE_MAX_LAYERS if every layer has an instruction at this
 * offset.
 */
static uint32_t choose_layer(const struct accelsim_code *code, uint32_t offset, uint32_t before)
{
    uint64_t used = 0;
    for (uint32_t i = first_at(code, offset); i != CODE_NONE; i = code->entry[i].next)
        used |= UINT64_C(1) << code->entry[i].layer;
    if (before != CODE_NONE && code_follows(code, code->entry[before].offset, offset) &&
        !(used >> code->entry[before].layer & 1u))
        return code->entry[before].layer;
    uint32_t layer = 0;
    while (layer < CODE_MAX_LAYERS && used >> layer & 1u)
        layer++;
    return layer;
}

enum code_added code_add(struct accelsim_code *code, const struct code_entry *entry,
                         uint32_t before, uint32_t *added)
{
    if (!make_room(code, entry->offset))
        return CODE_NO_MEMORY;
    uint32_t layer = choose_layer(code, entry->offset, before);
    if (layer == CODE_MAX_LAYERS)
        return CODE_NO_ROOM;
    struct code_entry *place = &code->entry[code->count];
    *place = *entry;
    place->key = strndup(entry->key, entry->key_length);
    place->text = strdup(entry->text);
    place->layer = layer;
    place->next = CODE_NONE;
    if (!place->key || !place->text) {
        free(place->key);
        free(place->text);
        return CODE_NO_MEMORY;
    }
    uint32_t *link = &code->first[entry->offset / 8];
    while (*link != CODE_NONE)
        link = &code->entry[*link].next;
    *link = *added = code->count++;
    return CODE_ADDED;
}

/*
 * Before Volta one 8-byte word of every four holds the control bits of the next three instructions;
 * before Maxwell, one of every eight.
 */
bool code_follows(const struct accelsim_code *code, uint32_t a, uint32_t b)
{
    if (code->binary >= 70)
        return b == a + 16;
    uint32_t group = code->binary >= 50 ? 32 : 64;
    return b == a + 8 || (b == a + 16 && (a + 8) % group == 0);
}

static int compare(const void *left, const void *right)
{
    const struct code_entry *a = *(const struct code_entry *const *)left;
    const struct code_entry *b = *(const struct code_entry *const *)right;
    if (a->layer != b->layer)
        return a->layer < b->layer ? -1 : 1;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static void append(struct accelsim_code *code, const struct inst *inst, const char *text)
{
    code->inst[code->size] = *inst;
    code->text[code->size++] = text;
}

/* Returns the distance in bytes between the starts of two layers. */
static uint32_t layer_bytes(const struct accelsim_code *code)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < code->count; i++)
        last = code->entry[i].offset > last ? code->entry[i].offset : last;
    return (last + 32 + LINE - 1) / LINE * LINE;
}

static void lay_out(struct accelsim_code *code, struct code_entry *const *order)
{
    struct inst gap = {.op = SIMSM_OP_NOP, .control = {.write_barrier = 7, .read_barrier = 7}};
    uint32_t span = layer_bytes(code), step = code->binary >= 70 ? 16 : 8;
    for (uint32_t i = 0; i < code->count; i++) {
        struct code_entry *entry = order[i];
        const struct code_entry *last = i ? order[i - 1] : NULL;
        if (last &&
            (last->layer != entry->layer || !code_follows(code, last->offset, entry->offset))) {
            gap.pc = last->inst.pc + step;
            append(code, &gap, "(code that the trace does not run)");
        }
        entry->inst.pc = entry->layer * span + entry->offset;
        entry->index = code->size;
        append(code, &entry->inst, entry->text);
    }
    code->exit = CODE_NONE;
    if (!code->needs_exit)
        return;
    gap.op = SIMSM_OP_EXIT;
    gap.pc = code->size ? code->inst[code->size - 1].pc + 2 * step : 0;
    code->exit = code->size;
    append(code, &gap, "EXIT (added: the trace of the warp ends without one)");
}

bool code_finish(struct accelsim_code *code)
{
    struct code_entry **order = malloc((code->count + (size_t)1) * sizeof(struct code_entry *));
    code->inst = calloc(2 * (size_t)code->count + 2, sizeof *code->inst);
    code->text = calloc(2 * (size_t)code->count + 2, sizeof *code->text);
    if (!order || !code->inst || !code->text) {
        free(order);
        return false;
    }
    for (uint32_t i = 0; i < code->count; i++)
        order[i] = &code->entry[i];
    qsort(order, code->count, sizeof(struct code_entry *), compare);
    lay_out(code, order);
    free(order);
    return true;
}
