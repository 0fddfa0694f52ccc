/*
 * Parsers of what a user selects of a timeline: cycles, SMs, slots. Errors have status
 * SIMSM_BAD_INPUT and quote the text.
 */
#ifndef SIM_TIMELINE_CYCLE_SELECTION_H
#define SIM_TIMELINE_CYCLE_SELECTION_H

#include <stdint.h>

#include "simsm/error.h"

/* Parses the half-open range "A:B", "A:" or ":B" of cycles. *to is 0 if the end is left out. */
enum simsm_status selection_cycles(const char *text, uint64_t *from, uint64_t *to,
                                   struct simsm_error *error);

/*
 * Parses "0,3", "0:4" (0 to 3) or "0,8:12": a list of SMs. On success *sm holds the SMs, ascending,
 * each once; the caller frees it.
 */
enum simsm_status selection_sms(const char *text, uint32_t **sm, uint32_t *count,
                                struct simsm_error *error);

/*
 * Parses "0", "0:3" or "1:2-5", or several of these separated by commas: sub-partitions, and slots
 * in them. *mask has a bit for each slot of the SM.
 */
enum simsm_status selection_slots(const char *text, uint32_t sub_partitions, uint32_t slots,
                                  uint64_t *mask, struct simsm_error *error);

/* Parses "SM:SUB:SLOT" into three numbers. Does not check them against the GPU. */
enum simsm_status selection_slot(const char *text, uint32_t numbers[3], struct simsm_error *error);

/* Parses a decimal number. Nothing else may be in `text`. */
enum simsm_status selection_number(const char *text, uint64_t *number, struct simsm_error *error);

#endif
