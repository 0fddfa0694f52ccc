/* Opens machine code as something to simulate: a file with code, and a launch file with the kernel,
 * its grid and its data. */
#ifndef SIM_EXEC_LAUNCH_LAUNCH_FILE_H
#define SIM_EXEC_LAUNCH_LAUNCH_FILE_H

#include "exec/launch/exec_launch.h"
#include "exec/launch/launch_plan.h"
#include "front/front.h"

/*
 * Returns whether a file that begins with these bytes holds machine code: an ELF file or a fatbin.
 */
bool launch_file_probe(const uint8_t *bytes, size_t size);

/*
 * Opens a front that executes a launch. `path` is the file with the code. In `params`,
 * "launch=FILE" names the launch file; the other entries replace values of arguments. Output files
 * are written when the last block has been executed.
 */
enum simsm_status launch_file_open(struct front **front, const char *path,
                                   const struct simsm_config *config, const char *const *params,
                                   struct simsm_error *error);

/*
 * The receiver of a launch's buffers when the launch has been executed. `take` is called once for
 * each buffer, with `buffer->size` bytes. If the launch is executed again with simulated clock
 * values, `take` is called for all buffers again, and the last bytes count.
 */
struct launch_results {
    enum simsm_status (*take)(void *context, const struct plan_buffer *buffer, const uint8_t *bytes,
                              struct simsm_error *error);
    void *context;
};

/* As launch_file_open, for a launch file that has been read. *plan and *results must outlive the
 * front. `results` NULL: only files are written. */
enum simsm_status launch_plan_open(struct front **front, const char *path,
                                   const struct simsm_config *config,
                                   const struct launch_plan *plan,
                                   const struct launch_results *results, struct simsm_error *error);

/* Executes a launch without timing and writes its output files. *launch becomes the description of
 * the launch. The observer `watch` (NULL: none) may end the launch early. */
enum simsm_status launch_file_run(const char *path, const struct simsm_config *config,
                                  const char *const *params, const struct exec_watch *watch,
                                  struct simsm_launch *launch, struct exec_counts *counts,
                                  struct simsm_error *error);

#endif
