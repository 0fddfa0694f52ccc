/* Reads fatbins, and decompresses their images. */
#include "sass/image/fatbin.h"

#include <limits.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/err.h"
#include "sass/image/elf.h"
#include "sass/image/image_bytes.h"

/* Container: u32 magic, u16 version, u16 bytes of this header, u64 bytes of the entries. */
enum { CONTAINER_BYTES = 16 };
static const uint32_t container_magic = 0xba55ed50;

/* As in the toolkit's fatbinary_section.h: {magic, version, pointer, pointer}. */
static const uint32_t wrapper_magic = 0x466243b1;

/* Byte offsets in the header of an entry. The payload follows the header. */
enum entry {
    ENTRY_KIND = 0,         /* u16: enum sass_image_kind and others */
    ENTRY_HEADER_BYTES = 4, /* u32 */
    ENTRY_PAYLOAD = 8,      /* u64 bytes, padded */
    ENTRY_COMPRESSED = 16,  /* u32 bytes, without padding; 0 if not compressed */
    ENTRY_SM = 28,          /* u32 */
    ENTRY_FLAGS = 40,       /* u64 */
    ENTRY_PLAIN = 56,       /* u64 bytes after decompression */
    ENTRY_BYTES = 64,
};

enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };

/*
 * Limits of compression ratio and image size, above those of any compiler, so that a damaged or
 * malicious size cannot cause a large allocation.
 */
enum { MAX_RATIO = 1024 };
static const uint64_t image_limit = UINT64_C(2) << 30;

struct fatbin_context {
    const char *name;
    struct simsm_error *error;
};

static enum simsm_status damaged(const struct fatbin_context *reading, const char *what)
{
    return err_at(reading->error, SIMSM_BAD_INPUT, reading->name, 0, 0,
                  "holds a damaged fatbin: %s; the file may be cut", what);
}

static void inspect(struct sass_image *image)
{
    if (image->kind != SASS_IMAGE_CUBIN || !cubin_recognise(image->data, image->size))
        return;
    image->sm = cubin_sm(image->data, image->size);
    image->empty = !cubin_has_content(image->data, image->size);
}

bool fatbin_recognise(const void *data, size_t size)
{
    return size >= CONTAINER_BYTES && load32(data) == container_magic;
}

size_t sass_fatbin_bytes(const void *fatbin)
{
    const uint8_t *byte = fatbin;
    return load32(byte) == container_magic ? (size_t)(load16(byte + 6) + load64(byte + 8)) : 0;
}

const void *sass_wrapped_fatbin(const void *wrapper, size_t *size)
{
    const uint8_t *byte = wrapper, *fatbin;
    if (load32(byte) != wrapper_magic)
        return NULL;
    memcpy(&fatbin, byte + 8, sizeof fatbin);
    *size = fatbin ? sass_fatbin_bytes(fatbin) : 0;
    return *size ? fatbin : NULL;
}

static bool expand(const struct sass_image *image, uint8_t *to)
{
    if (image->packing == SASS_ZSTD) {
        size_t written = ZSTD_decompress(to, image->size, image->packed, image->packed_bytes);
        return !ZSTD_isError(written) && written == image->size;
    }
    if (image->packed_bytes > INT_MAX || image->size > INT_MAX)
        return false;
    return LZ4_decompress_safe((const char *)image->packed, (char *)to, (int)image->packed_bytes,
                               (int)image->size) == (int)image->size;
}

enum simsm_status sass_image_load(struct sass_image *image, const char *name,
                                  struct simsm_error *error)
{
    struct fatbin_context reading = {.name = name, .error = error};
    if (image->data)
        return SIMSM_OK;
    uint8_t *bytes = malloc(image->size);
    if (!bytes)
        return err_no_memory(error);
    if (!expand(image, bytes)) {
        free(bytes);
        return damaged(&reading, image->packing == SASS_ZSTD ? "an entry is not zstd data"
                                                             : "an entry is not LZ4 data");
    }
    image->data = bytes;
    inspect(image);
    return SIMSM_OK;
}

void sass_image_unload(struct sass_image *image)
{
    if (image->packing == SASS_PLAIN)
        return;
    free((void *)(uintptr_t)image->data); /* const for its readers only */
    image->data = NULL;
}

static enum simsm_status read_sizes(const struct fatbin_context *reading, const uint8_t *entry,
                                    struct sass_image *image)
{
    uint64_t flags = load64(entry + ENTRY_FLAGS), plain = load64(entry + ENTRY_PLAIN);
    uint32_t compressed = load32(entry + ENTRY_COMPRESSED);
    image->packing = flags & FLAG_ZSTD ? SASS_ZSTD : flags & FLAG_LZ4 ? SASS_LZ4 : SASS_PLAIN;
    if (image->packing == SASS_PLAIN) {
        image->data = image->packed;
        image->size = image->packed_bytes;
        inspect(image);
        return SIMSM_OK;
    }
    if (compressed > image->packed_bytes || plain == 0 || plain > image_limit ||
        plain / MAX_RATIO > compressed)
        return damaged(reading, "an entry has impossible sizes");
    image->packed_bytes = compressed;
    image->size = plain;
    return SIMSM_OK;
}

/* Reads the entry at *at and advances *at past it. */
static enum simsm_status read_entry(const struct fatbin_context *reading, const uint8_t **at,
                                    const uint8_t *end, struct sass_image *image)
{
    const uint8_t *entry = *at;
    size_t left = (size_t)(end - entry);
    if (left < ENTRY_BYTES)
        return damaged(reading, "the header of an entry is not within it");
    uint32_t header = load32(entry + ENTRY_HEADER_BYTES);
    uint64_t payload = load64(entry + ENTRY_PAYLOAD);
    if (header < ENTRY_BYTES || header > left || payload > left - header)
        return damaged(reading, "an entry is not within it");
    image->kind = load16(entry + ENTRY_KIND);
    image->ptx = image->kind == SASS_IMAGE_PTX;
    image->sm = load32(entry + ENTRY_SM);
    image->packed = entry + header;
    image->packed_bytes = payload;
    *at = entry + header + payload;
    return read_sizes(reading, entry, image);
}

enum simsm_status fatbin_read(struct pool *images, const uint8_t *data, size_t size, uint32_t unit,
                              const char *name, size_t *used, struct simsm_error *error)
{
    struct fatbin_context reading = {.name = name, .error = error};
    if (!fatbin_recognise(data, size))
        return damaged(&reading, "it does not begin with its magic number");
    uint32_t header = load16(data + 6);
    uint64_t entries = load64(data + 8);
    if (header < CONTAINER_BYTES || header > size || entries > size - header)
        return damaged(&reading, "it is longer than what holds it");
    const uint8_t *at = data + header, *end = at + entries;
    while (at < end) {
        struct sass_image image = {.unit = unit};
        enum simsm_status status = read_entry(&reading, &at, end, &image);
        if (status != SIMSM_OK)
            return status;
        if (!pool_add(images, &image))
            return err_no_memory(error);
    }
    *used = header + entries;
    return SIMSM_OK;
}
