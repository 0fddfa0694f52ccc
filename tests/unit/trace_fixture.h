/* Opening traces from text, and looking at their streams. Functions not used by a test are unused.
 */
#ifndef TESTS_UNIT_TRACE_FIXTURE_H
#define TESTS_UNIT_TRACE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/trace.h"

#define HEADER "kernel t\ngrid 4\nblock 64\nregisters 64\nshared 4096\nlocal 64\nbuffer a = 64K\n"

enum { T = WARP_INST_TAKEN, D = WARP_INST_DIVERGENT, L = WARP_INST_LAST };

__attribute__((unused)) static const uint32_t all = 0xffffffffu;

struct expected {
    uint32_t index, active, exec, flags;
};

__attribute__((unused)) static struct simsm_config rules(enum simsm_divergence_model model,
                                                         enum simsm_divergence_first first)
{
    struct simsm_config config = {0};
    config.divergence_model = model;
    config.divergence_first = first;
    config.fetch_instruction_bytes = 16;
    config.barrier_count = 16;
    config.gpu_clock_mhz = 2000;
    config.sm_shared_bytes = 65536;
    config.run_seed = 1;
    return config;
}

__attribute__((unused)) static struct front *
open_with(const char *text, const struct simsm_config *config, const char *const *params)
{
    struct front *front = NULL;
    struct simsm_error error = {0};
    char message[2048];
    if (trace_open_text(&front, "t.trace", text, strlen(text), config, params, &error) != SIMSM_OK)
        fail_msg("%s", simsm_error_text(&error, message, sizeof message));
    return front;
}

__attribute__((unused)) static struct front *open_text(const char *text)
{
    return open_with(text, NULL, NULL);
}

__attribute__((unused)) static void *begin(const struct front *front, uint64_t block, uint32_t warp)
{
    void *cursor = aligned_alloc(16, front->cursor_size);
    assert_non_null(cursor);
    memset(cursor, 0xA5, front->cursor_size); /* any content */
    front->ops->warp_begin(front, cursor, block, warp);
    return cursor;
}

/* The stream of a warp is exactly this. */
__attribute__((unused)) static void expect_cursor(const struct front *front, uint64_t block,
                                                  uint32_t warp, const struct expected *expected,
                                                  size_t count)
{
    void *cursor = begin(front, block, warp);
    for (size_t i = 0; i < count; i++) {
        struct warp_inst inst;
        front->ops->warp_next(front, cursor, &inst);
        const struct expected *e = &expected[i];
        if (inst.index != e->index || inst.active != e->active || inst.exec != e->exec ||
            inst.flags != e->flags)
            fail_msg("step %zu: expected {%u, 0x%08x, 0x%08x, %u}, got {%u, 0x%08x, 0x%08x, %u}", i,
                     e->index, e->active, e->exec, e->flags, inst.index, inst.active, inst.exec,
                     inst.flags);
    }
    assert_true(expected[count - 1].flags & L);
    free(cursor);
}

#define EXPECT(front, block, warp, ...)                                                            \
    do {                                                                                           \
        const struct expected list[] = {__VA_ARGS__};                                              \
        expect_cursor(front, block, warp, list, sizeof list / sizeof *list);                       \
    } while (0)

/* Runs a warp until static instruction `index` for the n-th time and asks for its addresses. */
__attribute__((unused)) static struct lane_addresses
addresses_at(const struct front *front, uint64_t block, uint32_t warp, uint32_t index, unsigned n)
{
    void *cursor = begin(front, block, warp);
    struct warp_inst inst = {0}, wanted = {0};
    struct lane_addresses result;
    unsigned seen = 0;
    do { /* to the end: a token must outlive what follows */
        front->ops->warp_next(front, cursor, &inst);
        if (inst.index == index && ++seen == n)
            wanted = inst;
    } while (!(inst.flags & L));
    assert_true(seen >= n);
    front->ops->addresses(front, cursor, &wanted, &result);
    free(cursor);
    return result;
}

__attribute__((unused)) static void expect_affine(const struct lane_addresses *addresses,
                                                  uint64_t base, int64_t stride)
{
    assert_true(addresses->affine);
    assert_int_equal(addresses->base, base);
    assert_int_equal(addresses->stride, stride);
}

#endif
