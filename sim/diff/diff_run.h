/* The kernels of one run, with sums over their launches. */
#ifndef SIM_DIFF_DIFF_RUN_H
#define SIM_DIFF_DIFF_RUN_H

#include <regex.h>
#include <stddef.h>

#include "report/speed_change.h"
#include "simsm/error.h"

/* A static instruction, summed over the launches of its kernel. */
struct diff_line {
    char *text;            /* as disassembled or as written */
    char *file;            /* source file; NULL: unknown, or the trace itself */
    uint32_t line;         /* in the source file, from 1; 0: unknown */
    double issues, cycles; /* warp instructions; cycles of warps before the instruction */
    double state[SIMSM_STATE_COUNT];
};

/* All launches of a kernel with the same grid, block, registers and shared memory: the latter two
 * tell instances of a template apart, whose arguments the name lacks. */
struct diff_kernel {
    char *name;
    uint32_t grid[3], block[3];
    struct speed_side side;
    struct diff_line *line; /* [lines]; NULL if they are not known */
    size_t lines;
};

/* A run, which owns all its memory. Begins as {0}; diff_run_free() frees it. */
struct diff_run {
    char *gpu, *settings;       /* settings: options that changed the configuration, "" if none */
    double clock_mhz;           /* of a baseline; 0: each launch has its own */
    struct diff_kernel *kernel; /* [kernels] in the order of their first launches */
    size_t kernels;
    struct speed_side total;
};

void diff_run_free(struct diff_run *run);

/*
 * Adds the launches of a file: what --json wrote (one object, or one for each launch), a timeline
 * (.smtl), or a baseline. If `path` is a folder, adds the launches of all files NAME.json in it, by
 * the numbers in their names. `only`: adds only kernels whose names match; NULL: all. Returns
 * SIMSM_BAD_INPUT if a file is none of these, or if a launch was stopped before its end.
 */
enum simsm_status diff_run_read(struct diff_run *run, const char *path, const regex_t *only,
                                struct simsm_error *error);

/* Adds the sums `side` of launches to the kernel with this name and these sizes. Returns the
 * kernel; NULL if memory runs out. */
struct diff_kernel *diff_run_add(struct diff_run *run, const char *name, const uint32_t grid[3],
                                 const uint32_t block[3], const struct speed_side *side);

/* Notes the GPU and the settings of a launch. Returns SIMSM_BAD_INPUT if an earlier launch of the
 * run has another GPU. */
enum simsm_status diff_run_note(struct diff_run *run, const char *path, const char *gpu,
                                const char *settings, struct simsm_error *error);

#endif
