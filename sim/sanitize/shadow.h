/*
 * What the sanitizer knows of each word of memory: the access that wrote it last, an access that
 * has read it since, and which of its bytes were ever written. Costs 2.125 bytes for each byte that
 * kernels touch, and 0.125 for others.
 */
#ifndef SIM_SANITIZE_SHADOW_H
#define SIM_SANITIZE_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHADOW_BYTES = 128,
    SHADOW_WORDS = SHADOW_BYTES / 4,
    SHADOW_BITS = SHADOW_BYTES / 32,
    SHADOW_REGION_BITS = 16 /* of the host's memory: regions that count as touched */
};

/* References to accesses (past_access.h); 0: none is known. */
struct shadow_line {
    uint32_t write[SHADOW_WORDS];
    uint32_t read[SHADOW_WORDS];
};

/* A line, and a bit for each of its bytes: it was written. */
struct shadow_spot {
    struct shadow_line *line; /* NULL: memory is short */
    uint32_t *written;        /* [SHADOW_BITS] */
};

struct shadow;

/* Creates the shadow of all addresses, in which nothing was accessed. `base`, `bytes`: device
 * memory. Returns NULL if memory, or addresses, are short. The caller destroys it. */
struct shadow *shadow_create(uint64_t base, uint64_t bytes);
void shadow_destroy(struct shadow *shadow);

/* Returns the line of `address`; its pointers stay valid. */
struct shadow_spot shadow_at(struct shadow *shadow, uint64_t address);

/* Forgets what is known of [address, address + bytes); whole lines. */
void shadow_clear(struct shadow *shadow, uint64_t address, uint64_t bytes);

/* Notes that [address, address + bytes) were written. */
void shadow_write(struct shadow *shadow, uint64_t address, uint64_t bytes);

/* Returns how many of [address, address + bytes) were never written. */
uint64_t shadow_unwritten(struct shadow *shadow, uint64_t address, uint64_t bytes);

/* Returns whether 16 bytes side by side, at a multiple of 16, were never written. */
bool shadow_has_gap(struct shadow *shadow, uint64_t address, uint64_t bytes);

/* Returns whether nothing of [address, address + bytes) was read or written. */
bool shadow_is_untouched(struct shadow *shadow, uint64_t address, uint64_t bytes);

/* Memory of the host: returns whether shadow_at() was asked for any of it, or for an address in the
 * region of `address`, since the last shadow_settle_touched(). */
bool shadow_host_touched(const struct shadow *shadow);
bool shadow_region_touched(const struct shadow *shadow, uint64_t address);
void shadow_settle_touched(struct shadow *shadow);

/* Forgets all accesses, but not which bytes were written. */
void shadow_forget_accesses(struct shadow *shadow);

/* Returns the bits in `written` of `bytes` bytes from byte `at` of the line on, which lie in one
 * word of `written`. */
static inline uint32_t shadow_bits(uint32_t at, uint32_t bytes)
{
    const uint32_t bits = bytes >= 32 ? UINT32_MAX : (UINT32_C(1) << bytes) - 1;
    return bits << (at & 31);
}

#endif
