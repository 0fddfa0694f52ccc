/* The results of `simsm occupancy`, and their outputs: text, CSV, SVG and JSON. */
#ifndef SIM_REPORT_OCCUPANCY_SHOW_H
#define SIM_REPORT_OCCUPANCY_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include "occupancy/bounds.h"
#include "occupancy/vary.h"
#include "simsm/occupancy.h"

enum { OCCUPANCY_CURVES = 3, OCCUPANCY_STEPS = 5, OCCUPANCY_PROPERTIES = 15 };

/* The next value of an input, below or above its own, with more resident warps. */
struct occupancy_step {
    enum vary_input input;
    bool above, found;
    struct vary_point better;
};

/* A limit of the GPU, in the unit `unit`. */
struct occupancy_property {
    const char *key, *label, *unit;
    uint32_t value;
};

/* All results of the command. */
struct occupancy_answer {
    const struct simsm_config *config;
    struct simsm_launch launch; /* carve-out in bytes */
    bool has_launch, has_bounds, has_advice;
    struct simsm_occupancy result; /* valid with has_launch */
    struct occupancy_step steps[OCCUPANCY_STEPS];
    uint32_t room_registers, room_shared;
    struct vary_point *curves[OCCUPANCY_CURVES]; /* by threads, registers, shared memory */
    struct vary_point *sizes; /* valid with has_advice: one point for each block size */
    uint32_t best_warps;      /* the most warps among `sizes` */
    struct bounds bounds;     /* valid with has_bounds */
    struct occupancy_property properties[OCCUPANCY_PROPERTIES];
};

/* Fills the limits of the GPU. answer->config has been set. */
void occupancy_find_properties(struct occupancy_answer *answer);

/*
 * Fills the occupancy of answer->launch, the next better values and the curves. The caller frees
 * the curves with occupancy_free(), also on failure.
 */
enum simsm_status occupancy_find_launch(struct occupancy_answer *answer, struct simsm_error *error);

/* Frees the curves and the points of block sizes. */
void occupancy_free(struct occupancy_answer *answer);

/* Returns the resident warps as a percentage of the SM's warps; 0 if the SM has none. */
double occupancy_percent(const struct simsm_occupancy *occupancy);

/* Writes the limits that bind into text[size], such as "registers" or "warps and registers".
 * Returns `text`. */
const char *occupancy_limiters(const struct simsm_occupancy *occupancy, char *text, size_t size);

/* Returns the name of a limit for CSV and JSON, such as "shared_memory". */
const char *occupancy_limit_key(enum simsm_limit limit);

/* Returns the name of an input for CSV and JSON, such as "threads_per_block". */
const char *occupancy_input_key(enum vary_input input);

/* Returns the name of an input for the report, such as "threads per block". */
const char *occupancy_input_label(enum vary_input input);

/* The parts of the report follow in the order in which they are printed. Write errors stay in
 * `file`. */

/* Prints the launch, its occupancy and the limits on resident blocks. */
void occupancy_show_result(FILE *file, const struct occupancy_answer *answer);

/* Prints the next better value of each input, and how many registers and how much shared memory
 * each block may add. */
void occupancy_show_steps(FILE *file, const struct occupancy_answer *answer);

/* Prints how __launch_bounds__ limits the registers of a thread, step by step. */
void occupancy_show_bounds(FILE *file, const struct occupancy_answer *answer);

/* Prints the occupancy of all block sizes as bars. `ascii`: with ASCII characters only. */
void occupancy_show_advice(FILE *file, const struct occupancy_answer *answer, bool ascii);

/* Prints the limits of the GPU. */
void occupancy_show_properties(FILE *file, const struct occupancy_answer *answer);

/* Prints the three curves as plots. Returns false if memory runs out. */
bool occupancy_show_curves(FILE *file, const struct occupancy_answer *answer, bool ascii);

/* Writes the three curves as an SVG drawing. Returns false if memory runs out. */
bool occupancy_write_svg(FILE *file, const struct occupancy_answer *answer);

/* Writes the three curves as CSV. */
void occupancy_write_csv(FILE *file, const struct occupancy_answer *answer);

/* Writes everything but the curves as one JSON object. Returns false if memory runs out. */
bool occupancy_write_json(FILE *file, const struct occupancy_answer *answer);

#endif
