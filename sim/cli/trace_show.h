/* `simsm trace info` and `simsm trace check`: what they print. */
#ifndef SIM_CLI_TRACE_SHOW_H
#define SIM_CLI_TRACE_SHOW_H

#include "front/front.h"
#include "input/front_launches.h"

/* Prints the launch, the code and the number of instructions that warps execute. `config` gives the
 * pipes; NULL: defaults. Returns the failure of the front. */
enum simsm_status trace_info(const struct front *front, const struct simsm_config *config,
                             struct simsm_error *error);

/* Executes the warps of some blocks and prints findings, such as misaligned addresses. Returns
 * SIMSM_FAILED if there are findings. */
enum simsm_status trace_check(const struct front *front, struct simsm_error *error);

/* Prints a list of the launches in the file `path`. */
void trace_launches(const char *path, const struct front_launches *launches);

#endif
