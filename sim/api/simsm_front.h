/*
 * Functions of the library for the other folders of simsm, not for users: access to the front of a
 * simulation, and simulations of fronts that come from no file.
 */
#ifndef SIM_API_SIMSM_FRONT_H
#define SIM_API_SIMSM_FRONT_H

#include "front/front.h"
#include "simsm/simsm.h"

struct mem_written; /* model/mem_written.h */

struct gpu_cut;
struct mem_lines;

/* Returns the error of simsm_open for a configuration whose policies do not exist. */
enum simsm_status simsm_check_policies(const struct simsm_config *config,
                                       struct simsm_error *error);

/* Returns the front, which the simulation owns. */
const struct front *simsm_front(const struct simsm *simulation);

/*
 * Like simsm_open, for an open front. The simulation takes the front over, also on failure.
 * options->parameters are not used.
 */
enum simsm_status simsm_open_front(struct simsm **simulation, const struct simsm_config *config,
                                   struct front *front, const struct simsm_options *options,
                                   struct simsm_error *error);

/*
 * The content of L2, for the next simulation. simsm_take_lines takes it out of a simulation that
 * has ended and can then only be closed; it returns NULL if there is none. simsm_give_lines gives
 * it to a simulation that has not begun, which may run another kernel; an L2 of another size stays
 * empty. The caller frees it with simsm_lines_free.
 */
struct mem_lines *simsm_take_lines(struct simsm *simulation);
void simsm_give_lines(struct simsm *simulation, struct mem_lines *lines);
void simsm_lines_free(struct mem_lines *lines);
/* Tells the simulation, before it begins, that a copy or a fill has written this device memory. */
void simsm_hold(struct simsm *simulation, const struct mem_written *written);

/* Ends the launch early as gpu/gpu.h describes. Called before the simulation begins; *cut must
 * outlive it. */
void simsm_cut_by(struct simsm *simulation, const struct gpu_cut *cut);

/*
 * Like simsm_run, but stops only between windows: at the end of the first window that ends at or
 * after cycle `until`, and never after `bound`. A run in such parts writes the same bytes as a
 * whole run. simsm_run may stop within a window, which changes the order of chunks in a timeline.
 */
enum simsm_status simsm_advance(struct simsm *simulation, uint64_t until, uint64_t bound,
                                struct simsm_error *error);

#endif
