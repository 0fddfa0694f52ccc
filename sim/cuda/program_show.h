/* A program's time as text. */
#ifndef SIM_CUDA_PROGRAM_SHOW_H
#define SIM_CUDA_PROGRAM_SHOW_H

#include <stdio.h>

#include "timeline/activity.h"

/*
 * Prints how much of the time kernels and copies took, and a picture of host and streams. Prints
 * nothing if there was no work. The log is finished.
 */
void program_show(const struct activity_log *log, FILE *file, bool ascii);

#endif
