/* Timers of a sub-partition's slots: a wheel of 64 cycles. A timer further away fires early. The
 * woken slot then checks its time and sets the timer again. */
#ifndef SIM_CORE_WHEEL_H
#define SIM_CORE_WHEEL_H

#include <stdint.h>

#include "base/check.h"

struct wheel {
    uint64_t slots[64]; /* slots to wake in each cycle modulo 64 */
    uint64_t busy;      /* bit per entry with slots */
};

/* Wakes `slot` at `when`, which must be after `now`, or 63 cycles after `now` if that is sooner.
 * Returns the cycle. */
static inline uint64_t wheel_set(struct wheel *wheel, unsigned slot, uint64_t when, uint64_t now)
{
    SIMSM_CHECK(when > now, "slot %u: a timer for cycle %llu at %llu", slot,
                (unsigned long long)when, (unsigned long long)now);
    uint64_t delay = when - now < 63 ? when - now : 63;
    unsigned at = (unsigned)((now + delay) & 63);
    wheel->slots[at] |= UINT64_C(1) << slot;
    wheel->busy |= UINT64_C(1) << at;
    return now + delay;
}

/* Takes the slots to wake at `now`. */
static inline uint64_t wheel_take(struct wheel *wheel, uint64_t now)
{
    unsigned at = (unsigned)(now & 63);
    uint64_t slots = wheel->slots[at];
    wheel->slots[at] = 0;
    wheel->busy &= ~(UINT64_C(1) << at);
    return slots;
}

/* Returns the next cycle after `now` with a timer; UINT64_MAX if there is none. The entry of `now`
 * must have been taken. */
static inline uint64_t wheel_next(const struct wheel *wheel, uint64_t now)
{
    if (!wheel->busy)
        return UINT64_MAX;
    unsigned from = (unsigned)((now + 1) & 63);
    uint64_t turned = from ? wheel->busy >> from | wheel->busy << (64 - from) : wheel->busy;
    return now + 1 + (unsigned)__builtin_ctzll(turned);
}

#endif
