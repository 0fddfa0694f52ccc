/*
 * What a program did on the device: a row for each launch and each memory operation, and sums for
 * each kernel.
 */
#ifndef SIM_CUDA_JOURNAL_H
#define SIM_CUDA_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cuda/settings.h"
#include "report/run_info.h"
#include "sample/sampler.h"
#include "simsm/config.h"
#include "simsm/kernel.h"
#include "simsm/stats.h"

struct activity_shares;
struct digest;
struct journal;
struct transfer;

struct journal_launch {
    uint64_t number; /* counts from 1 */
    struct simsm_launch launch;
    const char *title; /* kernel with template arguments; valid until journal_end_launch */
    char brief[64];    /* title without namespaces, maybe cut */
    uint64_t identity; /* hash of the kernel's mangled name */
    uint32_t range;    /* number of the innermost range that was open; 0: none */
    bool translates;   /* translates its pages first, which takes time on this GPU */
    bool chosen;       /* by --kernels and --launches, for timing and recording */
    bool timed;
    bool interrupted;      /* a signal ended the program during the launch */
    enum sample_mark mark; /* --sample: the source of the figures, if `chosen` */
    uint64_t like;         /* SAMPLE_COPY: number of the timed launch with these figures */
    uint64_t blocks_timed; /* --sample: number of blocks that were timed */
    uint64_t cycles;
    double ns;
    uint64_t warp_instructions;
    double ipc, occupancy_percent;
    enum simsm_warp_state state; /* most frequent state of the resident warps */
    double state_percent;
    uint64_t counter[SIMSM_COUNTER_COUNT];
    struct digest *digest; /* the short report; NULL: none; owned until journal_end_launch */
};

/* Returns whether cycles and the figures that follow are known, be they simulated or estimated. */
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
 * Creates a journal and opens the files of the whole program (--report, --table, --json, --csv).
 * Reports go to `reports` if the settings name no file. `settings` and `config` must outlive the
 * journal. After an error, *journal must still be closed.
 */
enum simsm_status journal_open(struct journal **journal, const struct settings *settings,
                               const struct simsm_config *config, FILE *reports,
                               struct simsm_error *error);

/*
 * Prints the summary, commits the files and frees the journal, also if a step fails; *error then
 * has the first failure. NULL is allowed.
 */
enum simsm_status journal_close(struct journal *journal, struct simsm_error *error);

/* Returns the number of launches so far. NULL is allowed. */
uint64_t journal_launches(const struct journal *journal);

/*
 * Returns the number of launches if --kernels and --launches chose none of them; otherwise 0. NULL
 * is allowed.
 */
uint64_t journal_none_chosen(const struct journal *journal);

/* Returns the file for reports; NULL with --quiet. */
FILE *journal_file(const struct journal *journal);

/* Returns whether reports have all sections (--full), and are not left out (--quiet). */
bool journal_is_full(const struct journal *journal);

/* Returns the sampler of --sample; NULL without --sample. */
struct sampler *journal_sampler(const struct journal *journal);

/*
 * Asks the sampler what to do with a launch of this signature, and sets row->mark. SAMPLE_TIMED:
 * the launch must be timed. Otherwise *row receives the figures.
 */
enum simsm_status journal_choose_sample(struct journal *journal, struct journal_launch *row,
                                        const struct sample_signature *signature,
                                        struct simsm_error *error);
/*
 * Passes the figures of a timed launch and the outcome of its blocks to the sampler. If only some
 * blocks were timed, *row receives figures that are extrapolated to all blocks.
 */
enum simsm_status journal_add_sampled(struct journal *journal, struct journal_launch *row,
                                      const struct block_outcome *blocks,
                                      struct simsm_error *error);

/*
 * Begins the row of a launch: number, title (the launch's name), the range that the calling thread
 * has open, and row->chosen and row->timed by the settings.
 */
void journal_begin_launch(struct journal *journal, const struct simsm_launch *launch,
                          struct journal_launch *row);
/*
 * Sets the title of the row's kernel; `title` is not copied. `name`: the mangled name, which
 * identifies the kernel.
 */
void journal_set_title(struct journal_launch *row, const char *name, const char *title);
/*
 * Writes what is known of a timed launch: its report with --full, its lines in the files of --json
 * and --csv. *info needs no `number` and no `range`. Gives *row its short report.
 */
enum simsm_status journal_add_figures(struct journal *journal, struct journal_launch *row,
                                      const struct run_info *info, const struct simsm_stats *stats,
                                      struct simsm_error *error);
/* Fills *row with the figures of a timed launch. */
void journal_measure(struct journal_launch *row, const struct simsm_config *config,
                     const struct simsm_stats *stats);
/* Adds the row of a launch to the sums and writes it to the table. Takes row->digest over. */
void journal_end_launch(struct journal *journal, struct journal_launch *row);

/* Returns the simulated time of all launches so far, ns. */
double journal_ns(const struct journal *journal);

/* Returns the number of the innermost range that the calling thread has open; 0: none. */
uint32_t journal_range(struct journal *journal);

/*
 * Adds a memory operation of `ns` nanoseconds to the sums of range number `range`, and writes it to
 * the table.
 */
void journal_add_transfer(struct journal *journal, const struct transfer *transfer, double ns,
                          uint32_t range);

/* --concurrent: notes which part of its time the program has spent with kernels and copies. */
void journal_add_shares(struct journal *journal, const struct activity_shares *shares);

#endif
