#include "model/bus.h"

void bus_init(struct bus *bus, uint32_t sm, const struct simsm_observer *const *observers)
{
    bus->wants = 0;
    bus->terse = true;
    bus->sm = sm;
    bus->count = 0;
    bus->refusal = 0;
    bus->observers = observers;
    for (const struct simsm_observer *const *o = observers; o && *o; o++) {
        bus->wants |= (*o)->sm_wants ? (*o)->sm_wants[sm] : (*o)->wants;
        bus->terse &= (*o)->terse;
    }
    bus->terse &= bus_wants(bus, SIMSM_EVENT_WARP_STATES);
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
