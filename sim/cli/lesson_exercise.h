/* The exercises of lessons: their files, and whether a file or a number solves them. */
#ifndef SIM_CLI_LESSON_EXERCISE_H
#define SIM_CLI_LESSON_EXERCISE_H

#include "cli/lesson.h"

/*
 * Writes the trace of exercise `number` into the current folder, as *name ("lesson-4-2.trace").
 * Sets *existed if there is such a file, which is then left as it is. The exercise has a trace.
 */
enum simsm_status exercise_copy(const struct lesson *lesson, uint32_t number,
                                char name[LESSON_ENTRY], bool *existed, struct simsm_error *error);

/* Finds the number of the exercise in the first line of a copied file. */
enum simsm_status exercise_of_file(const struct lesson *lesson, const char *path, uint32_t *number,
                                   struct simsm_error *error);

/* Simulates the exercise's trace and the file, prints each condition with its figures, and sets
 * *solved. */
enum simsm_status exercise_check(const struct lesson_exercise *exercise, const char *path,
                                 bool *solved, struct simsm_error *error);

/* Sets *solved to whether the number that the exercise asks for is `number`, within 1 %. */
enum simsm_status exercise_answer(const struct lesson_exercise *exercise, double number,
                                  bool *solved, struct simsm_error *error);

#endif
