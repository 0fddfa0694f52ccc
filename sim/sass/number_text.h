/* Numbers as nvdisasm writes them. Inner to the decoder. */
#ifndef SIM_SASS_NUMBER_TEXT_H
#define SIM_SASS_NUMBER_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Each returns the length, as snprintf does; the longest is 32 characters. */

/* A floating-point number of these widths in bits: exponent and mantissa, below a sign. */
int number_float(char *text, size_t size, uint64_t bits, unsigned exponent, unsigned mantissa);
int number_hex(char *text, size_t size, uint64_t value);
int number_signed(char *text, size_t size, int64_t value);

#endif
