/* The rows of a tensor copy: elements that lie side by side in shared memory and in the tensor. */
#ifndef SIM_EXEC_ASYNC_TENSOR_ROWS_H
#define SIM_EXEC_ASYNC_TENSOR_ROWS_H

#include "exec/async/tensor_map.h"

/* Walks over the rows of a copy in the order in which they lie in shared memory. */
struct tensor_rows {
    const struct tensor_map *map;
    int32_t first[TENSOR_DIMENSIONS];  /* element at which the copy begins */
    int32_t offset[TENSOR_DIMENSIONS]; /* of every pixel, im2col; 0 in tile mode */
    /* The rest is filled by tensor_rows_begin. */
    uint32_t bytes;                    /* of a row */
    uint32_t pitch;                    /* bytes from one row to the next in shared memory */
    uint32_t count;                    /* rows */
    uint32_t row;                      /* the current one */
    int64_t at[TENSOR_DIMENSIONS];     /* its place in the tensor, without the offset */
    uint32_t taken[TENSOR_DIMENSIONS]; /* steps from the first place, tile mode */
};

/* The elements of a row that lie in the tensor: `end` is 0 if there are none. */
struct tensor_part {
    uint32_t first, end;
    uint64_t address; /* of the element `first` */
};

/* Begins with the first row: map, first and offset are given. */
void tensor_rows_begin(struct tensor_rows *rows);
/* Goes to the next row. Returns false behind the last one. */
bool tensor_rows_next(struct tensor_rows *rows);

struct tensor_part tensor_rows_part(const struct tensor_rows *rows);

#endif
