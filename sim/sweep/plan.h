/*
 * The plan of a sweep: its points. A point is one launch of one case, identified by a hash of
 * everything that decides its results. Planning hashes all inputs and writes the points into the
 * file of results.
 */
#ifndef SIM_SWEEP_PLAN_H
#define SIM_SWEEP_PLAN_H

#include "sweep/hash.h"
#include "sweep/recordings.h"
#include "sweep/space.h"
#include "sweep/store.h"

#define PLAN_NO_RECORDING UINT32_MAX

/* A case that `only` and `exclude` keep. */
struct plan_case {
    uint64_t number;    /* of the case (space_at) */
    uint32_t recording; /* index; PLAN_NO_RECORDING: the kernel is a trace */
};

/* A point of the plan. */
struct plan_point {
    uint32_t place;  /* index of its case in plan.wanted */
    uint32_t launch; /* from 1; 0: a file with one launch */
    int64_t id;      /* in the file of results */
    enum store_state state;
    bool again;    /* equal to an earlier point: not simulated */
    bool hopeless; /* its configuration or recording is bad: fails without being simulated */
    char identity[HASH_TEXT];
};

/* What is known of a kernel independently of configurations. */
struct plan_kernel {
    struct inputs inputs;
    uint32_t launches; /* launches of a recording; 0: a single launch without a number */
};

/* Begins as {0}; plan_free() ends it. */
struct plan {
    struct spec spec;
    char *text;                 /* content of the spec */
    struct simsm_config *base;  /* [spec.configs.count] */
    struct plan_kernel *kernel; /* [spec.kernels] */
    struct sweep_recordings recordings;
    struct plan_case *wanted; /* [cases] */
    uint32_t cases;
    struct plan_point *point; /* [points] */
    uint32_t points;
};

/*
 * Reads the spec and its inputs, and finds out which recordings are needed. `results` is the file
 * of results; NULL: as in the spec. `simsm` is the path of the command. Returns SIMSM_BAD_INPUT if
 * no case of a kernel can be opened. Call plan_free() whatever it returns.
 */
enum simsm_status plan_read(struct plan *plan, const char *spec, const char *results,
                            const char *simsm, struct simsm_error *error);

/* Writes all points into the file of results in one transaction, and sets their states. Call it
 * when each recording is ready or its `problem` is known. */
enum simsm_status plan_points(struct plan *plan, struct store *store, struct simsm_error *error);

/* Returns the name of a folder beside the results: "a/b.ENDING" for "a/b.sqlite". NULL if memory
 * runs out. The caller frees it. */
char *plan_folder(const struct plan *plan, const char *ending);

void plan_free(struct plan *plan);

/* Computes the configuration and the parameters of case `place` of plan.wanted. The caller frees
 * *params with texts_free() whatever it returns. */
enum simsm_status plan_configure(const struct plan *plan, uint32_t place,
                                 struct space_case *this_case, struct simsm_config *config,
                                 struct texts *params, struct simsm_error *error);

#endif
