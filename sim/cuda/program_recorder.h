/* `--record`: writes the launches of a program to a recording (docs/recording-format.md). */
#ifndef SIM_CUDA_PROGRAM_RECORDER_H
#define SIM_CUDA_PROGRAM_RECORDER_H

#include <stdbool.h>

#include "cuda/settings.h"
#include "front/front.h"

struct program_recorder;

/*
 * Creates the file that `settings` name. *recorder is NULL if `settings` name no file. `settings`
 * must outlive the recorder.
 */
enum simsm_status program_recorder_open(struct program_recorder **recorder,
                                        const struct settings *settings, struct simsm_error *error);

/*
 * Writes the index, gives the file its name, prints what it holds, and frees the recorder. Returns
 * false if there is no file; the reason has been printed. NULL is allowed and returns true.
 */
bool program_recorder_close(struct program_recorder *recorder);

/*
 * Begins a launch: records each block that `front` executes. `front` must be from exec_front_open.
 * If writing fails, a message is printed and the recording ends; the program goes on. NULL is
 * allowed.
 */
void program_recorder_begin(struct program_recorder *recorder, struct front *front);

/*
 * Ends the launch while its front is still open. `whole` false: not all blocks were executed, and
 * the launch is left out of the recording. NULL is allowed.
 */
void program_recorder_end(struct program_recorder *recorder, bool whole);

#endif
