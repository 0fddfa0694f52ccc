/*
 * Experiments: launches simulated again with one cost removed (section what_if of the
 * configuration), each in a process of its own. What a launch gains is the price of the cost.
 */
#ifndef SIM_SWEEP_EXPERIMENTS_H
#define SIM_SWEEP_EXPERIMENTS_H

#include "options/launch_choice.h"
#include "report/advice.h"
#include "simsm/simsm.h"

/* Launches that have the same kernel, grid, block and resources; one of them is simulated. */
struct experiment_kind {
    const char *trace;
    uint32_t number; /* of the simulated launch in its file, from 1; 0: the file has one launch */
    uint32_t count;  /* launches of this kind */
    struct simsm_launch launch;
    enum simsm_status status;
    struct simsm_error error; /* if status is not SIMSM_OK */
    uint64_t cycles;          /* of the launch as it is */
    uint64_t only_cycles;     /* with experiments.only; 0: not run */
    struct advice_roof roof;
    struct advice advice[ADVICE_COUNT]; /* [advices], by rank */
    unsigned advices;
};

struct experiments {
    const struct simsm_config *config;
    const char *const *params;          /* "name=value" for the trace; NULL ends the list */
    const struct launch_choice *choice; /* of the launches of recordings and lists; NULL: all */
    const char *only;                   /* key of the only experiment to run; NULL: all */
    uint32_t jobs;                      /* processes at a time */
    int (*stop)(void);                  /* as in struct workers */
    struct experiment_kind *kind;       /* [kinds] */
    uint32_t kinds, room;
    uint32_t ended;                                          /* simulations that have ended */
    void (*progress)(const struct experiments *experiments); /* NULL: not called */
};

/* Adds the chosen launches of a trace, a recording or a list of traces, by kinds. */
enum simsm_status experiments_add(struct experiments *experiments, const char *trace,
                                  struct simsm_error *error);

/* Simulates one launch of each kind as it is, fills the statistics and estimated advice, and sorts
 * the kinds by time, longest first. Returns the first failure. */
enum simsm_status experiments_run_plain(struct experiments *experiments, struct simsm_error *error);

/* Runs the experiments of the first `kinds` kinds, and puts what they measure into the advice. */
enum simsm_status experiments_run(struct experiments *experiments, uint32_t kinds,
                                  struct simsm_error *error);

/* Returns whether section what_if has the key. */
bool experiments_has_key(const char *key);

void experiments_free(struct experiments *experiments);

#endif
