/*
 * Event streams for the timeline's tests: a small pretended SM that runs a loop with loads,
 * arithmetic, a barrier and stores, and a source of random but lawful events.
 */
#ifndef TESTS_UNIT_TIMELINE_FAKE_H
#define TESTS_UNIT_TIMELINE_FAKE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/front.h"
#include "observe/timeline_write.h"
#include "simsm/simsm.h"
#include "timeline/timeline_read.h"

struct fake_events {
    struct simsm_event *list;
    size_t count, room;
};

static inline void fake_emit(struct fake_events *events, enum simsm_event_kind kind, uint64_t cycle,
                             uint32_t unit, uint32_t sub, uint32_t arg)
{
    if (events->count == events->room) {
        events->room = events->room ? events->room * 2 : 4096;
        events->list = realloc(events->list, events->room * sizeof *events->list);
        if (!events->list)
            abort();
    }
    events->list[events->count++] = (struct simsm_event){.cycle = cycle,
                                                         .arg = arg,
                                                         .unit = (uint16_t)unit,
                                                         .kind = (uint8_t)kind,
                                                         .sub = (uint8_t)sub};
}

static inline uint32_t fake_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

/* R2 = address, R4 = loaded, R5..R8 = computed. */
enum { FAKE_LDG = 2, FAKE_STS = 5, FAKE_BAR = 6, FAKE_LDS = 7, FAKE_BRA = 9, FAKE_STG = 10 };
enum { FAKE_EXIT = 11, FAKE_CODE = 12 };

static const struct inst fake_code[FAKE_CODE] = {
    {.op = SIMSM_OP_SPECIAL, .pc = 0, .line = 3, .n_destinations = 1, .destination = {{0, 1, 0}}},
    {.op = SIMSM_OP_IMAD,
     .pc = 16,
     .line = 4,
     .n_sources = 1,
     .source = {{0, 1, 0}},
     .n_destinations = 1,
     .destination = {{2, 1, 0}}},
    {.op = SIMSM_OP_LD_GLOBAL,
     .pc = 32,
     .line = 6,
     .width = 4,
     .n_sources = 1,
     .source = {{2, 2, 0}},
     .n_destinations = 1,
     .destination = {{4, 1, 0}}},
    {.op = SIMSM_OP_FP32,
     .pc = 48,
     .line = 7,
     .n_sources = 1,
     .source = {{4, 1, 0}},
     .n_destinations = 1,
     .destination = {{5, 1, 0}}},
    {.op = SIMSM_OP_FP32,
     .pc = 64,
     .line = 8,
     .n_sources = 1,
     .source = {{5, 1, 0}},
     .n_destinations = 1,
     .destination = {{6, 1, 0}}},
    {.op = SIMSM_OP_ST_SHARED,
     .pc = 80,
     .line = 9,
     .width = 4,
     .n_sources = 2,
     .source = {{2, 1, 0}, {6, 1, 0}}},
    {.op = SIMSM_OP_BARRIER, .pc = 96, .line = 10},
    {.op = SIMSM_OP_LD_SHARED,
     .pc = 112,
     .line = 11,
     .width = 4,
     .n_sources = 1,
     .source = {{2, 1, 0}},
     .n_destinations = 1,
     .destination = {{7, 1, 0}}},
    {.op = SIMSM_OP_FP32,
     .pc = 128,
     .line = 12,
     .n_sources = 1,
     .source = {{7, 1, 0}},
     .n_destinations = 1,
     .destination = {{8, 1, 0}}},
    {.op = SIMSM_OP_BRANCH, .pc = 144, .line = 13, .conditional = true},
    {.op = SIMSM_OP_ST_GLOBAL,
     .pc = 160,
     .line = 15,
     .width = 4,
     .n_sources = 2,
     .source = {{2, 2, 0}, {8, 1, 0}}},
    {.op = SIMSM_OP_EXIT, .pc = 176, .line = 16},
};

static const char *const fake_text[FAKE_CODE] = {
    "S2R R0, SR_TID.X", "IMAD R2, R0, 4, c[0]",
    "LDG R4, [R2]",     "FFMA R5, R4, R4, 1.0",
    "FADD R6, R5, R5",  "STS [R2], R6",
    "BAR.SYNC 0",       "LDS R7, [R2]",
    "FADD R8, R7, 1.0", "BRA LOOP",
    "STG [R2], R8",     "EXIT",
};

/* A T4-like GPU of `sms` SMs. */
static inline void fake_config(struct simsm_config *config, uint32_t sms, uint32_t slots)
{
    memset(config, 0, sizeof *config);
    (void)snprintf(config->gpu_name, sizeof config->gpu_name, "Fake");
    config->gpu_compute_capability = 75;
    config->gpu_sms = sms;
    config->gpu_clock_mhz = 1590;
    config->sm_sub_partitions = 4;
    config->sm_warp_slots = slots;
    for (int i = 0; i < SIMSM_OP_COUNT; i++)
        config->ops[i] = (struct simsm_op_timing){simsm_ops[i].pipe, simsm_ops[i].latency,
                                                  simsm_ops[i].interval};
    config->memory_model = SIMSM_FULL_memory_model;
}

