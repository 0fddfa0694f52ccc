/*
 * MODEL: barriers in shared memory: the layout of their words, arrivals (SYNCS.ARRIVE,
 * ATOMS.ARRIVE, ARRIVES) and waits (SYNCS.PHASECHK).
 * SOURCE: sm_90: measured on an H200 (tests/unit/test_sass_probes.c compares the tokens of arrivals
 * bit for bit; cuda/probe/barrier_time.cu). sm_80 to sm_89: how their code writes the word.
 * LEFT OUT: without time, copies arrive when they are executed.
 */
#include "exec/async/mbarrier.h"

#include <string.h>

#include "base/check.h"
#include "exec/async/landing.h"
#include "exec/control/cluster.h"
#include "exec/control/fault.h"
#include "exec/control/heard.h"
#include "exec/control/split.h"
#include "exec/control/vain.h"
#include "exec/control/watched_steps.h"
#include "exec/memory/load_store.h"
#include "sanitize/sanitizer.h"

/* Values of SASS_MOD_ARRIVE; the last two are of ARRIVES only. */
enum { ONE_AND_BYTES, ONE, BYTE, BYTES_EXPECTED, BYTES_COMPLETE, THREADS, BYTE_COMPLETE };
/* Values of SASS_MOD_COUNTED of ARRIVES. */
enum { COUNTED_80, COUNTED_ARRIVAL, COUNTED_BYTE };

/* What each lane brings to the barrier: threads + data_threads x DATA threads, and bytes +
 * data_bytes x DATA bytes. */
static const struct arrival_kind {
    uint8_t threads, data_threads;
    int8_t bytes, data_bytes;
} kinds[] = {
    [ONE_AND_BYTES] = {1, 0, 0, 1},
    [ONE] = {1, 0, 0, 0},
    [BYTE] = {0, 0, 1, 0},
    [BYTES_EXPECTED] = {0, 0, 0, 1},
    [BYTES_COMPLETE] = {0, 0, 0, -1},
    [THREADS] = {0, 1, 0, 0},
    [BYTE_COMPLETE] = {0, 0, -1, 0},
};

/*
 * The word of sm_80 to sm_89, as their code writes it (mbarrier.init is an STS of 0x40000000 - n,
 * 0x80000000 - n): bits 29:0 hold minus the expected threads, bits 62:32 minus the threads that are
 * still to come. The carry of the last thread flips the phase, bit 63.
 */
bool mbarrier_arrive_80(uint64_t *word, uint32_t threads)
{
    uint32_t high = (uint32_t)(*word >> 32), low = (uint32_t)*word;
    uint32_t pending = (0 - high) & INT32_MAX;
    if (threads > pending)
        return false;
    high += threads;
    if (threads && threads == pending) {
        uint32_t expected = low & 0x3fffffff;
        high |= expected | (expected << 1 & 0x40000000); /* with its sign bit */
    }
    *word = (uint64_t)high << 32 | low;
    return true;
}

/*
 * The word of sm_90 (measured on an H200): bits 20:1 hold minus the expected threads, bits 41:21
 * minus the bytes under way (signed), bits 62:43 minus the threads that are still to come, bit 63
 * the phase.
 */
enum { EXPECTED = 1, UNDER_WAY = 21, PENDING = 43, COUNT_MASK = 0xfffff, BYTES_MASK = 0x1fffff };

static uint32_t count_at(uint64_t word, unsigned bit)
{
    return (0 - (uint32_t)(word >> bit)) & COUNT_MASK;
}

static int32_t bytes_of(uint64_t word)
{
    uint32_t bytes = (0 - (uint32_t)(word >> UNDER_WAY)) & BYTES_MASK;
    return (int32_t)bytes - (bytes > COUNT_MASK ? BYTES_MASK + 1 : 0);
}

