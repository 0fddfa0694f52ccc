/*
 * Lowers a machine instruction to what the timing model sees: class, registers, width, control
 * bits.
 *
 * MODEL: which unit an instruction goes to, what it reads and writes, and whether it bypasses L1.
 * SOURCE: H200, cuda/calib pairs, jumps and pipes (docs/calibration.md); the encodings of
 * encodings.def.
 * LEFT OUT: a named barrier or a number of threads in a register, which only execution knows.
 */
#include <string.h>

#include "model/model_counted.h"
#include "model/op.h"
#include "sass/sass_inst.h"
#include "simsm/names.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const uint8_t op_classes[SASS_OP_COUNT] = {
    [SASS_OP_UNKNOWN] = SIMSM_OP_NOP,
#define SASS_OP(id, name, class) [SASS_OP_##id] = SIMSM_OP_##class,
#include "sass/ops.def"
#undef SASS_OP
};

static const uint16_t counted[SASS_OP_COUNT] = {
#define SASS_COUNTED(op, pipes) [SASS_OP_##op] = (pipes),
#include "sass/sass_counted.def"
#undef SASS_COUNTED
};

static const uint8_t destinations[] = {SASS_D, SASS_D2, SASS_PU, SASS_PV};
static const uint8_t sources[] = {SASS_A,    SASS_B,  SASS_C,  SASS_DATA, SASS_DATA2,
                                  SASS_DESC, SASS_UR, SASS_PP, SASS_PQ,   SASS_PR};

/* By SASS_MOD_SIZE and by SASS_MOD_ATOM_TYPE. */
static const uint8_t size_bytes[] = {1, 1, 2, 2, 4, 8, 16};
static const uint8_t atom_bytes[] = {4, 4, 8, 8, 4, 4, 8, 4, 4, 16, 8, 16, 8, 16, 8, 16};

/* Returns the registers of an operand; count is 0 if it has none or is RZ, URZ or PT. */
static struct reg_range operand_range(const struct sass_operand *operand)
{
    struct reg_range range = {.reuse = operand->reuse};
    unsigned index = operand->index, words = operand->words;
    switch ((enum sass_operand_kind)operand->kind) {
    case SASS_REGISTER:
        range.first = (uint16_t)(REG_R0 + index);
        range.count = (uint8_t)(index + words <= SASS_RZ ? words : SASS_RZ - index);
        break;
    case SASS_UNIFORM:
        range.first = (uint16_t)(REG_UR0 + index);
        range.count = (uint8_t)(index + words <= SASS_URZ ? words : SASS_URZ - index);
        break;
    case SASS_CONSTANT_UNIFORM:
        range.first = (uint16_t)(REG_UR0 + index);
        range.count = index < SASS_URZ;
        break;
    case SASS_PREDICATE:
        range.first = (uint16_t)(REG_P0 + index);
        range.count = index < SASS_PT;
        break;
    case SASS_UNIFORM_PREDICATE:
        range.first = (uint16_t)(REG_UP0 + index);
        range.count = index < SASS_PT;
        break;
    default:
        break;
    }
    return range;
}

static void add_source(struct inst *lowered, struct reg_range range)
{
    if (range.count && lowered->n_sources < INST_MAX_SOURCES)
        lowered->source[lowered->n_sources++] = range;
}

static void add_destination(struct inst *lowered, struct reg_range range)
{
    if (range.count && lowered->n_destinations < INST_MAX_DESTINATIONS)
        lowered->destination[lowered->n_destinations++] = range;
}

/*
 * Returns the predicates from `base` on that the mask of P2R, R2P or UP2UR selects, as one range.
 */
static struct reg_range masked_predicates(uint32_t mask, uint32_t base)
{
    struct reg_range range = {.first = (uint16_t)base};
    mask &= 0x7f;
    for (unsigned i = 0; i < SASS_PT; i++) {
        if (mask >> i & 1 && range.count == 0)
            range.first = (uint16_t)(base + i);
        if (mask >> i & 1)
            range.count = (uint8_t)(base + i + 1 - range.first);
    }
    return range;
}

