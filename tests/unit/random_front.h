/*
 * A front that makes up a kernel from a seed: random straight code of all opcode classes in a loop,
 * random registers, lane masks and addresses. Two streams from one seed are equal.
 */
#ifndef TESTS_UNIT_RANDOM_FRONT_H
#define TESTS_UNIT_RANDOM_FRONT_H

#include <stdlib.h>
#include <string.h>

#include "front/front.h"
#include "model/op.h"

enum { RANDOM_CODE = 48 };

struct random_front {
    struct front front;
    struct inst code[RANDOM_CODE];
    const char *text[RANDOM_CODE];
    uint64_t seed;
    uint32_t body; /* instructions of the loop, the branch back included; then EXIT */
    uint32_t trips;
    bool control_bits;
};

struct random_cursor {
    uint64_t random, block;
    uint32_t at, trip, warp, lanes;
};

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15); /* splitmix64 */
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(random_next(state) % n);
}

static void random_begin(const struct front *front, void *cursor, uint64_t block, uint32_t warp)
{
    const struct random_front *self = (const struct random_front *)(const void *)front;
    uint32_t threads = simsm_block_threads(&front->launch), first = warp * 32;
    uint32_t lanes = threads - first < 32 ? threads - first : 32;
    *(struct random_cursor *)cursor = (struct random_cursor){
        .random = self->seed * 77 + block * 1000 + warp,
        .block = block,
        .warp = warp,
        .lanes = lanes == 32 ? UINT32_MAX : (1u << lanes) - 1,
    };
}

/* Returns the token of an LDC whose lanes read several lines. */
static uint64_t random_constants(uint64_t *random)
{
    const uint64_t values = 1 + random_below(random, SIMSM_WARP_LANES);
    const uint32_t first = random_below(random, 64), step = random_below(random, 3);
    const uint64_t steps = random_next(random) & random_next(random);
    return inst_constant_token((uint32_t)values, first, step) |
           (steps | UINT64_C(1) << 63) >> (64 - INST_STEPS) << (64 - INST_STEPS);
}

static void random_inst(const struct front *front, void *cursor, struct warp_inst *inst)
{
    const struct random_front *self = (const struct random_front *)(const void *)front;
    struct random_cursor *s = cursor;
    uint32_t some = (uint32_t)random_next(&s->random) & s->lanes;
    bool whole = random_below(&s->random, 3) > 0;
    bool uniform =
        self->code[s->at].op == SIMSM_OP_EXIT || self->code[s->at].op == SIMSM_OP_BARRIER;
    *inst = (struct warp_inst){
        .index = s->at,
        .active = whole || !some || uniform ? s->lanes : some,
        .token = random_next(&s->random),
    };
    inst->exec = inst->active & (uint32_t)(inst->token >> 7 | inst->token >> 21);
    if (self->code[inst->index].op == SIMSM_OP_SLEEP ||
        self->code[inst->index].op == SIMSM_OP_BARRIER)
        inst->token = 0;
    if (op_counts_values(self->code[inst->index].op))
        inst->token %= SIMSM_WARP_LANES + 1; /* distinct values */
    if (self->code[inst->index].op == SIMSM_OP_LD_CONST && random_below(&s->random, 2))
        inst->token = random_constants(&s->random);
    if (self->code[s->at].op == SIMSM_OP_EXIT)
        inst->flags = WARP_INST_LAST;
    s->at++;
    if (s->at == self->body && ++s->trip < self->trips) {
        s->at = 0;
        inst->flags = WARP_INST_TAKEN;
    }
}

static void random_addresses(const struct front *front, const void *cursor,
                             const struct warp_inst *inst, struct lane_addresses *addresses)
{
    (void)front;
    (void)cursor;
    uint64_t random = inst->token;
    uint32_t region = 1u << (8 + random_below(&random, 14));
    addresses->affine = random_below(&random, 2);
    addresses->base = random_below(&random, region) & ~15u;
    addresses->stride = (int64_t)random_below(&random, 5) * 16;
    for (unsigned lane = 0; lane < 32; lane++)
        addresses->lane[lane] = random_below(&random, region) & ~15u;
}

