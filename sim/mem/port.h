/* A port that moves so many bytes a cycle, in the order in which it is asked. */
#ifndef SIM_MEM_PORT_H
#define SIM_MEM_PORT_H

#include <stdint.h>

struct port {
    uint64_t cycle; /* in which the next byte can go */
    uint32_t used;  /* bytes of that cycle that are taken; below rate */
    uint32_t rate;  /* bytes a cycle */
};

/* Sends `bytes` (at least 1), not before `now`. Returns the cycle of the first of them. */
static inline uint64_t port_send(struct port *port, uint64_t now, uint32_t bytes)
{
    if (port->cycle < now) {
        port->cycle = now;
        port->used = 0;
    }
    uint64_t first = port->cycle;
    port->used += bytes;
    if (port->used >= port->rate) {
        port->cycle += port->used / port->rate;
        port->used %= port->rate;
    }
    return first;
}

/* Nothing is sent before `cycle`. */
static inline void port_hold(struct port *port, uint64_t cycle)
{
    if (port->cycle < cycle) {
        port->cycle = cycle;
        port->used = 0;
    }
}

/* Cycle of the last byte sent. */
static inline uint64_t port_last(const struct port *port)
{
    return port->cycle - (port->used == 0);
}

#endif
