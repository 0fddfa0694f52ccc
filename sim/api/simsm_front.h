/*
 * For the floors above: what a simulation runs, as an observer that records code wants it, and
 * simulations of fronts that come from no file.
 */
#ifndef SIM_API_SIMSM_FRONT_H
#define SIM_API_SIMSM_FRONT_H

#include "front/front.h"
#include "simsm/simsm.h"

struct gpu_cut;
struct mem_lines;

/* Refuses a configuration whose policies are not there, as simsm_open would. */
enum simsm_status simsm_check_policies(const struct simsm_config *config,
                                       struct simsm_error *error);

/* Owned by the simulation. */
const struct front *simsm_front(const struct simsm *simulation);

/* A line for the user that came up while the kernel ran: what it does depends on clock values.
 * NULL: there is none. Owned by the simulation. */
const char *simsm_note(const struct simsm *simulation);

/*
 * As simsm_open, but of an open front, which the simulation owns from now on, also on failure.
 * options->parameters are not used.
 */
enum simsm_status simsm_open_front(struct simsm **simulation, const struct simsm_config *config,
                                   struct front *front, const struct simsm_options *options,
                                   struct simsm_error *error);

/*
 * What L2 holds, from one simulation to the next: taken out of one that has come to its end (it can
 * then only be closed), and given to one that has not begun, which may have another kernel. To be
 * freed with simsm_lines_free; NULL: there is none. An L2 of another size stays empty.
 */
struct mem_lines *simsm_take_lines(struct simsm *simulation);
void simsm_give_lines(struct simsm *simulation, struct mem_lines *lines);
void simsm_lines_free(struct mem_lines *lines);
/* Device memory that a copy has written, before the simulation has begun. */
void simsm_hold(struct simsm *simulation, uint64_t address, uint64_t bytes);

/* Has the launch cut short, as gpu/gpu.h says: before it has begun; *cut must outlive it. */
void simsm_cut_by(struct simsm *simulation, const struct gpu_cut *cut);

/*
 * As simsm_run, but stops between windows: in the first one that ends at or after cycle `until`,
 * never after `bound`. A run in such parts is the same run to the last byte that it writes,
 * whatever the parts; that simsm_run stops in the middle of a window shows in the order of a
 * timeline's chunks.
 */
enum simsm_status simsm_advance(struct simsm *simulation, uint64_t until, uint64_t bound,
                                struct simsm_error *error);

#endif
