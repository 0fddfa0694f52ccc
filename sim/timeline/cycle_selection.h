/* What a user selects of a timeline: cycles, SMs, slots. */
#ifndef SIM_TIMELINE_CYCLE_SELECTION_H
#define SIM_TIMELINE_CYCLE_SELECTION_H

#include <stdint.h>

#include "simsm/error.h"

/* The half-open range "A:B", "A:" or ":B" of cycles; *to is 0 where the end is left out. */
enum simsm_status selection_cycles(const char *text, uint64_t *from, uint64_t *to,
                                   struct simsm_error *error);

/*
 * "0,3", "0:4" (0 to 3), "0,8:12": SMs, ascending, each once. On success *sm is of malloc and the
 * caller's.
 */
enum simsm_status selection_sms(const char *text, uint32_t **sm, uint32_t *count,
                                struct simsm_error *error);

/*
 * "0", "0:3", "1:2-5", comma-separated: sub-partitions, and slots in them, as bits of *mask, one
 * per slot of the SM.
 */
enum simsm_status selection_slots(const char *text, uint32_t sub_partitions, uint32_t slots,
                                  uint64_t *mask, struct simsm_error *error);

/* "SM:SUB:SLOT" */
enum simsm_status selection_slot(const char *text, uint32_t numbers[3], struct simsm_error *error);

/* A decimal number that fills the whole of `text`. */
enum simsm_status selection_number(const char *text, uint64_t *number, struct simsm_error *error);

#endif
