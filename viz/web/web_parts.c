/* What the page leaves out of the simulator: policies from shared objects, and signals. */
#include "base/err.h"
#include "base/signal_stack.h"
#include "language/language.h"
#include "web/web.h"

enum simsm_status plugin_check_file(const char *path, struct simsm_error *error);

enum simsm_status plugin_check_file(const char *path, struct simsm_error *error)
{
    return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                  "policies from shared objects need the command; a page cannot load them");
}

void signal_stack_begin(struct signal_stack *stack)
{
    (void)stack;
}

void signal_stack_end(struct signal_stack *stack)
{
    (void)stack;
}
