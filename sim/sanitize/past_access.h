/*
 * Accesses that the sanitizer remembers. One record stands for an instruction of a warp between two
 * events that order the warp with others; shadow memory refers to it.
 */
#ifndef SIM_SANITIZE_PAST_ACCESS_H
#define SIM_SANITIZE_PAST_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

/* In place of a warp or a block: several of them. */
#define PAST_ANY_WARP  UINT16_MAX
#define PAST_ANY_BLOCK UINT64_MAX

enum past_kind {
    PAST_PLAIN,
    PAST_ATOMIC,
    PAST_COPIED, /* cp.async: complete when its warp has waited for its group */
    PAST_BULK,   /* a bulk copy: complete when its mbarrier's phase has ended */
    PAST_BY_HOST /* a copy or fill of the program */
};

struct past_access {
    uint64_t stamp;  /* time of the first access that it stands for */
    uint64_t block;  /* index in the grid, or PAST_ANY_BLOCK */
    uint32_t launch; /* number of the launch */
    uint32_t at;     /* index of the instruction */
    uint32_t group;  /* PAST_COPIED: number of its group; PAST_BULK: its copy */
    uint16_t warp;   /* of the block, or PAST_ANY_WARP */
    uint8_t kind;    /* enum past_kind */
    uint8_t scope;   /* 1 + enum inst_scope of a strong access or an atomic; 0: a weak access */
    bool writes;
    bool tolerant; /* an atomic operation beside which an old value does no harm */
};

/*
 * A reference: bits 31:10 number of the record, bits 9:6 bytes of the word, bit 5 several lanes,
 * bits 4:0 the lane, or the lane of the last one. 0: no access.
 */
enum { PAST_LANES = 1 << 5, PAST_BYTES_SHIFT = 6, PAST_SHIFT = 10, PAST_RECORDS = 1 << 22 };

static inline uint32_t past_reference(uint32_t record, uint32_t bytes, uint32_t lane)
{
    return record << PAST_SHIFT | bytes << PAST_BYTES_SHIFT | lane;
}

static inline uint32_t past_bytes(uint32_t reference)
{
    return reference >> PAST_BYTES_SHIFT & 15;
}

/* Records by number. Numbers below `base` are of accesses that are ordered before all to come. */
struct past_table {
    uint32_t generation;              /* how often numbers have begun anew */
    struct past_access *item;         /* [room]; record n is item[n - first] */
    uint32_t first, base, next, room; /* first: of those that are kept */
};

/* Begins with no record. Memory is taken when it is needed. */
void past_begin(struct past_table *table);
void past_free(struct past_table *table);

/* All records are of accesses that are ordered before those to come, which have higher numbers.
 * `keep`: the records stay for past_is_kept(). */
void past_settle(struct past_table *table, bool keep);

/* Returns whether the numbers are used up: the shadow must forget all references, then past_begin
 * starts anew. */
static inline bool past_is_full(const struct past_table *table)
{
    enum { OF_ONE_ACCESS = 256 }; /* records that one access may add */
    return table->next >= PAST_RECORDS - OF_ONE_ACCESS;
}

/* Adds a record and returns its number, or 0 if memory is short. */
uint32_t past_add(struct past_table *table, const struct past_access *access);

/* Returns the record of a reference that is kept. */
static inline const struct past_access *past_of(const struct past_table *table, uint32_t reference)
{
    return &table->item[(reference >> PAST_SHIFT) - table->first];
}

static inline bool past_is_known(const struct past_table *table, uint32_t reference)
{
    return reference >> PAST_SHIFT >= table->base;
}

/* Returns whether the record is there: it may be ordered before all accesses to come. */
static inline bool past_is_kept(const struct past_table *table, uint32_t reference)
{
    return reference >> PAST_SHIFT >= table->first;
}

#endif
