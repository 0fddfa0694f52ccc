/* The public functions that read timelines. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "simsm/timeline.h"
#include "timeline/cycle_selection.h"
#include "timeline/slot_history.h"

struct simsm_timeline {
    struct timeline_reader *reader;
    struct simsm_timeline_info info;
    const char **states;
    struct simsm_line_info *lines;
};

static bool copy_names(struct simsm_timeline *timeline, const struct timeline_info *info)
{
    timeline->states = calloc((size_t)info->state_count + 1, sizeof *timeline->states);
    timeline->lines = calloc((size_t)info->line_count + 1, sizeof *timeline->lines);
    if (!timeline->states || !timeline->lines)
        return false;
    for (uint32_t i = 0; i < info->state_count; i++)
        timeline->states[i] = info->states[i].name;
    for (uint32_t i = 0; i < info->line_count; i++) {
        const struct timeline_line *line = &info->lines[i];
        timeline->lines[i] = (struct simsm_line_info){.text = line->text,
                                                      .line = line->line,
                                                      .pc = line->pc,
                                                      .op = info->ops[line->op].known,
                                                      .file = line->file};
    }
    return true;
}

static void fill_info(struct simsm_timeline *timeline, const struct timeline_info *info)
{
    timeline->info = (struct simsm_timeline_info){.program = info->program,
                                                  .command_line = info->command_line,
                                                  .config = info->config,
                                                  .trace = info->trace,
                                                  .gpu = info->gpu,
                                                  .launch = info->launch,
                                                  .occupancy = info->occupancy,
                                                  .sms = info->sms,
                                                  .sub_partitions = info->sub_partitions,
                                                  .slots = info->slots,
                                                  .clock_khz = info->clock_khz,
                                                  .cycles = info->cycles,
                                                  .complete = info->complete,
                                                  .damage = info->damage,
                                                  .sm_count = info->sm_count,
                                                  .sm = info->sm,
                                                  .state_count = info->state_count,
                                                  .states = timeline->states,
                                                  .line_count = info->line_count,
                                                  .lines = timeline->lines};
}

enum simsm_status simsm_timeline_open(struct simsm_timeline **timeline, const char *path,
                                      struct simsm_error *error)
{
    struct simsm_timeline *opened = calloc(1, sizeof *opened);
    *timeline = NULL;
    if (!opened)
        return err_no_memory(error);
    enum simsm_status status = timeline_read_open(&opened->reader, path, error);
    if (status == SIMSM_OK && !copy_names(opened, timeline_read_info(opened->reader)))
        status = err_no_memory(error);
    if (status != SIMSM_OK) {
        simsm_timeline_close(opened);
        return status;
    }
    fill_info(opened, timeline_read_info(opened->reader));
    *timeline = opened;
    return SIMSM_OK;
}

const struct simsm_timeline_info *simsm_timeline_info(const struct simsm_timeline *timeline)
{
    return &timeline->info;
}

void simsm_timeline_close(struct simsm_timeline *timeline)
{
    if (!timeline)
        return;
    timeline_read_close(timeline->reader);
    free(timeline->states);
    free(timeline->lines);
    free(timeline);
}

static bool make_room(const struct history *history, uint32_t slots,
                      struct simsm_timeline_part *part)
{
    size_t spans = 1, issues = 1, warps = 1;
    for (uint32_t s = 0; s < slots; s++) {
        spans += history->slot[s].span_count;
        issues += history->slot[s].issue_count;
        warps += history->slot[s].warp_count;
    }
    part->spans = calloc(spans, sizeof *part->spans);
    part->issues = calloc(issues, sizeof *part->issues);
    part->warps = calloc(warps, sizeof *part->warps);
    return part->spans != NULL && part->issues != NULL && part->warps != NULL;
}

/* Appends what one slot did in the cycles of the part. The first and last span are cut. */
static void add_slot(struct simsm_timeline_part *part, const struct history_slot *slot)
{
    for (uint32_t i = 0; i < slot->span_count; i++) {
        const struct timeline_span *span = &slot->spans[i];
        const uint64_t from = span->from > part->from ? span->from : part->from;
        const uint64_t to = span->to < part->to ? span->to : part->to;
        if (from < to)
            part->spans[part->span_count++] = (struct simsm_timeline_span){
                .from = from, .to = to, .line = span->pc, .slot = span->slot, .state = span->state};
    }
    for (uint32_t i = 0; i < slot->issue_count; i++) {
        const struct timeline_issue *issue = &slot->issues[i];
        if (issue->cycle >= part->from && issue->cycle < part->to)
            part->issues[part->issue_count++] = (struct simsm_timeline_issue){.cycle = issue->cycle,
                                                                              .line = issue->pc,
                                                                              .lanes = issue->mask,
                                                                              .slot = issue->slot};
    }
    for (uint32_t i = 0; i < slot->warp_count; i++) {
        const struct timeline_warp *warp = &slot->warps[i];
        if (warp->started && warp->cycle < part->to)
            part->warps[part->warp_count++] = (struct simsm_timeline_warp){
                .cycle = warp->cycle, .block = warp->block, .slot = warp->slot, .warp = warp->warp};
    }
}

enum simsm_status simsm_timeline_read(struct simsm_timeline *timeline, uint32_t sm, uint64_t from,
                                      uint64_t to, struct simsm_timeline_part *part,
                                      struct simsm_error *error)
{
    struct history history = {0};
    *part = (struct simsm_timeline_part){0};
    enum simsm_status status = selection_check_sm(timeline_read_info(timeline->reader), sm, error);
    if (status == SIMSM_OK)
        status = history_load(&history, timeline->reader, sm, from, to, error);
    if (status == SIMSM_OK && !make_room(&history, timeline->info.slots, part))
        status = err_no_memory(error);
    if (status == SIMSM_OK) {
        part->from = history.begin > from ? history.begin : from;
        part->to = history.end < to ? history.end : to;
        for (uint32_t s = 0; s < timeline->info.slots; s++)
            add_slot(part, &history.slot[s]);
    } else {
        simsm_timeline_part_free(part);
    }
    history_free(&history);
    return status;
}

void simsm_timeline_part_free(struct simsm_timeline_part *part)
{
    free(part->spans);
    free(part->issues);
    free(part->warps);
    *part = (struct simsm_timeline_part){0};
}
