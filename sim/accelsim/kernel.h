/*
 * The trace of one kernel becomes a launch of a recording. It is read twice: first for the static
 * instructions and whether it is whole, then for the streams, block after block.
 */
#ifndef SIM_ACCELSIM_KERNEL_H
#define SIM_ACCELSIM_KERNEL_H

#include "accelsim/accelsim.h"
#include "record/recording_write.h"

/* What the head of the file `path` says. */
enum simsm_status kernel_launch(const char *path, struct simsm_launch *launch,
                                struct simsm_error *error);

/* Adds the kernel of the file `path` to the recording, and what is to be told to *notes. `stop` as
 * in struct accelsim_request. */
enum simsm_status kernel_convert(const char *path, int (*stop)(void),
                                 struct recording_writer *writer, struct accelsim_notes *notes,
                                 struct simsm_error *error);

#endif
