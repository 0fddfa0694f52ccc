/*
 * Traces of Accel-Sim (accel-sim.github.io), which its NVBit tracer writes; docs/foreign-traces.md
 * describes them. They are converted into a recording, which runs like any other.
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
    char name[24]; /* opcode without suffixes */
    uint64_t count;
};

/* What a conversion has found. Starts as {0}. */
struct accelsim_notes {
    uint32_t kernels;
    uint64_t warp_instructions, thread_instructions; /* added EXITs included */
    uint64_t added_exits;                            /* for warps whose trace ends without EXIT */
    uint64_t copies, copy_bytes; /* from host to device, in the list of kernels */
    struct accelsim_note note[ACCELSIM_MAX_NOTES];
    uint32_t notes;
    uint64_t untold; /* instructions of opcodes that found no free note */
};

/*
 * Returns whether a file that begins with these bytes (64 are enough) is a kernel's trace
 * (kernel-1.traceg), compressed with xz or not, or a list of traces (kernelslist.g).
 */
bool accelsim_probe(const uint8_t *head, size_t size);

/*
 * Calls `each` for each kernel of `path`, in order, with the launch that the kernel's header
 * describes. `each` may be NULL. *count: the number of kernels.
 */
enum simsm_status accelsim_launches(const char *path, uint32_t *count,
                                    void (*each)(void *context, uint32_t number,
                                                 const struct simsm_launch *launch),
                                    void *context, struct simsm_error *error);

#define ACCELSIM_ALL UINT32_MAX /* all kernels */

struct accelsim_request {
    const char *path;
    uint32_t number;   /* index of the kernel, from 0; ACCELSIM_ALL: all kernels, in order */
    int (*stop)(void); /* called at each block; non-zero ends the conversion with SIMSM_INTERRUPTED;
                          or NULL */
};

/* Adds kernels to a recording. After a failure the caller must abandon the recording. */
enum simsm_status accelsim_convert(const struct accelsim_request *request,
                                   struct recording_writer *writer, struct accelsim_notes *notes,
                                   struct simsm_error *error);

/*
 * Opens `path` as a front. Converts the trace into a recording in the folder for temporary files
 * ($TMPDIR or /tmp) and opens the recording; its file disappears when the front is closed. `config`
 * and `params` are as for recording_open(). With "launch=N" in `params` only kernel N, from 1, is
 * converted. front->warnings lists the instructions that were approximated.
 */
enum simsm_status accelsim_open(struct front **front, const char *path,
                                const struct simsm_config *config, const char *const *params,
                                struct simsm_error *error);

/*
 * Writes line `index` of the warnings for the user, without an end of line, cut to `size`. Returns
 * false if there is no such line.
 */
bool accelsim_note_text(const struct accelsim_notes *notes, uint32_t index, char *text,
                        size_t size);

#endif
