/* Some SMs' halves of a memory system, driven from a test. */
#ifndef TESTS_MEM_RIG_H
#define TESTS_MEM_RIG_H

#include "mem_fixture.h"

enum { MAX_SMS = 8, LOG_ROOM = 4096 };

/* A request of one SM, and its result. */
struct record {
    uint64_t accepted, done;
    uint32_t order; /* in which it was collected */
    uint32_t level;
};
_Static_assert(sizeof(struct record) == 24, "compared as bytes: no padding");

/* Some SMs, each with its own stream of requests. */
struct rig {
    struct arena arena;
    struct simsm_config config;
    struct mem *mem;
    uint32_t sms;
    uint64_t now;
    struct mem_sm *sm[MAX_SMS];
    struct tally tally[MAX_SMS], shared;
    struct simsm_line_stats lines[4];
    uint64_t free_at[MAX_SMS];
    uint32_t sent[MAX_SMS], collected[MAX_SMS];
    bool waiting[MAX_SMS]; /* for a completion: nothing to offer before one */
    bool skip;             /* go from event to event */
};

static inline void rig_open(struct rig *rig, const struct simsm_config *config, uint32_t sms)
{
    memset(rig, 0, sizeof *rig);
    rig->config = *config;
    rig->sms = sms;
    rig->mem = mem_create(&rig->arena, config, sms, FIXTURE_SHARED);
    assert_non_null(rig->mem);
    for (uint32_t i = 0; i < sms; i++)
        assert_non_null(rig->sm[i] = mem_sm_create(rig->mem, i, &rig->tally[i]));
}

static inline void rig_close(struct rig *rig)
{
    mem_destroy(rig->mem);
    arena_free(&rig->arena);
}

static inline uint64_t rig_count(const struct rig *rig, enum simsm_counter id)
{
    uint64_t sum = rig->shared.counter[id];
    for (uint32_t i = 0; i < rig->sms; i++)
        sum += rig->tally[i].counter[id];
    return sum;
}

#endif
