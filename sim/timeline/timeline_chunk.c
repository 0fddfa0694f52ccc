/* Reads chunks as arrays, in slices or at once. */
#include <stdlib.h>

#include "base/err.h"
#include "timeline/chunk_decode.h"
#include "timeline/chunk_payload.h"

struct timeline_slices {
    struct timeline_reader *reader;
    struct decoding decoding;
    struct payload payload;
};

static enum simsm_status chunk_status(const struct timeline_reader *reader,
                                      const struct timeline_chunk *chunk, const char *wrong,
                                      struct simsm_error *error)
{
    if (!wrong)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, timeline_read_info(reader)->name, 0, 0,
                  "the part with cycles %llu to %llu of SM %u, at byte %llu, %s; other cycles may "
                  "still be readable",
                  (unsigned long long)chunk->begin, (unsigned long long)chunk->end, chunk->sm,
                  (unsigned long long)chunk->offset, wrong);
}

static void reserve(void **array, uint32_t *room, uint64_t count, size_t size)
{
    if (count <= *room || count > SMTL_MAX_CHUNK)
        return;
    free(*array);
    *array = malloc((size_t)count * size);
    *room = *array ? (uint32_t)count : 0; /* without it, decoding allocates memory itself */
}

/* Allocates at once what the chunk's head promises: growing an array would copy it. */
static void reserve_all(struct timeline_data *data, const struct timeline_chunk *chunk)
{
    uint64_t spans = (uint64_t)chunk->changes + SIMSM_SLOTS_PER_SM;
    reserve((void **)&data->spans, &data->span_room, spans, sizeof *data->spans);
    reserve((void **)&data->issues, &data->issue_room, chunk->issues, sizeof *data->issues);
}

enum simsm_status timeline_slices_begin(struct timeline_slices **begun,
                                        struct timeline_reader *reader,
                                        const struct timeline_chunk *chunk,
                                        struct timeline_data *data, struct simsm_error *error)
{
    struct timeline_slices *slices = malloc(sizeof *slices);
    *begun = NULL;
    if (!slices)
        return err_no_memory(error);
    const char *wrong = payload_take(reader, chunk, &slices->payload);
    if (wrong) {
        data->span_count = data->issue_count = data->memory_count = 0;
        data->warp_count = data->event_count = data->work_count = data->wake_count = 0;
        free(slices);
        return chunk_status(reader, chunk, wrong, error);
    }
    slices->reader = reader;
    reserve_all(data, chunk);
    decode_begin(&slices->decoding, slices->payload.info, chunk, slices->payload.bytes, data);
    *begun = slices;
    return SIMSM_OK;
}

bool timeline_slices_next(struct timeline_slices *slices)
{
    return decode_next(&slices->decoding);
}

enum simsm_status timeline_slices_end(struct timeline_slices *slices, struct simsm_error *error)
{
    if (!slices)
        return SIMSM_OK;
    const char *wrong = decode_end(&slices->decoding);
    enum simsm_status status = chunk_status(slices->reader, slices->decoding.chunk, wrong, error);
    payload_return(slices->reader, &slices->payload);
    free(slices);
    return status;
}

enum simsm_status timeline_read_chunk(struct timeline_reader *reader,
                                      const struct timeline_chunk *chunk,
                                      struct timeline_data *data, struct simsm_error *error)
{
    struct timeline_slices *slices;
    enum simsm_status status = timeline_slices_begin(&slices, reader, chunk, data, error);
    if (status != SIMSM_OK)
        return status;
    while (timeline_slices_next(slices))
        ;
    return timeline_slices_end(slices, error);
}