static void lower_registers(const struct sass_inst *inst, struct inst *lowered)
{
    struct reg_range predicates = {.count = 0};
    if (inst->op == SASS_OP_P2R || inst->op == SASS_OP_R2P)
        predicates = masked_predicates(inst->operand[SASS_B].value, REG_P0);
    else if (inst->op == SASS_OP_UP2UR)
        predicates = masked_predicates(inst->operand[SASS_B].value, REG_UP0);
    for (size_t i = 0; i < COUNT(destinations); i++)
        add_destination(lowered, operand_range(&inst->operand[destinations[i]]));
    for (size_t i = 0; i < COUNT(sources); i++) {
        const struct sass_operand *operand = &inst->operand[sources[i]];
        add_source(lowered, operand_range(operand));
        if (operand->kind == SASS_CONSTANT)
            lowered->constant = ((uint32_t)operand->bank << 16) + (operand->value & 0xffff) + 1;
    }
    if (inst->op == SASS_OP_R2P)
        add_destination(lowered, predicates);
    if (inst->op != SASS_OP_R2P)
        add_source(lowered, predicates);
    struct reg_range guard = operand_range(&inst->guard);
    if (guard.count) {
        /* The guard is always the last source, even if another source must make room. */
        if (lowered->n_sources == INST_MAX_SOURCES)
            lowered->n_sources--;
        add_source(lowered, guard);
        lowered->guarded = true;
    }
}

/* Whether the operation accesses a barrier in shared memory (mbarrier), a word of 64 bits. */
static bool is_barrier_word(uint16_t op)
{
    return op == SASS_OP_ATOMS_ARRIVE || op == SASS_OP_SYNCS_EXCH || op == SASS_OP_SYNCS_ARRIVE ||
           op == SASS_OP_SYNCS_PHASECHK || op == SASS_OP_ARRIVES;
}

static uint8_t access_bytes(const struct sass_inst *inst)
{
    uint32_t size = sass_mod(inst, SASS_MOD_SIZE);
    uint32_t type = sass_mod(inst, SASS_MOD_ATOM_TYPE);
    if (is_barrier_word(inst->op))
        return 8;
    switch (op_classes[inst->op]) {
    case SIMSM_OP_ATOM_GLOBAL:
    case SIMSM_OP_ATOM_SHARED:
    case SIMSM_OP_RED_GLOBAL:
        return type < COUNT(atom_bytes) ? atom_bytes[type] : 4;
    case SIMSM_OP_LD_GLOBAL:
    case SIMSM_OP_LD_LOCAL:
    case SIMSM_OP_ST_GLOBAL:
    case SIMSM_OP_ST_LOCAL:
    case SIMSM_OP_LD_SHARED:
    case SIMSM_OP_ST_SHARED:
    case SIMSM_OP_COPY_ASYNC:
        if (inst->op == SASS_OP_LDSM || inst->op == SASS_OP_STSM) /* rows of all lanes */
            return (uint8_t)(4u << sass_mod(inst, SASS_MOD_MATRICES));
        return size < COUNT(size_bytes) ? size_bytes[size] : 4;
    case SIMSM_OP_TEX:
        return 4;
    default:
        return 0;
    }
}

static void lower_barrier(const struct sass_inst *inst, struct inst *lowered)
{
    const struct sass_operand *barrier = &inst->operand[SASS_B];
    const struct sass_operand *threads = &inst->operand[SASS_C];
    enum { BAR_ARV = 1 };
    if (barrier->kind == SASS_IMMEDIATE)
        lowered->barrier = (uint8_t)barrier->value;
    if (threads->kind == SASS_IMMEDIATE)
        lowered->barrier_threads = (uint16_t)threads->value;
    lowered->barrier_arrive = sass_mod(inst, SASS_MOD_BAR) == BAR_ARV;
}

/* Translates the scope of MEMBAR (CTA, SM, GPU, SYS) to the model's (block, device, system). */
static uint8_t fence_scope(const struct sass_inst *inst)
{
    static const uint8_t scopes[] = {0, 1, 1, 2};
    uint32_t scope = sass_mod(inst, SASS_MOD_FENCE_SCOPE);
    return scope < COUNT(scopes) ? scopes[scope] : 2;
}

/*
 * Returns what a DEPBAR waits for. LDGDEPBAR counts groups of copies with scoreboard 0, and on
 * sm_80 and later no other use of scoreboard 0 with DEPBAR has been observed.
 */
static uint8_t depbar_index(const struct sass_inst *inst)
{
    uint32_t scoreboard = sass_mod(inst, SASS_MOD_SCOREBOARD);
    return (uint8_t)(inst->sm >= 80 && scoreboard == 0 ? DEPBAR_GROUPS : scoreboard);
}

/*
 * Returns whether the access bypasses L1: strong loads at device or system scope (volatile,
 * acquire), and copies to shared memory with BYPASS.
 */
