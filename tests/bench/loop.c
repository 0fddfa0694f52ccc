/*
 * The yardstick of ./dev bench: a chain of dependent integer operations, which runs from registers
 * and whose speed is that of one core alone. Prints the CPU seconds that N steps took.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Runs `steps` steps of shift, xor and multiply, each of which depends on the one before. */
static uint64_t hash(uint64_t steps)
{
    uint64_t x = 1;
    for (uint64_t i = 0; i < steps; i++)
        x = (x ^ x >> 29) * UINT64_C(0xBF58476D1CE4E5B9) + 1;
    return x;
}

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    errno = 0;
    unsigned long long steps = argc == 2 ? strtoull(argv[1], &end, 10) : 0;
    if (steps == 0 || *end || errno) {
        (void)fprintf(stderr, "usage: bench_loop STEPS\n");
        return 2;
    }
    double begin = cpu_seconds();
    uint64_t result = hash(steps);
    double seconds = cpu_seconds() - begin;
    /* The result is used, so that the compiler cannot leave the loop out. */
    (void)printf("%.6f %016llx\n", seconds, (unsigned long long)result);
    return 0;
}
