/*
 * The unpacked bytes of a chunk, which the timeline reader lends to the decoder. Private to this
 * folder.
 */
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

/*
 * Reads and unpacks a chunk into *payload. Returns NULL, or a predicate that says what is wrong
 * with the chunk ("is damaged"). On success the caller ends with payload_return.
 */
const char *payload_take(struct timeline_reader *reader, const struct timeline_chunk *chunk,
                         struct payload *payload);
/* Gives the memory of *payload back to the reader, which uses it for the next chunk. */
void payload_return(struct timeline_reader *reader, struct payload *payload);

#endif
