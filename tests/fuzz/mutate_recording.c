/*
 * Changes a recording behind its checksums. Left to itself the fuzzer would never get past them:
 * it unpacks one block, changes what is in it, packs it again, and makes new heads and a new index
 * offset. The index is left as it is, so that it often lies: that is part of the test.
 */
#include "fuzz.h"

#include <string.h>
#include <zstd.h>

#include "record/recording_format.h"

enum { MAX_RAW = 1 << 18, MAX_BLOCKS = 64 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Offsets of the blocks that are whole; returns their number. */
static unsigned find_blocks(const uint8_t *data, size_t size, size_t offset[MAX_BLOCKS])
{
    unsigned count = 0;
    struct smtr_block block;
    for (size_t at = SMTR_FILE_BYTES; count < MAX_BLOCKS && at + SMTR_BLOCK_BYTES <= size;) {
        if (!smtr_block_get(data + at, &block) || block.packed > size - at - SMTR_BLOCK_BYTES)
            break;
        offset[count++] = at;
        at += SMTR_BLOCK_BYTES + (size_t)block.packed;
    }
    return count;
}

/* The zstd payload for `raw` in `packed`; as long as before where that is possible, so that the
 * index stays true: behind the frame there may be a skippable one. */
static size_t pack(uint8_t *packed, size_t room, const uint8_t *raw, size_t length)
{
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    (void)ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    size_t size = ZSTD_compress2(zstd, packed, room, raw, length);
    (void)ZSTD_freeCCtx(zstd);
    return size;
}

/* Replaces the block at `at` by one with the payload `raw`; 0 if that has no room. */
static size_t replace(uint8_t *data, size_t size, size_t max_size, size_t at,
                      struct smtr_block block, const uint8_t *raw)
{
    static uint8_t packed[MAX_RAW + MAX_RAW / 64 + 1024];
    size_t old = block.packed, begin = at + SMTR_BLOCK_BYTES;
    size_t length = pack(packed, sizeof packed, raw, block.raw);
    if (ZSTD_isError(length) || size - old + length > max_size)
        return 0;
    if (length + 8 <= old) { /* fill up: a frame that readers skip */
        bytes_put_u32(packed + length, 0x184D2A50u);
        bytes_put_u32(packed + length + 4, (uint32_t)(old - length - 8));
        memset(packed + length + 8, 0, old - length - 8);
        length = old;
    }
    memmove(data + begin + length, data + begin + old, size - begin - old);
    block.packed = (uint32_t)length;
    smtr_block_put(data + at, &block);
    memcpy(data + begin, packed, length);
    size = size - old + length;
    if (length != old && size > SMTR_TRAILER_BYTES)
        bytes_put_u64(data + size - SMTR_TRAILER_BYTES,
                      bytes_get_u64(data + size - SMTR_TRAILER_BYTES) + length - old);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static uint8_t raw[MAX_RAW];
    size_t offset[MAX_BLOCKS];
    unsigned count = find_blocks(data, size, offset);
    if (count == 0 || seed % 8 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    size_t at = offset[seed / 16 % count];
    struct smtr_block block;
    (void)smtr_block_get(data + at, &block);
    size_t length = ZSTD_decompress(raw, sizeof raw, data + at + SMTR_BLOCK_BYTES, block.packed);
    if (ZSTD_isError(length))
        return LLVMFuzzerMutate(data, size, max_size);
    if (seed % 8 == 1) { /* the numbers in the head */
        struct smtr_block changed = block;
        (void)LLVMFuzzerMutate((uint8_t *)&changed, sizeof changed, sizeof changed);
        changed.packed = block.packed;
        changed.raw = block.raw;
        block = changed;
    } else { /* of the same length, mostly: else the parts behind say something else */
        size_t most = seed % 8 < 5 ? length : sizeof raw;
        length = LLVMFuzzerMutate(raw, length, most);
        block.raw = (uint32_t)length;
    }
    size_t changed = replace(data, size, max_size, at, block, raw);
    return changed ? changed : LLVMFuzzerMutate(data, size, max_size);
}
