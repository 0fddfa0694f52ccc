/* The bytes of a recording: heads of parts, numbers and texts. */
#include "record/recording_format.h"

#include <string.h>

#include "base/printable.h"
#include "front/packing.h"

static const uint32_t block_magic = 0x4b424d52u; /* "RMBK" */

enum { CHECKED = SMTR_BLOCK_BYTES - 4 };

void smtr_block_put(uint8_t bytes[SMTR_BLOCK_BYTES], const struct smtr_block *block)
{
    bytes_put_u32(bytes, block_magic);
    bytes_put_u32(bytes + 4, block->kind);
    bytes_put_u32(bytes + 8, block->raw);
    bytes_put_u32(bytes + 12, block->packed);
    bytes_put_u32(bytes + 16, block->launch);
    bytes_put_u32(bytes + 20, block->blocks);
    bytes_put_u32(bytes + 24, 0);
    bytes_put_u32(bytes + CHECKED, bytes_checksum(bytes, CHECKED));
}

bool smtr_block_get(const uint8_t bytes[SMTR_BLOCK_BYTES], struct smtr_block *block)
{
    *block = (struct smtr_block){
        .kind = bytes_get_u32(bytes + 4),
        .raw = bytes_get_u32(bytes + 8),
        .packed = bytes_get_u32(bytes + 12),
        .launch = bytes_get_u32(bytes + 16),
        .blocks = bytes_get_u32(bytes + 20),
    };
    return bytes_get_u32(bytes) == block_magic &&
           bytes_get_u32(bytes + CHECKED) == bytes_checksum(bytes, CHECKED);
}

uint64_t smtr_take_number(struct smtr_cursor *cursor, uint64_t limit)
{
    uint64_t value = 0;
    const uint8_t *behind =
        cursor->failed ? NULL : bytes_take_varint(cursor->at, cursor->end, &value);
    if (!behind || value > limit) {
        cursor->failed = true;
        return 0;
    }
    cursor->at = behind;
    return value;
}

struct smtr_cursor smtr_take_part(struct smtr_cursor *cursor, uint64_t size)
{
    struct smtr_cursor part = {.at = cursor->at, .end = cursor->at, .failed = true};
    if (cursor->failed || size > (uint64_t)(cursor->end - cursor->at)) {
        cursor->failed = true;
        return part;
    }
    cursor->at += size;
    part.end = cursor->at;
    part.failed = false;
    return part;
}

void smtr_take_text(struct smtr_cursor *cursor, char *text, size_t size)
{
    struct smtr_cursor part = smtr_take_part(cursor, smtr_take_number(cursor, UINT32_MAX));
    size_t length = (size_t)(part.end - part.at);
    length = length < size ? length : size - 1;
    if (length)
        memcpy(text, part.at, length);
    text[length] = '\0';
    (void)printable(text, text, size);
}
