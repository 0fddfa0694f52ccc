/*
 * Signals that end a program: Ctrl-C, a request to terminate, a crash. The reports of the launches
 * so far are written, and the program ends by the signal as it would without simsm.
 */
#ifndef SIM_CUDA_INTERRUPT_H
#define SIM_CUDA_INTERRUPT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct host_fault;

struct interrupt {
    int signal;
    bool crash;          /* the thread that got the signal cannot go on */
    const void *address; /* address of the access that faulted; NULL: another cause */
    pthread_t thread;    /* the thread that got the signal */
};

/*
 * Starts to watch the signals that the program leaves to the system. `finish` is called once, in a
 * thread of its own, and must return within seconds. Watches nothing if the thread cannot be
 * started. Further calls in the same process do nothing.
 */
void interrupt_watch(void (*finish)(const struct interrupt *interrupt),
                     bool (*mend)(const struct host_fault *fault));

/*
 * Lets accesses to closed pages reach `mend`, in front of a handler that the program has set. If
 * `mend` returns true, the access is made again. Returns false if faults cannot be taken.
 */
bool interrupt_take_faults(void);

/* The signal that ends the program; 0: none came. Launches that run end early if it is not 0. */
extern atomic_int interrupt_came;

#endif
