/* Perfetto's own format, read back by a small decoder of protocol buffers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viz_export_fixture.h"

enum { TRACKS = 8192, NAMES = 4096, FLOWS = 40000, NAME = 64 };

struct bytes {
    const uint8_t *at, *end;
};

struct field {
    uint32_t number, wire;
    uint64_t value; /* of a varint, or the 8 bytes of a fixed one */
    struct bytes bytes;
};

static uint64_t take_varint(struct bytes *bytes)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        assert_true(bytes->at < bytes->end);
        uint8_t byte = *bytes->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    fail_msg("a varint that does not end");
    return 0;
}

static bool take_field(struct bytes *message, struct field *field)
{
    if (message->at == message->end)
        return false;
    uint64_t tag = take_varint(message);
    *field = (struct field){.number = (uint32_t)(tag >> 3), .wire = tag & 7};
    if (field->wire == 0) {
        field->value = take_varint(message);
    } else if (field->wire == 1) {
        assert_true(message->end - message->at >= 8);
        memcpy(&field->value, message->at, 8);
        message->at += 8;
    } else {
        assert_int_equal(field->wire, 2);
        uint64_t size = take_varint(message);
        assert_true(size <= (uint64_t)(message->end - message->at));
        field->bytes = (struct bytes){message->at, message->at + size};
        message->at += size;
    }
    return true;
}

/* The value, or the bytes, of the last field with that number. */
static bool find(struct bytes message, uint32_t number, struct field *found)
{
    struct field field;
    bool any = false;
    while (take_field(&message, &field)) {
        if (field.number != number)
            continue;
        *found = field;
        any = true;
    }
    return any;
}

static uint64_t value_of(struct bytes message, uint32_t number)
{
    struct field field;
    return find(message, number, &field) ? field.value : 0;
}

struct track {
    uint64_t id, parent;
    char name[NAME];
    bool state, counter, open;
    uint64_t since, last; /* of the open slice or state; of the last event */
    uint64_t name_id;     /* of it; 0: none */
};

struct trace {
    struct run *run;
    struct track track[TRACKS];
    uint32_t tracks;
    char name[NAMES][NAME]; /* interned */
    uint64_t states[32];
    uint64_t flow[FLOWS], flow_end[FLOWS]; /* number, and when its slice ends */
    uint32_t flows, arrows, begins, ends, state_events, counts;
};

static void copy_text(struct bytes text, char *to)
{
    (void)snprintf(to, NAME, "%.*s", (int)(text.end - text.at), (const char *)text.at);
}

static void take_interned(struct trace *trace, struct bytes data)
{
    struct field entry;
    struct field text = {0};
    while (take_field(&data, &entry)) {
        if (entry.number != 2)
            continue;
        uint64_t id = value_of(entry.bytes, 1);
        assert_true(id > 0 && id < NAMES && !trace->name[id][0] && find(entry.bytes, 2, &text));
        copy_text(text.bytes, trace->name[id]);
    }
}

static struct track *track_of(struct trace *trace, uint64_t id)
{
    for (uint32_t i = 0; i < trace->tracks; i++)
        if (trace->track[i].id == id)
            return &trace->track[i];
    fail_msg("no track %llu", (unsigned long long)id);
    return NULL;
}

static void take_track(struct trace *trace, struct bytes descriptor)
{
    struct field text = {0};
    struct field any = {0};
    assert_true(trace->tracks < TRACKS);
    struct track *track = &trace->track[trace->tracks++];
    track->parent = value_of(descriptor, 5);
    if (track->parent)
        (void)track_of(trace, track->parent);
    track->id = value_of(descriptor, 1);
    assert_true(find(descriptor, 2, &text));
    copy_text(text.bytes, track->name);
    track->counter = find(descriptor, 8, &any);
    track->state = find(descriptor, 18, &any);
}

/* Ends the open slice of a track, and may begin another one. */
static void change(struct trace *trace, struct track *track, uint64_t now, uint64_t name)
{
    if (track->open && track->name_id && strncmp(track->name, "sp", 2) == 0 &&
        strlen(track->name) == 7) {
        assert_true(track->name_id < NAMES);
        uint32_t state = export_state_of(trace->run, trace->name[track->name_id]);
        assert_true(state < 32);
        trace->states[state] += now - track->since;
    }
    track->open = true;
    track->since = now;
    track->name_id = name;
}

