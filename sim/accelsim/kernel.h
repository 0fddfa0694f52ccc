/*
 * Converts the trace of one kernel into a launch of a recording. The trace is read twice: first for
 * the static instructions and to see that it is complete, then for the instruction sequences, block
 * after block.
 */
#ifndef SIM_ACCELSIM_KERNEL_H
#define SIM_ACCELSIM_KERNEL_H

#include "accelsim/accelsim.h"
#include "record/recording_write.h"

/* Fills *launch from the header of the trace `path`. */
enum simsm_status kernel_launch(const char *path, struct simsm_launch *launch,
                                struct simsm_error *error);

/*
 * Adds the kernel of the trace `path` to the recording, and what the user should know to *notes.
 * `stop` is as in struct accelsim_request.
 */
enum simsm_status kernel_convert(const char *path, int (*stop)(void),
                                 struct recording_writer *writer, struct accelsim_notes *notes,
                                 struct simsm_error *error);

#endif