static bool goes_past_l1(const struct sass_inst *inst)
{
    enum { STRONG_GPU = 7, STRONG_GPU_75 = 10 }; /* SASS_MOD_MEM from this value on */
    bool loads = inst->op == SASS_OP_LDG || inst->op == SASS_OP_LD;
    if (inst->op == SASS_OP_LDGSTS)
        return sass_mod(inst, SASS_MOD_BYPASS) == 0;
    return loads && sass_mod(inst, SASS_MOD_MEM) >= (inst->sm == 75 ? STRONG_GPU_75 : STRONG_GPU);
}

/* Returns the scope of a load that bypasses L1. */
static uint8_t load_scope(const struct sass_inst *inst)
{
    enum { STRONG_SYS = 10, STRONG_SYS_75 = 11 };
    bool loads = inst->op == SASS_OP_LDG || inst->op == SASS_OP_LD;
    bool system = sass_mod(inst, SASS_MOD_MEM) >= (inst->sm == 75 ? STRONG_SYS_75 : STRONG_SYS);
    return loads && system ? SCOPE_SYSTEM : SCOPE_DEVICE;
}

static uint8_t atomic_kind(const struct sass_inst *inst)
{
    enum { CAS = 9, FIRST_FLOAT = 4, WIDE = 9 };
    uint32_t type = sass_mod(inst, SASS_MOD_ATOM_TYPE);
    if (sass_mod(inst, SASS_MOD_ATOM_OP) == CAS)
        return ATOMIC_CAS;
    if (inst->op == SASS_OP_ATOMS && inst->operand[SASS_DATA].kind == SASS_NONE)
        return ATOMIC_COUNT; /* ATOMS.POPC.INC.32 */
    return type >= FIRST_FLOAT && type != WIDE ? ATOMIC_FLOAT : ATOMIC_INTEGER;
}

static bool is_conditional(const struct sass_inst *inst)
{
    const struct sass_operand *also = &inst->operand[SASS_PP];
    bool always =
        inst->guard.index == SASS_PT && (also->kind == SASS_NONE || also->index == SASS_PT);
    bool never = inst->guard.index == SASS_PT && inst->guard.negate;
    return never || inst->op == SASS_OP_BRX || (inst->op == SASS_OP_BRA && !always);
}

static bool reads_clock(const struct sass_inst *inst)
{
    enum { CLOCKLO = 0x50, GLOBALTIMERHI = 0x53 };
    bool special = inst->op == SASS_OP_S2R || inst->op == SASS_OP_S2UR || inst->op == SASS_OP_CS2R;
    uint32_t number = sass_mod(inst, SASS_MOD_SR);
    return special && number >= CLOCKLO && number <= GLOBALTIMERHI;
}

/* Whether a WARPGROUP is .DEPBAR. */
static bool is_products_wait(const struct sass_inst *inst)
{
    enum { DEPBAR_BIT = 80 - 64 };
    return inst->word[1] >> DEPBAR_BIT & 1;
}

bool sass_meets_warpgroup(const struct sass_inst *inst)
{
    return inst->op == SASS_OP_WARPGROUP && !is_products_wait(inst);
}

bool sass_is_warpgroup_wait(const struct sass_inst *inst)
{
    enum { WAIT_BIT = 79 - 64 };
    return sass_meets_warpgroup(inst) && (inst->word[1] >> WAIT_BIT & 1);
}

/*
 * Returns the opcode class. S2R of a value that is the same for all lanes takes another path than
 * S2R of a value of the lane (H200, cuda/calib pairs). Branches, WARPSYNC and BMOV with a register
 * differ from those without (H200, cuda/calib jumps).
 */
