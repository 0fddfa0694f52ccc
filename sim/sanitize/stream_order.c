/* Vector clocks of streams, events and the host. */
#include "sanitize/stream_order.h"

static void merge(struct stream_clock *into, const struct stream_clock *from)
{
    for (uint32_t s = 0; s < STREAM_SLOTS; s++)
        if (into->of[s] < from->of[s])
            into->of[s] = from->of[s];
}

/* Returns whether the program has waited for all work of a slot. */
static bool is_done(const struct stream_order *order, uint32_t slot)
{
    return order->stream[slot].of[slot] <= order->host.of[slot];
}

/* Returns the slot of a stream, which gets one if it has none: if possible one without unfinished
 * work of a stream that was destroyed, behind which the new stream would seem ordered. */
static uint32_t slot_of(struct stream_order *order, uint64_t id, bool blocking)
{
    uint32_t free_slot = STREAM_SLOTS;
    if (id == STREAM_LEGACY) {
        order->id[0] = id;
        return 0;
    }
    for (uint32_t s = STREAM_SLOTS; s-- > 1;) {
        if (order->id[s] == id)
            return s;
        if (!order->id[s] && (free_slot == STREAM_SLOTS || is_done(order, s)))
            free_slot = s;
    }
    order->lost |= free_slot == STREAM_SLOTS;
    free_slot = free_slot == STREAM_SLOTS ? STREAM_SLOTS - 1 : free_slot;
    order->id[free_slot] = id;
    order->blocking[free_slot] = blocking;
    return free_slot;
}

/* Brings the stream to where its next operation begins: behind what the program has waited for, and
 * what the legacy default stream orders. */
static uint32_t bring_up(struct stream_order *order, uint64_t id, bool blocking)
{
    const uint32_t slot = slot_of(order, id, blocking);
    struct stream_clock *clock = &order->stream[slot];
    merge(clock, &order->host);
    for (uint32_t s = 1; s < STREAM_SLOTS && slot == 0; s++)
        if (order->id[s] && order->blocking[s])
            merge(clock, &order->stream[s]);
    if (slot == 0)
        merge(clock, &order->destroyed);
    else if (blocking)
        merge(clock, &order->stream[0]);
    return slot;
}

struct stream_operation stream_order_begin(struct stream_order *order, uint64_t id, bool blocking)
{
    const uint32_t slot = bring_up(order, id, blocking);
    order->earlier = order->before[slot];
    order->now = order->waited = order->before[slot] = order->stream[slot];
    order->stream[slot].of[slot]++;
    return (struct stream_operation){slot, order->stream[slot].of[slot]};
}

void stream_order_begins_early(struct stream_order *order, uint32_t slot)
{
    order->now = order->earlier;
    order->before[slot] = order->earlier;
}

bool stream_order_is_alone(const struct stream_order *order)
{
    uint32_t behind = 0; /* operations that do not happen before the running one, itself included */
    for (uint32_t s = 0; s < STREAM_SLOTS; s++)
        behind += order->stream[s].of[s] - order->now.of[s];
    return order->lost || behind == 1;
}

bool stream_order_before(const struct stream_order *order, struct stream_operation operation,
                         bool waited)
{
    const struct stream_clock *clock = waited ? &order->waited : &order->now;
    return order->lost || operation.number <= clock->of[operation.slot];
}

void stream_order_record(struct stream_order *order, uint64_t id, bool blocking,
                         struct stream_clock *clock)
{
    *clock = order->stream[bring_up(order, id, blocking)];
}

void stream_order_wait(struct stream_order *order, uint64_t id, bool blocking,
                       const struct stream_clock *clock)
{
    merge(&order->stream[bring_up(order, id, blocking)], clock);
}

void stream_order_wait_all(struct stream_order *order, uint64_t id, bool blocking)
{
    struct stream_clock *clock = &order->stream[bring_up(order, id, blocking)];
    for (uint32_t s = 0; s < STREAM_SLOTS; s++)
        merge(clock, &order->stream[s]);
}

void stream_order_host_event(struct stream_order *order, const struct stream_clock *clock)
{
    merge(&order->host, clock);
}

void stream_order_host_stream(struct stream_order *order, uint64_t id, bool blocking)
{
    merge(&order->host, &order->stream[bring_up(order, id, blocking)]);
}

void stream_order_host_all(struct stream_order *order)
{
    for (uint32_t s = 0; s < STREAM_SLOTS; s++)
        merge(&order->host, &order->stream[s]);
}

bool stream_order_host_has_all(const struct stream_order *order)
{
    bool all = true;
    for (uint32_t s = 0; s < STREAM_SLOTS; s++)
        all &= order->stream[s].of[s] <= order->host.of[s];
    return all || order->lost;
}

void stream_order_destroy(struct stream_order *order, uint64_t id)
{
    for (uint32_t s = 1; s < STREAM_SLOTS; s++) {
        if (order->id[s] != id)
            continue;
        order->id[s] = 0;
        if (order->blocking[s]) /* its work goes on, and the legacy stream waits for it */
            merge(&order->destroyed, &order->stream[s]);
    }
}
