/*
 * Machine code as something to simulate: a file with code, and a launch file that says which kernel
 * of it is launched how.
 */
#ifndef SIM_EXEC_LAUNCH_LAUNCH_FILE_H
#define SIM_EXEC_LAUNCH_LAUNCH_FILE_H

#include "exec/launch/exec_launch.h"
#include "exec/launch/launch_plan.h"
#include "front/front.h"

/* Whether a file that begins with these bytes holds machine code: an ELF file or a fatbin. */
bool launch_file_probe(const uint8_t *bytes, size_t size);

/*
 * A front that executes the launch. `path` has the code; of `params` "launch=FILE" names the launch
 * file, the others replace arguments. When the last block has been executed, output files are
 * written.
 */
enum simsm_status launch_file_open(struct front **front, const char *path,
                                   const struct simsm_config *config, const char *const *params,
                                   struct simsm_error *error);

/*
 * Who gets what is in a launch's buffers when it has been executed: all buffers one by one, each of
 * `buffer->size` bytes; and all once more if the launch has been timed and executed again, with
 * simulated clock values: the last ones count.
 */
struct launch_results {
    enum simsm_status (*take)(void *context, const struct plan_buffer *buffer, const uint8_t *bytes,
                              struct simsm_error *error);
    void *context;
};

/* As launch_file_open, of a launch that has been read already. *plan and *results (NULL: only files
 * are written) must outlive the front. */
enum simsm_status launch_plan_open(struct front **front, const char *path,
                                   const struct simsm_config *config,
                                   const struct launch_plan *plan,
                                   const struct launch_results *results, struct simsm_error *error);

/*
 * Executes the launch without timing and writes its output files; *launch is what was launched.
 * `watch` (NULL: nobody) may end it early.
 */
enum simsm_status launch_file_run(const char *path, const struct simsm_config *config,
                                  const char *const *params, const struct exec_watch *watch,
                                  struct simsm_launch *launch, struct exec_counts *counts,
                                  struct simsm_error *error);

#endif