bool mbarrier_arrive_90(uint64_t *word, const struct mbarrier_arrival *arrival)
{
    uint32_t pending = count_at(*word, PENDING), expected = count_at(*word, EXPECTED);
    uint64_t phase = *word >> 63;
    int64_t bytes = (int64_t)bytes_of(*word) + arrival->bytes;
    if (arrival->threads > pending || bytes > COUNT_MASK || bytes < -COUNT_MASK)
        return false;
    pending -= arrival->threads;
    if (arrival->drop)
        expected = (expected - arrival->threads) & COUNT_MASK;
    if (!pending && !bytes) {
        phase ^= 1;
        pending = expected;
    }
    *word = phase << 63 | (uint64_t)((0 - pending) & COUNT_MASK) << PENDING |
            ((uint64_t)-bytes & BYTES_MASK) << UNDER_WAY |
            (uint64_t)((0 - expected) & COUNT_MASK) << EXPECTED;
    return true;
}

static uint32_t data_of(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane)
{
    return exec_row(warp, inst->mod[ACCESS_DATA])[lane];
}

static struct mbarrier_arrival arrival_of(const struct exec_inst *inst, uint32_t data)
{
    const struct arrival_kind *kind = &kinds[inst->mod[ACCESS_WHAT]];
    const struct mbarrier_arrival arrival = {.threads = kind->threads + kind->data_threads * data,
                                             .bytes = kind->bytes + kind->data_bytes *
                                                                        (int32_t)(data & INT32_MAX),
                                             .drop = inst->mod[ACCESS_TYPE] != 0};
    return arrival;
}

/*
 * Counts an arrival at the barrier at `address` of the block, whose word was `before`. Recorded
 * waits name the number of arrivals that they need. Returns false if memory is short; the launch
 * has then failed.
 */
static bool count_arrival(struct exec_block *block, uint64_t address, uint64_t before,
                          const uint8_t *place)
{
    struct exec_grid *grid = block->grid;
    struct word_state *state = word_add(&block->words, address);
    uint64_t word;
    if (!state) {
        exec_stop(grid, SIMSM_FAILED, "out of memory for what warps wait for");
        return false;
    }
    memcpy(&word, place, sizeof word);
    state->count++;
    if ((word ^ before) >> 63) {
        state->ended = state->count;
        if (block->watched)
            watch_phase(block, address & ((1u << CLUSTER_RANK_BIT) - 1));
    }
    grid->wrote = true;
    return true;
}

/* Lets one lane arrive at the barrier at `place`. Returns false if the arrival is invalid; the
 * launch has then failed. */
static bool arrive_lane(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                        uint8_t *place)
{
    uint64_t word, before;
    memcpy(&word, place, sizeof word);
    before = word;
    const struct mbarrier_arrival arrival = arrival_of(inst, data_of(warp, inst, lane));
    if (warp->block->watched && inst->sass->op == SASS_OP_ARRIVES)
        sanitizer_copies_counted(&warp->block->watched->warp[warp->index]);
    bool fine = warp->block->grid->sm >= 90 ? mbarrier_arrive_90(&word, &arrival)
                                            : mbarrier_arrive_80(&word, arrival.threads);
    memcpy(place, &word, sizeof word);
    if (!fine)
        exec_fault(warp, inst, lane, EXEC_FAILURE_BARRIER,
                   "Invalid arrival at the barrier (mbarrier) at 0x%llx of shared memory: more "
                   "threads arrive, or more bytes are under way, than it expects or can count; its "
                   "word is 0x%016llx",
                   (unsigned long long)warp->block->grid->addresses.lane[lane],
                   (unsigned long long)word);
    return fine &&
           count_arrival(warp->block, warp->block->grid->addresses.lane[lane], before, place);
}

bool mbarrier_count(struct exec_block *block, struct exec_warp *by, const struct exec_inst *inst,
                    uint32_t at, const struct mbarrier_arrival *arrival)
{
    struct exec_grid *grid = block->grid;
    uint64_t word, before;
    if (at % sizeof word != 0 || at < grid->shared_first || at + sizeof word > grid->shared_bytes) {
        exec_fault_shared_bounds(by, inst, 0, at);
        return false;
    }
    uint8_t *place = block->shared + at;
    memcpy(&before, place, sizeof before);
    word = before;
    if (!mbarrier_arrive_90(&word, arrival)) {
        exec_fault(
            by, inst, 0, EXEC_FAILURE_BARRIER,
            "Invalid arrival of %u threads and %d bytes at the barrier (mbarrier) at 0x%x of "
            "shared memory: its word is 0x%016llx",
            arrival->threads, -arrival->bytes, at, (unsigned long long)before);
        return false;
    }
    memcpy(place, &word, sizeof word);
    grid->changes++;
    return count_arrival(block, at, before, place);
}

