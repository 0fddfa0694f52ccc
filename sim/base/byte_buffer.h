/*
 * A byte buffer that grows at its end: the bytes of files before they are written. When memory runs
 * out, `failed` is set and further bytes are dropped, so a writer checks once at its end.
 */
#ifndef SIM_BASE_BYTE_BUFFER_H
#define SIM_BASE_BYTE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byte_buffer {
    uint8_t *data; /* owned; freed by buffer_free() */
    size_t size, room;
    bool failed;
};

/* Frees the memory and empties the buffer. */
void buffer_free(struct byte_buffer *buffer);

/* Empties the buffer but keeps its memory. */
void buffer_clear(struct byte_buffer *buffer);

/* The slow path of buffer_reserve(). */
uint8_t *buffer_grow(struct byte_buffer *buffer, size_t size);

/*
 * Makes room for `size` further bytes and returns a pointer to them. The caller adds what it writes
 * to buffer->size. Returns NULL if the buffer has failed, or sets `failed` if memory runs out.
 */
static inline uint8_t *buffer_reserve(struct byte_buffer *buffer, size_t size)
{
    if (!buffer->failed && buffer->data && buffer->room - buffer->size >= size)
        return buffer->data + buffer->size;
    return buffer_grow(buffer, size);
}

/* Appends `size` bytes. `data` may be NULL if `size` is 0. */
void buffer_add(struct byte_buffer *buffer, const void *data, size_t size);

/* Appends a number of variable length (bytes_put_varint()). */
void buffer_add_varint(struct byte_buffer *buffer, uint64_t value);

/* Appends the length of a text as a number, then its characters. NULL counts as "". */
void buffer_add_text(struct byte_buffer *buffer, const char *text);

#endif
