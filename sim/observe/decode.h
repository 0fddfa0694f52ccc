/* A chunk's payload as arrays. */
#ifndef SIM_OBSERVE_DECODE_H
#define SIM_OBSERVE_DECODE_H

#include "observe/info.h"

/*
 * Decodes the payload of `chunk` into *data. Returns NULL, or what is wrong with it; *data then
 * holds nothing.
 */
const char *decode_chunk(const struct info *info, const struct timeline_chunk *chunk,
                         struct smtl_cursor cursor, struct timeline_data *data);

#endif
