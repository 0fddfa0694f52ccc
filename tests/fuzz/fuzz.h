/* The one function of a fuzz target, as libFuzzer calls it. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Feeds `size` bytes to the parser under test. Returns 0. A defect ends the process. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
