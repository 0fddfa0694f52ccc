/*
 * `simsm check`: sees the accesses of the program itself to managed, pinned and registered memory.
 * While the program runs, pages all of whose words are touched by work that it has not waited for
 * are closed to it (mprotect): an access faults, is judged (sanitize/host_order.h), and its page is
 * opened. During calls of the API all pages are open.
 *
 * LEFT OUT: pages of which work has touched a part. The program may use the rest of them, in system
 * calls too, which fail (EFAULT) where a page is closed. So only a system call that races fails.
 */
#ifndef SIM_CUDA_HOST_WATCH_H
#define SIM_CUDA_HOST_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sanitize/stream_order.h"

struct runtime;

struct host_watch {
    struct stream_clock host;   /* what the program had waited for when pages were last looked at */
    struct stream_clock waited; /* what the code of the program that runs is ordered behind */
    bool closed;                /* pages may be closed */
};

/* A program that runs accesses a page that is closed. */
struct host_fault {
    uintptr_t address, at; /* at: of the instruction; 0: not known */
    bool writes;
    bool known; /* `writes` is known */
};

/* Closes pages before the program goes on: in a function of its own that runs in a stream, or
 * (NULL) behind a call. Opens all of them, when it comes back. */
void host_watch_close(struct runtime *rt, const struct stream_clock *function);
void host_watch_open(struct runtime *rt);

/* Judges an access and opens its page. Returns false if the page was not closed by us. */
bool host_watch_fault(struct runtime *rt, const struct host_fault *fault);

#endif
