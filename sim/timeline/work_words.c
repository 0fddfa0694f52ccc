/* Work beside the warps in words. */
#include "timeline/work_words.h"
#include "language/language.h"

#include <stdio.h>
#include <string.h>

static const char *const names[WORK_KINDS] = {
    [WORK_PRODUCT] = N_("Product"),
    [WORK_LOAD] = N_("TMA load"),
    [WORK_STORE] = N_("TMA store"),
    [WORK_REDUCE] = N_("TMA reduction"),
};

enum work_kind work_kind_of(const struct timeline_info *info, const struct timeline_work *work)
{
    if (work->product)
        return WORK_PRODUCT;
    const uint32_t op = work->pc < info->line_count ? info->ops[info->lines[work->pc].op].known
                                                    : (uint32_t)SIMSM_OP_COUNT;
    return op == SIMSM_OP_TMA_STORE    ? WORK_STORE
           : op == SIMSM_OP_TMA_REDUCE ? WORK_REDUCE
                                       : WORK_LOAD;
}

const char *work_name(const struct timeline_info *info, const struct timeline_work *work)
{
    return translate(names[work_kind_of(info, work)]);
}

/* Appends to `text`, as far as there is room. */
static void add(char *text, const char *more)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, WORK_WORDS - used, "%s", more);
}

static void add_size(const struct timeline_work *work, char *text)
{
    char more[96] = "";
    if (work->product)
        return;
    (void)snprintf(more, sizeof more, _(" of %u bytes"), work->bytes);
    add(text, more);
    if (work->reach < 2)
        return;
    (void)snprintf(more, sizeof more, _(", multicast to %u SMs,"), work->reach);
    add(text, more);
}

static void add_warp(const struct history *history, const struct timeline_work *work, char *text)
{
    char more[96];
    const struct timeline_warp *warp = history_warp_at(history, work->slot, work->issued);
    if (warp)
        (void)snprintf(more, sizeof more, _(" by warp %u of block %u"), warp->warp, warp->block);
    else
        (void)snprintf(more, sizeof more, _(" by slot %u of sub-partition %u"),
                       work->slot / history->info->sub_partitions,
                       work->slot % history->info->sub_partitions);
    add(text, more);
}

static void add_time(const struct timeline_work *work, char *text)
{
    char more[160];
    const unsigned long long issued = work->issued, from = work->from, to = work->to;
    if (work->open)
        (void)snprintf(more, sizeof more, _(", since cycle %llu, at least %llu cycles"), from,
                       to - from);
    else
        (void)snprintf(more, sizeof more, _(", cycles %llu to %llu: %llu cycles"), from, to,
                       to - from);
    add(text, more);
    if (issued == from)
        return;
    (void)snprintf(more, sizeof more, _(", issued at %llu"), issued);
    add(text, more);
}

static void add_instruction(const struct history *history, const struct timeline_work *work,
                            char *text)
{
    char more[192];
    const struct timeline_line *line = history_line(history, work->pc);
    if (!line)
        return;
    (void)snprintf(more, sizeof more, "   `%.120s`", line->text);
    add(text, more);
    if (!line->line)
        return;
    (void)snprintf(more, sizeof more, _(" (line %u)"), line->line);
    add(text, more);
}

const char *work_words(const struct history *history, const struct timeline_work *work, char *text)
{
    text[0] = '\0';
    add(text, work_name(history->info, work));
    add_size(work, text);
    add_warp(history, work, text);
    add_time(work, text);
    add_instruction(history, work, text);
    return text;
}
