/*
 * A lesson: a page of docs/lessons, which is also what `simsm learn` shows. Every page has the same
 * parts in the same order. A comment `<!-- simsm learn ... -->` at its end has, as YAML, the number
 * of the right prediction, a command that shows it, and the conditions of the exercises. A folder
 * beside the pages, named after a language, has the same pages in that language, without this
 * comment.
 */
#ifndef SIM_CLI_LESSON_H
#define SIM_CLI_LESSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/error.h"

enum {
    LESSON_PATH = 4096,
    LESSON_EXERCISES = 8,
    LESSON_LIST = 8,   /* entries of a list of an exercise */
    LESSON_ENTRY = 160 /* bytes of such an entry */
};

struct lesson_list {
    char entry[LESSON_LIST][LESSON_ENTRY];
    uint32_t count;
};

/* An exercise has conditions that an edited trace must meet, or asks for a number. */
struct lesson_exercise {
    char config[LESSON_ENTRY], trace[LESSON_ENTRY]; /* "": none */
    struct lesson_list set, params; /* assignments to the configuration, parameters of the trace */
    struct lesson_list check;       /* conditions; none: the exercise asks for a number */
    char figure[LESSON_ENTRY];      /* the number asked for is this figure of the trace; "": */
    double number;                  /* this one */
};

struct lesson {
    uint32_t number;
    char name[64];   /* of the file, without number: "coalescing" */
    char title[128]; /* with the number: "4. Which addresses ...?" */
    char path[LESSON_PATH];
    char *text; /* the page; owned */
    size_t size;
    uint32_t answer;        /* the right prediction, from 1 */
    char run[LESSON_ENTRY]; /* the command whose run shows it, for pages in a browser; "": none */
    struct lesson_exercise exercise[LESSON_EXERCISES];
    uint32_t exercises;
};

struct lesson_section {
    const char *text;
    size_t size;
};

/* The parts of a page: the question stands before the first heading `## ...`. */
enum lesson_part {
    LESSON_QUESTION,
    LESSON_CODE,
    LESSON_PREDICT,
    LESSON_EXPERIMENT,
    LESSON_WHY,
    LESSON_EXERCISE_LIST,
    LESSON_HARDWARE
};

/* Writes the folder with `lessons`, `traces` and `configs`: beside the program in a build, else the
 * installed data folder. */
enum simsm_status lesson_root(char root[LESSON_PATH], struct simsm_error *error);

/* Reads the lesson of this number, in the chosen language if it is translated, else in English.
 * Returns SIMSM_BAD_INPUT if there is no such lesson; *error names the numbers. The caller frees it
 * with lesson_free(), whatever the function returns. */
enum simsm_status lesson_read(struct lesson *lesson, uint32_t number, struct simsm_error *error);
void lesson_free(struct lesson *lesson);

/* Returns the number of the last lesson; 0 if there are no lessons. */
uint32_t lesson_count(void);

/* Returns the text of a part; empty if the page does not have it. */
struct lesson_section lesson_section(const struct lesson *lesson, enum lesson_part part);

/* Returns the heading of a part other than the question, in the language of the page. */
struct lesson_section lesson_heading(const struct lesson *lesson, enum lesson_part part);

/* Returns entry `number` (from 1) of the numbered list in a section; empty if there is none. */
struct lesson_section lesson_entry(struct lesson_section section, uint32_t number);

#endif
