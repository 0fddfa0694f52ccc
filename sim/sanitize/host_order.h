/*
 * The accesses of the program itself to memory that its kernels and copies reach, too: which of
 * them nothing orders behind the work that it has not waited for. An access of the program is only
 * seen where its page is closed to it; sim/cuda/host_watch.c closes pages.
 */
#ifndef SIM_SANITIZE_HOST_ORDER_H
#define SIM_SANITIZE_HOST_ORDER_H

#include "sanitize/sanitizer.h"

/* What the program may do with some memory. */
enum host_may { HOST_MAY_WRITE, HOST_MAY_READ, HOST_MAY_NOTHING };

/*
 * Returns what the program, which has waited for the operations of *clock, may do with the words of
 * [address, address + bytes): HOST_MAY_NOTHING if other operations have written all words,
 * HOST_MAY_READ if they have written or read all words. Memory of which they have touched a part is
 * the program's to use, because the rest of it may be.
 *
 * Flags (strong writes) in memory that the program may read order: it is taken for granted that it
 * has seen them.
 */
enum host_may sanitizer_host_may(struct sanitizer *sanitizer, const struct stream_clock *clock,
                                 uint64_t address, uint64_t bytes);

/* An access of the program. */
struct host_access {
    uint64_t address;
    uint64_t page, page_bytes; /* memory that is open to the program from then on */
    bool writes;
    const char *what;   /* "read", static */
    uint32_t stack;     /* number of the program's stack; 0: not known */
    const char *memory; /* name of the allocation; "": not known */
    uint64_t offset;    /* in the allocation */
};

/* Reports the access, unless operations that the program has waited for, or strong accesses, are
 * all that it conflicts with. A strong write orders the program behind its operation. */
void sanitizer_host_access_at(struct sanitizer *sanitizer, const struct stream_clock *clock,
                              const struct host_access *access);

#endif
