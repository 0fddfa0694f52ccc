/*
 * Waits in the instruction sequence of a warp: words of memory, and how often they have to be
 * written before an instruction can find what it has found. Writes are counted, not named: a
 * counter that many blocks arrive at is complete whatever their order.
 */
#ifndef SIM_MODEL_WAIT_H
#define SIM_MODEL_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word that a warp waits for. */
struct wait_word {
    uint64_t address; /* of the access; of shared memory the offset in the block's */
    uint32_t count;   /* writes */
};

/* Most words of one wait: one for each lane. */
enum { WAIT_WORDS = 32 };

struct wait {
    uint32_t words;
    struct wait_word word[WAIT_WORDS];
};

/* What is known of a word. */
struct word_state {
    uint64_t address;
    uint32_t count;
    uint32_t ended;  /* `count` when the last phase ended, of a barrier (mbarrier) */
    uint32_t writer; /* names the warp that has written it last */
    bool used;       /* the entry is one */
};

/* Words by address. All zero is an empty table. */
struct word_table {
    struct word_state *entry; /* [room], a power of two; owned */
    size_t room, count;
};

void word_table_free(struct word_table *table);
/* Forgets all words, keeps the memory. */
void word_table_clear(struct word_table *table);

/* Returns NULL if nothing is known of the word. The result is valid until a word is added. */
struct word_state *word_find(const struct word_table *table, uint64_t address);
/* Returns the word's state, all zero if it is new; NULL: out of memory. */
struct word_state *word_add(struct word_table *table, uint64_t address);

/* Counts `times` writes to the word. Returns false if memory runs out. */
bool word_written(struct word_table *table, uint64_t address, uint32_t times);

/* Returns whether all words of `wait` have been written often enough. */
bool wait_is_over(const struct word_table *table, const struct wait *wait);

#endif
