/*
 * A port that moves a fixed number of bytes per cycle, in the order in which port_send is called.
 */
#ifndef SIM_MEM_PORT_H
#define SIM_MEM_PORT_H

#include <stdint.h>

struct port {
    uint64_t cycle; /* cycle in which the next byte can go */
    uint32_t used;  /* bytes of that cycle that are taken; below rate */
    uint32_t rate;  /* bytes per cycle */
};

/* Sends `bytes` (at least 1), not before `now`. Returns the cycle of the first byte. */
static inline uint64_t port_send(struct port *port, uint64_t now, uint32_t bytes)
{
    if (port->cycle < now) {
        port->cycle = now;
        port->used = 0;
    }
    uint64_t first = port->cycle;
    port->used += bytes;
    if (port->used >= port->rate) { /* mostly less than twice as much: that needs no division */
        uint32_t more = port->used - port->rate;
        port->cycle += more < port->rate ? 1 : 1 + more / port->rate;
        port->used = more < port->rate ? more : more % port->rate;
    }
    return first;
}

/* Keeps the port from sending before `cycle`. */
static inline void port_hold(struct port *port, uint64_t cycle)
{
    if (port->cycle < cycle) {
        port->cycle = cycle;
        port->used = 0;
    }
}

/* Returns the cycle of the last byte sent. */
static inline uint64_t port_last(const struct port *port)
{
    return port->cycle - (port->used == 0);
}

#endif