static inline void fake_front(struct front *front)
{
    memset(front, 0, sizeof *front);
    (void)snprintf(front->launch.name, sizeof front->launch.name, "fake_kernel");
    (void)snprintf(front->path, sizeof front->path, "traces/fake.trace");
    for (int i = 0; i < 3; i++)
        front->launch.grid[i] = front->launch.block[i] = 1;
    front->launch.grid[0] = 6;
    front->launch.block[0] = 128;
    front->launch.registers = 32;
    front->code = fake_code;
    front->text = fake_text;
    front->code_size = FAKE_CODE;
}

struct fake_slot {
    bool held, exited, arrived;
    uint8_t state, why; /* `why`: what it waits for until `ready` */
    uint32_t block, warp, pc, loops, mask, head;
    uint64_t ready;
};

struct fake_sm {
    struct fake_events *events;
    uint32_t unit, slots, block_warps, blocks_left, next_block, oldest, loops;
    uint64_t seed, now;
    struct fake_slot slot[SIMSM_SLOTS_PER_SM];
    struct {
        uint64_t start, done;
        uint32_t slot, pc, op, level;
    } flying[1024];
    uint32_t flying_count;
};

static inline void fake_fill(struct fake_sm *sm)
{
    uint32_t free_slots = 0;
    for (uint32_t s = 0; s < sm->slots; s++)
        free_slots += !sm->slot[s].held;
    if (!sm->blocks_left || free_slots < sm->block_warps)
        return;
    uint32_t warp = 0, block = sm->next_block++;
    sm->blocks_left--;
    fake_emit(sm->events, SIMSM_EVENT_BLOCK_START, sm->now, sm->unit, block % 8, block);
    for (uint32_t s = 0; s < sm->slots && warp < sm->block_warps; s++) {
        if (sm->slot[s].held)
            continue;
        uint8_t state = sm->slot[s].state;
        sm->slot[s] = (struct fake_slot){.held = true,
                                         .state = state,
                                         .block = block,
                                         .warp = warp,
                                         .loops = sm->loops,
                                         .why = SIMSM_STATE_NO_INSTRUCTION,
                                         .ready = sm->now + 5 + fake_random(&sm->seed) % 20};
        fake_emit(sm->events, SIMSM_EVENT_WARP_START, sm->now, sm->unit + s, warp++, block);
    }
}

static inline void fake_fly(struct fake_sm *sm)
{
    for (uint32_t i = 0; i < sm->flying_count; i++) {
        if (sm->flying[i].start == sm->now)
            fake_emit(sm->events, SIMSM_EVENT_MEM_START, sm->now, sm->unit + sm->flying[i].slot,
                      sm->flying[i].op, sm->flying[i].pc);
        if (sm->flying[i].done == sm->now) {
            fake_emit(sm->events, SIMSM_EVENT_MEM_DONE, sm->now, sm->unit + sm->flying[i].slot,
                      sm->flying[i].level, sm->flying[i].pc);
            sm->flying[i--] = sm->flying[--sm->flying_count];
        }
    }
}

/* Sets the state in which the warp waits after the issued instruction. */
static inline void fake_issue(struct fake_sm *sm, uint32_t s)
{
    struct fake_slot *slot = &sm->slot[s];
    uint32_t pc = slot->pc, r = fake_random(&sm->seed);
    uint64_t wait = 1;
    slot->why = SIMSM_STATE_WAIT;
    if (fake_code[pc].width && sm->flying_count < 1024) {
        bool global = pc == FAKE_LDG || pc == FAKE_STG;
        uint32_t level = global ? (r % 4 ? 3u : 2u) : 0;
        uint64_t done = sm->now + 12 + (global ? 200 + r % 400 : 15 + r % 8);
        sm->flying[sm->flying_count].start = sm->now + 8 + r % 3;
        sm->flying[sm->flying_count].slot = s;
        sm->flying[sm->flying_count].pc = pc;
        sm->flying[sm->flying_count].op = fake_code[pc].op;
        sm->flying[sm->flying_count].level = level;
        sm->flying[sm->flying_count++].done = done;
        if (pc == FAKE_LDG || pc == FAKE_LDS) {
            wait = done - sm->now;
            slot->why = global ? SIMSM_STATE_LONG_SCOREBOARD : SIMSM_STATE_SHORT_SCOREBOARD;
        }
    } else if (pc == FAKE_BAR) {
        slot->arrived = true;
        slot->why = SIMSM_STATE_BARRIER;
        wait = UINT32_MAX;
    } else if (pc == FAKE_BRA) {
        slot->why = SIMSM_STATE_BRANCH_RESOLVING;
        wait = 8;
    } else if (pc == FAKE_EXIT) {
        slot->exited = true;
    } else {
        wait = 4;
    }
    slot->ready = sm->now + wait;
    slot->pc = pc == FAKE_BRA && --slot->loops ? FAKE_LDG : pc + 1;
}

