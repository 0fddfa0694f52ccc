/* A timeline file: opened, and every chunk of every SM decoded. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "timeline/timeline_read.h"

static void check(int holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s\n", what);
    abort();
}

/* Checks what the reader guarantees of the spans that it returns. */
static void check_spans(const struct timeline_info *info, const struct timeline_chunk *chunk,
                        const struct timeline_data *data)
{
    for (uint32_t i = 0; i < data->span_count; i++) {
        const struct timeline_span *span = &data->spans[i];
        check(span->from < span->to && span->to <= chunk->end, "a span outside its chunk");
        check(span->state < info->state_count, "an unknown state");
        check(span->slot < info->slots, "an unknown slot");
    }
}

static void read_sm(struct timeline_reader *reader, uint32_t sm, struct timeline_data *data)
{
    const struct timeline_info *info = timeline_read_info(reader);
    struct simsm_error error;
    uint32_t count = 0;
    const struct timeline_chunk *chunks = timeline_read_chunks(reader, sm, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (timeline_read_chunk(reader, &chunks[i], data, &error) == SIMSM_OK)
            check_spans(info, &chunks[i], data);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct timeline_reader *reader = NULL;
    struct simsm_error error = {.status = SIMSM_OK};
    struct timeline_data decoded = {0};
    enum simsm_status status = timeline_read_memory(&reader, data, size, "input", &error);
    if (status != SIMSM_OK) {
        check(error.status == status && error.message[0] != '\0', "refused without a reason");
        return 0;
    }
    const struct timeline_info *info = timeline_read_info(reader);
    for (uint32_t i = 0; i < info->sm_count; i++)
        read_sm(reader, info->sm[i], &decoded);
    timeline_data_free(&decoded);
    timeline_read_close(reader);
    return 0;
}
