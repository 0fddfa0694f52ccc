#define _XOPEN_SOURCE 700 /* sigaltstack */

#include "base/signal_stack.h"

#include <stddef.h>

void signal_stack_begin(struct signal_stack *stack)
{
    const stack_t own = {.ss_sp = stack->room, .ss_size = sizeof stack->room};
    if (sigaltstack(&own, &stack->before) != 0)
        stack->before = (stack_t){.ss_flags = SS_DISABLE};
}

void signal_stack_end(struct signal_stack *stack)
{
    (void)sigaltstack(&stack->before, NULL);
}
