/* Finds the functions of the runtime API for each toolkit. */
#include "cuda/abi/runtime_table.h"

#include <stdatomic.h>
#include <string.h>

#include "cuda/runtime.h"

#define FUNCTION(name) runtime_function name;
#include "cuda/functions.def"
#undef FUNCTION

static runtime_function *const newest[] = {
#define FUNCTION(name) name,
#include "cuda/functions.def"
#undef FUNCTION
};

static atomic_int newest_loaded; /* toolkit; 0: no libcudart has asked */

int rt_toolkit(void)
{
    const int toolkit = atomic_load(&newest_loaded);
    return toolkit ? toolkit : RT_NEWEST_TOOLKIT;
}

static void except(runtime_function **function, const struct runtime_exception *exception)
{
    for (; exception->function; exception++)
        function[exception->id] = exception->function;
}

static bool functions(int toolkit, runtime_function **function, size_t count)
{
    if (count != RUNTIME_FUNCTIONS)
        return false;
    memcpy(function, newest, sizeof newest);
    if (toolkit < 13)
        except(function, runtime_12);
    if (toolkit < 12)
        except(function, runtime_11);
    int known = atomic_load(&newest_loaded);
    while (known < toolkit && !atomic_compare_exchange_weak(&newest_loaded, &known, toolkit))
        ;
    return true;
}

const struct runtime_table runtime_table = {sizeof runtime_table, functions, rt_memory_used};
