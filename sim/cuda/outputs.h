/* The report and the files of one timed launch: NAME.<n>.json for the n-th. */
#ifndef SIM_CUDA_OUTPUTS_H
#define SIM_CUDA_OUTPUTS_H

#include "base/outfile.h"
#include "cuda/runtime.h"
#include "observe/timeline_write.h"
#include "simsm/simsm.h"

/* What cannot be written is told, and not written any more; the program goes on. */
struct outputs {
    struct runtime *rt;
    uint64_t number; /* of the launch */
    struct outfile json, csv;
    struct timeline *timeline;      /* NULL: not asked for, or it could not be written */
    struct simsm_observer observer; /* of the timeline */
};

/* *outputs must stay where it is. */
void outputs_open(struct outputs *outputs, struct runtime *rt, uint64_t number);

/* To be called once, before the simulation runs. */
void outputs_describe(struct outputs *outputs, struct simsm *simulation);

/* Writes the report and all files. `stopped_by`: see struct run_info. */
void outputs_write(struct outputs *outputs, const struct simsm_stats *stats,
                   const char *stopped_by);

/* Closes what is open and leaves nothing behind. */
void outputs_abandon(struct outputs *outputs);

/* Refuses names of files that cannot be written, and what does not fit the GPU. */
enum simsm_status outputs_check(const struct settings *settings, const struct simsm_config *config,
                                struct simsm_error *error);

/* "dir/run.json" and 3 give "dir/run.3.json". */
void outputs_name(char *name, size_t size, const char *path, uint64_t number);

#endif
