/* The packets of a Perfetto trace that are needed here. Private to this folder. */
#ifndef VIZ_EXPORT_TRACE_PACKETS_H
#define VIZ_EXPORT_TRACE_PACKETS_H

#include <stdbool.h>
#include <stdio.h>

#include "export/proto.h"
#include "timeline/timeline_read.h"

enum packet_type {
    PACKET_BEGIN = 1,
    PACKET_END = 2,
    PACKET_INSTANT = 3,
    PACKET_COUNTER = 4,
    PACKET_STATE = 5 /* since version 57 */
};

#define PACKET_NO_LINE UINT32_MAX

/* An event on a track; zero what it lacks, and line = PACKET_NO_LINE. */
struct packet_event {
    uint64_t cycle; /* as a time, in nanoseconds */
    uint64_t track;
    enum packet_type type;
    uint64_t name;    /* one of the interned names; 0: none, of a state that there is none */
    const char *text; /* a name that is not interned */
    uint32_t line;    /* static instruction that it is about */
    uint64_t flow_out, flow_in; /* arrows: the same number at both ends */
    double value;               /* of a counter */
};

struct packet_track {
    uint64_t id, parent; /* parent 0: none */
    const char *name;
    uint32_t pid;  /* not 0: the track of a process */
    uint32_t rank; /* order among its siblings */
    bool state, counter;
    const char *unit; /* of a counter */
};

struct packets {
    FILE *file;
    const struct timeline_info *info;
    struct byte_buffer packet, event, inner, small;
};

/* Numbers of interned names. */
uint64_t packets_state_name(uint8_t state);
uint64_t packets_line_name(const struct packets *packets, uint32_t pc);

/* Begins a trace: interned names of states and instructions. Release with packets_free. */
void packets_begin(struct packets *packets, FILE *file, const struct timeline_info *info);
void packets_track(struct packets *packets, const struct packet_track *track);
void packets_event(struct packets *packets, const struct packet_event *event);
/* False if memory has run out on the way. */
bool packets_free(struct packets *packets);

#endif
