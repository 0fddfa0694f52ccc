/*
 * Single machine instructions, put together bit by bit, run on a warp whose lanes hold the cases.
 * R4, R6, R8 (pairs where an operation takes pairs) hold A, B, C; R2 gets the result.
 */
#ifndef TESTS_SASS_ALU_FIXTURE_H
#define TESTS_SASS_ALU_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "exec/alu/alu.h"
#include "exec/control/exec_grid.h"
#include "sass/sass_inst.h"

enum { RD = 2, RA = 4, RB = 6, RC = 8 };

struct word {
    uint64_t half[2];
};

/* Sets `count` bits from bit `at` on. */
static inline struct word with(struct word word, unsigned at, unsigned count, uint64_t value)
{
    for (unsigned i = 0; i < count; i++) {
        const unsigned bit = at + i;
        word.half[bit / 64] &= ~(UINT64_C(1) << bit % 64);
        word.half[bit / 64] |= (value >> i & 1) << bit % 64;
    }
    return word;
}

/* `opcode`: bits 11:0, bit 91 as 0x1000. A in its place, B in slot 32, C in slot 64; no predicate
 * is used, and the guard is PT. */
static inline struct word word_of(uint32_t opcode)
{
    struct word word = {{0}};
    word = with(word, 0, 12, opcode & 0xfff);
    word = with(word, 91, 1, opcode >> 12);
    word = with(word, 12, 3, 7);
    word = with(word, 16, 8, RD);
    word = with(word, 24, 8, RA);
    word = with(word, 32, 8, RB);
    word = with(word, 64, 8, RC);
    word = with(word, 81, 3, 7);
    word = with(word, 84, 3, 7);
    return with(word, 87, 3, 7);
}

struct machine {
    _Alignas(64) unsigned char memory[sizeof(struct exec_warp) + (SASS_RZ + 1) * 32 * 4];
    struct exec_warp *warp;  /* in `memory` */
    struct exec_block block; /* of the warp */
    struct exec_grid grid;   /* of the block */
    uint32_t sm;
};

static inline void machine_start(struct machine *machine, uint32_t sm)
{
    machine->warp = (struct exec_warp *)(void *)machine->memory;
    exec_warp_start(machine->warp, SASS_RZ);
    memset(&machine->block, 0, sizeof machine->block);
    memset(&machine->grid, 0, sizeof machine->grid);
    machine->block.grid = &machine->grid;
    machine->warp->block = &machine->block;
    machine->sm = sm;
}

static inline void machine_copy(struct machine *to, const struct machine *from)
{
    *to = *from;
    to->warp = (struct exec_warp *)(void *)to->memory;
}

/* Decodes and runs; the operation has to be known and supported. */
static inline void machine_run(struct machine *machine, struct word word, uint32_t lanes)
{
    static const struct exec_bank none[EXEC_BANKS];
    struct sass_inst sass;
    struct exec_inst inst;
    const char *why = "";
    char text[200];
    sass_decode(&sass, word.half, 0, machine->sm);
    sass_text(&sass, text, sizeof text);
    exec_fill(&inst, &sass, none);
    if (!exec_prepare_alu(&inst, &why))
        fail_msg("%s: %s", text, why);
    inst.run(machine->warp, &inst, lanes);
}

/* A case: 64-bit operands and result; an operation that takes words looks at the low ones. */
struct alu_case {
    uint64_t a, b, c, d;
};

static inline void set_pair(struct machine *machine, unsigned row, unsigned lane, uint64_t value)
{
    machine->warp->r[row][lane] = (uint32_t)value;
    machine->warp->r[row + 1][lane] = (uint32_t)(value >> 32);
}

static inline uint64_t get_pair(const struct machine *machine, unsigned row, unsigned lane)
{
    return (uint64_t)machine->warp->r[row + 1][lane] << 32 | machine->warp->r[row][lane];
}

/* Runs up to 31 cases, one in each lane from lane 1 on; lane 0 takes no part and must not change.
 * `mask` says which bits of R3:R2 count. */
static inline void check_cases(const char *name, uint32_t sm, struct word word, uint64_t mask,
                               const struct alu_case *cases, size_t count)
{
    struct machine machine;
    const uint64_t untouched = UINT64_C(0x5a5a5a5aa5a5a5a5);
    assert_true(count >= 1 && count <= 31);
    machine_start(&machine, sm);
    for (unsigned lane = 0; lane < 32; lane++) {
        const struct alu_case *one = &cases[lane ? (lane - 1) % count : 0];
        set_pair(&machine, RA, lane, one->a);
        set_pair(&machine, RB, lane, one->b);
        set_pair(&machine, RC, lane, one->c);
        set_pair(&machine, RD, lane, untouched);
    }
    machine_run(&machine, word, (uint32_t)(((UINT64_C(1) << count) - 1) << 1));
    assert_true(get_pair(&machine, RD, 0) == untouched);
    for (unsigned lane = 1; lane <= count; lane++) {
        const struct alu_case *one = &cases[lane - 1];
        const uint64_t found = get_pair(&machine, RD, lane) & mask;
        if (found != (one->d & mask))
            fail_msg("%s, case %u: a %llx b %llx c %llx: %llx, expected %llx", name, lane - 1,
                     (unsigned long long)one->a, (unsigned long long)one->b,
                     (unsigned long long)one->c, (unsigned long long)found,
                     (unsigned long long)(one->d & mask));
    }
}

#define WORD UINT64_C(0xffffffff)
#define PAIR UINT64_MAX

#define CHECK(name, sm, word, mask, ...)                                                           \
    do {                                                                                           \
        static const struct alu_case cases[] = {__VA_ARGS__};                                      \
        check_cases(name, sm, word, mask, cases, sizeof cases / sizeof *cases);                    \
    } while (0)

/* Numbers that follow one another without a pattern (xorshift). */
static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
