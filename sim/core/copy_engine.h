/*
 * The copy engine of an SM (TMA): copies between global and shared memory that run beside the warps
 * that have issued them. Messages to other SMs of a cluster: what barriers there count.
 */
#ifndef SIM_CORE_COPY_ENGINE_H
#define SIM_CORE_COPY_ENGINE_H

#include "core/sm_state.h"

/* Tags of the engine's requests to memory have this bit; the others are flights. */
#define COPY_TAG (UINT32_C(1) << 31)

void copy_engine_init(struct sm *sm);
void copy_engine_free(struct sm *sm);

/* Returns a new copy, which the warp issues now; it is given to the engine later. */
uint32_t copy_engine_note(struct sm *sm, const struct sub *sub, unsigned slot,
                          const struct warp_inst *inst);
/* Returns whether the engine takes a further copy. */
bool copy_engine_has_room(const struct sm *sm);
/* Gives a copy to the engine. */
void copy_engine_take(struct sm *sm, uint32_t copy);

/* Sends what the engine can send in this cycle. */
void copy_engine_cycle(struct sm *sm);
/* The message that the warp has issued leaves the SM. */
void copy_engine_send_message(struct sm *sm, uint32_t copy);
/* The message in this entry of the inbox is there. */
void copy_engine_receive(struct sm *sm, uint32_t entry);
/* A request of the copy has been answered. */
void copy_engine_answer(struct sm *sm, uint32_t copy);
/* The copy has read its source, or all that it brings is there. */
void copy_engine_done(struct sm *sm, uint32_t copy);

#endif
