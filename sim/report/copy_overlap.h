/*
 * Copies between host and device during which no kernel can run, and what overlapping them with
 * kernels could save. Counted are copies after the first launch and before the last one: the first
 * input and the last result have no kernel that they could run beside.
 */
#ifndef SIM_REPORT_COPY_OVERLAP_H
#define SIM_REPORT_COPY_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"

/* Why no kernel runs beside a copy. */
enum copy_alone {
    COPY_MAY_OVERLAP,
    COPY_WAITED_FOR,     /* the call returns when the copy has ended */
    COPY_PAGEABLE,       /* an asynchronous call, but the memory of the host is not pinned */
    COPY_DEFAULT_STREAM, /* the default stream waits for the others, and they wait for it */
    COPY_ALONE_COUNT
};

/* Names in the column `alone` of tables; "" for COPY_MAY_OVERLAP. */
extern const char *const copy_alone_names[COPY_ALONE_COUNT];

/* Returns the reason of a name; COPY_MAY_OVERLAP for other texts. */
enum copy_alone copy_alone_named(const char *name);

enum { COPY_CALL = 40, COPY_WHAT = 20 };

/* Copies of one call, in one direction, for one reason. */
struct copy_row {
    char call[COPY_CALL], what[COPY_WHAT]; /* "cudaMemcpy", "host to device" */
    bool to_device;                        /* else to the host */
    enum copy_alone alone;
    uint64_t count, bytes; /* before the last launch so far, as `ns` */
    double ns;
    uint64_t open_count, open_bytes; /* since the last launch */
    double open_ns;
};

/* Initialize with zeros. */
struct copy_overlap {
    struct pool rows; /* struct copy_row */
    bool begun;       /* a kernel was launched */
};

/* Adds a copy, which copy->call, what, to_device, alone, bytes and ns describe. Returns false if
 * memory runs out. */
bool copy_overlap_add(struct copy_overlap *overlap, const struct copy_row *copy);
/* Notes a launch: the copies since the one before count. */
void copy_overlap_launch(struct copy_overlap *overlap);
void copy_overlap_free(struct copy_overlap *overlap);

/* Times of a program in ns: with kernels on the device, with kernels or copies, and with copies
 * alone as far as that is known (else HUGE_VAL). */
struct copy_times {
    double kernels, all, alone;
};

struct copy_price {
    double share;     /* of the time of kernels and copies that overlapping saves at most */
    double ns;        /* of the copies */
    char figure[400]; /* which calls, and why they run alone */
};

/* What to do about copies that run alone. */
extern const char copy_overlap_remedy[];

/* Returns whether overlapping may save enough to be worth advice. Fills *price then. */
bool copy_overlap_price(const struct copy_overlap *overlap, const struct copy_times *times,
                        struct copy_price *price);

#endif
