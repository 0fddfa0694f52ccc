/*
 * Changes a timeline file behind its checksums. Left to itself the fuzzer would never get past
 * them: it unpacks one block, changes what is in it, packs it again and makes a new head.
 */
#include "fuzz.h"

#include <string.h>
#include <zstd.h>

#include "timeline/smtl.h"

enum { MAX_RAW = 1 << 18, MAX_BLOCKS = 64 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Offsets of the blocks that are whole; returns their number. */
static unsigned find_blocks(const uint8_t *data, size_t size, size_t offset[MAX_BLOCKS])
{
    unsigned count = 0;
    struct smtl_block block;
    for (size_t at = SMTL_FILE_BYTES; count < MAX_BLOCKS && at + SMTL_BLOCK_BYTES <= size;) {
        if (!smtl_block_get(data + at, &block) || block.packed > size - at - SMTL_BLOCK_BYTES)
            break;
        offset[count++] = at;
        at += SMTL_BLOCK_BYTES + (size_t)block.packed;
    }
    return count;
}

/* Replaces the block at `at` by one with the payload `raw`; 0 if that has no room. */
static size_t replace(uint8_t *data, size_t size, size_t max_size, size_t at,
                      struct smtl_block block, const uint8_t *raw)
{
    static uint8_t packed[MAX_RAW + MAX_RAW / 64 + 1024];
    size_t old = SMTL_BLOCK_BYTES + (size_t)block.packed;
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    (void)ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    size_t length = ZSTD_compress2(zstd, packed, sizeof packed, raw, block.raw);
    (void)ZSTD_freeCCtx(zstd);
    if (ZSTD_isError(length) || size - old + SMTL_BLOCK_BYTES + length > max_size)
        return 0;
    memmove(data + at + SMTL_BLOCK_BYTES + length, data + at + old, size - at - old);
    block.packed = (uint32_t)length;
    smtl_block_put(data + at, &block);
    memcpy(data + at + SMTL_BLOCK_BYTES, packed, length);
    return size - old + SMTL_BLOCK_BYTES + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static uint8_t raw[MAX_RAW];
    size_t offset[MAX_BLOCKS];
    unsigned count = find_blocks(data, size, offset);
    if (count == 0 || seed % 8 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    size_t at = offset[seed / 16 % count];
    struct smtl_block block;
    (void)smtl_block_get(data + at, &block);
    size_t length = ZSTD_decompress(raw, sizeof raw, data + at + SMTL_BLOCK_BYTES, block.packed);
    if (ZSTD_isError(length))
        return LLVMFuzzerMutate(data, size, max_size);
    if (seed % 8 == 1) { /* the numbers in the head */
        struct smtl_block changed = block;
        (void)LLVMFuzzerMutate((uint8_t *)&changed, sizeof changed, sizeof changed);
        changed.packed = block.packed;
        changed.raw = block.raw;
        block = changed;
    } else {
        length = LLVMFuzzerMutate(raw, length, sizeof raw);
        block.raw = (uint32_t)length;
    }
    size_t changed = replace(data, size, max_size, at, block, raw);
    return changed ? changed : LLVMFuzzerMutate(data, size, max_size);
}
