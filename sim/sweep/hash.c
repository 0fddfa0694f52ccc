/* SHA-256 with the functions of Nettle. */
#include "sweep/hash.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"

static void finish(struct sha256_ctx *context, char hash[HASH_TEXT])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        (void)snprintf(hash + 2 * i, 3, "%02x", digest[i]);
}

void hash_bytes(const void *bytes, size_t size, char hash[HASH_TEXT])
{
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, size, bytes);
    finish(&context, hash);
}

enum simsm_status hash_file(const char *path, char hash[HASH_TEXT], uint64_t *bytes,
                            struct simsm_error *error)
{
    struct stat info;
    struct sha256_ctx context;
    uint8_t part[1 << 16];
    size_t size;
    *bytes = 0;
    if (stat(path, &info) != 0)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot be read: %s", strerror(errno));
    if (!S_ISREG(info.st_mode))
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "is not a regular file");
    FILE *file = fopen(path, "rb");
    if (!file)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot be read: %s", strerror(errno));
    sha256_init(&context);
    while ((size = fread(part, 1, sizeof part, file)) > 0) {
        sha256_update(&context, size, part);
        *bytes += size;
    }
    const bool failed = ferror(file) != 0;
    (void)fclose(file);
    if (failed)
        return err_at(error, SIMSM_FAILED, path, 0, 0, "cannot be read to its end");
    finish(&context, hash);
    return SIMSM_OK;
}
