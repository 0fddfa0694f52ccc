/* A list of kernels (kernelslist.g): names of traces and copies to the device, in order. */
#ifndef SIM_ACCELSIM_ACCELSIM_LIST_H
#define SIM_ACCELSIM_ACCELSIM_LIST_H

#include <stdint.h>

#include "simsm/error.h"

struct kernel_list {
    char **path; /* [count] paths of the traces */
    uint32_t count;
    uint64_t copies, copy_bytes; /* from host to device */
};

/* Reads a list. On success list_free() must be called. */
enum simsm_status list_read(struct kernel_list *list, const char *path, struct simsm_error *error);

/* Makes a list of one kernel, whose trace is `path`. On success list_free() must be called. */
enum simsm_status list_single(struct kernel_list *list, const char *path,
                              struct simsm_error *error);

void list_free(struct kernel_list *list);

#endif
