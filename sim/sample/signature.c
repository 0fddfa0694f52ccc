#include "sample/signature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "front/stream/block_front.h"
#include "mem/coalesce.h"
#include "model/op.h"

/* Lines are counted in a bit map: of `BITS` bits that lines hash to, so many stay zero (linear
 * counting: Whang et al., ACM Transactions on Database Systems 15 (2), 1990). */
enum { BITS = 1 << 20, LINE_SHIFT = 7 };

const char *const sample_feature_names[SAMPLE_FEATURES] = {
    [FEATURE_WARP_INSTRUCTIONS] = "warp_instructions",
    [FEATURE_THREAD_INSTRUCTIONS] = "thread_instructions",
    [FEATURE_LONGEST_WARP] = "longest_warp",
    [FEATURE_SECTORS] = "sectors",
    [FEATURE_LINES] = "lines",
    [FEATURE_ATOMICS] = "atomic_lanes",
    [FEATURE_SHARED] = "shared_accesses",
};

struct walk {
    const struct front *front;
    struct sample_signature *signature;
    uint64_t *bits; /* [BITS / 64] */
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_bytes(uint64_t hash, const uint8_t *data, size_t size)
{
    hash = mix(hash, size);
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, data + at, size - at < 8 ? size - at : 8);
        hash = mix(hash, word);
    }
    return hash;
}

static void add_access(struct walk *walk, const struct stream_reader *reader,
                       const struct warp_inst *inst, const struct inst *code)
{
    struct lane_addresses addresses;
    struct coalesced touched;
    double *feature = walk->signature->feature;
    if (op_is_atomic(code->op))
        feature[FEATURE_ATOMICS] += __builtin_popcount(inst->exec);
    if (op_is_shared((enum simsm_op_class)code->op)) {
        feature[FEATURE_SHARED]++;
        return;
    }
    stream_addresses(reader, inst, &addresses);
    coalesce(&addresses, inst->exec, code->width, LINE_SHIFT, &touched);
    feature[FEATURE_SECTORS] += touched.sectors;
    for (uint32_t i = 0; i < touched.lines; i++) {
        uint64_t bit = mix(0, touched.line[i]) >> 20 & (BITS - 1);
        walk->bits[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

static void add_warp(struct walk *walk, const struct stream_bytes *bytes)
{
    struct stream_reader reader;
    struct warp_inst inst = {0};
    double instructions = 0, threads = 0;
    double *feature = walk->signature->feature;
    walk->signature->hash = hash_bytes(walk->signature->hash, bytes->data, bytes->size);
    stream_reader_begin(&reader, walk->front->code, walk->front->code_size, bytes->data,
                        bytes->size);
    while (!(inst.flags & WARP_INST_LAST) && stream_next(&reader, &inst)) {
        const struct inst *code = &walk->front->code[inst.index];
        instructions++;
        threads += __builtin_popcount(inst.active);
        if (inst.exec && op_is_memory((enum simsm_op_class)code->op))
            add_access(walk, &reader, &inst, code);
    }
    feature[FEATURE_WARP_INSTRUCTIONS] += instructions;
    feature[FEATURE_THREAD_INSTRUCTIONS] += threads;
    if (instructions > feature[FEATURE_LONGEST_WARP])
        feature[FEATURE_LONGEST_WARP] = instructions;
}

static double count_lines(const uint64_t *bits)
{
    unsigned zero = BITS;
    for (unsigned i = 0; i < BITS / 64; i++)
        zero -= (unsigned)__builtin_popcountll(bits[i]);
    return BITS * log((double)BITS / (zero ? zero : 1));
}

static enum simsm_status walk_blocks(struct walk *walk, struct stream_bytes *warp,
                                     struct simsm_error *error)
{
    const struct block_source *source = block_front_source(walk->front);
    const uint64_t blocks = simsm_grid_blocks(&walk->front->launch);
    const uint32_t warps = simsm_block_warps(&walk->front->launch);
    enum simsm_status status = SIMSM_OK;
    for (uint64_t b = 0; b < blocks && status == SIMSM_OK; b++) {
        memset(warp, 0, warps * sizeof *warp);
        status = source->produce(source->context, b, warp, warps, error);
        for (uint32_t w = 0; w < warps; w++) {
            if (status == SIMSM_OK && warp[w].failed)
                status = err_no_memory(error);
            if (status == SIMSM_OK)
                add_warp(walk, &warp[w]);
            stream_bytes_free(&warp[w]);
        }
    }
    return status;
}

bool sample_reads_clock(const struct front *front)
{
    for (uint32_t i = 0; i < front->code_size; i++)
        if (front->code[i].reads_clock)
            return true;
    return false;
}

enum simsm_status sample_sign(const struct front *front, struct sample_signature *signature,
                              struct simsm_error *error)
{
    *signature = (struct sample_signature){.hash = 1};
    if (!block_front_source(front) || sample_reads_clock(front))
        return SIMSM_OK;
    struct walk walk = {front, signature, calloc(BITS / 64, sizeof(uint64_t))};
    struct stream_bytes *warp = calloc(simsm_block_warps(&front->launch) + 1, sizeof *warp);
    enum simsm_status status =
        walk.bits && warp ? walk_blocks(&walk, warp, error) : err_no_memory(error);
    if (status == SIMSM_OK) {
        signature->feature[FEATURE_LINES] = count_lines(walk.bits);
        signature->known = true;
    }
    free(walk.bits);
    free(warp);
    return status;
}

bool sample_alike(const struct sample_signature *a, const struct sample_signature *b)
{
    const double most = 0.02, few = 8; /* of the larger; of what is rare */
    for (int i = 0; i < SAMPLE_FEATURES; i++) {
        double larger = fmax(a->feature[i], b->feature[i]);
        if (fabs(a->feature[i] - b->feature[i]) > fmax(most * larger, few))
            return false;
    }
    return true;
}
