/* The packets of a Perfetto trace that the exporter needs. Private to this folder. */
#ifndef VIZ_EXPORT_TRACE_PACKETS_H
#define VIZ_EXPORT_TRACE_PACKETS_H

#include <stdbool.h>
#include <stdio.h>

#include "export/protobuf.h"
#include "timeline/timeline_read.h"

enum packet_type {
    PACKET_BEGIN = 1,
    PACKET_END = 2,
    PACKET_INSTANT = 3,
    PACKET_COUNTER = 4,
    PACKET_STATE = 5 /* needs version 57 */
};

#define PACKET_NO_LINE UINT32_MAX

/* An event on a track. Members that it does not have are zero, and `line` is PACKET_NO_LINE. */
struct packet_event {
    uint64_t cycle; /* a cycle is written as a nanosecond */
    uint64_t track;
    enum packet_type type;
    uint64_t name;    /* interned name; 0: none; a PACKET_STATE without a name ends the state */
    const char *text; /* a name that is not interned; NULL: none */
    uint32_t line;    /* static instruction of the event */
    uint64_t flow_out, flow_in; /* ends of an arrow: the same number at both ends; 0: none */
    double value;               /* of a counter */
};

/* A track: a row of the trace. */
struct packet_track {
    uint64_t id, parent; /* parent 0: none */
    const char *name;
    uint32_t pid;  /* not 0: the track of a process */
    uint32_t rank; /* order among the tracks of the same parent */
    bool state, counter;
    const char *unit; /* of a counter */
};

struct packets {
    FILE *file;
    const struct timeline_info *info;
    struct byte_buffer packet, event, inner, small;
};

/* Return the numbers of interned names. */
uint64_t packets_state_name(uint8_t state);
uint64_t packets_line_name(const struct packets *packets, uint32_t pc);

/*
 * Begins a trace and interns the names of states and instructions. The caller ends with
 * packets_free.
 */
void packets_begin(struct packets *packets, FILE *file, const struct timeline_info *info);
/* Writes the description of a track. It precedes the track's events. */
void packets_track(struct packets *packets, const struct packet_track *track);
/* Writes an event. */
void packets_event(struct packets *packets, const struct packet_event *event);
/* Frees the buffers. Returns false if memory ran out in an earlier call. */
bool packets_free(struct packets *packets);

#endif
