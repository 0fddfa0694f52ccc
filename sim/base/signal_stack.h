/* A stack of its own for the signal handlers of a thread: with it a handler can also run when the
 * thread's own stack has overflowed. */
#ifndef SIM_BASE_SIGNAL_STACK_H
#define SIM_BASE_SIGNAL_STACK_H

#include <signal.h>

struct signal_stack {
    stack_t before; /* what the thread had */
    char room[64 << 10];
};

/*
 * From now on handlers with SA_ONSTACK run on `stack` in the calling thread. `stack` may be a
 * variable of the thread's first function. It is in use until signal_stack_end, which the same
 * thread must call before `stack` goes and before the thread ends.
 */
void signal_stack_begin(struct signal_stack *stack);
void signal_stack_end(struct signal_stack *stack);

#endif
