/*
 * Fields of protocol buffers, appended to a buffer of bytes. A message is written into a buffer of
 * its own and then put into the one around it. https://protobuf.dev/programming-guides/encoding
 */
#ifndef VIZ_EXPORT_PROTO_H
#define VIZ_EXPORT_PROTO_H

#include <stdint.h>

#include "timeline/smtl.h"

void proto_uint(struct byte_buffer *message, uint32_t field, uint64_t value);
void proto_fixed64(struct byte_buffer *message, uint32_t field, uint64_t value);
void proto_double(struct byte_buffer *message, uint32_t field, double value);
void proto_text(struct byte_buffer *message, uint32_t field, const char *text);
/* Puts `inner` and empties it. */
void proto_message(struct byte_buffer *message, uint32_t field, struct byte_buffer *inner);

#endif
