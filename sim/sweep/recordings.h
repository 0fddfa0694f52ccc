/*
 * Recordings of what machine code executes, in a folder beside the results: a kernel or program is
 * executed once, and what its warps did is simulated under all configurations under which they do
 * the same. A recording's name is the hash of all that decides it.
 */
#ifndef SIM_SWEEP_RECORDINGS_H
#define SIM_SWEEP_RECORDINGS_H

#include "simsm/config.h"
#include "sweep/hash.h"
#include "sweep/inputs.h"

struct sweep_recording {
    char key[HASH_TEXT];
    char *path;                       /* of the recording */
    const struct spec_kernel *kernel; /* what is recorded */
    struct simsm_config config;       /* one of those under which it is what it is */
    char **params;     /* "name=value" of a launch file's arguments; NULL ends them */
    uint32_t launches; /* of the recording; 0: it is not there */
    char problem[512]; /* why not; "" */
    bool tried;        /* to record it, in this sweep */
};

/* Begins as {0} with `folder` and `simsm` set; streams_free ends it. */
struct sweep_recordings {
    struct sweep_recording *recording; /* [count] */
    uint32_t count;
    char *folder;      /* owned */
    const char *simsm; /* the command, which records programs */
};

/*
 * The number of the stream of a kernel of machine code or a program under a configuration; a new
 * one is added, whose recording may or may not be there.
 */
enum simsm_status recordings_find(struct sweep_recordings *recordings,
                                  const struct spec_kernel *kernel, const struct inputs *inputs,
                                  const struct simsm_config *config, const struct texts *params,
                                  uint32_t *number, struct simsm_error *error);

/* Whether the recording is there; then `launches` is known. */
bool recordings_ready(struct sweep_recording *recording);

/* Whether recording it failed in an earlier sweep; then `problem` says why. */
bool recordings_failed(struct sweep_recording *recording);

/* Keeps `problem` for streams_failed, in a file beside the recording; "" removes the file. One that
 * cannot be written only costs another try. */
void recordings_store_problem(const struct sweep_recording *recording);

/* Records, in a process that may be lost; fills `error` on failure. `stop`: as front_stop_when. */
enum simsm_status recordings_record(const struct sweep_recordings *recordings,
                                    const struct sweep_recording *recording, int (*stop)(void),
                                    struct simsm_error *error);

void recordings_free(struct sweep_recordings *recordings);

#endif
