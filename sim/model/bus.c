/* The event ring of one SM. */
#include "model/bus.h"

#include <stdlib.h>

bool bus_init(struct bus *bus, uint32_t sm, const struct simsm_observer *const *observers,
              bool keeps)
{
    *bus = (struct bus){
        .terse = true, .sm = sm, .room = BUS_EVENTS, .keeps = keeps, .observers = observers};
    for (const struct simsm_observer *const *o = observers; o && *o; o++) {
        bus->wants |= (*o)->sm_wants ? (*o)->sm_wants[sm] : (*o)->wants;
        bus->terse &= (*o)->terse;
    }
    bus->terse &= bus_wants(bus, SIMSM_EVENT_WARP_STATES);
    if (bus->wants)
        bus->events = malloc(bus->room * sizeof *bus->events);
    return !bus->wants || bus->events;
}

void bus_free(struct bus *bus)
{
    free(bus->events);
    bus->events = NULL;
}

void bus_make_room(struct bus *bus)
{
    struct simsm_event *grown = NULL;
    if (bus->keeps && !bus->lost)
        grown = realloc(bus->events, 2 * (size_t)bus->room * sizeof *grown);
    if (grown) {
        bus->events = grown;
        bus->room *= 2;
    } else if (bus->keeps) {
        bus->lost = true; /* the run ends with this window */
        bus->count = 0;
    } else {
        bus_flush(bus);
    }
}

void bus_flush(struct bus *bus)
{
    uint32_t count = bus->count;
    bus->count = 0;
    if (!count || bus->refusal)
        return;
    for (const struct simsm_observer *const *o = bus->observers; o && *o; o++) {
        int refusal = (*o)->batch((*o)->context, bus->sm, bus->events, count);
        if (refusal && !bus->refusal)
            bus->refusal = refusal;
    }
}
