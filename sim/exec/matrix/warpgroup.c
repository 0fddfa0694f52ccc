/*
 * MODEL: products of warp groups (wgmma): HGMMA, QGMMA, IGMMA, BGMMA. Four warps multiply A of 64
 * rows by B of 8 to 256 columns; each warp has 16 rows. B lies in shared memory, A in shared memory
 * or in registers. A may be sparse: half of its elements are stored, and metadata.h says where they
 * belong; B is twice as deep. Sums are those of product.h: 25 fraction bits for HGMMA, 13 for
 * QGMMA, all products of an instruction in one step.
 * SOURCE: the PTX ISA (wgmma, matrix descriptors); layouts as CUTLASS names them (cute/atom,
 * mma_traits_sm90_gmma.hpp); sums measured on an H200 and an H100, bit for bit
 * (cuda/probe/wgmma.cu, wgmma_sparse.cu).
 * LEFT OUT: operands are read, and results written, when the instruction issues. Programs must not
 * touch either before they have waited. The base offset of descriptors.
 */
#include <string.h>

#include "exec/control/fault.h"
#include "exec/matrix/fragment.h"
#include "exec/matrix/metadata.h"

enum { CHUNK = 16 /* bytes that lie together, whatever the layout */, GROUP_ROWS = 16 };

/* A matrix in shared memory, as its descriptor says. */
struct described {
    uint32_t start, leading, stride; /* bytes */
    uint32_t swizzle;                /* 0 none, 1 of 32 bytes, 2 of 64, 3 of 128 */
    bool transposed;                 /* neighbours in memory are neighbours along M or N, not K */
    unsigned bits;                   /* of an element */
};

static struct described described_by(const struct exec_warp *warp, unsigned ur, bool transposed,
                                     unsigned bits)
{
    static const uint8_t swizzles[] = {0, 3, 2, 1};
    const uint32_t low = ur < SASS_URZ ? warp->ur[ur] : 0;
    const uint32_t high = ur < SASS_URZ ? warp->ur[ur + 1] : 0;
    return (struct described){.start = (low & 0x3fff) << 4,
                              .leading = (low >> 16 & 0x3fff) << 4,
                              .stride = (high & 0x3fff) << 4,
                              .swizzle = swizzles[high >> 30],
                              .transposed = transposed,
                              .bits = bits};
}

/*
 * Returns the address of a chunk: of row (of A) or column (of B) `mn`, from inner index `k` on; of
 * a transposed matrix, of inner index k, from row or column mn on. Both are multiples of the
 * elements of a chunk where they run along it.
 */
static uint32_t chunk_at(const struct described *matrix, uint32_t mn, uint32_t k)
{
    const uint32_t each = CHUNK * 8 / matrix->bits;
    const uint32_t wide = 1u << matrix->swizzle; /* chunks in a row of the swizzle */
    uint32_t at = matrix->start;
    if (!matrix->transposed) {
        const uint32_t chunk = k / each;
        at += mn / 8 * matrix->stride + mn % 8 * CHUNK * wide;
        at += chunk % wide * CHUNK + chunk / wide * matrix->leading;
    } else if (!matrix->swizzle) {
        at += mn / each * matrix->stride + k % 8 * CHUNK + k / 8 * matrix->leading;
    } else {
        const uint32_t chunk = mn / each;
        at += chunk % wide * CHUNK + chunk / wide * matrix->leading;
        at += k % 8 * CHUNK * wide + k / 8 * matrix->stride;
    }
    return at ^ ((at >> 7 & (wide - 1)) << 4);
}

/* Returns the bytes of a chunk; NULL if it is not in the block's shared memory: the launch has then
 * failed. */
static const uint8_t *chunk_of(const struct exec_warp *warp, const struct exec_inst *inst,
                               const struct described *matrix, uint32_t mn, uint32_t k)
{
    const struct exec_grid *grid = warp->block->grid;
    const uint32_t at = chunk_at(matrix, mn, k);
    if (at >= grid->shared_first && at + CHUNK <= grid->shared_bytes)
        return warp->block->shared + at;
    exec_fault(warp, inst, 0, EXEC_FAILURE_OTHER,
               "Invalid matrix descriptor: row or column %u, inner index %u would be at 0x%x of "
               "shared memory, of which the block has %u bytes (start 0x%x, leading 0x%x, stride "
               "0x%x, swizzle %u)",
               mn, k, at, grid->shared_bytes, matrix->start, matrix->leading, matrix->stride,
               matrix->swizzle);
    return NULL;
}