bool exec_mbarrier_complete(struct exec_warp *warp, const struct exec_inst *inst, uint32_t address,
                            uint32_t bytes)
{
    const struct mbarrier_arrival arrival = {.bytes = -(int32_t)bytes};
    struct exec_grid *grid = warp->block->grid;
    uint32_t at;
    if (grid->pending) {
        landing_note(warp, inst, address, &arrival);
        return grid->status == SIMSM_OK;
    }
    struct exec_block *block = cluster_target(warp, inst, 0, address, &at);
    return block && mbarrier_count(block, warp, inst, at, &arrival);
}

/* Returns the lanes of `lanes` that arrive at the same barrier as lane `of`. */
static uint32_t lanes_at_same_barrier(uint8_t *const place[EXEC_LANES], uint32_t lanes, uint32_t of)
{
    uint32_t same = 0;
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        same |= place[lane] == place[of] ? UINT32_C(1) << lane : 0;
    }
    return same;
}

/*
 * Returns whether the arrival counts when its access is answered (exec_arrive_later), as the
 * instructions of the warp are executed when they issue. An arrival whose number is in a register
 * counts at once.
 */
static bool counts_later(struct exec_warp *warp, const struct exec_inst *inst)
{
    struct exec_grid *grid = warp->block->grid;
    const struct arrival_kind *kind = &kinds[inst->mod[ACCESS_WHAT]];
    bool later = grid->pending && !kind->data_threads && !kind->data_bytes &&
                 !sass_mod(inst->sass, SASS_MOD_TMASK);
    grid->wrote |= later;
    return later;
}

/* Finds the barriers of `lanes`, which may lie in other blocks of the cluster. */
static bool find_barriers(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                          uint8_t *place[EXEC_LANES])
{
    uint64_t *address = warp->block->grid->addresses.lane;
    if (!warp->block->cluster)
        return exec_places_shared(warp, inst, lanes, place);
    exec_address_shared(warp, inst, address);
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        if (!(address[lane] >> CLUSTER_RANK_BIT) && !sass_mod(inst->sass, SASS_MOD_REMOTE))
            address[lane] |= (uint64_t)warp->block->rank << CLUSTER_RANK_BIT;
    return cluster_find(warp, inst, lanes, address, true, place);
}

bool exec_arrives_elsewhere(const struct exec_warp *warp, const struct exec_inst *inst,
                            uint32_t lanes)
{
    uint64_t address[EXEC_LANES];
    if (inst->sass->op != SASS_OP_SYNCS_ARRIVE || !sass_mod(inst->sass, SASS_MOD_REMOTE))
        return false;
    exec_address_shared(warp, inst, address);
    while (lanes && address[__builtin_ctz(lanes)] >> CLUSTER_RANK_BIT == warp->block->rank)
        lanes &= lanes - 1;
    return lanes != 0;
}

/* Remote arrivals of a warp whose instructions are executed as they issue count when the timing
 * model says that they are there. They have no result. */
static void arrive_by_message(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint64_t address[EXEC_LANES];
    exec_address_shared(warp, inst, address);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct mbarrier_arrival arrival = arrival_of(inst, data_of(warp, inst, lane));
        landing_note(warp, inst, (uint32_t)address[lane], &arrival);
    }
}

