/* The last explanation, kept: it is drawn in every frame, and finding it takes decoding. */
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "timeline/explain.h"
#include "track/track_state.h"

static char *explain_text(struct track *track, const struct explain_question *question,
                          struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) {
        err_no_memory(error);
        return NULL;
    }
    enum simsm_status status = explain_write(track->run->reader, question, file, error);
    if (fclose(file) != 0 && status == SIMSM_OK)
        status = err_no_memory(error);
    if (status == SIMSM_OK)
        return text;
    free(text);
    return NULL;
}

const char *track_explain(struct track *track, uint32_t slot, uint64_t cycle, uint32_t width,
                          struct simsm_error *error)
{
    struct track_answer *last = &track->answer;
    if (last->text && last->slot == slot && last->cycle == cycle && last->width == width)
        return last->text;
    uint32_t subs = track->run->info->sub_partitions;
    const struct explain_question question = {
        .sm = track->sm, .sub = slot % subs, .index = slot / subs, .cycle = cycle, .width = width};
    free(last->text);
    *last = (struct track_answer){.text = explain_text(track, &question, error),
                                  .slot = slot,
                                  .cycle = cycle,
                                  .width = width};
    return last->text;
}