/* Where the elements of `count` rows or columns go: element (mn, k) to to[k x step_k + mn x
 * step_mn] for B, with the places of fragment.h. */
struct target {
    uint32_t *bits;
    unsigned step_mn, step_k;
    bool columns; /* mn is a column, kept at fragment_column */
};

/* Stores the elements of a chunk, of row or column `mn` and inner index `k` on. The chunk has four
 * words. */
static void put(const struct target *target, const struct described *matrix, unsigned mn,
                unsigned k, const uint8_t *chunk)
{
    const unsigned each = 32 / matrix->bits;
    const unsigned along = matrix->transposed ? target->step_mn : target->step_k;
    const bool in_order = matrix->transposed && !target->columns;
    const unsigned step_word = in_order ? each * along : along;
    const unsigned step_element = in_order ? along : 4 * along;
    uint32_t word[CHUNK / 4], *to = target->bits +
                                    (target->columns ? fragment_column(mn) : mn) * target->step_mn +
                                    fragment_inner(k, each) * target->step_k;
    memcpy(word, chunk, CHUNK);
    for (unsigned i = 0; i < each; i++, to += step_element)
        for (unsigned j = 0; j < CHUNK / 4; j++)
            to[j * step_word] = word[j] >> matrix->bits * i;
}

/* Gathers `count` rows or columns from `first` on. Returns false if the launch has failed. */
static bool gather(const struct exec_warp *warp, const struct exec_inst *inst,
                   const struct described *matrix, unsigned first, unsigned count, unsigned depth,
                   const struct target *target)
{
    const unsigned in_chunk = CHUNK * 8 / matrix->bits;
    const unsigned step_mn = matrix->transposed ? in_chunk : 1;
    const unsigned step_k = matrix->transposed ? 1 : in_chunk;
    for (unsigned mn = 0; mn < count; mn += step_mn)
        for (unsigned k = 0; k < depth; k += step_k) {
            const uint8_t *chunk = chunk_of(warp, inst, matrix, first + mn, k);
            if (!chunk)
                return false;
            put(target, matrix, mn, k, chunk);
        }
    return true;
}

/* Flips the signs of elements of `bits` bits. */
static void negate(uint32_t *elements, size_t count, unsigned bits)
{
    for (size_t i = 0; i < count; i++)
        elements[i] ^= UINT32_C(1) << (bits - 1);
}

/* Meaning of inst->mod: [0] format of A, [1] format of B, of integers: they are signed; [2] bits of
 * an element; [3] sums are floats, of integers: enum integer_kind; [4] fraction bits; [5] inner
 * dimension; [6] flags below; [7] of sparse A: register of the metadata. */
enum {
    NEGATE_A = 1,
    NEGATE_B = 2,
    TRANSPOSE_A = 4,
    TRANSPOSE_B = 8,
    SATURATE = 16,
    SPARSE = 32,     /* half of A's elements are zeros and not stored */
    UPPER_LANES = 64 /* metadata of lanes 2 and 3 of four, not 0 and 1 */
};

/* Returns how many elements a row of A has in memory or registers. */
static unsigned stored_depth(const struct exec_inst *inst)
{
    return inst->mod[5] / (inst->mod[6] & SPARSE ? 2 : 1);
}

/* Returns the first of four uniform registers, which describe A and B, two each. */
static unsigned descriptors(const struct exec_inst *inst)
{
    return inst->sass->operand[SASS_UR].index;
}

static bool a_is_described(const struct exec_inst *inst)
{
    return inst->sass->operand[SASS_A].kind == SASS_NONE;
}

/* Reads where the stored elements of sparse A belong. */
static void read_places(const struct exec_warp *warp, const struct exec_inst *inst,
                        struct product_places *places)
{
    const uint32_t *metadata = inst->mod[7] == SASS_RZ ? exec_zeros : exec_row(warp, inst->mod[7]);
    metadata_places(metadata, inst->mod[6] & UPPER_LANES, inst->mod[2], stored_depth(inst), places);
}