/* Tells the sanitizer of arrivals, each barrier once. */
static void watch_arrivals(struct exec_warp *warp, uint32_t lanes)
{
    const uint64_t *address = warp->block->grid->addresses.lane;
    uint64_t last = UINT64_MAX;
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        uint32_t at;
        if (address[lane] == last)
            continue;
        last = address[lane];
        const struct exec_block *owner =
            warp->block->cluster ? cluster_target(warp, NULL, lane, (uint32_t)address[lane], &at)
                                 : warp->block;
        watch_arrival(warp, owner, address[lane] & ((1u << CLUSTER_RANK_BIT) - 1));
    }
}

/*
 * SYNCS.ARRIVE and ARRIVES: the lanes arrive one after the other. All lanes get the upper word as
 * it was before the instruction. Only .TMASK writes the lower word: the lanes that are at the same
 * barrier (both measured on an H200).
 */
static void arrive(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint8_t *place[EXEC_LANES];
    uint32_t same[EXEC_LANES] = {0}, high[EXEC_LANES] = {0};
    if (!find_barriers(warp, inst, lanes, place))
        return;
    if (warp->block->grid->pending && exec_arrives_elsewhere(warp, inst, lanes)) {
        arrive_by_message(warp, inst, lanes);
        return;
    }
    if (counts_later(warp, inst))
        return;
    if (warp->block->watched)
        watch_arrivals(warp, lanes);
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        memcpy(&high[lane], place[lane] + 4, sizeof high[lane]);
        same[lane] = lanes_at_same_barrier(place, lanes, lane);
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (!arrive_lane(warp, inst, lane, place[lane]))
            return;
    }
    warp->block->grid->changes++;
    if (inst->sass->operand[SASS_D].kind == SASS_NONE)
        return;
    if (sass_mod(inst->sass, SASS_MOD_TMASK))
        exec_write(warp, inst, 0, lanes, same);
    exec_write(warp, inst, 1, lanes, high);
}

/* ATOMS.ARRIVE: the lanes arrive one after the other, and each gets the word as it was before its
 * own arrival. It counts at once, as other atomic operations on shared memory do. */
static void arrive_atomic(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint8_t *place[EXEC_LANES];
    uint64_t before[EXEC_LANES] = {0};
    if (!exec_places_shared(warp, inst, lanes, place))
        return;
    if (warp->block->watched)
        watch_arrivals(warp, lanes);
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        memcpy(&before[lane], place[lane], sizeof before[lane]);
        if (!arrive_lane(warp, inst, lane, place[lane]))
            return;
    }
    warp->block->grid->changes++;
    exec_write_wide(warp, inst, lanes, before);
}

/* SYNCS.EXCH: exchanges the word once for the whole warp. */
static void exchange(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes)
{
    uint8_t *place[EXEC_LANES];
    uint64_t before[EXEC_LANES] = {0};
    uint32_t data = inst->mod[ACCESS_DATA], lane = (uint32_t)__builtin_ctz(lanes);
    if (!exec_places_shared(warp, inst, lanes, place))
        return;
    uint64_t word = warp->ur[data];
    if (data != SASS_URZ)
        word |= (uint64_t)warp->ur[data + 1] << 32;
    memcpy(&before[lane], place[lane], sizeof before[lane]);
    memcpy(place[lane], &word, sizeof word);
    warp->block->grid->changes++;
    exec_write_wide(warp, inst, UINT32_C(1) << lane, before);
}

static void prepare_exchange(struct exec_inst *inst)
{
    const struct sass_operand *address = &inst->sass->operand[SASS_A];
    const struct sass_operand *data = &inst->sass->operand[SASS_DATA];
    inst->mod[ACCESS_UR] = address->kind == SASS_UNIFORM ? address->index : SASS_URZ;
    inst->mod[ACCESS_DATA] = data->kind == SASS_UNIFORM ? data->index : SASS_URZ;
    inst->mod[ACCESS_WRITES] = 1;
    inst->run = exchange;
}

static bool prepare_arrival(struct exec_inst *inst, uint32_t kind)
{
    inst->mod[ACCESS_WHAT] = kind;
    inst->run = inst->sass->op == SASS_OP_ATOMS_ARRIVE ? arrive_atomic : arrive;
    return kind < sizeof kinds / sizeof kinds[0];
}

