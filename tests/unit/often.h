/* The number of turns of a test that differ only in their random numbers. */
#ifndef TESTS_UNIT_OFTEN_H
#define TESTS_UNIT_OFTEN_H

/* The number of turns to run instead of `n`: a third under sanitizers, which are slow and look
 * for other faults. */
#ifdef SIMSM_SANITIZED
#define OFTEN(n) (((n) + 2) / 3)
#else
#define OFTEN(n) (n)
#endif

#endif
