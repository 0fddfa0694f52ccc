/* What a program did on the device, and when, with --concurrent: the list of all its work. */
#ifndef SIM_CUDA_PROGRAM_LOG_H
#define SIM_CUDA_PROGRAM_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/pool.h"
#include "simsm/error.h"

/* Kinds of work, and calls of the host: PROGRAM_WORK(id, name, mark, ASCII mark, colour) */
#define PROGRAM_KINDS                                                                              \
    PROGRAM_WORK(KERNEL, "kernel", "\u2588", '#', 0x4472c4)                                        \
    PROGRAM_WORK(TO_DEVICE, "copy to device", "\u25bc", '>', 0x70ad47)                             \
    PROGRAM_WORK(TO_HOST, "copy to host", "\u25b2", '<', 0xed7d31)                                 \
    PROGRAM_WORK(WITHIN, "copy within", "\u25a4", '=', 0x9e7bb5)                                   \
    PROGRAM_WORK(FILL, "fill", "\u25a1", 'f', 0xbf9000)                                            \
    PROGRAM_WORK(FUNCTION, "host function", "\u25cf", 'h', 0xc0504d)                               \
    PROGRAM_WORK(CALL, "call", "\u2584", '-', 0x8c8c8c)                                            \
    PROGRAM_WORK(WAIT, "call that waits", "\u2581", '.', 0xd9d9d9)

enum program_kind {
#define PROGRAM_WORK(id, name, mark, ascii, colour) PROGRAM_##id,
    PROGRAM_KINDS
#undef PROGRAM_WORK
        PROGRAM_KIND_COUNT
};

struct program_entry {
    enum program_kind kind;
    uint64_t stream;   /* id; of calls 0 */
    double begin, end; /* ns since the device was opened; of a kernel from its first block on */
    uint64_t launch;   /* number of a kernel's launch; else 0 */
    uint64_t bytes;    /* of copies and fills */
    char name[64];
};

struct program_log {
    struct pool entries; /* struct program_entry, in the order of their ends */
    bool lost;           /* out of memory: some are missing */
};

static inline const struct program_entry *program_entries(const struct program_log *log)
{
    return log->entries.data;
}

void program_log_add(struct program_log *log, const struct program_entry *entry);
void program_log_free(struct program_log *log);

/* program_show.c: prints how much of the time kernels and copies took, and a picture of the
 * streams. Prints nothing if there was no work. */
void program_show(const struct program_log *log, FILE *file, bool ascii);

/*
 * program_write.c: writes the list to a file. The end of its name says how: .json a trace that
 * Perfetto shows, .svg a picture, .csv a table. program_check_name returns SIMSM_BAD_INPUT for
 * other names.
 */
enum simsm_status program_check_name(const char *path, struct simsm_error *error);
enum simsm_status program_write(const struct program_log *log, const char *path,
                                struct simsm_error *error);

/* Lanes of pictures: the host, then the streams in the order of their first work. Returns the lane
 * of an entry; stream[lane - 1] is the stream, of which there are *streams, at most `most`. */
size_t program_lane(const struct program_entry *entry, uint64_t *stream, size_t *streams,
                    size_t most);

#endif
