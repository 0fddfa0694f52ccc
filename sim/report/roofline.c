#include "report/roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const flop_type_titles[FLOP_TYPES] = {
#define FLOP_TYPE(id, name, title) title,
    FLOP_TYPE_ROWS
#undef FLOP_TYPE
};

const char *const roofline_level_titles[ROOFLINE_LEVELS] = {"L1", "L2", "DRAM"};

/* Operations of a mnemonic. */
struct flop_row {
    const char *mnemonic;
    enum flop_type type;
    unsigned operations; /* of a lane; 0: a matrix product */
    unsigned parts;      /* warps that share a matrix product */
};

static const struct flop_row rows[] = {
#define FLOP(mnemonic, type, operations)   {mnemonic, FLOP_TYPE_##type, operations, 1},
#define FLOP_TENSOR(mnemonic, type, parts) {mnemonic, FLOP_TYPE_##type, 0, parts},
#include "report/flops.def"
#undef FLOP
#undef FLOP_TENSOR
};

/* Returns the text behind a guard such as "@!P0 ". */
static const char *operation(const char *text)
{
    const char *blank = text[0] == '@' ? strchr(text, ' ') : NULL;
    return blank ? blank + 1 : text;
}

static bool is(const char *text, const char *mnemonic)
{
    const size_t length = strlen(mnemonic);
    return strncmp(text, mnemonic, length) == 0 &&
           !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", text[length] ? text[length] : ' ');
}

/*
 * Returns whether a half-precision instruction only moves values: compilers load constants with
 * HFMA2, and HADD2.F32 converts.
 */
static bool only_moves(const char *text)
{
    return strncmp(text, "HADD2.F32", 9) == 0 ||
           (strncmp(text, "HFMA2", 5) == 0 && strstr(text, "-RZ, RZ,"));
}

static const struct flop_row *row_of(const char *text)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (is(text, rows[i].mnemonic))
            return only_moves(text) ? NULL : &rows[i];
    return NULL;
}

/*
 * Reads the shape of a product: ".64x256x16" of warp groups; otherwise ".16816" or ".884", where m
 * is 16 if the first digits say so, n is 8, and the other digits are k. Returns false if there is
 * none.
 */
static bool shape_of(const char *text, double *mn, double *k)
{
    for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.')) {
        char *end;
        const unsigned long first = strtoul(dot + 1, &end, 10);
        if (end == dot + 1)
            continue;
        if (*end == 'x') {
            *mn = (double)first * (double)strtoul(end + 1, &end, 10);
            *k = *end == 'x' ? (double)strtoul(end + 1, NULL, 10) : 0;
            return *k > 0;
        }
        const bool sixteen = strncmp(dot + 1, "168", 3) == 0;
        *mn = sixteen ? 16 * 8 : 8 * 8;
        *k = (double)strtoul(dot + (sixteen ? 4 : 3), NULL, 10);
        return *k > 0;
    }
    return false;
}

/* Returns the operations of a sub-partition in a cycle in which its tensor core works. */
static double product_rate(const struct simsm_config *config, enum simsm_op_class op, double mn,
                           double k, double parts)
{
    if (op == SIMSM_OP_GMMA) /* 64 rows, a quarter of them in each sub-partition */
        return 2 * 64 * k * config->gmma_columns / parts;
    return 2 * mn * k / config->ops[op].interval;
}

static void add_product(const struct simsm_config *config, const struct simsm_stats *stats,
                        uint32_t line, const struct flop_row *row, struct roofline *roofline)
{
    const enum simsm_op_class op = stats->line_info[line].op;
    double mn, k;
    if (!shape_of(operation(stats->line_info[line].text), &mn, &k))
        return;
    const bool shared = config->pipe_shared[config->ops[op].pipe];
    const double peak = product_rate(config, op, mn, k, row->parts) *
                        (shared ? 1 : config->sm_sub_partitions) * stats->sms *
                        config->gpu_clock_mhz * 1e-3;
    roofline->type[row->type].flop += 2 * mn * k / row->parts * (double)stats->lines[line].issues;
    roofline->type[row->type].peak = fmax(roofline->type[row->type].peak, peak);
}

/* Returns the lanes that executed a line. */
static double lanes_of(const struct simsm_line_stats *line)
{
    return (double)(line->threads - line->threads_off);
}

static void add_operations(const struct simsm_config *config, const struct simsm_stats *stats,
                           struct roofline *roofline)
{
    for (uint32_t i = 0; i < stats->line_count; i++) {
        const struct flop_row *row =
            stats->lines[i].issues ? row_of(operation(stats->line_info[i].text)) : NULL;
        if (row && row->operations)
            roofline->type[row->type].flop += row->operations * lanes_of(&stats->lines[i]);
        else if (row)
            add_product(config, stats, i, row, roofline);
    }
}