static uint8_t class_of(const struct sass_inst *inst)
{
    bool by_register = inst->operand[SASS_A].kind == SASS_REGISTER;
    if (inst->op == SASS_OP_CALL && by_register)
        return SIMSM_OP_BRANCH_REGISTER;
    if (inst->op == SASS_OP_WARPSYNC && by_register)
        return SIMSM_OP_WARPSYNC;
    if (inst->op == SASS_OP_BMOV && inst->operand[SASS_D].kind == SASS_NONE)
        return SIMSM_OP_BMOV_BACK;
    if (sass_is_warpgroup_wait(inst))
        return SIMSM_OP_BARRIER;
    if (inst->op == SASS_OP_WARPGROUP && !is_products_wait(inst))
        return SIMSM_OP_GMMA_ARRIVE;
    if (inst->op == SASS_OP_UBLKCP && !sass_mod(inst, SASS_MOD_BULK_TO))
        return SIMSM_OP_TMA_STORE;
    if (inst->op == SASS_OP_UBLKRED && sass_mod(inst, SASS_MOD_BULK_TO))
        return SIMSM_OP_TMA_LOAD; /* to another block, where a barrier counts it */
    enum { IVALL = 4 };
    if (inst->op == SASS_OP_CCTL && sass_mod(inst, SASS_MOD_CACHE_OP) == IVALL)
        return SIMSM_OP_INVALIDATE;
    enum { LANEID = 0, TID = 0x20, TID_Z = 0x23, EQMASK = 0x38, GEMASK = 0x3c };
    uint32_t number = sass_mod(inst, SASS_MOD_SR);
    bool of_lane = number == LANEID || (number >= TID && number <= TID_Z) ||
                   (number >= EQMASK && number <= GEMASK);
    if (inst->op == SASS_OP_S2R && !of_lane)
        return SIMSM_OP_SPECIAL_WARP;
    return op_classes[inst->op];
}

static void lower_product(const struct sass_inst *inst, struct inst *lowered)
{
    const bool halves = (inst->op == SASS_OP_HGMMA || inst->op == SASS_OP_QGMMA) &&
                        !sass_mod(inst, SASS_MOD_MMA_F32);
    lowered->columns = (uint16_t)(inst->operand[SASS_D].words * (halves ? 4 : 2));
    lowered->half_sums = halves;
    lowered->a_shared = inst->operand[SASS_A].kind != SASS_REGISTER;
    lowered->sparse = inst->operand[SASS_DATA].kind == SASS_REGISTER;
    lowered->closes_group = sass_mod(inst, SASS_MOD_SCOREBOARD) == 0;
}

void sass_lower(const struct sass_inst *inst, struct inst *lowered)
{
    memset(lowered, 0, sizeof *lowered);
    lowered->op = class_of(inst);
    lowered->counted = lowered->op == op_classes[inst->op] ? counted[inst->op] : 0;
    lowered->control = inst->control;
    lowered->pc = inst->pc;
    lowered->width = access_bytes(inst);
    lower_registers(inst, lowered);
    switch ((enum sass_op)inst->op) {
    case SASS_OP_BAR:
        lower_barrier(inst, lowered);
        break;
    case SASS_OP_LDGDEPBAR:
    case SASS_OP_UTMACMDFLUSH:
        lowered->depbar_index = DEPBAR_COMMIT;
        break;
    case SASS_OP_DEPBAR:
        lowered->depbar_index = depbar_index(inst);
        lowered->depbar_count = (uint8_t)sass_mod(inst, SASS_MOD_OUTSTANDING);
        break;
    case SASS_OP_WARPGROUP: /* .DEPBAR or .WAIT; class_of knows .ARRIVE */
        if (lowered->op == SIMSM_OP_BARRIER) {
            lowered->barrier = BARRIER_WARPGROUP;
            lowered->barrier_threads = WARPGROUP_WARPS * SIMSM_WARP_LANES;
            break;
        }
        lowered->depbar_index = DEPBAR_PRODUCTS;
        lowered->depbar_count = (uint8_t)sass_mod(inst, SASS_MOD_OUTSTANDING);
        break;
    case SASS_OP_HGMMA:
    case SASS_OP_QGMMA:
    case SASS_OP_IGMMA:
    case SASS_OP_BGMMA:
        lower_product(inst, lowered);
        break;
    case SASS_OP_UTMALDG:
    case SASS_OP_UTMASTG:
    case SASS_OP_UTMAREDG:
        lowered->by_map = true;
        break;
    case SASS_OP_MEMBAR:
        lowered->scope = fence_scope(inst);
        break;
    case SASS_OP_NANOSLEEP:
        lowered->sleep = inst->operand[SASS_B].value;
        lowered->until_arrival = sass_mod(inst, SASS_MOD_VARIANT) == 1; /* .SYNCS */
        if (inst->operand[SASS_B].kind == SASS_REGISTER)
            lowered->counted = COUNTED_BY(ADU) | COUNTED_BY(CBU);
        break;
    default:
        break;
    }
    lowered->atomic = op_is_atomic(lowered->op) ? atomic_kind(inst) : ATOMIC_INTEGER;
    lowered->past_l1 = goes_past_l1(inst);
    if (lowered->past_l1)
        lowered->scope = load_scope(inst);
    lowered->conditional = is_conditional(inst);
    lowered->reads_clock = reads_clock(inst);
}
