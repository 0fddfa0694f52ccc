/* Encodes fields of protocol buffers. */
#include "export/protobuf.h"

#include <string.h>

#include "base/printable.h"

enum wire { VARINT = 0, FIXED64 = 1, BYTES = 2 };

static void put_tag(struct byte_buffer *message, uint32_t field, enum wire wire)
{
    buffer_add_varint(message, (uint64_t)field << 3 | wire);
}

void proto_uint(struct byte_buffer *message, uint32_t field, uint64_t value)
{
    put_tag(message, field, VARINT);
    buffer_add_varint(message, value);
}

void proto_fixed64(struct byte_buffer *message, uint32_t field, uint64_t value)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    put_tag(message, field, FIXED64);
    buffer_add(message, bytes, sizeof bytes);
}

void proto_double(struct byte_buffer *message, uint32_t field, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    proto_fixed64(message, field, bits);
}

void proto_text(struct byte_buffer *message, uint32_t field, const char *text)
{
    char valid[1024]; /* readers refuse text that is no UTF-8 */
    put_tag(message, field, BYTES);
    buffer_add_text(message, printable(text, valid, sizeof valid));
}

void proto_message(struct byte_buffer *message, uint32_t field, struct byte_buffer *inner)
{
    put_tag(message, field, BYTES);
    buffer_add_varint(message, inner->size);
    buffer_add(message, inner->data, inner->size);
    message->failed |= inner->failed;
    inner->size = 0;
}