static void take_flows(struct trace *trace, struct bytes event, uint64_t now)
{
    struct field flow;
    if (find(event, 47, &flow)) {
        assert_true(flow.wire == 1 && trace->flows < FLOWS);
        trace->flow[trace->flows++] = flow.value;
    }
    if (find(event, 48, &flow)) {
        uint32_t i = 0;
        while (i < trace->flows && trace->flow[i] != flow.value)
            i++;
        assert_true(i < trace->flows);          /* it comes from a slice, */
        assert_true(now >= trace->flow_end[i]); /* which has ended: its answer woke the warp */
        trace->arrows++;
    }
}

static void take_event(struct trace *trace, struct bytes event, uint64_t now)
{
    struct track *track = track_of(trace, value_of(event, 11));
    uint64_t type = value_of(event, 9);
    assert_true(track->counter == (type == 4) && track->state == (type == 5));
    assert_true(now >= track->last);
    track->last = now;
    take_flows(trace, event, now);
    if (type == 1) {
        assert_false(track->open);
        change(trace, track, now, value_of(event, 10));
        trace->begins++;
    } else if (type == 2) {
        assert_true(track->open);
        change(trace, track, now, 0);
        track->open = false;
        if (strstr(track->name, "memory"))
            trace->flow_end[trace->flows - 1] = now;
        trace->ends++;
    } else if (type == 5) {
        change(trace, track, now, value_of(event, 10));
        trace->state_events++;
    } else {
        assert_true(type == 3 || type == 4);
        trace->counts += type == 4;
    }
}

static struct trace *read_back(struct run *run, const struct export_request *request)
{
    struct simsm_error error;
    size_t size;
    struct trace *trace = calloc(1, sizeof *trace);
    char *export = export_text(run, EXPORT_PERFETTO, request, &size, &error);
    viz_need(export && trace, &error);
    trace->run = run;
    struct bytes file = {(const uint8_t *)export, (const uint8_t *)export + size};
    struct field packet;
    struct field part;
    while (take_field(&file, &packet)) {
        assert_true(packet.number == 1 && packet.wire == 2);
        assert_int_equal(value_of(packet.bytes, 10), 1);
        if (find(packet.bytes, 12, &part))
            take_interned(trace, part.bytes);
        if (find(packet.bytes, 60, &part))
            take_track(trace, part.bytes);
        if (find(packet.bytes, 11, &part))
            take_event(trace, part.bytes, value_of(packet.bytes, 8));
    }
    free(export);
    return trace;
}

static void check_sums(const struct trace *trace)
{
    const struct timeline_info *info = run_info(trace->run);
    for (uint32_t s = 0; s < info->state_count; s++) {
        bool empty = info->states[s].known == SIMSM_STATE_EMPTY;
        assert_int_equal(trace->states[s], empty ? 0 : info->totals[0].states[s]);
    }
    assert_int_equal(trace->begins, trace->ends);
    assert_true(trace->counts > 10);
}

static void state_tracks_add_up(void **state)
{
    (void)state;
    static const char *const traces[] = {"traces/lessons/walkthrough.trace",
                                         "traces/lessons/latency.trace"};
    for (int i = 0; i < 2; i++) {
        struct run *run = export_run(traces[i]);
        struct export_request request = export_whole();
        struct trace *trace = read_back(run, &request);
        check_sums(trace);
        assert_true(trace->state_events > run_info(run)->totals[0].changes / 2);
        assert_true(trace->arrows > 0 && trace->arrows <= trace->flows);
        free(trace);
        run_close(run);
    }
}

static void slices_say_the_same(void **state)
{
    (void)state;
    struct run *run = export_run("traces/lessons/walkthrough.trace");
    struct export_request request = export_whole();
    request.begin_end = true;
    struct trace *trace = read_back(run, &request);
    assert_int_equal(trace->state_events, 0);
    check_sums(trace);
    free(trace);
    run_close(run);
}

static void a_range_begins_and_ends_its_states(void **state)
{
    (void)state;
    struct run *run = export_run("traces/lessons/latency.trace");
    struct export_request request = {.sm = 0, .from = 65530, .to = 66000};
    struct trace *trace = read_back(run, &request);
    struct viz_plain plain = viz_plain_of(run, 0);
    uint64_t cycles = 0;
    uint64_t expected = 0;
    for (uint32_t s = 0; s < 32; s++)
        cycles += trace->states[s];
    for (uint32_t s = 0; s < plain.slots; s++)
        for (uint64_t at = request.from; at < request.to; at++)
            expected += plain.state[s][at - plain.begin] != SIMSM_STATE_EMPTY;
    assert_int_equal(cycles, expected);
    assert_true(expected > 0);
    viz_plain_free(&plain);
    free(trace);
    run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_tracks_add_up),
        cmocka_unit_test(slices_say_the_same),
        cmocka_unit_test(a_range_begins_and_ends_its_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
