/* What the program did on the device: one row for each launch and copy, sums for each kernel. */
#ifndef SIM_CUDA_JOURNAL_H
#define SIM_CUDA_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cuda/settings.h"
#include "sample/sampler.h"
#include "simsm/config.h"
#include "simsm/kernel.h"
#include "simsm/stats.h"

struct journal;

struct journal_launch {
    uint64_t number; /* from 1 */
    struct simsm_launch launch;
    const char *title; /* of the kernel: with template arguments; until journal_end_launch */
    char brief[64];    /* the same without namespaces, maybe cut */
    uint64_t identity; /* of the kernel: a hash of its whole name */
    bool chosen;       /* by --kernels and --launches: to be timed, to be recorded */
    bool timed;
    bool interrupted;      /* the program was ended before the launch was */
    enum sample_mark mark; /* --sample: where the figures come from, if `chosen` */
    uint64_t like;         /* SAMPLE_COPY: the launch that is timed */
    uint64_t blocks_timed; /* --sample: of a launch that is timed */
    uint64_t cycles;
    double ns;
    uint64_t warp_instructions;
    double ipc, occupancy_percent;
    enum simsm_warp_state state; /* the most frequent one of the resident warps */
    double state_percent;
    uint64_t counter[SIMSM_COUNTER_COUNT];
};

/* Whether the figures above are known, measured or estimated. */
static inline bool journal_has_figures(const struct journal_launch *row)
{
    return row->timed || row->mark != SAMPLE_TIMED;
}

enum journal_transfer {
#define TRANSFER(id, name) TRANSFER_##id,
#include "cuda/transfers.def"
#undef TRANSFER
    TRANSFER_COUNT
};

extern const char *const journal_transfer_names[TRANSFER_COUNT];

/*
 * `settings` and `config` outlive it. Opens the files that the whole program has; reports go to
 * `reports` if the settings name no file for them.
 */
enum simsm_status journal_open(struct journal **journal, const struct settings *settings,
                               const struct simsm_config *config, FILE *reports,
                               struct simsm_error *error);

/* Writes the tables and closes, also where that fails. NULL is allowed. */
enum simsm_status journal_close(struct journal *journal, struct simsm_error *error);

/* All launches so far. NULL is allowed. */
uint64_t journal_launches(const struct journal *journal);

/* How many launches there were if --kernels and --launches chose none of them; otherwise 0. */
uint64_t journal_none_chosen(const struct journal *journal);

/* Where reports go; NULL: nowhere (--quiet). */
FILE *journal_file(const struct journal *journal);

/* --sample: which launches are timed; NULL: all. */
struct sampler *journal_sampler(const struct journal *journal);

/* Whether there has been a launch of this kernel and shape; if not, it is to be timed. */
bool journal_has_seen(const struct journal *journal, const struct journal_launch *row);

/* Asks the sampler what is to be done with a launch that has this signature: it is still to be
 * timed, or has its figures now. */
enum simsm_status journal_choose_sample(struct journal *journal, struct journal_launch *row,
                                        const struct sample_signature *signature,
                                        struct simsm_error *error);
/* Tells it the figures of one that has been timed, and what came of its blocks; where not all of
 * them were timed, *row gets the figures of all. */
enum simsm_status journal_add_sampled(struct journal *journal, struct journal_launch *row,
                                      const struct block_outcome *blocks,
                                      struct simsm_error *error);

/* Numbers a launch, gives it its name as a title, and says in row->chosen and row->timed what is to
 * be done with it. */
void journal_begin_launch(struct journal *journal, const struct simsm_launch *launch,
                          struct journal_launch *row);
/* Gives its kernel another title, which is not copied; `name` is its whole name. */
void journal_set_title(struct journal_launch *row, const char *name, const char *title);
/* Fills in the figures of a launch that has been timed. */
void journal_measure(struct journal_launch *row, const struct simsm_config *config,
                     const struct simsm_stats *stats);
void journal_end_launch(struct journal *journal, const struct journal_launch *row);

void journal_add_transfer(struct journal *journal, enum journal_transfer kind, uint64_t bytes,
                          double ns);

#endif
