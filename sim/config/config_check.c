#include "config/config_check.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "config/value.h"

struct check {
    const struct simsm_config *config;
    const struct config_origins *origins;
    struct simsm_error *error;
};

static enum simsm_status blame(const struct check *check, int id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum simsm_status blame(const struct check *check, int id, const char *format, ...)
{
    char message[512], path[SCHEMA_PATH];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list);
    va_end(list);
    schema_path(&schema_rows[id], path);
    const struct config_origin *at = check->origins ? &check->origins->at[id] : NULL;
    if (!at || !at->file)
        return err_set(check->error, SIMSM_BAD_INPUT, "%s: %s", path, message);
    return err_at(check->error, SIMSM_BAD_INPUT, check->origins->files[at->file - 1], at->line,
                  at->column, "%s: %s", path, message);
}

enum rule_kind {
    POWER_OF_TWO, /* powers of two: caches and banks select by bits of the address */
    AT_MOST,      /* no more than the other field */
    MULTIPLE_OF,  /* of the other field */
    NONE_OR_MULTIPLE_OF,
    NONE_OR_MULTIPLE_OF_SOME, /* the other field may be 0, too */
};

static const struct rule {
    enum rule_kind kind;
    int id, other;
} rules[] = {
    {MULTIPLE_OF, SCHEMA_sm_warp_slots, SCHEMA_sm_sub_partitions},
    {AT_MOST, SCHEMA_sm_max_blocks, SCHEMA_sm_warp_slots}, /* a block has at least one warp */
    {AT_MOST, SCHEMA_sm_max_threads_per_block, SCHEMA_sm_max_threads},
    {AT_MOST, SCHEMA_sm_registers_per_block, SCHEMA_sm_registers},
    {MULTIPLE_OF, SCHEMA_sm_registers, SCHEMA_sm_register_unit},
    {AT_MOST, SCHEMA_sm_shared_bytes, SCHEMA_sm_l1_shared_bytes},
    {AT_MOST, SCHEMA_sm_shared_per_block, SCHEMA_sm_shared_per_block_optin},
    {AT_MOST, SCHEMA_fetch_width, SCHEMA_fetch_buffer_entries},
    {POWER_OF_TWO, SCHEMA_fetch_instruction_bytes, 0},
    {POWER_OF_TWO, SCHEMA_fetch_line_bytes, 0},
    {MULTIPLE_OF, SCHEMA_fetch_l0_bytes, SCHEMA_fetch_line_bytes},
    {MULTIPLE_OF, SCHEMA_fetch_l1_bytes, SCHEMA_fetch_line_bytes},
    {NONE_OR_MULTIPLE_OF, SCHEMA_fetch_l15_bytes, SCHEMA_fetch_line_bytes},
    {NONE_OR_MULTIPLE_OF, SCHEMA_fetch_gpc_line_bytes, SCHEMA_fetch_line_bytes},
    {NONE_OR_MULTIPLE_OF_SOME, SCHEMA_fetch_l15_bytes, SCHEMA_fetch_gpc_line_bytes},
    {MULTIPLE_OF, SCHEMA_constant_gpc_line_bytes, SCHEMA_constant_line_bytes},
    {MULTIPLE_OF, SCHEMA_constant_l1_bytes, SCHEMA_constant_gpc_line_bytes},
    {POWER_OF_TWO, SCHEMA_shared_banks, 0},
    {POWER_OF_TWO, SCHEMA_l1_line_bytes, 0},
    {POWER_OF_TWO, SCHEMA_l2_line_bytes, 0},
    {POWER_OF_TWO, SCHEMA_l2_fetch_bytes, 0},
    {AT_MOST, SCHEMA_l2_fetch_bytes, SCHEMA_l2_line_bytes},
    {POWER_OF_TWO, SCHEMA_tlb_page_bytes, 0},
    {POWER_OF_TWO, SCHEMA_tlb_reach_bytes, 0},
    {AT_MOST, SCHEMA_tlb_reach_bytes, SCHEMA_tlb_page_bytes}, /* an entry knows one page */
    {POWER_OF_TWO, SCHEMA_dram_row_bytes, 0},
    {AT_MOST, SCHEMA_l2_line_bytes, SCHEMA_dram_row_bytes},
};

static enum simsm_status check_rule(const struct check *check, const struct rule *rule)
{
    uint32_t value = value_uint(check->config, &schema_rows[rule->id]);
    uint32_t other = rule->other ? value_uint(check->config, &schema_rows[rule->other]) : 0;
    char path[SCHEMA_PATH];
    schema_path(&schema_rows[rule->other], path);
    if (rule->kind >= NONE_OR_MULTIPLE_OF && value == 0)
        return SIMSM_OK;
    if (rule->kind == NONE_OR_MULTIPLE_OF_SOME && other == 0)
        return SIMSM_OK;
    switch (rule->kind) {
    case POWER_OF_TWO:
        if (value == 0 || (value & (value - 1)))
            return blame(check, rule->id, "must be a power of two, found %u", value);
        break;
    case AT_MOST:
        if (value > other)
            return blame(check, rule->id, "%u is above %s, which is %u", value, path, other);
        break;
    case MULTIPLE_OF:
    case NONE_OR_MULTIPLE_OF:
    case NONE_OR_MULTIPLE_OF_SOME:
        if (other == 0 || value < other || value % other)
            return blame(check, rule->id, "%u is no multiple of %s, which is %u", value, path,
                         other);
        break;
    }
    return SIMSM_OK;
}

