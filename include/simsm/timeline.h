/* Timelines (.smtl): what each warp slot of the recorded SMs did in every cycle. */
#ifndef SIMSM_TIMELINE_H
#define SIMSM_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"
#include "simsm/stats.h"

#ifdef __cplusplus
extern "C" {
#endif

struct simsm_timeline;

/* What was run and recorded. The timeline owns it. */
struct simsm_timeline_info {
    const char *program, *command_line, *config, *trace, *gpu; /* config: the text, as YAML */
    struct simsm_launch launch;
    struct simsm_occupancy occupancy;
    uint32_t sms;            /* SMs of the GPU */
    uint32_t sub_partitions; /* of an SM */
    uint32_t slots;          /* of an SM; slot = index x sub_partitions + sub-partition */
    uint64_t clock_khz;
    uint64_t cycles;    /* of the run; 0 if the file was cut off */
    bool complete;      /* the kernel ran to its end */
    const char *damage; /* a clause: what is missing and why; NULL: the file is whole */
    uint32_t sm_count;  /* recorded SMs */
    const uint32_t *sm; /* [sm_count] */
    uint32_t state_count;
    const char *const *states; /* [state_count] names of warp states */
    uint32_t line_count;
    const struct simsm_line_info *lines; /* [line_count] static instructions */
};

/* A stretch of time in which a slot is in one state. */
struct simsm_timeline_span {
    uint64_t from, to; /* cycles, half-open */
    uint32_t line;     /* static instruction at the head of the warp: index into `lines` */
    uint8_t slot, state;
};

/* An instruction that a warp issues. */
struct simsm_timeline_issue {
    uint64_t cycle;
    uint32_t line;  /* index into `lines` */
    uint32_t lanes; /* mask of the active lanes */
    uint8_t slot;
};

/* A warp that takes a slot. */
struct simsm_timeline_warp {
    uint64_t cycle;
    uint32_t block; /* low 32 bits of the block's linear index */
    uint8_t slot, warp;
};

/* Cycles [from, to) of one SM, ordered by slot, then by cycle. The caller frees it with
 * simsm_timeline_part_free. */
struct simsm_timeline_part {
    uint64_t from, to;
    size_t span_count, issue_count, warp_count;
    struct simsm_timeline_span *spans;
    struct simsm_timeline_issue *issues;
    struct simsm_timeline_warp *warps;
};

/* Opens a timeline. On success the caller ends with simsm_timeline_close. A damaged file opens with
 * the part before the damage. */
enum simsm_status simsm_timeline_open(struct simsm_timeline **timeline, const char *path,
                                      struct simsm_error *error);

/* Returns what was run and recorded. */
const struct simsm_timeline_info *simsm_timeline_info(const struct simsm_timeline *timeline);

/*
 * Reads the cycles [from, to) of a recorded SM, as far as they were recorded. Returns
 * SIMSM_BAD_INPUT if the SM was not recorded or the file is damaged; *part is then empty.
 */
enum simsm_status simsm_timeline_read(struct simsm_timeline *timeline, uint32_t sm, uint64_t from,
                                      uint64_t to, struct simsm_timeline_part *part,
                                      struct simsm_error *error);

/* Frees the arrays and sets *part to zero. */
void simsm_timeline_part_free(struct simsm_timeline_part *part);

/* Closes and frees the timeline. NULL is allowed. */
void simsm_timeline_close(struct simsm_timeline *timeline);

#ifdef __cplusplus
}
#endif

#endif
