/* Errors: the function that fails fills a struct; the program shows it. */
#ifndef SIMSM_ERROR_H
#define SIMSM_ERROR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results of functions. The command exits with the same numbers. */
enum simsm_status {
    SIMSM_OK = 0,
    SIMSM_FAILED = 1,    /* the run failed or found something: out of memory, disk full, deadlock */
    SIMSM_BAD_INPUT = 2, /* a file, an option or an argument is wrong */
    SIMSM_LIMIT = 3,     /* a limit such as --max-cycles stopped the run */
    SIMSM_INTERRUPTED = 130 /* stopped by the user */
};

/* Why a function failed, and where in which file. Holds no pointers. */
struct simsm_error {
    enum simsm_status status;
    uint32_t line;     /* from 1; 0 where there is none */
    uint32_t column;   /* from 1, in bytes; 0 where there is none */
    char file[256];    /* "" where there is none */
    char message[768]; /* what was expected, what was found, what to do; no newline at the end */
};

/*
 * Writes "file:line:column: message" into `text`, without the parts that *error does not have, cut
 * to `size` bytes with the terminator. Returns `text`.
 */
char *simsm_error_text(const struct simsm_error *error, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
