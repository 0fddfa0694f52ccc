#include "sample/signature.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "mem/coalesce.h"
#include "model/op.h"

/* Lines are counted in a bit map: of `BITS` bits that lines hash to, so many stay zero (linear
 * counting: Whang et al., ACM Transactions on Database Systems 15 (2), 1990). */
enum { BITS = 1 << 24, LINE_SHIFT = 7 };

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
    struct sample_profile *profile;
    struct profile_part *part; /* of the block */
    uint64_t *bits;            /* [BITS / 64] */
    uint64_t set;              /* of these, that are 1 */
    uint64_t set_before;       /* when the part began */
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

static void touch(struct walk *walk, uint64_t line)
{
    const uint64_t at = mix(0, line) >> 20 & (BITS - 1), bit = UINT64_C(1) << at % 64;
    walk->set += !(walk->bits[at / 64] & bit);
    walk->bits[at / 64] |= bit;
}

static void add_access(struct walk *walk, const void *stream, const struct warp_inst *inst,
                       const struct inst *code)
{
    struct lane_addresses addresses;
    struct coalesced touched;
    double *feature = walk->part->feature;
    walk->front->ops->addresses(walk->front, stream, inst, &addresses);
    hash_addresses(&walk->signature->hash, &addresses, inst->exec);
    if (op_is_atomic(code->op))
        feature[FEATURE_ATOMICS] += __builtin_popcount(inst->exec);
    if (op_is_shared((enum simsm_op_class)code->op)) {
        feature[FEATURE_SHARED]++;
        return;
    }
    coalesce(&addresses, inst->exec, code->width, LINE_SHIFT, &touched);
    feature[FEATURE_SECTORS] += touched.sectors;
    if (may_store(code->op))
        walk->profile->stored += touched.sectors;
    for (uint32_t i = 0; i < touched.lines; i++)
        touch(walk, touched.line[i]);
}

/* What a warp waits for: how often each word must have been written. */
static void hash_wait(struct walk *walk, const void *stream)
{
    struct wait wait;
    walk->profile->waits = true;
    walk->front->ops->wait(walk->front, stream, &wait);
    for (uint32_t i = 0; i < wait.words; i++)
        walk->signature->hash = mix(mix(walk->signature->hash, wait.word[i].address),
                                    (uint64_t)wait.word[i].count << 8 | wait.word[i].kind);
}

static void add_warp(struct walk *walk, void *stream)
{
    const struct front *front = walk->front;
    struct warp_inst inst = {0};
    double instructions = 0, threads = 0;
    double *feature = walk->part->feature;
    while (!(inst.flags & WARP_INST_LAST)) {
        front->ops->warp_next(front, stream, &inst);
        const struct inst *code = &front->code[inst.index];
        const bool memory = op_is_memory((enum simsm_op_class)code->op);
        instructions++;
        threads += __builtin_popcount(inst.active);
        walk->signature->hash =
            mix(mix(walk->signature->hash, (uint64_t)inst.index << 32 | inst.active),
                (uint64_t)inst.exec << 32 | (memory ? 0 : inst.token & UINT32_MAX));
        if (inst.exec && memory)
            add_access(walk, stream, &inst, code);
        if (inst.flags & WARP_INST_DECIDES)
            hash_wait(walk, stream);
    }
    feature[FEATURE_WARP_INSTRUCTIONS] += instructions;
    feature[FEATURE_THREAD_INSTRUCTIONS] += threads;
    if (instructions > feature[FEATURE_LONGEST_WARP])
        feature[FEATURE_LONGEST_WARP] = instructions;
}

/* How many lines have set so many bits. */
static double lines_of(uint64_t set)
{
    const double zero = (double)(BITS - set);
    return BITS * log(BITS / (zero > 1 ? zero : 1));
}

static enum simsm_status walk_blocks(struct walk *walk, void *stream, struct simsm_error *error)
{
    const struct front *front = walk->front;
    const uint32_t warps = simsm_block_warps(&front->launch);
    enum simsm_status status = SIMSM_OK;
    for (uint64_t b = 0; b < walk->profile->blocks && status == SIMSM_OK; b++) {
        struct profile_part *part = profile_part_of(walk->profile, b);
        if (part != walk->part)
            walk->set_before = walk->set;
        walk->part = part;
        for (uint32_t w = 0; w < warps; w++) {
            front->ops->warp_begin(front, stream, b, w);
            add_warp(walk, stream);
            front_warp_end(front, stream);
        }
        part->blocks++;
        part->feature[FEATURE_LINES] = lines_of(walk->set) - lines_of(walk->set_before);
        status = front_status(front, error);
    }
    return status;
}

/* What the parts of the grid come to. */
static void add_up(const struct sample_profile *profile, struct sample_signature *signature)
{
    uint64_t blocks;
    for (unsigned i = 0; i < SAMPLE_FEATURES; i++)
        signature->feature[i] =
            profile_sum(profile, (enum sample_feature)i, 0, profile->blocks, &blocks);
}

bool sample_reads_clock(const struct front *front)
{
    for (uint32_t i = 0; i < front->code_size; i++)
        if (front->code[i].reads_clock)
            return true;
    return false;
}

enum simsm_status sample_sign(const struct front *front, struct sample_signature *signature,
                              struct sample_profile *profile, struct simsm_error *error)
{
    *signature = (struct sample_signature){.hash = 1};
    profile_begin(profile, simsm_grid_blocks(&front->launch));
    if (sample_reads_clock(front))
        return SIMSM_OK;
    struct walk walk = {.front = front, .signature = signature, .profile = profile};
    walk.bits = calloc(BITS / 64, sizeof(uint64_t));
    void *stream = malloc(front->stream_size);
    enum simsm_status status =
        walk.bits && stream ? walk_blocks(&walk, stream, error) : err_no_memory(error);
    if (status == SIMSM_OK) {
        add_up(profile, signature);
        signature->known = true;
    }
    free(walk.bits);
    free(stream);
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
