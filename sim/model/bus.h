/*
 * The event ring of one SM, the only way from the core to observers. bus_emit returns nothing, so
 * that no decision of the model can depend on observers.
 */
#ifndef SIM_MODEL_BUS_H
#define SIM_MODEL_BUS_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/observer.h"

enum { BUS_EVENTS = 1024 };
enum { BUS_COPIES = 255 }; /* numbers of copies in events; as a number: a copy of another SM */

struct bus {
    uint32_t
        wants;  /* union of the events that the observers want: a bit per enum simsm_event_kind */
    bool terse; /* all observers are terse (simsm/observer.h) */
    uint32_t sm;
    uint32_t count, room;
    bool keeps;  /* events stay until bus_flush, as threads simulate SMs at the same time */
    bool lost;   /* memory ran out; events were lost */
    int refusal; /* first result of an observer other than 0; the run stops at the end of the window
                  */
    const struct simsm_observer *const *observers;
    struct simsm_event *events; /* [room] */
};

/* Sets up the ring of SM `sm`. `observers` is a NULL-terminated list or NULL and must outlive the
 * bus. Returns false if memory runs out; the caller calls bus_free in any case. */
bool bus_init(struct bus *bus, uint32_t sm, const struct simsm_observer *const *observers,
              bool keeps);
void bus_free(struct bus *bus);

/* Hands all events in the ring to the observers and empties it. */
void bus_flush(struct bus *bus);

/* Makes room in a full ring: flushes it, or enlarges it if events are kept. */
void bus_make_room(struct bus *bus);

static inline bool bus_wants(const struct bus *bus, enum simsm_event_kind kind)
{
    return bus->wants >> kind & 1u;
}

/* Adds an event if an observer wants it. `slot` is the slot in the SM, or 0 for events of the SM.
 */
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
