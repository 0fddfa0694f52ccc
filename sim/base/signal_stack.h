/* A separate stack for the signal handlers of a thread, so that a handler can run after the stack
 * of the thread has overflowed. */
#ifndef SIM_BASE_SIGNAL_STACK_H
#define SIM_BASE_SIGNAL_STACK_H

#include <signal.h>

struct signal_stack {
    stack_t before; /* the alternate stack that the thread had */
    char room[64 << 10];
};

/*
 * Lets handlers with SA_ONSTACK run on `stack` in the calling thread until signal_stack_end. The
 * same thread must call signal_stack_end before the memory of `stack` is gone and before it ends.
 * `stack` may be a variable of the thread's first function.
 */
void signal_stack_begin(struct signal_stack *stack);
void signal_stack_end(struct signal_stack *stack);

#endif
