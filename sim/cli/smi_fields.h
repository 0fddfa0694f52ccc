/* The fields of `simsm smi`: each asks NVML for one fact about the GPU. */
#ifndef SIM_CLI_SMI_FIELDS_H
#define SIM_CLI_SMI_FIELDS_H

#include <stddef.h>
#include <stdio.h>

#include "simsm/error.h"

enum { SMI_TEXT = 96 };

/* Writes the value of a field, by one of its names, without its unit; "N/A" if NVML does not tell
 * it. */
void smi_value(void *device, const char *name, char text[SMI_TEXT]);

/*
 * Prints the values of `fields`, separated by commas, as `nvidia-smi --query-gpu` does. `format`:
 * csv, noheader, nounits, separated by commas; NULL: csv. Returns SIMSM_BAD_INPUT for an unknown
 * word.
 */
enum simsm_status smi_query(FILE *out, void *device, const char *fields, const char *format,
                            struct simsm_error *error);

/* Prints the names of all fields. */
void smi_list_fields(FILE *out);

#endif
