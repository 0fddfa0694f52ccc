/*
 * Fields of protocol buffers, appended to a buffer of bytes. A message is written into a buffer of
 * its own and then added to the outer message. https://protobuf.dev/programming-guides/encoding
 */
#ifndef VIZ_EXPORT_PROTOBUF_H
#define VIZ_EXPORT_PROTOBUF_H

#include <stdint.h>

#include "timeline/smtl.h"

/* Adds a varint field. */
void proto_uint(struct byte_buffer *message, uint32_t field, uint64_t value);
/* Adds a field of 8 bytes, lowest first. */
void proto_fixed64(struct byte_buffer *message, uint32_t field, uint64_t value);
/* Adds a double field. */
void proto_double(struct byte_buffer *message, uint32_t field, double value);
/* Adds a text field. Bytes that are no UTF-8 become '?'. */
void proto_text(struct byte_buffer *message, uint32_t field, const char *text);
/* Adds `inner` as a field and empties it. */
void proto_message(struct byte_buffer *message, uint32_t field, struct byte_buffer *inner);

#endif
