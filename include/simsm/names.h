/* Enums of states, pipes, opcode classes, events and counters, with names and meanings. They come
 * from the tables in defs/. */
#ifndef SIMSM_NAMES_H
#define SIMSM_NAMES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number of a warp slot in its SM: slot within the sub-partition x sub_partitions + sub-partition.
 */
#define SIMSM_SLOTS_PER_SM 64u
#define SIMSM_WARP_LANES   32u

enum simsm_warp_state {
#define STATE(id, ...) SIMSM_STATE_##id,
#include "simsm/defs/warp_states.def"
#undef STATE
    SIMSM_STATE_COUNT
};

enum simsm_pipe {
#define PIPE(id, ...) SIMSM_PIPE_##id,
#include "simsm/defs/pipes.def"
#undef PIPE
    SIMSM_PIPE_COUNT
};

enum simsm_op_class {
#define OP_CLASS(id, ...) SIMSM_OP_##id,
#include "simsm/defs/op_classes.def"
#undef OP_CLASS
    SIMSM_OP_COUNT
};

/* The way of an instruction after its issue. */
enum simsm_op_route {
    SIMSM_ROUTE_FIXED,  /* into its pipe; the result is ready after a fixed latency */
    SIMSM_ROUTE_QUEUED, /* through the memory-I/O queue; a scoreboard tells when the result is ready
                         */
    SIMSM_ROUTE_LONG,   /* as SIMSM_ROUTE_QUEUED, to global, local or texture memory */
    SIMSM_ROUTE_CONTROL /* changes the state of the warp: branch, barrier, exit */
};

enum simsm_event_kind {
#define EVENT(id, ...) SIMSM_EVENT_##id,
#include "simsm/defs/events.def"
#undef EVENT
    SIMSM_EVENT_COUNT
};

enum simsm_counter {
#define COUNTER(id, ...) SIMSM_COUNTER_##id,
#include "simsm/defs/counters.def"
#undef COUNTER
    SIMSM_COUNTER_COUNT
};

/* The level that answered a memory request: the furthest that any sector of it went to. */
enum simsm_mem_level {
    SIMSM_LEVEL_SHARED,
    SIMSM_LEVEL_L1,
    SIMSM_LEVEL_L2,
    SIMSM_LEVEL_DRAM,
    SIMSM_LEVEL_COUNT
};

/* Rows of the tables at the end of this file. All texts are static. */
struct simsm_state_info {
    const char *name; /* as Nsight Compute spells the stall reason */
    const char *title;
    const char *meaning;
    char letter;
    uint8_t xterm;
    uint32_t dark, light; /* 0xRRGGBB */
};

/* An opcode class. */
struct simsm_op_info {
    const char *name;
    const char *meaning;
    enum simsm_pipe pipe;
    enum simsm_op_route route;
    uint32_t latency, interval; /* cycles, unless the configuration has a value */
};

struct simsm_pipe_info {
    const char *name;
    const char *meaning;
};

struct simsm_event_info {
    const char *name, *sub, *arg, *meaning;
};

struct simsm_counter_info {
    const char *name, *unit, *meaning;
};

/* Indexed by the enums above. */
extern const struct simsm_state_info simsm_states[SIMSM_STATE_COUNT];
extern const struct simsm_op_info simsm_ops[SIMSM_OP_COUNT];
extern const struct simsm_pipe_info simsm_pipes[SIMSM_PIPE_COUNT];
extern const struct simsm_event_info simsm_events[SIMSM_EVENT_COUNT];
extern const struct simsm_counter_info simsm_counters[SIMSM_COUNTER_COUNT];
extern const char *const simsm_levels[SIMSM_LEVEL_COUNT];

#ifdef __cplusplus
}
#endif

#endif
