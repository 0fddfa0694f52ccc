/*
 * What a user selects of a timeline: cycles, SMs, slots. Parsers, and checks that the selection is
 * recorded. Errors have status SIMSM_BAD_INPUT; those of parsers quote the text.
 */
#ifndef SIM_TIMELINE_CYCLE_SELECTION_H
#define SIM_TIMELINE_CYCLE_SELECTION_H

#include <stdint.h>

#include "simsm/error.h"
#include "timeline/timeline_read.h"

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

/* Returns SIMSM_OK if the SM was recorded, whatever cycles of it. */
enum simsm_status selection_check_sm(const struct timeline_info *info, uint32_t sm,
                                     struct simsm_error *error);

/* Returns SIMSM_OK if the cycle of the SM was recorded. */
enum simsm_status selection_check_cycle(const struct timeline_reader *reader, uint32_t sm,
                                        uint64_t cycle, struct simsm_error *error);

#endif
