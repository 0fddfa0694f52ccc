/*
 * What a program did, for the page at its end: sums for each kind of launch (kernel, grid, block),
 * for each range, and for each kind of memory operation.
 */
#ifndef SIM_CUDA_SUMMARY_H
#define SIM_CUDA_SUMMARY_H

#include "base/pool.h"
#include "cuda/journal.h"
#include "cuda/ranges.h"
#include "report/copy_overlap.h"
#include "report/digest.h"
#include "timeline/activity.h"

enum {
    SUMMARY_LAUNCHES = 40, /* launches that get a line of their own with --full */
    SUMMARY_NAME = 40      /* most characters of a kernel's name */
};

struct summary_kind {
    uint64_t identity; /* see struct journal_launch */
    uint32_t grid[3], block[3];
    char brief[64];
    char shown[SUMMARY_NAME + 1]; /* name in the tables; set by summary_print */
    uint64_t calls, timed, copies, sampled, interrupted;
    uint64_t cycles, warp_instructions;
    double ns;             /* of the launches with figures, as `cycles` */
    uint64_t longest;      /* number of the longest timed launch */
    struct digest *digest; /* of the longest timed launch; NULL: none; owned */
};

/* The launches of a kind, or the memory operations of a kind, that came in a range. */
struct summary_part {
    uint32_t range; /* number; 0: outside of ranges */
    bool transfers; /* memory operations */
    size_t kind;    /* index in the kinds of launches; memory operations: enum journal_transfer */
    uint64_t calls;
    double ns;
};

struct summary_transfer {
    uint64_t count, bytes;
    double ns;
};

/* The sums. Initialize with zeros and `config`, which must outlive the summary. */
struct summary {
    const struct simsm_config *config;
    const char *again; /* the command line without outputs; NULL: not known */
    struct journal_launch row[SUMMARY_LAUNCHES];
    uint64_t launches;
    struct pool kinds; /* struct summary_kind */
    struct pool parts; /* struct summary_part */
    struct ranges ranges;
    bool failed; /* out of memory: some kinds are missing */
    struct summary_transfer transfer[TRANSFER_COUNT];
    struct copy_overlap overlap;
    struct activity_shares shares; /* of the whole program; zeros without --concurrent */
};

/* Adds a launch to the list and to the sums of its kind and range. Takes row->digest over. */
void summary_add_launch(struct summary *summary, struct journal_launch *row);
/* Adds a memory operation of `bytes` bytes and `ns` nanoseconds that came in a range. */
void summary_add_transfer(struct summary *summary, enum journal_transfer kind, uint64_t bytes,
                          double ns, uint32_t range);

/* Prints the page; nothing if there was no launch. Sets the names that it shows. */
void summary_print(struct summary *summary, struct report_style *style, FILE *file);

/* summary_table.c: prints the table of the kinds, divided by ranges if there are any. */
void summary_print_table(struct summary *summary, const struct report_style *style, FILE *file);

/* Returns whether copies that run alone cost enough for advice, and their price. */
bool summary_copy_price(const struct summary *summary, struct copy_price *price);

/* Writes grid or block dimensions: "128x2"; trailing dimensions of 1 are left out. Returns `text`.
 */
const char *summary_extent(const uint32_t size[3], char text[40]);

/* Copies a kernel's name, cut to `size` characters. Unprintable characters are replaced. */
void summary_cut_name(const char *brief, char *text, size_t size);

/* Returns the kinds. */
static inline struct summary_kind *summary_kinds(const struct summary *summary)
{
    return summary->kinds.data;
}

void summary_free(struct summary *summary);

#endif
