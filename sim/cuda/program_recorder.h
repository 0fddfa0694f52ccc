/* `--record`: the launches of a program as a recording (docs/recording-format.md). */
#ifndef SIM_CUDA_PROGRAM_RECORDER_H
#define SIM_CUDA_PROGRAM_RECORDER_H

#include <stdbool.h>

#include "cuda/settings.h"
#include "front/front.h"

struct program_recorder;

/* Begins the file that `settings` names; without one *recorder is NULL. `settings` outlive it. */
enum simsm_status program_recorder_open(struct program_recorder **recorder,
                                        const struct settings *settings, struct simsm_error *error);

/* Writes the index, gives the file its name and says what it holds. False: there is none, as has
 * been told. NULL is allowed: there was to be none. */
bool program_recorder_close(struct program_recorder *recorder);

/*
 * Begins a launch: each block that `front`, made by exec_front_open, executes from now on is
 * recorded. What cannot be written is told, and ends the recording, not the program. NULL is
 * allowed.
 */
void program_recorder_begin(struct program_recorder *recorder, struct front *front);

/* Ends the launch, of which all blocks were executed if `whole`; otherwise it is left out. To be
 * called while the front is open. NULL is allowed. */
void program_recorder_end(struct program_recorder *recorder, bool whole);

#endif
