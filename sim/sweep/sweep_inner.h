/* Shared by the files that run a sweep. */
#ifndef SIM_SWEEP_SWEEP_INNER_H
#define SIM_SWEEP_SWEEP_INNER_H

#include "sweep/batch.h"
#include "sweep/fragment.h"
#include "sweep/plan.h"
#include "sweep/sweep.h"

/* A point that has ended and whose result is not stored yet. */
struct ended_point {
    uint32_t point; /* index in the plan */
    struct fragment what;
};

/* The state of a sweep in this process. */
struct sweep_state {
    const struct sweep_request *request;
    struct plan plan;
    struct store *store;
    char *folder;             /* shared with other machines: "a/b.tasks" for "a/b.sqlite" */
    struct sweep_batch batch; /* the batch of this task, or the batch given to other processes */
    char job[32];             /* Slurm job that has the batch; "": none */
    struct sweep_progress progress;
    uint32_t next;             /* index of the next point or recording to look at */
    struct ended_point *ended; /* [ended_count] results not stored yet */
    uint32_t ended_count, ended_room;
    uint32_t jobs, to_run;
    double kept;    /* time of the last transaction, in seconds */
    double begun;   /* start of the points, in seconds */
    double working; /* seconds: sum of the real times of ended points */
    bool lost;      /* memory ran out for an ended point */
};

double sweep_now(void); /* monotonic time in seconds */

/* Returns whether the point is to be simulated: it waits, or it failed and --retry was given. */
bool sweep_is_to_run(const struct sweep_state *sweep, const struct plan_point *point);

/* Returns a new element of `ended`. NULL if memory runs out; then sweep_write_ended() fails. */
struct ended_point *sweep_add_ended(struct sweep_state *sweep);

/* Stores the results in `ended` in one transaction and reports the points. */
enum simsm_status sweep_write_ended(struct sweep_state *sweep, struct simsm_error *error);

/* Calls the callback `progress` of the request. */
void sweep_show_progress(struct sweep_state *sweep);

/* collect.c: Stores the fragments of waiting points from the folder. *found is their number. */
enum simsm_status collect(struct sweep_state *sweep, uint32_t *found, struct simsm_error *error);

/* Removes the files of points and tasks from the folder. Call it when no point waits. */
void collect_clean(const struct sweep_state *sweep);

/* task.c: A task reads its batch and keeps only the cases of its points in the plan. */
enum simsm_status task_open(struct sweep_state *sweep, struct simsm_error *error);

/* Marks all points of the plan as done that are not in the task, or that have a fragment. Returns
 * SIMSM_BAD_INPUT if the plan has changed since the batch was made. */
enum simsm_status task_choose(struct sweep_state *sweep, struct simsm_error *error);

/* sweep_distribute.c: Gives the points to a Slurm job, and waits for it unless request->leave. */
enum simsm_status distribute_slurm(struct sweep_state *sweep, struct simsm_error *error);

/* Gives the commands of the tasks to request->given. */
enum simsm_status distribute_print(struct sweep_state *sweep, struct simsm_error *error);

/* Returns SIMSM_FAILED if a Slurm job has points of this sweep. */
enum simsm_status distribute_check_idle(const struct sweep_state *sweep, struct simsm_error *error);

#endif
