/* The launches that --kernels and --launches choose among the launches of a file or a program. */
#ifndef SIM_OPTIONS_LAUNCH_CHOICE_H
#define SIM_OPTIONS_LAUNCH_CHOICE_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "simsm/error.h"

struct launch_choice {
    uint64_t first, end; /* launches from `first` to end - 1, counted from 1 */
    regex_t kernels;
    bool has_kernels;
};

/*
 * Fills *choice from the texts of the two options; NULL: not given, and all launches are chosen. On
 * success launch_choice_free() must be called. The error names the option.
 */
enum simsm_status launch_choice_read(struct launch_choice *choice, const char *kernels,
                                     const char *launches, struct simsm_error *error);

/* Returns whether the launch with this number, of this kernel, is chosen. */
bool launch_choice_takes(const struct launch_choice *choice, uint64_t number, const char *kernel);

/* A choice of zeros is allowed. */
void launch_choice_free(struct launch_choice *choice);

#endif