static void random_close(struct front *front)
{
    free(front);
}

static inline struct reg_range random_register(uint64_t *random)
{
    static const uint16_t first[] = {REG_R0, REG_R0, REG_R0, REG_P0, REG_UR0};
    unsigned kind = random_below(random, 5);
    return (struct reg_range){
        .first = (uint16_t)(first[kind] + random_below(random, kind == 3 ? 7 : 12)),
        .count = kind < 3 ? (uint8_t)(1 + random_below(random, 2)) : 1,
        .reuse = random_below(random, 4) == 0,
    };
}

static inline struct inst random_static(struct random_front *self, uint64_t *random, uint32_t at)
{
    static const uint8_t widths[] = {1, 4, 4, 4, 8, 16};
    struct inst inst = {
        .op = (uint8_t)random_below(random, SIMSM_OP_COUNT),
        .width = widths[random_below(random, 6)],
        .n_sources = (uint8_t)random_below(random, 4),
        .n_destinations = (uint8_t)random_below(random, 2),
        .sleep = random_below(random, 100),
        .depbar_index = DEPBAR_GROUPS,
        .conditional = false,
        .constant = random_below(random, 4) ? 0 : 1 + random_below(random, 8192),
    };
    if (op_closes_group(inst.op))
        inst.depbar_index = DEPBAR_COMMIT;
    if (inst.op == SIMSM_OP_EXIT || at + 1 == self->body)
        inst.op = SIMSM_OP_BRANCH;
    if (inst.op == SIMSM_OP_CLUSTER_ARRIVE) /* a warp would not wait before it arrives again */
        inst.op = SIMSM_OP_CLUSTER_WAIT;
    if (inst.op == SIMSM_OP_GMMA_ARRIVE) /* warps that stand at a barrier would not come */
        inst.op = SIMSM_OP_GMMA;
    if (at == self->body)
        inst = (struct inst){.op = SIMSM_OP_EXIT};
    for (unsigned i = 0; i < inst.n_sources; i++)
        inst.source[i] = random_register(random);
    for (unsigned i = 0; i < inst.n_destinations; i++)
        inst.destination[i] = random_register(random);
    inst.control = (struct control_bits){
        .present = self->control_bits,
        .stall = (uint8_t)(1 + random_below(random, 6)),
        .yield = random_below(random, 2),
        .write_barrier = (uint8_t)random_below(random, 8),
        .read_barrier = (uint8_t)random_below(random, 8),
        .wait_mask = (uint8_t)(random_below(random, 4) ? 0 : random_below(random, 64)),
    };
    inst.pc = at * 16;
    inst.line = at + 1;
    return inst;
}

/* Closed by its ops. */
static inline struct front *random_front_open(uint64_t seed)
{
    static const struct front_ops ops = {
        .name = "random",
        .close = random_close,
        .warp_begin = random_begin,
        .warp_next = random_inst,
        .addresses = random_addresses,
    };
    uint64_t random = seed;
    struct random_front *self = calloc(1, sizeof *self);
    if (!self)
        abort();
    self->seed = seed;
    self->body = 2 + random_below(&random, RANDOM_CODE - 3);
    self->trips = 1 + random_below(&random, 6);
    self->control_bits = random_below(&random, 3) == 0;
    for (uint32_t i = 0; i <= self->body; i++) {
        self->code[i] = random_static(self, &random, i);
        self->text[i] = simsm_ops[self->code[i].op].name;
    }
    self->front = (struct front){
        .ops = &ops,
        .code = self->code,
        .text = self->text,
        .code_size = self->body + 1,
        .cursor_size = sizeof(struct random_cursor),
    };
    struct simsm_launch *launch = &self->front.launch;
    launch->grid[0] = 1 + random_below(&random, 40);
    launch->grid[1] = launch->grid[2] = 1;
    launch->block[0] = 1 + random_below(&random, 200);
    launch->block[1] = launch->block[2] = 1;
    launch->registers = 16 + random_below(&random, 100);
    launch->shared_static = random_below(&random, 8192);
    launch->carveout = SIMSM_CARVEOUT_DEFAULT;
    return &self->front;
}

#endif
