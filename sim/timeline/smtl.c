/*
 * Building blocks of the timeline format: block heads, growing buffers, and a cursor that checks
 * every read.
 */
#include "timeline/smtl.h"

#include <string.h>

#include "base/bytes.h"

static const uint32_t block_magic = 0x4b424d53u; /* "SMBK" */

void smtl_block_put(uint8_t bytes[SMTL_BLOCK_BYTES], const struct smtl_block *block)
{
    bytes_put_u32(bytes, block_magic);
    bytes_put_u32(bytes + 4, block->kind);
    bytes_put_u32(bytes + 8, block->sm);
    bytes_put_u32(bytes + 12, block->raw);
    bytes_put_u32(bytes + 16, block->packed);
    bytes_put_u32(bytes + 20, block->changes);
    bytes_put_u64(bytes + 24, block->begin);
    bytes_put_u64(bytes + 32, block->end);
    bytes_put_u32(bytes + 40, block->issues);
    bytes_put_u32(bytes + 44, bytes_checksum(bytes, 44));
}

bool smtl_block_get(const uint8_t bytes[SMTL_BLOCK_BYTES], struct smtl_block *block)
{
    *block = (struct smtl_block){
        .kind = bytes_get_u32(bytes + 4),
        .sm = bytes_get_u32(bytes + 8),
        .raw = bytes_get_u32(bytes + 12),
        .packed = bytes_get_u32(bytes + 16),
        .changes = bytes_get_u32(bytes + 20),
        .begin = bytes_get_u64(bytes + 24),
        .end = bytes_get_u64(bytes + 32),
        .issues = bytes_get_u32(bytes + 40),
    };
    return bytes_get_u32(bytes) == block_magic &&
           bytes_get_u32(bytes + 44) == bytes_checksum(bytes, 44);
}

uint8_t smtl_take_byte(struct smtl_cursor *cursor)
{
    if (cursor->at < cursor->end)
        return *cursor->at++;
    cursor->failed = true;
    return 0;
}

uint64_t smtl_take_varint(struct smtl_cursor *cursor)
{
    uint64_t value;
    const uint8_t *behind = bytes_take_varint(cursor->at, cursor->end, &value);
    if (!behind) {
        cursor->failed = true;
        cursor->at = cursor->end;
        return 0;
    }
    cursor->at += behind - cursor->at;
    return value;
}

uint32_t smtl_take_number(struct smtl_cursor *cursor, uint32_t limit)
{
    uint64_t value = smtl_take_varint(cursor);
    if (value <= limit)
        return (uint32_t)value;
    cursor->failed = true;
    return 0;
}

uint32_t smtl_take_u32(struct smtl_cursor *cursor)
{
    struct smtl_cursor part = smtl_take_part(cursor, 4);
    return part.failed ? 0 : bytes_get_u32(part.at);
}

struct smtl_cursor smtl_take_part(struct smtl_cursor *cursor, uint64_t size)
{
    struct smtl_cursor part = {.at = cursor->at, .end = cursor->at, .failed = true};
    if (cursor->failed || size > (uint64_t)(cursor->end - cursor->at)) {
        cursor->failed = true;
        return part;
    }
    cursor->at += size;
    part.end = cursor->at;
    part.failed = false;
    return part;
}

const char *smtl_take_text(struct smtl_cursor *cursor, bool lines)
{
    uint64_t length = smtl_take_varint(cursor);
    struct smtl_cursor part = smtl_take_part(cursor, length);
    if (part.failed)
        return "";
    /*
     * The length before the text takes at least one byte. The text moves one byte forward, so that
     * its terminator fits.
     */
    char *text = (char *)part.at - 1;
    memmove(text, part.at, (size_t)length);
    text[length] = '\0';
    for (char *c = text; c < text + length; c++) {
        bool control = (unsigned char)*c < 0x20 || *c == 0x7f;
        if (control && !(lines && (*c == '\n' || *c == '\t')))
            *c = '?';
    }
    return text;
}
