/* The difference of two runs: which kernels are faster or slower, and why. */
#ifndef SIM_DIFF_DIFF_H
#define SIM_DIFF_DIFF_H

#include <stdio.h>

#include "diff/diff_run.h"

/* A kernel of both runs, or of one. */
struct diff_pair {
    const struct diff_kernel *a, *b; /* NULL: only the other run has it; never both */
    double difference;               /* time of B - time of A, ns */
    struct speed_change change;      /* only if both runs have the kernel */
};

/* Owns `pair`; the runs belong to the caller. Initialised by diff_find(), freed by diff_free(). */
struct diff {
    const struct diff_run *a, *b;
    const char *a_name, *b_name;
    double threshold;       /* smaller changes are noise: a share, such as 0.01 */
    struct diff_pair *pair; /* [pairs] by falling size of the difference */
    size_t pairs;
    struct speed_change total;
    const struct diff_pair *main; /* causes most of the difference; NULL: no pair does */
    char sentence[SPEED_SENTENCE + 320];
};

/*
 * Matches the kernels of two runs and explains the difference. Kernels match by name, grid and
 * block, if possible with the same registers and shared memory; those that are left by name, then
 * by the name of the function without template arguments, then, if both runs have as many left, by
 * order. The caller calls diff_free() whatever the result.
 */
enum simsm_status diff_find(struct diff *diff, const struct diff_run *a, const struct diff_run *b,
                            double threshold, struct simsm_error *error);
void diff_free(struct diff *diff);

/* A line of a kernel in both runs, or in one. */
struct diff_line_pair {
    struct diff_line a, b; /* text NULL: the other run alone has the line; nothing is owned */
};

/* Matched lines of a pair. */
struct diff_lines {
    struct diff_line_pair *line; /* [lines] by falling size of the difference of their cycles */
    size_t lines;
};

/*
 * Matches the instructions of a pair: the n-th instruction of a text in A with the n-th such in B.
 * Numbers of registers and addresses do not count. Returns false if memory runs out. The caller
 * frees instructions->line.
 */
bool diff_match_instructions(const struct diff_pair *pair, struct diff_lines *instructions);

/*
 * Adds up the instructions by line of the source, and matches source lines of which most
 * instructions match, so that a line is found again if lines before it were added or removed. No
 * lines if the file of the source is not known. As above; texts are NULL or "".
 */
bool diff_match_sources(const struct diff_lines *instructions, struct diff_lines *sources);

/* All functions below write to `file` and leave write errors in it. They fail only if memory runs
 * out. `all`: tables of all kernels and all lines, not only of those that count most. */
enum simsm_status diff_show_text(FILE *file, const struct diff *diff, bool all,
                                 struct simsm_error *error);
enum simsm_status diff_show_markdown(FILE *file, const struct diff *diff, bool all,
                                     struct simsm_error *error);
enum simsm_status diff_show_json(FILE *file, const struct diff *diff, struct simsm_error *error);

#endif
