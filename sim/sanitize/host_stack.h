/* Where the program was when it called the runtime: its own functions, innermost first. */
#ifndef SIM_SANITIZE_HOST_STACK_H
#define SIM_SANITIZE_HOST_STACK_H

#include <stdint.h>

enum { HOST_FRAMES = 8 };

struct host_frame {
    char function[96]; /* "": not known */
    char file[200];    /* "": not known, as in a program without -g */
    char object[120];  /* path of the program or library */
    uint32_t line;
    uint64_t offset; /* in the function; in the object if the function is not known */
    uint64_t at;     /* offset in the object */
};

struct host_stack {
    uint32_t count;
    struct host_frame frame[HOST_FRAMES];
};

/* Returns the stack of a number that struct sanitizer has kept; NULL if it is not known. It stays
 * valid as long as the findings. */
typedef const struct host_stack *host_stack_fn(void *context, uint32_t stack);

#endif