bool exec_prepare_mbarrier(struct exec_inst *inst)
{
    static const uint8_t counted[] = {
        [COUNTED_80] = ONE, [COUNTED_ARRIVAL] = ONE, [COUNTED_BYTE] = BYTE_COMPLETE};
    const struct sass_inst *sass = inst->sass;
    exec_access_fill(inst);
    inst->mod[ACCESS_BYTES] = sizeof(uint64_t);
    inst->mod[ACCESS_TYPE] = sass_mod(sass, SASS_MOD_OPTOUT);
    switch (sass->op) {
    case SASS_OP_SYNCS_EXCH:
        prepare_exchange(inst);
        return true;
    case SASS_OP_SYNCS_ARRIVE:
        return prepare_arrival(inst, sass_mod(sass, SASS_MOD_ARRIVE));
    case SASS_OP_ATOMS_ARRIVE:
        return prepare_arrival(inst, ONE);
    case SASS_OP_ARRIVES:
        return prepare_arrival(inst, counted[sass_mod(sass, SASS_MOD_COUNTED) % 3]);
    default:
        return false;
    }
}

/* Sets *ended_lanes to the lanes of `lanes` whose phase has ended: the barrier is not in the phase
 * that bit 31 of DATA names. Returns false if a lane's address is wrong; the launch has then
 * failed. */
static bool find_ended_phases(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                              uint32_t *ended_lanes)
{
    uint8_t *place[EXEC_LANES];
    *ended_lanes = 0;
    if (!exec_places_shared(warp, inst, lanes, place))
        return false;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t word;
        memcpy(&word, place[lane], sizeof word);
        *ended_lanes |= (uint32_t)(word >> 63 ^ data_of(warp, inst, lane) >> 31) << lane;
    }
    if (warp->block->watched && *ended_lanes)
        watch_phase_end(warp, warp->block->grid->addresses.lane[__builtin_ctz(*ended_lanes)]);
    return true;
}

/* Records a SYNCS.PHASECHK when it is answered: with the barriers whose phase the lanes
 * `ended_lanes` have seen end, each with the number of arrivals that ended it. */
static void record(struct exec_slot *slot, uint32_t at, uint32_t active, uint32_t lanes,
                   uint32_t ended_lanes)
{
    struct exec_grid *grid = slot->warp->block->grid;
    const struct warp_inst inst = {.index = at, .active = active, .exec = lanes};
    struct wait wait = {.words = 0};
    if (!slot->heard)
        return;
    for (uint32_t left = ended_lanes; left; left &= left - 1) {
        uint64_t address = grid->addresses.lane[__builtin_ctz(left)];
        const struct word_state *state = word_find(&slot->warp->block->words, address);
        SIMSM_CHECK(wait.words < WAIT_WORDS, "%u words", wait.words);
        bool known = wait.words && wait.word[wait.words - 1].address == address;
        if (state && state->ended && !known)
            wait.word[wait.words++] = (struct wait_word){address, state->ended};
    }
    heard_put(grid, slot, inst, false, wait.words ? &wait : NULL);
}

/*
 * Notes the wait of `lanes` for the end of a phase; the timing model says when to look again. A
 * test looks once, when its access is answered, and so does TRYWAIT if other lanes of the warp are
 * elsewhere, also if they wait there (H100, cuda/probe/part_wait).
 */
static void wait_for_phase(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    const struct exec_inst *inst = &step->inst;
    exec_write_predicate(slot->warp, inst, inst->pu, lanes, 0);
    if (slot->phase || !exec_places_shared(slot->warp, inst, lanes, slot->phase_word))
        return;
    slot->phase = step;
    slot->phase_waited = step;
    vain_read(slot, slot->warp->block->grid->addresses.lane[__builtin_ctz(lanes)]);
    slot->phase_tests = !inst->mod[ACCESS_WHAT] || slot->groups > 1;
    slot->phase_lanes = lanes;
    slot->phase_bits = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        slot->phase_bits |= (data_of(slot->warp, inst, lane) >> 31) << lane;
    }
    slot->warp->block->grid->waits = true;
}

