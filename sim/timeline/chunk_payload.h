/* The unpacked bytes of a chunk, as the timeline reader lends them to who decodes them. */
#ifndef SIM_TIMELINE_CHUNK_PAYLOAD_H
#define SIM_TIMELINE_CHUNK_PAYLOAD_H

#include "timeline/smtl.h"
#include "timeline/timeline_info.h"

struct payload {
    const struct info *info;
    struct smtl_cursor bytes;
    uint8_t *owner;
    size_t room;
};

/* NULL, or what is wrong with the chunk. On success give it back. */
const char *payload_take(struct timeline_reader *reader, const struct timeline_chunk *chunk,
                         struct payload *payload);
void payload_return(struct timeline_reader *reader, struct payload *payload);

#endif
