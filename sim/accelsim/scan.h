/* Reads numbers and words, separated by blanks, from one line. */
#ifndef SIM_ACCELSIM_SCAN_H
#define SIM_ACCELSIM_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Each moves *at past blanks and the value. Returns false, with *at undefined, if there is no such
 * value or it does not fit. The text must be terminated.
 */
bool scan_decimal(const char **at, uint64_t *value);
bool scan_signed(const char **at, int64_t *value);
/* scan_hex(): with or without 0x. */
bool scan_hex(const char **at, uint64_t *value);
bool scan_word(const char **at, const char **word, size_t *length);
/* Moves past exactly this text. */
bool scan_text(const char **at, const char *text);

/* Returns whether only blanks are left. */
bool scan_end(const char *at);

#endif
