/* Shows a section of a lesson in a terminal, and runs the commands that it quotes. */
#ifndef SIM_CLI_LESSON_SHOW_H
#define SIM_CLI_LESSON_SHOW_H

#include "cli/lesson.h"

/* A folder with the traces and configurations of the lessons, in which commands run. */
struct lesson_scratch {
    char path[LESSON_PATH];
};

enum simsm_status lesson_scratch_open(struct lesson_scratch *scratch, struct simsm_error *error);
void lesson_scratch_close(const struct lesson_scratch *scratch);

/* Prints a section as text (lesson_prose.h). Lines that begin with "$ simsm" in
 * a quotation are run in `scratch`: the quoted lines are printed if the output has them, else the
 * whole output. `scratch` NULL: prints the quotation. Ends early after a signal that
 * signals_listen() notes. */
void lesson_show(struct lesson_section section, const struct lesson_scratch *scratch);

#endif
