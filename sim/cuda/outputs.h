/* The report and the files of one timed launch: NAME.<n>.json for the n-th. */
#ifndef SIM_CUDA_OUTPUTS_H
#define SIM_CUDA_OUTPUTS_H

#include "base/outfile.h"
#include "cuda/runtime.h"
#include "observe/timeline.h"
#include "simsm/simsm.h"

struct outputs {
    const struct runtime *rt;
    uint64_t number; /* of the launch */
    struct outfile json, csv;
    struct timeline *timeline; /* NULL: not asked for */
};

/* On failure nothing stays open. */
enum simsm_status outputs_open(struct outputs *outputs, const struct runtime *rt, uint64_t number,
                               struct simsm_error *error);

/* To be called once, before the simulation runs. */
enum simsm_status outputs_describe(struct outputs *outputs, struct simsm *simulation,
                                   struct simsm_error *error);

/* Writes the report and all files. `stopped_by`: see struct run_info. */
enum simsm_status outputs_write(struct outputs *outputs, const struct simsm_stats *stats,
                                const char *stopped_by, struct simsm_error *error);

/* Closes what is open and leaves nothing behind. */
void outputs_abandon(struct outputs *outputs);

/* "dir/run.json" and 3 give "dir/run.3.json". */
void outputs_name(char *name, size_t size, const char *path, uint64_t number);

#endif
