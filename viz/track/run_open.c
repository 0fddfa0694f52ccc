/* A run: opened, its frames, and what holds for all SMs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "config/config_parse.h"
#include "track/track_state.h"

static void find_ends(struct run *run)
{
    run->begin = UINT64_MAX;
    for (uint32_t i = 0; i < run->info->sm_count; i++) {
        uint32_t count;
        const struct timeline_chunk *chunks =
            timeline_read_chunks(run->reader, run->info->sm[i], &count);
        if (!count)
            continue;
        run->begin = chunks[0].begin < run->begin ? chunks[0].begin : run->begin;
        run->end = chunks[count - 1].end > run->end ? chunks[count - 1].end : run->end;
    }
    if (run->begin > run->end)
        run->begin = run->end;
}

enum simsm_status run_open(struct run **opened, const char *path, struct simsm_error *error)
{
    struct run *run = calloc(1, sizeof *run);
    if (!run)
        return err_no_memory(error);
    enum simsm_status status = timeline_read_open(&run->reader, path, error);
    if (status != SIMSM_OK) {
        free(run);
        return status;
    }
    run->info = timeline_read_info(run->reader);
    run->left_us = UINT32_MAX;
    for (uint32_t i = 0; i < run->info->state_count && i < 32; i++) {
        uint32_t known = run->info->states[i].known;
        run->known[i] = known < SIMSM_STATE_COUNT ? known : SIMSM_STATE_MISC;
    }
    run->tracks = calloc(run->info->sms, sizeof *run->tracks);
    if (!run->tracks) {
        run_close(run);
        return err_no_memory(error);
    }
    find_ends(run);
    *opened = run;
    return SIMSM_OK;
}

void run_close(struct run *run)
{
    if (!run)
        return;
    for (uint32_t i = 0; run->tracks && i < run->info->sms; i++)
        track_free(run->tracks[i]);
    free(run->tracks);
    free(run->blocks);
    sources_free(run->sources);
    timeline_read_close(run->reader);
    free(run);
}

void run_frame_begin(struct run *run, uint32_t budget_us)
{
    run->left_us = budget_us;
    run->waits = false;
    run->drawn = NULL;
}

/* Uses the rest of the frame's time to decode what a step to the left or right would show. */
bool run_frame_end(struct run *run)
{
    if (run->drawn && !run->waits)
        run->waits = !track_prefetch(run->drawn);
    run->drawn = NULL;
    run->left_us = UINT32_MAX;
    return run->waits;
}

const struct timeline_info *run_info(const struct run *run)
{
    return run->info;
}

struct timeline_reader *run_reader(struct run *run)
{
    return run->reader;
}

const struct simsm_config *run_config(struct run *run, struct simsm_error *error)
{
    if (!run->config_known) {
        const char *text = run->info->config;
        if (config_parse(text, strlen(text), NULL, &run->config, error) != SIMSM_OK)
            return NULL;
        run->config_known = true;
    }
    return &run->config;
}

const char *run_source_line(struct run *run, uint32_t line)
{
    const struct timeline_line *at = line < run->info->line_count ? &run->info->lines[line] : NULL;
    if (!at || !at->file || !at->line)
        return NULL;
    return sources_line(&run->sources, run->info->name, at->file, at->line);
}

uint64_t run_begin(const struct run *run)
{
    return run->begin;
}

uint64_t run_end(const struct run *run)
{
    return run->end;
}

enum simsm_warp_state run_known_state(const struct run *run, uint8_t state)
{
    return run_state(run, state);
}

const struct overview_view *run_overview(const struct run *run)
{
    const struct overview_view *overview = timeline_read_overview(run->reader);
    return overview && overview->rows ? overview : NULL;
}

uint32_t run_counter_column(const struct run *run, const char *name)
{
    const struct overview_view *o = run_overview(run);
    uint32_t column = 0;
    while (o && column < o->columns && strcmp(o->names[column], name) != 0)
        column++;
    return o && column < o->columns ? column : UINT32_MAX;
}

double run_counter_at(const struct run *run, uint32_t column, double cycle)
{
    const struct overview_view *o = run_overview(run);
    if (!o || column >= o->columns)
        return NAN;
    uint32_t low = 0;
    uint32_t high = o->rows;
    while (low < high) { /* finds the first sample after the cycle */
        uint32_t middle = low + (high - low) / 2;
        if ((double)o->cycle[middle] <= cycle)
            low = middle + 1;
        else
            high = middle;
    }
    double before = low ? (double)o->values[(size_t)(low - 1) * o->columns + column] : 0;
    double from = low ? (double)o->cycle[low - 1] : 0;
    if (low == o->rows)
        return before;
    double after = (double)o->values[(size_t)low * o->columns + column];
    double to = (double)o->cycle[low];
    return to > from ? before + (after - before) * (cycle - from) / (to - from) : before;
}
