/* Functions of CUDA's device runtime that code calls at addresses beyond its own code: vprintf,
 * malloc, free, __assertfail. The call of each lane is executed on its own. */
#ifndef SIM_EXEC_CONTROL_EXTERNS_H
#define SIM_EXEC_CONTROL_EXTERNS_H

#include "exec/control/exec_block.h"

/*
 * Calls function `name` for one lane, whose registers have the arguments and get the result. Sets
 * *address to where the function returns to, in bytes of the code. Returns false if the launch has
 * failed.
 */
bool exec_call_extern(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                      const char *name, uint64_t *address);

/* Returns whether the function is about launches of kernels by kernels. */
bool exec_is_device_call(const char *name);

/* Returns where `bytes` bytes at a generic address of the lane lie on the host, or NULL if the lane
 * has no such memory. */
uint8_t *exec_generic_bytes(const struct exec_warp *warp, uint32_t lane, uint64_t address,
                            uint64_t bytes);

enum { EXEC_PRINT_BYTES = 4096 };

/*
 * Formats as printf does. The format and the arguments are at generic addresses of the lane; the
 * arguments lie one behind the other as in a struct. Returns the number of arguments, or -1 if an
 * address is invalid. `text` is cut to its size; *length does not count the terminator.
 */
int exec_format(const struct exec_warp *warp, uint32_t lane, uint64_t format, uint64_t arguments,
                char text[EXEC_PRINT_BYTES], size_t *length);

/* Copies the string at a generic address, cut to `size` bytes with its terminator. Returns false if
 * it lies in no memory. */
bool exec_string(const struct exec_warp *warp, uint32_t lane, uint64_t address, char *text,
                 size_t size);

#endif