/* Reads the stored elements of the warp's 16 rows of A. Returns false if the launch has failed. */
static bool read_a(const struct exec_warp *warp, const struct exec_inst *inst, struct product_a *a)
{
    const unsigned bits = inst->mod[2], depth = stored_depth(inst);
    bool good = true;
    if (a_is_described(inst)) {
        const struct described matrix =
            described_by(warp, descriptors(inst), inst->mod[6] & TRANSPOSE_A, bits);
        const struct target target = {a->bits[0], PRODUCT_DEPTH, 1, false};
        good =
            gather(warp, inst, &matrix, warp->index % 4 * GROUP_ROWS, GROUP_ROWS, depth, &target);
    } else {
        fragment_read_a(warp, &inst->a, GROUP_ROWS, depth, 32 / bits, a);
    }
    if (inst->mod[6] & NEGATE_A)
        negate(a->bits[0], (size_t)PRODUCT_ROWS * PRODUCT_DEPTH, bits);
    return good;
}

/* Returns whether there is something to do: a product without a result only closes a group of
 * products. Fails the launch if the instruction cannot be executed here. */
static bool may_run(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    if (inst->sass->operand[SASS_D].index == SASS_RZ)
        return false;
    if (lanes == UINT32_MAX)
        return true;
    exec_fault(warp, inst, (uint32_t)__builtin_ctz(~lanes), EXEC_FAILURE_OTHER,
               "a product of a warp group needs all lanes of the warp: 0x%08x are active", lanes);
    return false;
}

static void float_product(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    const struct product_unit *unit = product_unit();
    const unsigned bits = inst->mod[2], depth = inst->mod[5];
    const struct product_rule rule = {.a = (enum product_format)inst->mod[0],
                                      .b = (enum product_format)inst->mod[1],
                                      .fraction_bits = (int32_t)inst->mod[4],
                                      .step = stored_depth(inst),
                                      .to_single = inst->mod[3]};
    const unsigned words = rule.to_single ? 4 : 2; /* of eight columns */
    const bool sparse = inst->mod[6] & SPARSE;
    struct product_a a;
    struct product_b b;
    struct product_places places;
    float c[PRODUCT_ROWS][PRODUCT_COLUMNS];
    if (!may_run(warp, inst, lanes) || !read_a(warp, inst, &a))
        return;
    if (sparse)
        read_places(warp, inst, &places);
    const struct described matrix =
        described_by(warp, descriptors(inst) + 2, inst->mod[6] & TRANSPOSE_B, bits);
    const struct target target = {b.bits[0], 1, PRODUCT_COLUMNS, true};
    const bool adds = exec_predicate(warp, &inst->pp) != 0;
    unit->prepare_a(&rule, PRODUCT_ROWS, rule.step, &a);
    for (unsigned first = 0; first < inst->d_words; first += words) {
        if (!gather(warp, inst, &matrix, first / words * PRODUCT_COLUMNS, PRODUCT_COLUMNS, depth,
                    &target))
            return;
        if (inst->mod[6] & NEGATE_B)
            negate(b.bits[0], (size_t)depth * PRODUCT_COLUMNS, bits);
        unit->prepare_b(&rule, depth, &b);
        memset(c, 0, sizeof c);
        if (adds)
            fragment_read_c(warp, &inst->c, first, rule.to_single, c);
        if (sparse)
            unit->add_sparse(&rule, PRODUCT_ROWS, rule.step, &a, &b, &places, c);
        else
            unit->add(&rule, PRODUCT_ROWS, rule.step, &a, &b, c);
        fragment_write_d(warp, inst, first, lanes, rule.to_single, c);
    }
}

static void integer_product(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    enum { WORDS = 4 /* of eight columns */ };
    const struct product_unit *unit = product_unit();
    const unsigned bits = inst->mod[2], depth = inst->mod[5];
    const struct integer_rule rule = {.kind = (enum integer_kind)inst->mod[3],
                                      .bits = bits,
                                      .a_signed = inst->mod[0],
                                      .b_signed = inst->mod[1],
                                      .saturates = inst->mod[6] & SATURATE};
    const struct described matrix = described_by(warp, descriptors(inst) + 2, false, bits);
    struct product_a a;
    struct product_b b;
    uint32_t c[PRODUCT_ROWS][PRODUCT_COLUMNS];
    struct product_places places;
    const struct target target = {b.bits[0], 1, PRODUCT_COLUMNS, true};
    if (!may_run(warp, inst, lanes) || !read_a(warp, inst, &a))
        return;
    unit->widen_a(&rule, PRODUCT_ROWS, stored_depth(inst), &a);
    if (inst->mod[6] & SPARSE) {
        read_places(warp, inst, &places);
        metadata_spread(&places, stored_depth(inst), &a);
    }
    const bool adds = exec_predicate(warp, &inst->pp) != 0;
    for (unsigned first = 0; first < inst->d_words; first += WORDS) {
        if (!gather(warp, inst, &matrix, first / WORDS * PRODUCT_COLUMNS, PRODUCT_COLUMNS, depth,
                    &target))
            return;
        unit->widen_b(&rule, depth, &b);
        memset(c, 0, sizeof c);
        if (adds)
            fragment_read_words(warp, &inst->c, first, PRODUCT_ROWS, c);
        unit->add_integers(&rule, PRODUCT_ROWS, depth, &a, &b, c);
        fragment_write_words(warp, inst, first, lanes, PRODUCT_ROWS, c);
    }
}

