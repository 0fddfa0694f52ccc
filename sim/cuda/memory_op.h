/*
 * Operations of streams on single values: a stream writes a value, or waits until memory has one
 * (cuStreamWriteValue32, cuStreamWaitValue32 and so on).
 */
#ifndef SIM_CUDA_MEMORY_OP_H
#define SIM_CUDA_MEMORY_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/abi.h"

struct runtime;

/* Numbered as CUstreamBatchMemOpType. */
enum memory_op_type {
    MEMORY_OP_WAIT_32 = 1,
    MEMORY_OP_WRITE_32,
    MEMORY_OP_FLUSH,
    MEMORY_OP_WAIT_64,
    MEMORY_OP_WRITE_64,
    MEMORY_OP_BARRIER
};

struct memory_op {
    int type; /* enum memory_op_type */
    unsigned flags;
    void *address;
    uint64_t value;
};

/* Returns the bytes of the value; 0: the operation has none. */
size_t memory_op_bytes(const struct memory_op *op);
bool memory_op_writes(const struct memory_op *op);

/* Checks what the program asks for, with a message if the address is wrong. */
enum cuda_error memory_op_check(const struct runtime *rt, const struct memory_op *op);

/* Returns whether the operation waits for a value that memory does not have. */
bool memory_op_waits(const struct runtime *rt, const struct memory_op *op);

/*
 * Writes the value, or waits for it. Work that is submitted later cannot bring the value: waits a
 * second for other threads of the program, and gives up with a message. In a queue of work the wait
 * is over before it begins, and nothing is left to do.
 */
enum cuda_error memory_op_run(struct runtime *rt, const struct memory_op *op);

/* Prints that the value has not come. Returns the error. */
enum cuda_error memory_op_give_up(const struct memory_op *op, const char *why);

#endif
