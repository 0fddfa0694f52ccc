/* Readers of the kinds of files that have the launches of a run. Private to this folder. */
#ifndef SIM_DIFF_DIFF_READ_H
#define SIM_DIFF_DIFF_READ_H

#include <stdbool.h>

#include "diff/diff_run.h"

/* Returns whether `only`, which may be NULL, lets a kernel through. */
static inline bool diff_wants(const regex_t *only, const char *kernel)
{
    return !only || regexec(only, kernel, 0, NULL, 0) == 0;
}

/* Adds the sums of an instruction to line `at` of a kernel with `count` lines. Sets its text and
 * place if the line is new. Returns false if memory runs out. */
bool diff_add_line(struct diff_kernel *kernel, size_t at, size_t count,
                   const struct diff_line *line);

/* Adds the launches of a JSON text: objects one after another. */
enum simsm_status diff_read_json(struct diff_run *run, const char *path, const regex_t *only,
                                 struct simsm_error *error);

/* Adds the launch of a timeline. */
enum simsm_status diff_read_timeline(struct diff_run *run, const char *path, const regex_t *only,
                                     struct simsm_error *error);

#endif
