/*
 * The functions that the page's worker calls (worker.js). Files are those of Emscripten's file
 * system in memory: configurations in /configs, inputs and outputs where the caller says.
 *
 * Every function returns the exit status that the command would have. If it is not 0, /error.json
 * has the message, and where in the input it belongs.
 */
#ifndef VIZ_WEB_WEB_H
#define VIZ_WEB_WEB_H

#include "simsm/error.h"

/*
 * Opens the trace or recording `input` on the configuration `config`. `words` has one option a
 * line: "--set KEY=VALUE", "--memory MODEL" or "--param NAME=VALUE". Then web_advance() until the
 * launch has ended or the user stops it, and web_finish() in any case, also after a failure.
 */
int web_open(const char *config, const char *input, const char *words);

/* Simulates for about so many milliseconds. Returns SIMSM_LIMIT if the launch goes on. */
int web_advance(double milliseconds);

/* Returns the number of cycles simulated so far. */
double web_cycles(void);

/*
 * Writes the timeline to /run.smtl, the short report to /short.txt, the full report to /full.txt,
 * unless web_open() has failed. They cover what has been simulated. Frees the simulation.
 */
int web_finish(void);

/*
 * Writes the page of a timeline to /page.html, as `simsm view FILE.smtl --html` does. `whole`: with
 * the pictures of all screens; without them the page is ready much sooner.
 */
int web_page(const char *timeline, int whole);

/*
 * Computes the occupancy of a launch: the text of `simsm occupancy` to /occupancy.txt, its curves
 * to /occupancy.svg.
 */
int web_occupancy(const char *config, int threads, int registers, int shared);

/* Chooses the language of reports and pages: "en" or "zh". */
int web_language(const char *name);

/* Writes the message of *error to /error.json. Returns its status. */
int web_fail(const struct simsm_error *error);

#endif
