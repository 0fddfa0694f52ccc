/*
 * The whole GPU over the whole run, in little room: which block was where, and what the counters
 * were at regular times. A timeline has it beside the recorded SMs' own chunks.
 */
#ifndef SIM_TIMELINE_TIMELINE_OVERVIEW_H
#define SIM_TIMELINE_TIMELINE_OVERVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/observer.h"
#include "timeline/smtl.h"

enum {
    OVERVIEW_PLACES = 256,   /* of an SM */
    OVERVIEW_ROWS = 4096,    /* most samples that are kept; then every other one goes */
    OVERVIEW_CYCLES = 64,    /* between the first samples */
    OVERVIEW_MOST = 48 << 20 /* bytes for blocks; what comes later is not kept */
};

/* A block's stay, as it is gathered. */
struct overview_place {
    uint64_t start;
    uint32_t block;
    bool open;
};

struct overview {
    uint32_t sms;
    struct overview_place *places; /* [sms x OVERVIEW_PLACES] */
    struct byte_buffer blocks;     /* of those that have ended */
    uint64_t block_count;
    uint64_t last_start; /* what the next entry's differences refer to */
    uint32_t last_block;
    bool cut;           /* there were more blocks than are kept */
    uint64_t step;      /* cycles between samples */
    uint64_t *cycle;    /* [OVERVIEW_ROWS] */
    uint64_t *counters; /* [OVERVIEW_ROWS x SIMSM_COUNTER_COUNT] as they were */
    uint32_t rows;
};

/* False if memory runs out; overview_free is right either way. */
bool overview_init(struct overview *overview, uint32_t sms);
void overview_free(struct overview *overview);

/* Takes a BLOCK_START or BLOCK_END of any SM; other kinds are ignored. */
void overview_event(struct overview *overview, uint32_t sm, const struct simsm_event *event);

/* The counters at `cycle`, [SIMSM_COUNTER_COUNT]; cycles ascend. */
void overview_sample(struct overview *overview, uint64_t cycle, const uint64_t *counters);

/* Appends the payload of the overview's block in the file. Blocks that have not ended are told so.
 */
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
    const uint64_t *values;   /* [rows x columns] */
    const char *const *names; /* [columns] of counters */
};

/* What overview_view points into. */
struct overview_data {
    struct overview_view view;
    struct overview_block *blocks;
    uint64_t *cycle, *values;
    const char **names;
};

/* Reads a payload, whose texts stay in its memory. Returns NULL, or what is wrong with it. */
const char *overview_read(struct overview_data *data, struct smtl_cursor cursor, uint32_t sms);
void overview_data_free(struct overview_data *data);

#endif
