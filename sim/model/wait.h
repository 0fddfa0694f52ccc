/*
 * Warps that wait in a loop until others have written to memory: the words that they read, and how
 * often these have been written. Writes are counted, not named: a counter that many blocks arrive
 * at is complete whatever their order.
 */
#ifndef SIM_MODEL_WAIT_H
#define SIM_MODEL_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wait_goal {
    WAIT_WRITTEN, /* until the word has been written `count` times */
    WAIT_FREE,    /* until nobody holds the lock that the word is */
    WAIT_TAKE     /* likewise, and takes it */
};

/* A word that a warp waits for. */
struct wait_word {
    uint64_t address; /* of the access; of shared memory the offset in the block's */
    uint32_t count;
    uint8_t kind; /* enum wait_goal */
    bool shared;
};

/* Most words of one wait: two for each lane. */
enum { WAIT_WORDS = 64 };

/* One wait: the instructions that are repeated, and what ends it. */
struct wait {
    uint32_t length; /* instructions of the loop's pass */
    uint32_t words;
    struct wait_word word[WAIT_WORDS];
};

/* What is known of a word. */
struct word_state {
    uint64_t address;
    uint32_t count;
    uint32_t ended; /* `count` when the phase before this one ended, of a barrier (mbarrier) */
    uint32_t held;  /* times that the lock has been taken and not been given back */
    bool used;      /* the entry is one */
    bool polled;    /* somebody reads it in a loop */
    bool lock;      /* somebody has taken it as a lock */
    /* What has been written, from write `first` + 1 on: [room]; NULL: nobody wants to know. Owned.
     */
    uint64_t *value;
    uint32_t first, room;
};

/* Words by address. All zero is an empty table. */
struct word_table {
    struct word_state *entry; /* [room], a power of two; owned */
    size_t room, count;
};

void word_table_free(struct word_table *table);
/* Forgets all words, keeps the memory. */
void word_table_clear(struct word_table *table);

/* NULL: nothing is known of it. Valid until a word is added. */
struct word_state *word_find(const struct word_table *table, uint64_t address);
/* The word's state, all zero if it is new; NULL: out of memory. */
struct word_state *word_add(struct word_table *table, uint64_t address);

/* `times` writes to the word by instructions that do not take a lock; false: out of memory. */
bool word_written(struct word_table *table, uint64_t address, uint32_t times);

/* Whether nothing of `wait` is missing, of its words in shared memory or of the others. */
bool wait_is_over(const struct word_table *table, const struct wait *wait, bool shared);
/* It is over, and the locks among these words are taken; false: out of memory. */
bool wait_take(struct word_table *table, const struct wait *wait, bool shared);

#endif
