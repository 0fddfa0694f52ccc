/*
 * The overview: the whole GPU over the whole run. It says where each block was resident, and gives
 * the counters at regular times. A timeline has it beside the chunks of the recorded SMs.
 */
#ifndef SIM_TIMELINE_TIMELINE_OVERVIEW_H
#define SIM_TIMELINE_TIMELINE_OVERVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/observer.h"
#include "timeline/smtl.h"

enum {
    OVERVIEW_PLACES = 256,   /* blocks that an SM can hold */
    OVERVIEW_ROWS = 4096,    /* most samples; then every other sample is dropped */
    OVERVIEW_CYCLES = 64,    /* between the first samples */
    OVERVIEW_MOST = 48 << 20 /* bytes for blocks; later blocks are dropped */
};

/* A resident block, or a free place. */
struct overview_place {
    uint64_t start;
    uint32_t block;
    bool open;
};

struct overview {
    uint32_t sms;
    struct overview_place *places; /* [sms x OVERVIEW_PLACES] */
    struct byte_buffer blocks;     /* blocks that have ended, as bytes of the file */
    uint64_t block_count;
    uint64_t last_start; /* of the last block written: the next one is a difference from it */
    uint32_t last_block;
    bool cut;           /* blocks were dropped: there were too many */
    uint64_t step;      /* cycles between samples */
    uint64_t *cycle;    /* [OVERVIEW_ROWS] */
    uint64_t *counters; /* [OVERVIEW_ROWS x SIMSM_COUNTER_COUNT] sums so far */
    uint32_t rows;
};

/* Returns false if memory runs out. The caller ends with overview_free in either case. */
bool overview_init(struct overview *overview, uint32_t sms);
/* Frees all memory and sets *overview to zero. */
void overview_free(struct overview *overview);

/* Takes a BLOCK_START or BLOCK_END event of any SM. Ignores other kinds of events. */
void overview_event(struct overview *overview, uint32_t sm, const struct simsm_event *event);

/*
 * Takes a sample of the counters [SIMSM_COUNTER_COUNT] at `cycle`. Cycles ascend from call to call.
 */
void overview_sample(struct overview *overview, uint64_t cycle, const uint64_t *counters);

/* Appends the payload of the overview block. Blocks that have not ended are marked so. */
void overview_payload(struct overview *overview, struct byte_buffer *payload);

/* ---- Reading ---- */

struct overview_block {
    uint64_t start, end; /* cycles; end = UINT64_MAX: had not ended when the file was written */
    uint32_t block, sm;
    uint8_t place;
};

struct overview_view {
    const struct overview_block *blocks; /* [block_count] in the order in which they ended */
    uint32_t block_count;
    bool cut;
    uint32_t rows, columns;
    const uint64_t *cycle;    /* [rows] ascending */
    const uint64_t *values;   /* [rows x columns] sums so far */
    const char *const *names; /* [columns] of counters */
};

/* The memory that overview_view points into. */
struct overview_data {
    struct overview_view view;
    struct overview_block *blocks;
    uint64_t *cycle, *values;
    const char **names;
};

/*
 * Reads the payload of an overview block. Names of counters stay in the payload's memory. Returns
 * NULL, or a clause that says what is wrong with the payload; *data is then zero.
 */
const char *overview_read(struct overview_data *data, struct smtl_cursor cursor, uint32_t sms);
/* Frees all memory and sets *data to zero. */
void overview_data_free(struct overview_data *data);

#endif