/* Takes the inner dimension of products that are not sparse, and the flags. */
static void take_shape(struct exec_inst *inst, unsigned depth)
{
    const struct sass_operand *metadata = &inst->sass->operand[SASS_DATA];
    const bool sparse = metadata->kind == SASS_REGISTER;
    inst->mod[5] = sparse ? 2 * depth : depth;
    inst->mod[7] = metadata->index;
    inst->mod[6] = (sparse ? SPARSE : 0) | (alu_mod(inst, SASS_MOD_SELECTOR) ? UPPER_LANES : 0) |
                   (alu_mod(inst, SASS_MOD_NEGATE_A) ? NEGATE_A : 0) |
                   (alu_mod(inst, SASS_MOD_NEGATE_B) ? NEGATE_B : 0) |
                   (alu_mod(inst, SASS_MOD_TRANSPOSE_A) ? TRANSPOSE_A : 0) |
                   (alu_mod(inst, SASS_MOD_TRANSPOSE_B) ? TRANSPOSE_B : 0) |
                   (alu_mod(inst, SASS_MOD_SAT) ? SATURATE : 0);
}

bool alu_hgmma(struct exec_inst *inst, const char **why)
{
    enum { HALF_FRACTION = 25 };
    const uint32_t format = alu_mod(inst, SASS_MOD_MMA_FORMAT);
    const bool tf32 = format == FORMAT_TF32;
    *why = "a shape or format of HGMMA that is not known";
    if (format > FORMAT_TF32 || tf32 != (alu_mod(inst, SASS_MOD_HALF_DEPTH) != 0))
        return false;
    inst->mod[0] = inst->mod[1] = format;
    inst->mod[2] = tf32 ? 32 : 16;
    inst->mod[3] = alu_mod(inst, SASS_MOD_MMA_F32);
    inst->mod[4] = HALF_FRACTION;
    take_shape(inst, tf32 ? 8 : 16);
    inst->run = float_product;
    return true;
}

bool alu_qgmma(struct exec_inst *inst, const char **why)
{
    enum { EIGHT_BIT_FRACTION = 13 };
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_A_E5M2) ? FORMAT_E5M2 : FORMAT_E4M3;
    inst->mod[1] = alu_mod(inst, SASS_MOD_B_E5M2) ? FORMAT_E5M2 : FORMAT_E4M3;
    inst->mod[2] = 8;
    inst->mod[3] = alu_mod(inst, SASS_MOD_MMA_F32);
    inst->mod[4] = EIGHT_BIT_FRACTION;
    take_shape(inst, 32);
    inst->run = float_product;
    return true;
}

static void prepare_integers(struct exec_inst *inst, enum integer_kind kind, uint32_t bits,
                             uint32_t depth)
{
    inst->mod[2] = bits;
    inst->mod[3] = kind;
    take_shape(inst, depth);
    inst->run = integer_product;
}

bool alu_igmma(struct exec_inst *inst, const char **why)
{
    (void)why;
    inst->mod[0] = alu_mod(inst, SASS_MOD_SIGNED);
    inst->mod[1] = alu_mod(inst, SASS_MOD_SIGNED_B);
    prepare_integers(inst, INTEGER_PRODUCTS, 8, 32);
    return true;
}

/* 32 single bits are one element. */
bool alu_bgmma(struct exec_inst *inst, const char **why)
{
    (void)why;
    prepare_integers(inst, INTEGER_AND, 32, 256 / 32);
    return true;
}
