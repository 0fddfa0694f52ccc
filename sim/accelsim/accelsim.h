/*
 * Traces of Accel-Sim (accel-sim.github.io), made with its NVBit tracer: docs/foreign-traces.md.
 * They are converted into a recording, which is then run like any other.
 */
#ifndef SIM_ACCELSIM_ACCELSIM_H
#define SIM_ACCELSIM_ACCELSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "front/front.h"
#include "record/recording_write.h"

enum { ACCELSIM_MAX_NOTES = 32 };

enum accelsim_note_kind { ACCELSIM_UNKNOWN, ACCELSIM_NO_ADDRESS };

struct accelsim_note {
    enum accelsim_note_kind kind;
    char name[24]; /* of the opcode, without suffixes */
    uint64_t count;
};

/* What a conversion has seen. Starts as {0}. */
struct accelsim_notes {
    uint32_t kernels;
    uint64_t warp_instructions, thread_instructions; /* added EXITs included */
    uint64_t added_exits;                            /* of warps whose trace ends without */
    uint64_t copies, copy_bytes;                     /* host to device, of the kernels list */
    struct accelsim_note note[ACCELSIM_MAX_NOTES];
    uint32_t notes;
    uint64_t untold; /* instructions of opcodes for which there was no note left */
};

/*
 * Whether a file that begins with these bytes (64 are enough) is for this front: a kernel's trace
 * (kernel-1.traceg), packed with xz or not, or a list of them (kernelslist.g).
 */
bool accelsim_probe(const uint8_t *head, size_t size);

/*
 * Calls `each` (NULL: not at all) for each kernel that `path` holds, in their order, with what its
 * head says; *count is how many there are.
 */
enum simsm_status accelsim_launches(const char *path, uint32_t *count,
                                    void (*each)(void *context, uint32_t number,
                                                 const struct simsm_launch *launch),
                                    void *context, struct simsm_error *error);

#define ACCELSIM_ALL UINT32_MAX /* kernels */

struct accelsim_request {
    const char *path;
    uint32_t number;   /* of the kernel, from 0; ACCELSIM_ALL: each of them, in their order */
    int (*stop)(void); /* asked at each block: non-zero ends it, SIMSM_INTERRUPTED; or NULL */
};

/* Adds kernels to a recording. After a failure the recording is to be abandoned. */
enum simsm_status accelsim_convert(const struct accelsim_request *request,
                                   struct recording_writer *writer, struct accelsim_notes *notes,
                                   struct simsm_error *error);

/*
 * Opens `path` as a front: converts it into a recording in the folder for temporary files ($TMPDIR
 * or /tmp), which is gone when the front is closed, and opens that. `config` and `params` are as
 * for recording_open; with "launch=N" in `params` only kernel N, counted from 1, is converted.
 * front->warnings say what was taken for something else than it is.
 */
enum simsm_status accelsim_open(struct front **front, const char *path,
                                const struct simsm_config *config, const char *const *params,
                                struct simsm_error *error);

/*
 * Line `index` of what a user should be warned of, without an end of line, cut to `size`; false if
 * there are no more.
 */
bool accelsim_note_text(const struct accelsim_notes *notes, uint32_t index, char *text,
                        size_t size);

#endif
