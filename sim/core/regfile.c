/*
 * MODEL: register-file ports. Each bank delivers one operand a cycle, and the operands of an
 * instruction must all be read in a window of a few cycles. A conflict therefore delays the next
 * dispatch. An operand that the compiler has marked for reuse comes from a small cache instead.
 * SOURCE: Huerta et al., MICRO 2025: two banks with one port each, a read window of 3 cycles, one
 * cache entry for each bank and operand slot, dropped by the next read of that slot without the
 * mark. H200, cuda/calib/control: a register that is several operands is read once.
 * LEFT OUT: write ports; reads by queued instructions, which have the lower priority.
 */
#include "core/sm_state.h"

static uint32_t bank_of(uint32_t reg, uint32_t banks)
{
    return (banks & (banks - 1)) == 0 ? reg & (banks - 1) : reg % banks;
}

/* Returns whether the operand comes from the reuse cache, and updates the cache. */
static bool from_cache(struct sub *sub, uint32_t banks, unsigned slot, unsigned operand,
                       struct reg_range range)
{
    uint32_t *entry = &sub->reuse[bank_of(range.first, banks)][operand];
    uint32_t key = slot * REG_COUNT + range.first + 1;
    bool hit = *entry == key;
    *entry = range.reuse ? key : 0;
    return hit;
}

/* Returns whether an earlier operand is the same registers: they are read once. */
static bool read_before(const struct inst *inst, unsigned operand)
{
    for (unsigned i = 0; i < operand; i++) {
        if (inst->source[i].first == inst->source[operand].first &&
            inst->source[i].count == inst->source[operand].count)
            return true;
    }
    return false;
}

uint32_t regfile_read(struct sm *sm, struct sub *sub, unsigned slot, const struct inst *inst)
{
    const struct simsm_config *config = sm->config;
    uint32_t banks = config->issue_register_banks, reads[BANKS] = {0}, delay = 0;
    for (unsigned i = 0; i < inst->n_sources; i++) {
        struct reg_range range = inst->source[i];
        if (range.first >= REG_P0 || from_cache(sub, banks, slot, i, range) || read_before(inst, i))
            continue;
        for (uint32_t reg = range.first; reg < (uint32_t)range.first + range.count; reg++)
            reads[bank_of(reg, banks)]++;
    }
    uint64_t now = sm->now, last_in_window = now + config->issue_read_window - 1;
    for (uint32_t bank = 0; bank < banks; bank++) {
        if (!reads[bank])
            continue;
        uint64_t *free_at = &sub->bank_free[bank];
        *free_at = (*free_at > now ? *free_at : now) + reads[bank];
        if (*free_at - 1 > last_in_window + delay)
            delay = (uint32_t)(*free_at - 1 - last_in_window);
    }
    return delay;
}
