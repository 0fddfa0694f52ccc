/* Reading numbers and words, separated by blanks, from one line. */
#ifndef SIM_ACCELSIM_SCAN_H
#define SIM_ACCELSIM_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Each moves *at past blanks and what it reads, and gives false, with *at anywhere, if that is not
 * there or does not fit. Text ends with a terminator.
 */
bool scan_decimal(const char **at, uint64_t *value);
bool scan_signed(const char **at, int64_t *value);
/* With or without 0x. */
bool scan_hex(const char **at, uint64_t *value);
bool scan_word(const char **at, const char **word, size_t *length);
/* Exactly this text. */
bool scan_text(const char **at, const char *text);

/* Whether nothing but blanks is left. */
bool scan_end(const char *at);

#endif
