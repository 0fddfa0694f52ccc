/*
 * Invariants, checked in every build: what can only be false if simsm itself is wrong. A check
 * costs one predictable branch. Bad input is never a failed check; it has a message of its own
 * (err.h).
 */
#ifndef SIM_BASE_CHECK_H
#define SIM_BASE_CHECK_H

/*
 * Ends the process with exit status 1 and one line on stderr if `condition` is false: file, line,
 * function, the condition, and a text made of the further arguments as by printf, which says with
 * numbers what was found ("slot %u of %u").
 */
#define SIMSM_CHECK(condition, ...)                                                                \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            check_failed(__FILE__, __LINE__, __func__, #condition, __VA_ARGS__);                   \
    } while (0)

/* Called by SIMSM_CHECK alone, from any thread; only the first failure of a process is reported. */
_Noreturn void check_failed(const char *file, int line, const char *function, const char *condition,
                            const char *format, ...) __attribute__((cold, format(printf, 5, 6)));

#endif
