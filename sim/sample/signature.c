#include "sample/signature.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "mem/coalesce.h"
#include "model/op.h"

/* Lines are counted in a bit map: of `BITS` bits that lines hash to, so many stay zero (linear
 * counting: Whang et al., ACM Transactions on Database Systems 15 (2), 1990). */
enum { BITS = 1 << 24, LINE_SHIFT = 7 };

struct line_set {
    uint64_t *bits;  /* [BITS / 64] */
    uint64_t number; /* of these, that are 1 */
};

struct sample_walk {
    const struct front *front;
    struct sample_profile *profile;
    struct profile_part *part; /* of the block */
    uint64_t hash;             /* of the blocks so far: a sum, as they may come in any order */
    uint64_t block_hash;
    struct line_set touched, written;
    double lines; /* touched by the blocks so far */
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static void hash_addresses(uint64_t *hash, const struct lane_addresses *addresses, uint32_t lanes)
{
    if (addresses->affine) {
        *hash = mix(mix(*hash, addresses->base), (uint64_t)addresses->stride);
        return;
    }
    for (; lanes; lanes &= lanes - 1)
        *hash = mix(*hash, addresses->lane[__builtin_ctz(lanes)]);
}

static bool may_store(uint8_t op)
{
    return op == SIMSM_OP_ST_GLOBAL || op == SIMSM_OP_ST_LOCAL || op == SIMSM_OP_TEX ||
           op_is_atomic(op);
}

static void add_line(struct line_set *set, uint64_t line)
{
    const uint64_t at = mix(0, line) >> 20 & (BITS - 1), bit = UINT64_C(1) << at % 64;
    set->number += !(set->bits[at / 64] & bit);
    set->bits[at / 64] |= bit;
}

static void add_access(struct sample_walk *walk, const void *cursor, const struct warp_inst *inst,
                       const struct inst *code)
{
    struct lane_addresses addresses;
    struct coalesced touched;
    double *feature = walk->part->feature;
    walk->front->ops->addresses(walk->front, cursor, inst, &addresses);
    hash_addresses(&walk->block_hash, &addresses, inst->exec);
    if (op_is_atomic(code->op))
        feature[FEATURE_ATOMICS] += __builtin_popcount(inst->exec);
    if (op_is_shared((enum simsm_op_class)code->op)) {
        feature[FEATURE_SHARED]++;
        return;
    }
    coalesce(&addresses, inst->exec, code->width, LINE_SHIFT, &touched);
    feature[FEATURE_SECTORS] += touched.sectors;
    for (uint32_t i = 0; i < touched.lines; i++)
        add_line(&walk->touched, touched.line[i]);
    for (uint32_t i = 0; i < touched.lines && may_store(code->op); i++)
        add_line(&walk->written, touched.line[i]);
}

/* What a warp waits for: how often each word must have been written. */
static void hash_wait(struct sample_walk *walk, const void *cursor)
{
    struct wait wait;
    walk->profile->waits = true;
    walk->front->ops->wait(walk->front, cursor, &wait);
    for (uint32_t i = 0; i < wait.words; i++)
        walk->block_hash = mix(mix(walk->block_hash, wait.word[i].address), wait.word[i].count);
}

static void add_warp(struct sample_walk *walk, void *cursor)
{
    const struct front *front = walk->front;
    struct warp_inst inst = {0};
    double instructions = 0, threads = 0;
    double *feature = walk->part->feature;
    while (!(inst.flags & WARP_INST_LAST)) {
        front->ops->warp_next(front, cursor, &inst);
        const struct inst *code = &front->code[inst.index];
        const bool memory = op_is_memory((enum simsm_op_class)code->op);
        instructions++;
        threads += __builtin_popcount(inst.active);
        walk->block_hash = mix(mix(walk->block_hash, (uint64_t)inst.index << 32 | inst.active),
                               (uint64_t)inst.exec << 32 | (memory ? 0 : inst.token & UINT32_MAX));
        if (inst.exec && memory)
            add_access(walk, cursor, &inst, code);
        if (inst.flags & WARP_INST_WAITS)
            hash_wait(walk, cursor);
    }
    feature[FEATURE_WARP_INSTRUCTIONS] += instructions;
    feature[FEATURE_THREAD_INSTRUCTIONS] += threads;
    if (instructions > feature[FEATURE_LONGEST_WARP])
        feature[FEATURE_LONGEST_WARP] = instructions;
}

/* How many lines have set so many bits. */
static double lines_of(uint64_t number)
{
    const double zero = (double)(BITS - number);
    return BITS * log(BITS / (zero > 1 ? zero : 1));
}

static void begin_block(struct sample_walk *walk, uint64_t block)
{
    walk->part = profile_part_of(walk->profile, block);
    walk->block_hash = mix(1, block);
}

static void end_block(struct sample_walk *walk)
{
    const double lines = lines_of(walk->touched.number);
    walk->hash += walk->block_hash;
    walk->part->blocks++;
    walk->profile->written = lines_of(walk->written.number);
    walk->part->feature[FEATURE_LINES] += lines - walk->lines;
    walk->lines = lines;
}

static enum simsm_status walk_blocks(struct sample_walk *walk, void *cursor,
                                     struct simsm_error *error)
{
    const struct front *front = walk->front;
    const uint32_t warps = simsm_block_warps(&front->launch);
    enum simsm_status status = SIMSM_OK;
    for (uint64_t b = 0; b < walk->profile->blocks && status == SIMSM_OK; b++) {
        begin_block(walk, b);
        for (uint32_t w = 0; w < warps; w++) {
            front->ops->warp_begin(front, cursor, b, w);
            add_warp(walk, cursor);
            front_warp_end(front, cursor);
        }
        end_block(walk);
        status = front_status(front, error);
    }
    return status;
}

/* What the blocks of the whole grid come to. */
static void add_up(const struct sample_walk *walk, struct sample_signature *signature)
{
    uint64_t blocks;
    for (unsigned i = 0; i < SAMPLE_FEATURES; i++)
        signature->feature[i] =
            profile_sum(walk->profile, (enum sample_feature)i, 0, walk->profile->blocks, &blocks);
    signature->feature[FEATURE_LINES] = lines_of(walk->touched.number);
    signature->hash = walk->hash;
    signature->known = true;
}

bool sample_reads_clock(const struct front *front)
{
    for (uint32_t i = 0; i < front->code_size; i++)
        if (front->code[i].reads_clock)
            return true;
    return false;
}

/* False: out of memory; then there is nothing to free. */
static bool make_sets(struct sample_walk *walk)
{
    walk->touched.bits = calloc(BITS / 64, sizeof(uint64_t));
    walk->written.bits = calloc(BITS / 64, sizeof(uint64_t));
    if (walk->touched.bits && walk->written.bits)
        return true;
    free(walk->touched.bits);
    free(walk->written.bits);
    walk->touched.bits = walk->written.bits = NULL;
    return false;
}

static void free_sets(struct sample_walk *walk)
{
    free(walk->touched.bits);
    free(walk->written.bits);
}

enum simsm_status sample_sign(const struct front *front, struct sample_signature *signature,
                              struct sample_profile *profile, struct simsm_error *error)
{
    *signature = (struct sample_signature){.known = false};
    profile_begin(profile, simsm_grid_blocks(&front->launch));
    if (sample_reads_clock(front))
        return SIMSM_OK;
    struct sample_walk walk = {.front = front, .profile = profile};
    void *cursor = malloc(front->cursor_size);
    const bool ready = make_sets(&walk) && cursor;
    enum simsm_status status = ready ? walk_blocks(&walk, cursor, error) : err_no_memory(error);
    if (status == SIMSM_OK)
        add_up(&walk, signature);
    free_sets(&walk);
    free(cursor);
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
