/* What the files share that run a sweep. */
#ifndef SIM_SWEEP_SWEEP_INNER_H
#define SIM_SWEEP_SWEEP_INNER_H

#include "sweep/batch.h"
#include "sweep/fragment.h"
#include "sweep/plan.h"
#include "sweep/sweep.h"

/* A point that has ended, until it is in the results. */
struct ended_point {
    uint32_t point; /* of the plan */
    struct fragment what;
};

struct sweep_state {
    const struct sweep_request *request;
    struct plan plan;
    struct store *store;
    char *folder;             /* that other machines share: "a/b.sqlite" gives "a/b.tasks" */
    struct sweep_batch batch; /* that is run here, or was given away */
    char job[32];             /* of Slurm, that has it; "" */
    struct sweep_progress progress;
    uint32_t next;             /* point of the plan, or stream, to look at next */
    struct ended_point *ended; /* [ended_count] not yet in the results */
    uint32_t ended_count, ended_room;
    uint32_t jobs, to_run;
    double kept;    /* when the results were written last */
    double begun;   /* seconds */
    double working; /* real time of all points that have ended since then */
    bool lost;      /* memory has run out for what has ended */
};

double sweep_now(void); /* seconds */
bool sweep_is_to_run(const struct sweep_state *sweep, const struct plan_point *point);

/* A place for one more that has ended; NULL: memory has run out, which sweep_keep tells. */
struct ended_point *sweep_add_ended(struct sweep_state *sweep);

/* Brings into the results what has ended, in one transaction. */
enum simsm_status sweep_write_ended(struct sweep_state *sweep, struct simsm_error *error);

/* Tells how far it is. */
void sweep_show_progress(struct sweep_state *sweep);

/* collect.c: brings in what other machines have left in the folder; *found counts it. */
enum simsm_status collect(struct sweep_state *sweep, uint32_t *found, struct simsm_error *error);
/* When nothing waits any more: removes what the folder has of points and tasks. */
void collect_clean(const struct sweep_state *sweep);

/* task.c: one task of a batch. Leaves in the plan the cases of its points, before they are planned;
 * and of the points those that are to be run. */
enum simsm_status task_open(struct sweep_state *sweep, struct simsm_error *error);
enum simsm_status task_choose(struct sweep_state *sweep, struct simsm_error *error);

/* spread.c: gives away what is to be run, and for Slurm waits for it. */
enum simsm_status distribute_slurm(struct sweep_state *sweep, struct simsm_error *error);
enum simsm_status distribute_print(struct sweep_state *sweep, struct simsm_error *error);
/* Fails if Slurm runs points of this sweep. */
enum simsm_status distribute_check_idle(const struct sweep_state *sweep, struct simsm_error *error);

#endif
