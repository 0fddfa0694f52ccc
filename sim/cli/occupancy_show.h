/* What `simsm occupancy` finds, and its forms: text, CSV, SVG, JSON. */
#ifndef SIM_CLI_OCCUPANCY_SHOW_H
#define SIM_CLI_OCCUPANCY_SHOW_H

#include <stdio.h>

#include "cli/occupancy_request.h"
#include "occupancy/bounds.h"
#include "occupancy/vary.h"

enum { OCCUPANCY_CURVES = 3, OCCUPANCY_STEPS = 5, OCCUPANCY_PROPERTIES = 15 };

/* An input's next value with more resident warps. */
struct occupancy_step {
    enum vary_input input;
    bool above, found;
    struct vary_point better;
};

/* A limit of the GPU; bytes where the unit says so. */
struct occupancy_property {
    const char *key, *label, *unit;
    uint32_t value;
};

struct occupancy_answer {
    const struct simsm_config *config;
    struct simsm_launch launch; /* the carve-out in bytes */
    bool has_launch, has_bounds, has_advice;
    struct simsm_occupancy result; /* has_launch */
    struct occupancy_step steps[OCCUPANCY_STEPS];
    uint32_t room_registers, room_shared;
    struct vary_point *curves[OCCUPANCY_CURVES]; /* threads, registers, shared memory */
    struct vary_point *sizes;                    /* has_advice: one for each block size */
    uint32_t best_warps;                         /* of these */
    struct bounds bounds;                        /* has_bounds */
    struct occupancy_property properties[OCCUPANCY_PROPERTIES];
};

/* Percent of the SM's warps. */
double occupancy_percent(const struct simsm_occupancy *occupancy);

/* "registers", or "warps and registers": what binds. */
const char *occupancy_limiters(const struct simsm_occupancy *occupancy, char *text, size_t size);

/* Name of a limit as a key: "shared_memory". */
const char *occupancy_limit_key(enum simsm_limit limit);

/* Name of an input as a key ("threads_per_block") or in words ("threads per block"). */
const char *occupancy_input_key(enum vary_input input);
const char *occupancy_input_label(enum vary_input input);

/* In the order of reading; each writes to `file` and leaves write errors in it. */
void occupancy_show_result(FILE *file, const struct occupancy_answer *answer);
void occupancy_show_steps(FILE *file, const struct occupancy_answer *answer);
void occupancy_show_bounds(FILE *file, const struct occupancy_answer *answer);
void occupancy_show_advice(FILE *file, const struct occupancy_answer *answer, bool ascii);
void occupancy_show_properties(FILE *file, const struct occupancy_answer *answer);

/* False: out of memory. */
bool occupancy_show_curves(FILE *file, const struct occupancy_answer *answer, bool ascii);
bool occupancy_write_svg(FILE *file, const struct occupancy_answer *answer);
void occupancy_write_csv(FILE *file, const struct occupancy_answer *answer);
bool occupancy_write_json(FILE *file, const struct occupancy_answer *answer);

#endif
