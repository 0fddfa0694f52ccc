/* What `simsm trace info` and `simsm trace check` print. */
#ifndef SIM_CLI_TRACE_SHOW_H
#define SIM_CLI_TRACE_SHOW_H

#include "front/front.h"
#include "input/front_launches.h"

/* Prints the launch, the code, and how many instructions warps execute. `config` may be NULL. */
enum simsm_status trace_info(const struct front *front, const struct simsm_config *config,
                             struct simsm_error *error);

/* Walks the warps of some blocks, and prints what they should not do: then SIMSM_FAILED. */
enum simsm_status trace_check(const struct front *front, struct simsm_error *error);

/* Prints a list of the launches that the file `path` holds. */
void trace_launches(const char *path, const struct front_launches *launches);

#endif
