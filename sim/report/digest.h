/*
 * The short report of a launch: what ran, its time, what limits it, what to try. A digest holds
 * what the short report prints, so that it can be printed after the simulation is closed.
 */
#ifndef SIM_REPORT_DIGEST_H
#define SIM_REPORT_DIGEST_H

#include <stdio.h>

#include "report/report_style.h"
#include "report/run_info.h"
#include "report/verdict.h"
#include "simsm/stats.h"

enum { DIGEST_ADVICES = 3, DIGEST_ADVICE = 384 };

struct digest {
    char subject[200];     /* "add: 4 blocks of 256 threads" */
    char interrupted[240]; /* why and when the launch was stopped; "": it ran to its end */
    bool shared;           /* other launches shared the GPU */
    uint64_t cycles;
    double ns, clock_mhz, launch_percent;
    double occupancy_percent, ipc;
    uint32_t warp_places, issue_max; /* of an SM */
    enum simsm_warp_state state;     /* most frequent state of the resident warps */
    double state_percent;
    char line[80];       /* "line 31: LDG R6, [R4]", the costliest; "": none */
    double line_percent; /* of the cycles of the resident warps */
    bool no_source;      /* the code does not say which line of the source it comes from */
    char limit[40];      /* name of the rule of the verdict; "": not judged */
    char sentence[sizeof(((struct verdict_finding *)NULL)->sentence)];
    char advice[DIGEST_ADVICES][DIGEST_ADVICE]; /* the best first; "": no further one */
};

void digest_make(struct digest *digest, const struct run_info *run,
                 const struct simsm_stats *stats);

/*
 * Prints the short report. `place`: follows the subject in the first line, for example " on Tesla
 * T4". The first report of a style explains its figures. The caller checks ferror(file).
 */
void digest_print(const struct digest *digest, const char *place, struct report_style *style,
                  FILE *file);

/* Prints one row in the layout of the short report. `value`, at most 9 characters. */
void digest_print_row(const char *label, const char *value, const char *note,
                      const struct report_style *style, FILE *file);

/* A command that shows more, and what it shows. */
struct next_step {
    const char *command, *shows;
};

/* Prints the last rows of a short report: where to look next. `step` ends with a NULL command. */
void digest_print_next(const struct next_step step[], const struct report_style *style, FILE *file);

#endif
