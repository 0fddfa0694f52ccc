/* Readable names of kernels. Both functions change the text in place, and accept any text. */
#ifndef SIM_CUDA_KERNEL_TITLE_H
#define SIM_CUDA_KERNEL_TITLE_H

#include <stddef.h>

/*
 * Turns a demangled name into a title: "void a::scan<b::sum<int>, 4>(int*)" becomes
 * "a::scan<b::sum<int>, 4>".
 */
void kernel_title_from_demangled(char *demangled);

/*
 * Removes namespaces: "a::scan<b::sum<int>, 4>" becomes "scan<sum<int>, 4>". A lambda gets the name
 * of the function that it is in: "map<a::add(int)::{lambda(int)#1}>" becomes "map<add>".
 */
void kernel_title_shorten(char *title);

#endif
