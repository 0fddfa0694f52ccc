/*
 * What ends a program from outside of its own code: Ctrl-C, a request to terminate, a crash. The
 * reports of what it has done are written all the same, then it ends as it would have.
 */
#ifndef SIM_CUDA_INTERRUPT_H
#define SIM_CUDA_INTERRUPT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct interrupt {
    int signal;
    bool crash;          /* the thread cannot go on */
    const void *address; /* that could not be accessed; NULL: it is not that */
    pthread_t thread;    /* that the signal came to */
};

/*
 * Watches from now on for those signals that the program leaves to the system. `finish` is called
 * once, in a thread of its own, and must come back within seconds. Where there is no room for the
 * thread nothing is watched.
 */
void interrupt_watch(void (*finish)(const struct interrupt *interrupt));

/* Not 0: launches are to end early. */
extern atomic_int interrupt_came;

#endif
