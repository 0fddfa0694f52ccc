/*
 * The points of a sweep: each is one launch of one case, known by a hash of all that decides its
 * figures. Planning reads every input and writes the points into the results.
 */
#ifndef SIM_SWEEP_PLAN_H
#define SIM_SWEEP_PLAN_H

#include "sweep/hash.h"
#include "sweep/recordings.h"
#include "sweep/space.h"
#include "sweep/store.h"

#define PLAN_NO_RECORDING UINT32_MAX

/* A case that rules leave in. */
struct plan_case {
    uint64_t number;    /* space_at */
    uint32_t recording; /* PLAN_NO_STREAM: the kernel is a trace */
};

struct plan_point {
    uint32_t place;  /* of its case in plan.wanted */
    uint32_t launch; /* from 1; 0: there is one */
    int64_t id;      /* in the results */
    enum store_state state;
    bool again;    /* the same as an earlier point, and not run */
    bool hopeless; /* known to fail without being run */
    char identity[HASH_TEXT];
};

/* What is known of a kernel before any configuration is. */
struct plan_kernel {
    struct inputs inputs;
    uint32_t launches; /* of a recording; 0: one that has no number */
};

/* Begins as {0}; plan_free ends it. */
struct plan {
    struct spec spec;
    char *text;                 /* of the spec */
    struct simsm_config *base;  /* [spec.configs.count] */
    struct plan_kernel *kernel; /* [spec.kernels] */
    struct sweep_recordings recordings;
    struct plan_case *wanted; /* [cases] */
    uint32_t cases;
    struct plan_point *point; /* [points] */
    uint32_t points;
};

/*
 * Reads the spec and its inputs, and finds out which recordings are needed. `results` (NULL: as the
 * spec says) is the file of results, `simsm` the command. What no point of a kernel could be opened
 * with is a failure. Call plan_free whatever it returns.
 */
enum simsm_status plan_read(struct plan *plan, const char *spec, const char *results,
                            const char *simsm, struct simsm_error *error);

/* When the recordings are there, or their `problem` is known: writes all points into the results,
 * in one transaction, and finds those that are done. */
enum simsm_status plan_points(struct plan *plan, struct store *store, struct simsm_error *error);

/* A folder beside the results, to be freed: "a/b.sqlite" gives "a/b.ENDING". NULL: memory has run
 * out. */
char *plan_folder(const struct plan *plan, const char *ending);

void plan_free(struct plan *plan);

/* The configuration of a case, and its parameters, which texts_free frees whatever it returns. */
enum simsm_status plan_configure(const struct plan *plan, uint32_t place,
                                 struct space_case *this_case, struct simsm_config *config,
                                 struct texts *params, struct simsm_error *error);

#endif
