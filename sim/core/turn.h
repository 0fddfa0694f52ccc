/* Whose turn it is at something that serves one after another, at times with fractions of cycles,
 * and the later of two cycles. */
#ifndef SIM_CORE_TURN_H
#define SIM_CORE_TURN_H

#include <stdint.h>

/* Returns the later of two cycles. */
static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns the cycle, `now` or later, at which an access of cycle `now` has its turn, which takes
 * `interval` cycles. *free_at: when the turns before it are over. */
static inline uint64_t turn_take(double *free_at, uint64_t now, double interval)
{
    const double at = *free_at > (double)now ? *free_at : (double)now;
    *free_at = at + interval;
    return (uint64_t)at;
}

#endif
