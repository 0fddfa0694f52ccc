/*
 * The roofline of a launch: floating-point operations by type, bytes by memory level, and what the
 * GPU can do of each. Operations follow from the counts and texts of the static instructions.
 */
#ifndef SIM_REPORT_ROOFLINE_H
#define SIM_REPORT_ROOFLINE_H

#include "simsm/stats.h"

/* FLOP_TYPE(id, name, title) */
#define FLOP_TYPE_ROWS                                                                             \
    FLOP_TYPE(FP64, "fp64", "FP64")                                                                \
    FLOP_TYPE(FP32, "fp32", "FP32")                                                                \
    FLOP_TYPE(FP16, "fp16", "FP16")                                                                \
    FLOP_TYPE(TENSOR, "tensor", "tensor")                                                          \
    FLOP_TYPE(TENSOR_FP64, "tensor_fp64", "tensor FP64")

enum flop_type {
#define FLOP_TYPE(id, name, title) FLOP_TYPE_##id,
    FLOP_TYPE_ROWS
#undef FLOP_TYPE
        FLOP_TYPES
};

enum roofline_level { ROOFLINE_L1, ROOFLINE_L2, ROOFLINE_DRAM, ROOFLINE_LEVELS };

extern const char *const flop_type_titles[FLOP_TYPES];
extern const char *const roofline_level_titles[ROOFLINE_LEVELS];

struct roofline {
    struct {
        double flop; /* operations */
        double rate; /* GFLOP/s, over the elapsed time */
        double peak; /* GFLOP/s; tensor types: 0 if the launch has no product */
    } type[FLOP_TYPES];
    struct {
        double bytes;     /* moved between this level and the SM, DRAM: between DRAM and L2 */
        double bandwidth; /* GB/s */
    } level[ROOFLINE_LEVELS];
};

/* The point of one type of operations against one memory level. */
struct roofline_point {
    double intensity;  /* FLOP per byte; infinite without bytes */
    double roof;       /* GFLOP/s: the lower of the peak and of intensity x bandwidth */
    double share;      /* achieved rate, per cent of the roof */
    bool memory_bound; /* the bandwidth of the level is the roof */
};

void roofline_compute(const struct simsm_config *config, const struct simsm_stats *stats,
                      struct roofline *roofline);

struct roofline_point roofline_at(const struct roofline *roofline, enum flop_type type,
                                  enum roofline_level level);

/* Returns the level whose bandwidth limits operations of a type most; ROOFLINE_LEVELS: their peak
 * is lower than all of these. */
unsigned roofline_limit(const struct roofline *roofline, enum flop_type type);

/* Returns the thread instructions of this mnemonic, lanes with a false guard left out. */
double roofline_executed(const struct simsm_stats *stats, const char *mnemonic);

#endif
