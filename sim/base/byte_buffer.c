/* A byte buffer that grows at its end. */
#include "base/byte_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

enum { FIRST_ROOM = 256 };

void buffer_free(struct byte_buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct byte_buffer){0};
}

void buffer_clear(struct byte_buffer *buffer)
{
    buffer->size = 0;
    buffer->failed = false;
}

uint8_t *buffer_grow(struct byte_buffer *buffer, size_t size)
{
    if (buffer->failed)
        return NULL;
    size_t room = buffer->room ? buffer->room : FIRST_ROOM;
    while (room - buffer->size < size)
        room += room / 2;
    uint8_t *grown = realloc(buffer->data, room);
    if (!grown) {
        buffer->failed = true;
        return NULL;
    }
    buffer->data = grown;
    buffer->room = room;
    return grown + buffer->size;
}

void buffer_add(struct byte_buffer *buffer, const void *data, size_t size)
{
    uint8_t *at = size ? buffer_reserve(buffer, size) : NULL;
    if (!at)
        return;
    memcpy(at, data, size);
    buffer->size += size;
}

void buffer_add_varint(struct byte_buffer *buffer, uint64_t value)
{
    uint8_t *at = buffer_reserve(buffer, BYTES_VARINT_MAX);
    if (at)
        buffer->size = (size_t)(bytes_put_varint(at, value) - buffer->data);
}

void buffer_add_text(struct byte_buffer *buffer, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    buffer_add_varint(buffer, length);
    buffer_add(buffer, text, length);
}
