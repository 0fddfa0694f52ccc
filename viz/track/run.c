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
    timeline_read_close(run->reader);
    free(run);
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