bool exec_phase_over(struct exec_slot *slot, bool give_up)
{
    uint32_t ended = 0;
    if (!slot->phase)
        return true;
    for (uint32_t left = slot->phase_lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t word;
        memcpy(&word, slot->phase_word[lane], sizeof word);
        ended |= ((uint32_t)(word >> 63) ^ (slot->phase_bits >> lane & 1)) << lane;
    }
    if (!ended && !give_up && !slot->phase_tests)
        return false;
    exec_write_predicate(slot->warp, &slot->phase->inst, slot->phase->inst.pu, slot->phase_lanes,
                         ended);
    slot->phase = NULL;
    return true;
}

void exec_arrive_later(struct exec_slot *slot, const struct exec_step *step, uint64_t address,
                       uint32_t lanes)
{
    struct exec_warp *warp = slot->warp;
    struct exec_grid *grid = warp->block->grid;
    const struct exec_inst *inst = &step->inst;
    address &= (UINT64_C(1) << CLUSTER_RANK_BIT) - 1;
    uint8_t *place = warp->block->shared + address;
    uint32_t high[EXEC_LANES] = {0};
    const struct arrival_kind *kind = &kinds[inst->mod[ACCESS_WHAT]];
    if (kind->data_threads || kind->data_bytes || sass_mod(inst->sass, SASS_MOD_TMASK))
        return; /* it has counted at once */
    grid->changes++;
    for (uint32_t left = lanes; left && grid->status == SIMSM_OK; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (left == lanes)
            memcpy(&high[lane], place + 4, sizeof high[lane]);
        high[lane] = high[__builtin_ctz(lanes)];
        grid->addresses.lane[lane] = address;
        (void)arrive_lane(warp, inst, lane, place);
    }
    grid->wrote = false;
    if (inst->sass->operand[SASS_D].kind != SASS_NONE)
        exec_write(warp, inst, 1, lanes, high);
}

void exec_prepare_phase_check(struct exec_inst *inst)
{
    exec_access_fill(inst);
    inst->mod[ACCESS_BYTES] = sizeof(uint64_t);
    inst->mod[ACCESS_WHAT] = sass_mod(inst->sass, SASS_MOD_TRYWAIT);
}

/*
 * SYNCS.PHASECHK. .TRYWAIT returns when the phase of at least one lane has ended. An H200 does so:
 * with half of the lanes at a barrier whose phase has ended, it takes no longer than with all
 * lanes.
 */
void exec_phase_check(struct exec_block *block, struct exec_slot *slot,
                      const struct exec_step *step, uint32_t lanes)
{
    struct exec_group *group = split_running(slot);
    const struct exec_inst *inst = &step->inst;
    uint32_t ended_lanes = 0;
    (void)block;
    if (lanes && !find_ended_phases(slot->warp, inst, lanes, &ended_lanes))
        return;
    if (lanes && !ended_lanes && slot->warp->block->grid->pending) {
        wait_for_phase(slot, step, lanes);
        group->at++;
        return;
    }
    if (lanes && !ended_lanes && inst->mod[ACCESS_WHAT]) {
        group->wait = EXEC_AT_PHASE;
        group->mask = lanes;
        slot->now = EXEC_NOBODY;
        return;
    }
    if (lanes)
        exec_write_predicate(slot->warp, inst, inst->pu, lanes, ended_lanes);
    record(slot, group->at, group->lanes, lanes, ended_lanes);
    group->at++;
}

bool exec_phase_wake(struct exec_slot *slot, struct exec_group *group, bool give_up)
{
    const struct exec_inst *inst = &slot->warp->block->grid->step[group->at].inst;
    uint32_t ended_lanes;
    if (!find_ended_phases(slot->warp, inst, group->mask, &ended_lanes) ||
        (!ended_lanes && !give_up))
        return false;
    exec_write_predicate(slot->warp, inst, inst->pu, group->mask, ended_lanes);
    record(slot, group->at, group->lanes, group->mask, ended_lanes);
    group->wait = EXEC_READY;
    group->at++;
    return true;
}
