/*
 * Encodes the packets of a Perfetto trace. Field numbers are those of protos/perfetto/trace in
 * Perfetto's sources (version 57 of 2026 for state tracks).
 */
#include "export/trace_packets.h"

enum {
    TRACE_PACKET = 1,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED_DATA = 12,
    PACKET_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60,

    FLAG_CLEARED = 1,
    FLAG_NEEDS_STATE = 2,

    INTERNED_EVENT_NAMES = 2,
    INTERNED_ANNOTATION_NAMES = 3,
    INTERNED_ANNOTATION_TEXTS = 29,
    INTERNED_ID = 1,
    INTERNED_TEXT = 2,

    TRACK_ID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    TRACK_CHILD_ORDER = 11,
    TRACK_RANK = 12,
    TRACK_STATE = 18,
    CHILD_ORDER_EXPLICIT = 3,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    COUNTER_UNIT_NAME = 6,

    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_ID = 10,
    EVENT_TRACK = 11,
    EVENT_NAME = 23,
    EVENT_DOUBLE = 44,
    EVENT_FLOW = 47,
    EVENT_FLOW_END = 48,
    ANNOTATION_NAME_ID = 1,
    ANNOTATION_UINT = 3,
    ANNOTATION_TEXT_ID = 17,
};

enum { SEQUENCE = 1, NAME_PC = 1, NAME_INSTRUCTION = 2 };

uint64_t packets_state_name(uint8_t state)
{
    return 1u + state;
}

uint64_t packets_line_name(const struct packets *packets, uint32_t pc)
{
    return pc < packets->info->line_count ? 1u + packets->info->state_count + (uint64_t)pc : 0;
}

static void write_packet(struct packets *p)
{
    proto_message(&p->small, TRACE_PACKET, &p->packet);
    (void)fwrite(p->small.data, 1, p->small.size, p->file);
    p->small.size = 0;
}

static void intern(struct packets *p, uint32_t list, uint64_t id, const char *text)
{
    proto_uint(&p->inner, INTERNED_ID, id);
    proto_text(&p->inner, INTERNED_TEXT, text);
    proto_message(&p->event, list, &p->inner);
}

void packets_begin(struct packets *p, FILE *file, const struct timeline_info *info)
{
    *p = (struct packets){.file = file, .info = info};
    proto_uint(&p->packet, PACKET_SEQUENCE, SEQUENCE);
    proto_uint(&p->packet, PACKET_FLAGS, FLAG_CLEARED);
    for (uint32_t i = 0; i < info->state_count; i++)
        intern(p, INTERNED_EVENT_NAMES, packets_state_name((uint8_t)i), info->states[i].name);
    for (uint32_t i = 0; i < info->line_count; i++) {
        intern(p, INTERNED_EVENT_NAMES, packets_line_name(p, i), info->lines[i].text);
        intern(p, INTERNED_ANNOTATION_TEXTS, 1 + i, info->lines[i].text);
    }
    intern(p, INTERNED_ANNOTATION_NAMES, NAME_PC, "pc");
    intern(p, INTERNED_ANNOTATION_NAMES, NAME_INSTRUCTION, "instruction");
    proto_message(&p->packet, PACKET_INTERNED_DATA, &p->event);
    write_packet(p);
}

void packets_track(struct packets *p, const struct packet_track *track)
{
    struct byte_buffer *descriptor = &p->event;
    proto_uint(descriptor, TRACK_ID, track->id);
    if (track->parent)
        proto_uint(descriptor, TRACK_PARENT, track->parent);
    if (track->pid) {
        proto_uint(&p->inner, PROCESS_PID, track->pid);
        proto_text(&p->inner, PROCESS_NAME, track->name);
        proto_message(descriptor, TRACK_PROCESS, &p->inner);
    }
    proto_text(descriptor, TRACK_NAME, track->name);
    if (track->counter) {
        proto_text(&p->inner, COUNTER_UNIT_NAME, track->unit);
        proto_message(descriptor, TRACK_COUNTER, &p->inner);
    }
    proto_uint(descriptor, TRACK_CHILD_ORDER, CHILD_ORDER_EXPLICIT);
    proto_uint(descriptor, TRACK_RANK, track->rank);
    if (track->state)
        proto_message(descriptor, TRACK_STATE, &p->inner);
    proto_uint(&p->packet, PACKET_SEQUENCE, SEQUENCE);
    proto_message(&p->packet, PACKET_TRACK_DESCRIPTOR, descriptor);
    write_packet(p);
}

/* Adds the static instruction of an event as its arguments. */
static void annotate(struct packets *p, uint32_t line)
{
    if (line >= p->info->line_count)
        return;
    proto_uint(&p->inner, ANNOTATION_NAME_ID, NAME_PC);
    proto_uint(&p->inner, ANNOTATION_UINT, p->info->lines[line].pc);
    proto_message(&p->event, EVENT_ANNOTATION, &p->inner);
    proto_uint(&p->inner, ANNOTATION_NAME_ID, NAME_INSTRUCTION);
    proto_uint(&p->inner, ANNOTATION_TEXT_ID, 1 + (uint64_t)line);
    proto_message(&p->event, EVENT_ANNOTATION, &p->inner);
}

void packets_event(struct packets *p, const struct packet_event *event)
{
    proto_uint(&p->event, EVENT_TYPE, event->type);
    proto_uint(&p->event, EVENT_TRACK, event->track);
    if (event->text)
        proto_text(&p->event, EVENT_NAME, event->text);
    else if (event->name)
        proto_uint(&p->event, EVENT_NAME_ID, event->name);
    annotate(p, event->line);
    if (event->type == PACKET_COUNTER)
        proto_double(&p->event, EVENT_DOUBLE, event->value);
    if (event->flow_out)
        proto_fixed64(&p->event, EVENT_FLOW, event->flow_out);
    if (event->flow_in)
        proto_fixed64(&p->event, EVENT_FLOW_END, event->flow_in);
    proto_uint(&p->packet, PACKET_TIMESTAMP, event->cycle);
    proto_uint(&p->packet, PACKET_SEQUENCE, SEQUENCE);
    proto_uint(&p->packet, PACKET_FLAGS, FLAG_NEEDS_STATE);
    proto_message(&p->packet, PACKET_TRACK_EVENT, &p->event);
    write_packet(p);
}

bool packets_free(struct packets *p)
{
    bool failed = p->packet.failed || p->event.failed || p->inner.failed || p->small.failed;
    buffer_free(&p->packet);
    buffer_free(&p->event);
    buffer_free(&p->inner);
    buffer_free(&p->small);
    return !failed;
}