/* Returns the instructions of a class that an SM can start in a cycle. */
static double starts(const struct simsm_config *config, enum simsm_op_class op)
{
    const struct simsm_op_timing *timing = &config->ops[op];
    return (config->pipe_shared[timing->pipe] ? 1.0 : config->sm_sub_partitions) / timing->interval;
}

/* Sets the peaks of types whose instructions have two operations a value. */
static void find_peaks(const struct simsm_config *config, const struct simsm_stats *stats,
                       struct roofline *roofline)
{
    const double giga = SIMSM_WARP_LANES * (double)stats->sms * config->gpu_clock_mhz * 1e-3;
    double halves = starts(config, SIMSM_OP_FP16);
    if (config->ops[SIMSM_OP_HFMA2_MMA].pipe != config->ops[SIMSM_OP_FP16].pipe)
        halves += starts(config, SIMSM_OP_HFMA2_MMA);
    roofline->type[FLOP_TYPE_FP64].peak = 2 * giga * starts(config, SIMSM_OP_FP64);
    roofline->type[FLOP_TYPE_FP32].peak = 2 * giga * starts(config, SIMSM_OP_FP32);
    roofline->type[FLOP_TYPE_FP16].peak = 4 * giga * halves;
}

#define COUNT(id) ((double)stats->counter[SIMSM_COUNTER_##id])

static void find_levels(const struct simsm_config *config, const struct simsm_stats *stats,
                        struct roofline *roofline)
{
    const double sector = 32, pass = 4.0 * config->shared_banks;
    const double ghz = config->gpu_clock_mhz * 1e-3;
    roofline->level[ROOFLINE_L1].bytes =
        sector * (COUNT(GLOBAL_LD_SECTORS) + COUNT(GLOBAL_ST_SECTORS) + COUNT(GLOBAL_ATOM_SECTORS) +
                  COUNT(LOCAL_SECTORS)) +
        pass * (COUNT(SHARED_LD_WAVEFRONTS) + COUNT(SHARED_ST_WAVEFRONTS) +
                COUNT(SHARED_ATOM_WAVEFRONTS));
    roofline->level[ROOFLINE_L1].bandwidth = pass * stats->sms * ghz;
    roofline->level[ROOFLINE_L2].bytes =
        sector * (COUNT(L2_READ_SECTORS) + COUNT(L2_WRITE_SECTORS) + COUNT(L2_ATOM_SECTORS));
    roofline->level[ROOFLINE_L2].bandwidth =
        (double)config->l2_slices * config->l2_slice_bytes * ghz;
    roofline->level[ROOFLINE_DRAM].bytes = COUNT(DRAM_READ_BYTES) + COUNT(DRAM_WRITE_BYTES);
    roofline->level[ROOFLINE_DRAM].bandwidth = config->dram_bandwidth_gbs;
}

void roofline_compute(const struct simsm_config *config, const struct simsm_stats *stats,
                      struct roofline *roofline)
{
    *roofline = (struct roofline){0};
    find_peaks(config, stats, roofline);
    find_levels(config, stats, roofline);
    add_operations(config, stats, roofline);
    const double ns = (double)stats->cycles * 1e3 / config->gpu_clock_mhz;
    for (unsigned t = 0; t < FLOP_TYPES; t++)
        roofline->type[t].rate = ns > 0 ? roofline->type[t].flop / ns : NAN;
}

struct roofline_point roofline_at(const struct roofline *roofline, enum flop_type type,
                                  enum roofline_level level)
{
    const double bytes = roofline->level[level].bytes, peak = roofline->type[type].peak;
    struct roofline_point point = {
        .intensity = bytes > 0 ? roofline->type[type].flop / bytes : INFINITY, .roof = peak};
    const double slope = point.intensity * roofline->level[level].bandwidth;
    point.memory_bound = slope < peak;
    if (point.memory_bound)
        point.roof = slope;
    point.share = point.roof > 0 ? 100 * roofline->type[type].rate / point.roof : NAN;
    return point;
}

unsigned roofline_limit(const struct roofline *roofline, enum flop_type type)
{
    unsigned limit = ROOFLINE_LEVELS;
    double lowest = roofline->type[type].peak;
    for (unsigned l = 0; l < ROOFLINE_LEVELS; l++) {
        const struct roofline_point point = roofline_at(roofline, type, (enum roofline_level)l);
        if (point.memory_bound && point.roof < lowest) {
            lowest = point.roof;
            limit = l;
        }
    }
    return limit;
}

double roofline_executed(const struct simsm_stats *stats, const char *mnemonic)
{
    double sum = 0;
    for (uint32_t i = 0; i < stats->line_count; i++)
        if (is(operation(stats->line_info[i].text), mnemonic))
            sum += lanes_of(&stats->lines[i]);
    return sum;
}
