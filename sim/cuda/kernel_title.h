/* Names of kernels with their template arguments, as people read them. */
#ifndef SIM_CUDA_KERNEL_TITLE_H
#define SIM_CUDA_KERNEL_TITLE_H

#include <stddef.h>

/* Both work in place, and make something of what is no such name. */

/* "void a::scan<b::sum<int>, 4>(int*)", a demangled name, becomes "a::scan<b::sum<int>, 4>". */
void kernel_title_from_demangled(char *demangled);

/* "a::scan<b::sum<int>, 4>" becomes "scan<sum<int>, 4>". */
void kernel_title_shorten(char *title);

#endif
