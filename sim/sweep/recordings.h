/*
 * Recordings of machine code and programs, in a folder beside the results. A kernel is executed
 * once, and its recording is simulated under all configurations that do not change what it
 * executes. The name of a recording is the hash of everything that decides it.
 */
#ifndef SIM_SWEEP_RECORDINGS_H
#define SIM_SWEEP_RECORDINGS_H

#include "simsm/config.h"
#include "sweep/hash.h"
#include "sweep/inputs.h"

/* A recording, made or not. */
struct sweep_recording {
    char key[HASH_TEXT];
    char *path;                       /* of the recording */
    const struct spec_kernel *kernel; /* what is recorded */
    struct simsm_config config;       /* one of the configurations that give this recording */
    char **params;     /* "name=value" arguments of the launch file; NULL ends the array */
    uint32_t launches; /* number of launches in the recording; 0: not recorded */
    char problem[512]; /* why it could not be recorded; "" */
    bool tried;        /* recording it was tried in this sweep */
};

/* Begins as {0} with `folder` and `simsm` set; recordings_free() ends it. */
struct sweep_recordings {
    struct sweep_recording *recording; /* [count] */
    uint32_t count;
    char *folder;      /* owned */
    const char *simsm; /* path of the command, for programs */
};

/* Sets *number to the index of the recording of a kernel under a configuration; adds it if it is
 * new. The kernel is machine code or a program. Does not record. */
enum simsm_status recordings_find(struct sweep_recordings *recordings,
                                  const struct spec_kernel *kernel, const struct inputs *inputs,
                                  const struct simsm_config *config, const struct texts *params,
                                  uint32_t *number, struct simsm_error *error);

/* Returns whether the recording exists. If so, sets `launches`. */
bool recordings_ready(struct sweep_recording *recording);

/* Returns whether an earlier sweep failed to record it. If so, sets `problem`. */
bool recordings_failed(struct sweep_recording *recording);

/* Writes `problem` for recordings_failed() into a file beside the recording; "" removes the file.
 * Ignores errors: without the file the recording is only tried once more. */
void recordings_store_problem(const struct sweep_recording *recording);

/* Records the kernel. Call it in a process of its own: the program may crash. `stop` as for
 * front_stop_when(). */
enum simsm_status recordings_record(const struct sweep_recordings *recordings,
                                    const struct sweep_recording *recording, int (*stop)(void),
                                    struct simsm_error *error);

void recordings_free(struct sweep_recordings *recordings);

#endif