static enum simsm_status check_sm(const struct check *check)
{
    const struct simsm_config *c = check->config;
    if (c->sm_max_threads > SIMSM_WARP_LANES * c->sm_warp_slots)
        return blame(check, SCHEMA_sm_max_threads,
                     "%u threads do not fit into sm.warp_slots, %u warps of %u", c->sm_max_threads,
                     c->sm_warp_slots, SIMSM_WARP_LANES);
    if (c->sm_shared_per_block_optin + c->sm_shared_reserved > c->sm_shared_bytes)
        return blame(check, SCHEMA_sm_shared_per_block_optin,
                     "%u with the %u bytes of sm.shared_reserved is above sm.shared_bytes, which "
                     "is %u",
                     c->sm_shared_per_block_optin, c->sm_shared_reserved, c->sm_shared_bytes);
    uint32_t count = c->sm_carveouts_count;
    for (uint32_t i = 1; i < count; i++) {
        if (c->sm_carveouts[i] <= c->sm_carveouts[i - 1])
            return blame(check, SCHEMA_sm_carveouts, "%u after %u: sizes must ascend",
                         c->sm_carveouts[i], c->sm_carveouts[i - 1]);
    }
    if (count == 0)
        return blame(check, SCHEMA_sm_carveouts,
                     "give the sizes that shared memory can be set to; the last is "
                     "sm.shared_bytes, %u",
                     c->sm_shared_bytes);
    if (c->sm_carveouts[count - 1] != c->sm_shared_bytes)
        return blame(check, SCHEMA_sm_carveouts,
                     "the last size, %u, must be sm.shared_bytes, which is %u",
                     c->sm_carveouts[count - 1], c->sm_shared_bytes);
    return SIMSM_OK;
}

/* Checks that each cache holds at least one set. */
static enum simsm_status check_caches(const struct check *check)
{
    const struct simsm_config *c = check->config;
    uint32_t l1 = c->sm_l1_shared_bytes - c->sm_shared_bytes;
    if (l1 < c->l1_line_bytes * c->l1_ways)
        return blame(check, SCHEMA_l1_ways,
                     "%u ways of %u bytes do not fit into the %u bytes that the largest carve-out "
                     "leaves (sm.l1_shared_bytes less sm.shared_bytes)",
                     c->l1_ways, c->l1_line_bytes, l1);
    uint64_t set = (uint64_t)c->l2_slices * c->l2_line_bytes * c->l2_ways;
    if (c->l2_bytes < set)
        return blame(check, SCHEMA_l2_bytes,
                     "%u bytes are less than one set of %u ways of %u bytes in each of %u slices",
                     c->l2_bytes, c->l2_ways, c->l2_line_bytes, c->l2_slices);
    return SIMSM_OK;
}

/*
 * Checks the latencies. They count from issue to use, so the latency of a level contains those of
 * the nearer levels, and the difference must be positive. Only the grade `full` uses the
 * differences.
 */
static enum simsm_status check_latencies(const struct check *check)
{
    const struct simsm_config *c = check->config;
    if (c->memory_model < SIMSM_FULL_memory_model)
        return SIMSM_OK;
    static const int through_queue[] = {SCHEMA_shared_latency, SCHEMA_shared_atomic_latency,
                                        SCHEMA_l1_latency};
    uint32_t front = c->mio_queue_latency;
    for (size_t i = 0; i < sizeof through_queue / sizeof through_queue[0]; i++) {
        uint32_t latency = value_uint(c, &schema_rows[through_queue[i]]);
        if (latency <= front)
            return blame(check, through_queue[i],
                         "%u must be above mio.queue_latency, which is %u and part of it", latency,
                         front);
    }
    uint32_t way = c->l1_latency + 2 * c->xbar_latency;
    if (c->l2_latency <= way)
        return blame(check, SCHEMA_l2_latency,
                     "%u must be above l1.latency + 2 x xbar.latency, which is %u and part of it",
                     c->l2_latency, way);
    if (c->dram_latency <= c->l2_latency)
        return blame(check, SCHEMA_dram_latency,
                     "%u must be above l2.latency, which is %u and part of it", c->dram_latency,
                     c->l2_latency);
    return SIMSM_OK;
}

enum simsm_status check_config(const struct simsm_config *config,
                               const struct config_origins *origins, struct simsm_error *error)
{
    struct check check = {config, origins, error};
    enum simsm_status status = SIMSM_OK;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && status == SIMSM_OK; i++)
        status = check_rule(&check, &rules[i]);
    if (status == SIMSM_OK)
        status = check_sm(&check);
    if (status == SIMSM_OK)
        status = check_caches(&check);
    if (status == SIMSM_OK)
        status = check_latencies(&check);
    return status;
}
