/* The heap from which malloc in a kernel gives memory (cudaLimitMallocHeapSize). */
#ifndef SIM_EXEC_MEMORY_DEVICE_HEAP_H
#define SIM_EXEC_MEMORY_DEVICE_HEAP_H

#include <stdint.h>

/*
 * Returns how many bytes of the heap an allocation of `size` bytes takes.
 *
 * MODEL: memory is given in pieces of fixed sizes. An allocation takes the smallest piece that
 * holds it; several pieces of the largest size if it is larger. malloc returns NULL when the pieces
 * in use would exceed the heap. SOURCE: an H200 (driver 580.159, toolkit 13.0): how many
 * allocations of one size a heap of 8 MiB has: 90670 of 1 byte, 3778 of 1000, 3777 of 2048, 1888 of
 * 3000, 944 of 8192, 78 of 65536, 13 of 512 KiB, 6 of 1 MiB; a heap of 16 MiB has 13 of 1 MiB. The
 * pieces between these are assumed. LEFT OUT: fragmentation, and where a piece lies in the heap.
 */
uint64_t device_heap_piece(uint64_t size);

#endif
