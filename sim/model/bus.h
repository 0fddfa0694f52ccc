/*
 * The event ring of one SM: the only road upward. Emitting returns nothing, so that no decision of
 * the model can depend on who is watching.
 */
#ifndef SIM_MODEL_BUS_H
#define SIM_MODEL_BUS_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/observer.h"

enum { BUS_EVENTS = 1024 };

struct bus {
    uint32_t wants; /* bit per enum simsm_event_kind: union of what the observers want */
    bool terse;     /* all observers are */
    uint32_t sm;
    uint32_t count, room;
    bool keeps;  /* events stay until bus_flush: SMs run beside each other, observers are told later
                  */
    bool lost;   /* there was no memory to keep them */
    int refusal; /* first non-zero answer of an observer; the run stops at the next window */
    const struct simsm_observer *const *observers;
    struct simsm_event *events; /* [room] */
};

/* `observers`: NULL-terminated list or NULL; it must outlive the bus. Returns false if memory runs
 * out; to be freed with bus_free in any case. */
bool bus_init(struct bus *bus, uint32_t sm, const struct simsm_observer *const *observers,
              bool keeps);
void bus_free(struct bus *bus);

/* Hands all events in the ring to the observers. */
void bus_flush(struct bus *bus);

/* Makes room in a full ring: hands it over, or makes it larger. */
void bus_make_room(struct bus *bus);

static inline bool bus_wants(const struct bus *bus, enum simsm_event_kind kind)
{
    return bus->wants >> kind & 1u;
}

/* `slot` is the slot in the SM, or 0 for events of the SM itself. */
static inline void bus_emit(struct bus *bus, enum simsm_event_kind kind, uint64_t cycle,
                            uint32_t slot, uint32_t sub, uint32_t arg)
{
    if (!bus_wants(bus, kind))
        return;
    if (bus->count == bus->room)
        bus_make_room(bus);
    bus->events[bus->count++] = (struct simsm_event){
        .cycle = cycle,
        .arg = arg,
        .unit = (uint16_t)(bus->sm * SIMSM_SLOTS_PER_SM + slot),
        .kind = (uint8_t)kind,
        .sub = (uint8_t)sub,
    };
}

#endif
