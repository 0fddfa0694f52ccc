/* Errors: one struct, filled by the function that fails, shown by the program. */
#ifndef SIMSM_ERROR_H
#define SIMSM_ERROR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Also the exit status of the command. */
enum simsm_status {
    SIMSM_OK = 0,
    SIMSM_FAILED = 1,    /* the run failed or found something: out of memory, disk full, deadlock */
    SIMSM_BAD_INPUT = 2, /* a file, an option or an argument is wrong */
    SIMSM_LIMIT = 3,     /* a limit such as --max-cycles stopped the run */
    SIMSM_INTERRUPTED = 130 /* stopped by the user */
};

/* Why a function failed, and where in which file. It owns nothing. */
struct simsm_error {
    enum simsm_status status;
    uint32_t line;     /* from 1; 0 where there is none */
    uint32_t column;   /* from 1, in bytes; 0 where there is none */
    char file[256];    /* "" where there is none */
    char message[768]; /* what was expected, what was found, what to do; no newline at the end */
};

/*
 * Writes "file:line:column: message" (as much of it as there is) into `text`, cut to `size` bytes
 * with its terminator. Returns `text`.
 */
char *simsm_error_text(const struct simsm_error *error, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
