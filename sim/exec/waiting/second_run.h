/*
 * Launches whose code reads clocks, or the numbers of SM and warp slot, are executed twice: first
 * with clocks that count instructions; when these instructions have been timed, again, with the
 * cycles at which the reads were issued, and the places where the warps were. Memory is put back in
 * between, and what printf in the kernel prints is held back until then.
 */
#ifndef SIM_EXEC_WAITING_SECOND_RUN_H
#define SIM_EXEC_WAITING_SECOND_RUN_H

#include "exec/control/exec_grid.h"

struct exec_again;

/* Whether the code reads any of these. */
bool exec_again_matters(const struct exec_grid *grid);

/* Prepares the grid, of which nothing has run; it must outlive *again. */
enum simsm_status exec_again_create(struct exec_again **again, struct exec_grid *grid,
                                    struct simsm_error *error);
/* What was printed, and has not been printed again, is printed now. NULL is allowed. */
void exec_again_destroy(struct exec_again *again);

/* A block has been executed for the first time: its streams. */
enum simsm_status exec_again_keep(struct exec_again *again, uint64_t block,
                                  const struct byte_buffer *cursor, struct simsm_error *error);
/* As exec_clocks_place and exec_clocks_set. */
void exec_again_place(struct exec_again *again, uint64_t block, uint32_t warp, uint32_t sm,
                      uint32_t slot);
void exec_again_clock(struct exec_again *again, uint64_t block, uint32_t warp, uint32_t ordinal,
                      uint64_t cycle);

/*
 * All blocks have been executed and timed: executes them again. *note becomes a line for the user,
 * which the caller frees, if these values decide what the program does; else NULL.
 */
enum simsm_status exec_again_run(struct exec_again *again, char **note, struct simsm_error *error);

#endif
