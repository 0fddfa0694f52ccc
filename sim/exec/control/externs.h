/*
 * Functions of CUDA's device runtime that code calls at addresses beyond its own: vprintf, malloc,
 * free, __assertfail. Each lane's call is carried out by itself.
 */
#ifndef SIM_EXEC_CONTROL_EXTERNS_H
#define SIM_EXEC_CONTROL_EXTERNS_H

#include "exec/control/exec_block.h"

/*
 * Calls function `name` for one lane, whose registers have the arguments and get the result.
 * *address is where it returns to, in bytes of the code. False: the launch has failed.
 */
bool exec_call_extern(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                      const char *name, uint64_t *address);

/* Where `bytes` bytes at a generic address of the lane lie; NULL: in no memory that it has. */
uint8_t *exec_generic_bytes(const struct exec_warp *warp, uint32_t lane, uint64_t address,
                            uint64_t bytes);

enum { EXEC_PRINT_BYTES = 4096 };

/*
 * What printf makes of a format and its arguments, both at generic addresses of the lane: arguments
 * lie one behind the other as in a struct. Returns the number of arguments, or -1: something lies
 * in no memory. `text` is cut to its size; *length is without the terminator.
 */
int exec_format(const struct exec_warp *warp, uint32_t lane, uint64_t format, uint64_t arguments,
                char text[EXEC_PRINT_BYTES], size_t *length);

/* Copies the string at a generic address, cut to `size` bytes; false: it lies in no memory. */
bool exec_string(const struct exec_warp *warp, uint32_t lane, uint64_t address, char *text,
                 size_t size);

#endif