/* Opens full barriers and frees blocks that have ended. */
static inline void fake_blocks(struct fake_sm *sm)
{
    for (uint32_t block = sm->oldest; block < sm->next_block; block++) {
        uint32_t held = 0, arrived = 0, exited = 0;
        for (uint32_t s = 0; s < sm->slots; s++) {
            const struct fake_slot *slot = &sm->slot[s];
            held += slot->held && slot->block == block;
            arrived += slot->held && slot->block == block && slot->arrived;
            exited += slot->held && slot->block == block && slot->exited;
        }
        for (uint32_t s = 0; held && arrived == held && s < sm->slots; s++) {
            if (sm->slot[s].held && sm->slot[s].block == block) {
                sm->slot[s].arrived = false;
                sm->slot[s].ready = sm->now + 10;
            }
        }
        if (held && arrived == held)
            fake_emit(sm->events, SIMSM_EVENT_BARRIER_RELEASE, sm->now, sm->unit, 0, block % 8);
        if (!held && block == sm->oldest)
            sm->oldest++;
        if (held && exited == held) {
            for (uint32_t s = 0; s < sm->slots; s++) {
                if (sm->slot[s].block == block)
                    sm->slot[s].held = false;
            }
            fake_emit(sm->events, SIMSM_EVENT_BLOCK_END, sm->now, sm->unit, block % 8, block);
        }
    }
}

