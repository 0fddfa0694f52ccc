/* The score of `simsm learn`: what was predicted and solved, in a file of the user. */
#ifndef SIM_CLI_LESSON_SCORE_H
#define SIM_CLI_LESSON_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"

enum { SCORE_LESSONS = 64, SCORE_PATH = 4096 };

enum score_prediction { PREDICTION_NONE, PREDICTION_WRONG, PREDICTION_RIGHT };

struct score_lesson {
    char name[64];                    /* of the lesson, without its number */
    enum score_prediction prediction; /* the first one counts */
    uint32_t solved;                  /* bit k: exercise k + 1 */
};

struct score {
    char path[SCORE_PATH];
    struct score_lesson lesson[SCORE_LESSONS];
    uint32_t count;
};

/* Reads $XDG_STATE_HOME/simsm/learn, or ~/.local/state/simsm/learn. A file that does not exist is
 * an empty score. */
enum simsm_status score_read(struct score *score, struct simsm_error *error);

/* Returns the entry of a lesson, a new one if it has none; NULL if there is no room. */
struct score_lesson *score_of(struct score *score, const char *name);

/* Writes the file, and the folders above it. The old file stays whole until the new one is. */
enum simsm_status score_write(const struct score *score, struct simsm_error *error);

#endif
