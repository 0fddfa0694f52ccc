/* The tables of include/simsm/defs as arrays. */
#include "simsm/names.h"

#include "language/language.h"

const struct simsm_state_info simsm_states[SIMSM_STATE_COUNT] = {
#define STATE(id, name_, letter_, dark_, light_, xterm_, title_, meaning_)                         \
    [SIMSM_STATE_##id] = {.name = (name_),                                                         \
                          .title = (title_),                                                       \
                          .meaning = (meaning_),                                                   \
                          .letter = (letter_),                                                     \
                          .xterm = (xterm_),                                                       \
                          .dark = (dark_),                                                         \
                          .light = (light_)},
#include "simsm/defs/warp_states.def"
#undef STATE
};

const struct simsm_op_info simsm_ops[SIMSM_OP_COUNT] = {
#define OP_CLASS(id, name_, pipe_, route_, latency_, interval_, meaning_)                          \
    [SIMSM_OP_##id] = {.name = (name_),                                                            \
                       .meaning = (meaning_),                                                      \
                       .pipe = SIMSM_PIPE_##pipe_,                                                 \
                       .route = SIMSM_ROUTE_##route_,                                              \
                       .latency = (latency_),                                                      \
                       .interval = (interval_)},
#include "simsm/defs/op_classes.def"
#undef OP_CLASS
};

const struct simsm_pipe_info simsm_pipes[SIMSM_PIPE_COUNT] = {
#define PIPE(id, name_, meaning_) [SIMSM_PIPE_##id] = {.name = (name_), .meaning = (meaning_)},
#include "simsm/defs/pipes.def"
#undef PIPE
};

const struct simsm_event_info simsm_events[SIMSM_EVENT_COUNT] = {
#define EVENT(id, name_, sub_, arg_, meaning_)                                                     \
    [SIMSM_EVENT_##id] = {.name = (name_), .sub = (sub_), .arg = (arg_), .meaning = (meaning_)},
#include "simsm/defs/events.def"
#undef EVENT
};

const struct simsm_counter_info simsm_counters[SIMSM_COUNTER_COUNT] = {
#define COUNTER(id, name_, unit_, meaning_)                                                        \
    [SIMSM_COUNTER_##id] = {.name = (name_), .unit = (unit_), .meaning = (meaning_)},
#include "simsm/defs/counters.def"
#undef COUNTER
};

const char *const simsm_levels[SIMSM_LEVEL_COUNT] = {
    [SIMSM_LEVEL_SHARED] = N_("shared memory"),
    [SIMSM_LEVEL_L1] = "L1",
    [SIMSM_LEVEL_L2] = "L2",
    [SIMSM_LEVEL_DRAM] = "DRAM",
};