static inline void fake_cycle(struct fake_sm *sm)
{
    uint32_t issuer[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    fake_fill(sm);
    for (uint32_t i = 0; i < sm->slots; i++) {
        uint32_t s = (uint32_t)((i + sm->now) % sm->slots);
        const struct fake_slot *slot = &sm->slot[s];
        if (slot->held && !slot->exited && slot->ready <= sm->now && issuer[s % 4] == UINT32_MAX)
            issuer[s % 4] = s;
    }
    for (uint32_t s = 0; s < sm->slots; s++) {
        struct fake_slot *slot = &sm->slot[s];
        uint32_t state = !slot->held              ? SIMSM_STATE_EMPTY
                         : slot->exited           ? SIMSM_STATE_EXITED
                         : issuer[s % 4] == s     ? SIMSM_STATE_ISSUED
                         : slot->ready <= sm->now ? SIMSM_STATE_NOT_SELECTED
                                                  : slot->why;
        if (state != slot->state)
            fake_emit(sm->events, SIMSM_EVENT_WARP_STATE, sm->now, sm->unit + s, state,
                      slot->held && !slot->exited ? slot->pc : slot->head);
        slot->state = (uint8_t)state;
        if (state != SIMSM_STATE_ISSUED)
            continue;
        uint32_t mask = slot->pc == FAKE_STS && slot->warp % 2 ? 0xffffu : UINT32_MAX;
        if (mask != slot->mask)
            fake_emit(sm->events, SIMSM_EVENT_MASK, sm->now, sm->unit + s, 0, mask);
        slot->mask = mask;
        slot->head = slot->pc;
        fake_emit(sm->events, SIMSM_EVENT_ISSUE, sm->now, sm->unit + s, 0, slot->pc);
        fake_issue(sm, s);
    }
    fake_fly(sm);
    fake_blocks(sm);
}

/* A kernel of `blocks` blocks of `warps` warps on one SM; returns the cycles that it took. */
static inline uint64_t fake_kernel(struct fake_events *events, uint32_t sm_number, uint32_t slots,
                                   uint32_t blocks, uint32_t warps, uint32_t loops, uint64_t seed)
{
    struct fake_sm sm = {.events = events,
                         .unit = sm_number * SIMSM_SLOTS_PER_SM,
                         .slots = slots,
                         .block_warps = warps,
                         .blocks_left = blocks,
                         .loops = loops,
                         .seed = seed,
                         .now = 1500};
    bool busy = true;
    while (busy) {
        fake_cycle(&sm);
        sm.now++;
        busy = sm.blocks_left > 0;
        for (uint32_t s = 0; s < slots; s++)
            busy |= sm.slot[s].state != SIMSM_STATE_EMPTY || sm.slot[s].held;
    }
    return sm.now;
}

/* The place of a WARP_STATES of this cycle that the slot of `event` can join, or a new one. */
static inline void fake_together(struct fake_events *terse, const struct simsm_event *event,
                                 uint32_t subs, size_t from)
{
    uint32_t slot = event->unit % SIMSM_SLOTS_PER_SM, first = slot % subs;
    first += slot / subs / 16 * 16 * subs;
    for (size_t i = from; i < terse->count; i++) {
        struct simsm_event *other = &terse->list[i];
        if (other->kind == SIMSM_EVENT_WARP_STATES && other->sub == event->sub &&
            other->unit == event->unit - slot + first) {
            other->arg |= 1u << (slot - first) / subs;
            return;
        }
    }
    fake_emit(terse, SIMSM_EVENT_WARP_STATES, event->cycle, event->unit - slot + first, event->sub,
              1u << (slot - first) / subs);
}

/* Passes the events of one SM to an observer, in the terse or in the full form. */
static inline void fake_tell(const struct fake_events *events, struct fake_events *told,
                             uint32_t subs, bool terse)
{
    uint32_t expected[SIMSM_SLOTS_PER_SM] = {0};
    size_t from = 0; /* of this cycle, in `told` */
    for (size_t i = 0; i < events->count; i++) {
        const struct simsm_event *event = &events->list[i];
        uint32_t slot = event->unit % SIMSM_SLOTS_PER_SM;
        if (i && event->cycle != event[-1].cycle)
            from = told->count;
        bool state = event->kind == SIMSM_EVENT_WARP_STATE;
        if (terse && state && event->sub != SIMSM_STATE_ISSUED && event->arg == expected[slot])
            fake_together(told, event, subs, from);
        else if (!terse || !state || event->sub != SIMSM_STATE_ISSUED)
            fake_emit(told, (enum simsm_event_kind)event->kind, event->cycle, event->unit,
                      event->sub, event->arg);
        if (state || event->kind == SIMSM_EVENT_ISSUE)
            expected[slot] = event->arg + !state;
    }
}

/* Any lawful events at all; some slots stay in `selected` for long; with `gaps` cycles are skipped.
 */
static inline uint64_t fake_chaos(struct fake_events *events, uint32_t sm_number, uint32_t slots,
                                  uint32_t changes, bool gaps, uint64_t seed)
{
    uint8_t state[SIMSM_SLOTS_PER_SM] = {0};
    uint32_t pc[SIMSM_SLOTS_PER_SM] = {0}, unit = sm_number * SIMSM_SLOTS_PER_SM, calm = 0;
    uint64_t now = fake_random(&seed) % 3;
    for (uint32_t n = 0; n < changes; n++, now++) {
        bool issuing = false;
        for (uint32_t s = 0; s < slots; s++) {
            uint32_t r = fake_random(&seed);
            if (r % 97 == 0)
                fake_emit(events, SIMSM_EVENT_WARP_START, now, unit + s, r >> 8 & 31, r);
            if (r % 5 == 0 && n >= calm) {
                uint8_t next = (uint8_t)(fake_random(&seed) % SIMSM_STATE_COUNT);
                if (next != state[s]) {
                    pc[s] = r % 3 ? pc[s] : fake_random(&seed) % 100;
                    fake_emit(events, SIMSM_EVENT_WARP_STATE, now, unit + s, next, pc[s]);
                    state[s] = next;
                }
            }
            if (r % 11 == 0)
                fake_emit(events, SIMSM_EVENT_MASK, now, unit + s, 0, fake_random(&seed) << 3);
            if (state[s] == SIMSM_STATE_ISSUED) {
                fake_emit(events, SIMSM_EVENT_ISSUE, now, unit + s, 0, pc[s]);
                pc[s] = r % 13 ? pc[s] + 1 : fake_random(&seed) % 100;
                issuing = true;
            }
            if (r % 7 == 0)
                fake_emit(events, SIMSM_EVENT_MEM_START, now, unit + s, SIMSM_OP_LD_GLOBAL, r % 50);
            if (r % 17 == 0)
                fake_emit(events, SIMSM_EVENT_MEM_DONE, now, unit + s, r >> 9 & 3, r % 50);
        }
        uint32_t r = fake_random(&seed);
        if (r % 9 == 0)
            fake_emit(events, SIMSM_EVENT_BLOCK_START + (r >> 5 & 1), now, unit, r >> 7 & 7, r);
        if (r % 31 == 0)
            fake_emit(events, SIMSM_EVENT_BARRIER_RELEASE, now, unit, r >> 7 & 15, r & 7);
        if (r % 50 == 1)
            calm = n + 40;
        if (gaps && !issuing && r % 3 == 0)
            now += r % 64 ? r % 700 : r % 200000;
    }
    for (uint32_t s = 0; s < slots; s++) {
        if (state[s] == SIMSM_STATE_ISSUED)
            fake_emit(events, SIMSM_EVENT_WARP_STATE, now, unit + s, SIMSM_STATE_WAIT, pc[s]);
    }
    return now + 1;
}

#endif
