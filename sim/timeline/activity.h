/*
 * What a program did, and when: kernels, copies, fills and host functions of its streams, and the
 * calls of its host. `simsm run --concurrent` collects the list; --program writes it to a file,
 * which simsm-view reads.
 */
#ifndef SIM_TIMELINE_ACTIVITY_H
#define SIM_TIMELINE_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/pool.h"
#include "simsm/error.h"

enum activity_kind {
#define ACTIVITY(id, ...) ACTIVITY_##id,
#include "timeline/activities.def"
#undef ACTIVITY
    ACTIVITY_KIND_COUNT
};

/* A row of activities.def. */
struct activity_look {
    const char *name, *mark;
    char ascii;
};
extern const struct activity_look activity_looks[ACTIVITY_KIND_COUNT];

struct activity {
    enum activity_kind kind;
    uint64_t stream;   /* id; of calls 0 */
    double begin, end; /* ns since the device was opened; a kernel begins with its first block */
    uint64_t launch;   /* number of a kernel's launch; else 0 */
    bool by_device;    /* a kernel has launched it */
    uint64_t kernel;   /* of a kernel: activity_kernel_id of its name */
    uint64_t bytes;    /* of copies and fills */
    uint32_t grid[3], block[3]; /* of kernels */
    char name[64];              /* without namespaces, maybe cut */
};

/* Returns a hash of a kernel's whole name, by which a timeline is known to be of that kernel. */
uint64_t activity_kernel_id(const char *name);

/* Times in which so many kernels and copies were on the device, in ns. */
struct activity_shares {
    double kernel, several, copy, beside, any;
};

/* A row of a picture: the host, or a stream, of which work that overlaps needs several rows. */
struct activity_lane {
    uint64_t stream; /* 0: the host */
    uint32_t part;   /* of the stream, from 0 */
};

struct activity_log {
    struct pool entries; /* struct activity, in the order of their ends */
    bool lost;           /* memory ran out: some are missing */
    char *gpu, *command; /* name of the GPU; command line; NULL: not known */
    /* Set by activity_finish: */
    struct activity_lane
        *lanes; /* [lane_count]: the host, then the streams as they begin to work */
    uint32_t lane_count;
    uint32_t *lane; /* of each entry */
    uint32_t *name; /* of each entry: a number for its kind and name, below name_count */
    uint32_t name_count;
    double begin, end; /* of all entries, ns */
    uint64_t count[ACTIVITY_KIND_COUNT], by_device;
    struct activity_step *steps; /* the times at which the number of kernels or copies changes */
    size_t step_count;
};

static inline const struct activity *activities(const struct activity_log *log)
{
    return log->entries.data;
}

/* Appends a copy of *entry. Sets log->lost if memory runs out. */
void activity_add(struct activity_log *log, const struct activity *entry);

/*
 * Prepares a log without further changes for drawing and for sums. Returns false if memory runs
 * out.
 */
bool activity_finish(struct activity_log *log);
void activity_free(struct activity_log *log);

/* Returns the shares of [from, to). The log is finished. */
struct activity_shares activity_shares(const struct activity_log *log, double from, double to);

/* All activities of one kind and one name, as far as they lie in a stretch of time. */
struct activity_sum {
    enum activity_kind kind;
    const char *name; /* owned by the log */
    uint64_t count, bytes;
    double ns;
};
/*
 * Sums the work of the streams in [from, to) by name, most time first. Returns the number of sums;
 * 0 if memory runs out. The caller frees *sums.
 */
size_t activity_sums(const struct activity_log *log, double from, double to,
                     struct activity_sum **sums);

/* Returns whether the host spends the time in a call: the activity is in the host's lane. */
static inline bool activity_is_call(const struct activity *entry)
{
    return entry->kind == ACTIVITY_CALL || entry->kind == ACTIVITY_WAIT;
}

/* ---- Files (activity_file.c) ---- */

/*
 * Writes the log to a file. The end of its name says how: .json a trace that simsm-view and
 * Perfetto show, .csv a table. activity_check_name returns SIMSM_BAD_INPUT for other names.
 */
enum simsm_status activity_check_name(const char *path, struct simsm_error *error);
enum simsm_status activity_write(const struct activity_log *log, const char *path,
                                 struct simsm_error *error);
/* Writes the table to an open file. */
void activity_write_table(const struct activity_log *log, FILE *file);

/* Returns whether a file begins as a file of activity_write that can be read again. */
bool activity_is_file(const char *path);
/* Reads and finishes the log of a .json file. The caller frees *log, on success only. */
enum simsm_status activity_read(struct activity_log *log, const char *path,
                                struct simsm_error *error);

#endif
