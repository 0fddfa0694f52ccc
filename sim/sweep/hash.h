/* SHA-256 of texts and files, as `sha256sum` prints it. */
#ifndef SIM_SWEEP_HASH_H
#define SIM_SWEEP_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

enum { HASH_TEXT = 65 };

/* Writes the hash of bytes[size]: 64 hexadecimal digits and a null byte. */
void hash_bytes(const void *bytes, size_t size, char hash[HASH_TEXT]);

/* Writes the hash of the content of the regular file `path`, and its size in bytes to *bytes. */
enum simsm_status hash_file(const char *path, char hash[HASH_TEXT], uint64_t *bytes,
                            struct simsm_error *error);

#endif
