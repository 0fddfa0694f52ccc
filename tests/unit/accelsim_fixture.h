/* Accel-Sim traces in temporary files. */
#ifndef TESTS_UNIT_ACCELSIM_FIXTURE_H
#define TESTS_UNIT_ACCELSIM_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "simsm/error.h"

/* The head of a kernel of one block of 48 threads, in 14 lines; `version` is text. */
#define HEAD_OF(version, more)                                                                     \
    "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (48,1,1)\n-shmem = 64\n"  \
    "-nregs = 8\n-binary version = 70\n-cuda stream id = 0\n"                                      \
    "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0002000000\n"           \
    "-nvbit version = 1.5\n-accelsim tracer version = " version "\n" more "\n#traces format = x\n"
#define HEAD HEAD_OF("3", "")

/* From line 15 on: the block, and its warp 0 with `count` instructions from line 19 on. */
#define WARP_0(count) "#BEGIN_TB\n\nthread block = 0,0,0\nwarp = 0\ninsts = " count "\n"
#define END           "#END_TB\n"

/* Writes `text` to a new file, whose path goes to `path`. */
static inline void write_file(char path[64], const char *text)
{
    (void)snprintf(path, 64, "/tmp/simsm-test-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(close(file), 0);
}

/* A text with an error, and the expected message. */
struct wrong {
    const char *text;
    uint32_t line;
    const char *says; /* part of the message */
};

static inline void check_wrong(const struct wrong *wrong, enum simsm_status status,
                               const struct simsm_error *error)
{
    if (status != SIMSM_BAD_INPUT || error->line != wrong->line ||
        !strstr(error->message, wrong->says))
        fail_msg("expected line %u: %s; got status %d, line %u: %s", wrong->line, wrong->says,
                 (int)status, status == SIMSM_OK ? 0 : error->line,
                 status == SIMSM_OK ? "" : error->message);
}

#endif
