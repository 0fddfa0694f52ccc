/* Turns of a test that differ in their random numbers alone. */
#ifndef TESTS_UNIT_OFTEN_H
#define TESTS_UNIT_OFTEN_H

/* Of `n` as many as are made: under sanitizers, which are slow and look for other faults, a third.
 */
#ifdef SIMSM_SANITIZED
#define OFTEN(n) (((n) + 2) / 3)
#else
#define OFTEN(n) (n)
#endif

#endif
