/* What the sanitizer hears of a program, and the files of `simsm check`. */
#include "cuda/checking.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cuda/cuda_graph.h"
#include "cuda/host_calls.h"
#include "cuda/host_memory.h"
#include "cuda/interrupt.h"
#include "cuda/journal.h"
#include "cuda/rt_thread.h"
#include "exec/control/watched_steps.h"
#include "exec/launch/exec_launch.h"
#include "sanitize/findings_choose.h"
#include "sanitize/findings_write.h"
#include "sanitize/sanitizer.h"

static int error_copy = -1; /* a copy of descriptor 2, far above those that programs count on */

enum simsm_status checking_open(struct runtime *rt, struct simsm_error *error)
{
    const struct settings *settings = &rt->settings;
    const char *tools = setting_text(settings, SETTING_ID_tool);
    uint64_t kinds;
    if (!tools)
        return SIMSM_OK;
    const enum simsm_status status = findings_read_tools(tools, &kinds, error);
    if (status != SIMSM_OK)
        return status;
    rt->sanitizer = sanitizer_create(DEVICE_BASE, device_address_bytes(rt->memory), kinds);
    if (!rt->sanitizer)
        return err_no_memory(error);
    rt->calls = host_calls_create(code_of_program());
    if (!rt->calls)
        return err_no_memory(error);
    rt->sanitizer->findings.stack_of = host_calls_resolve;
    rt->sanitizer->findings.stack_context = rt->calls;
    enum { FAR_ABOVE = 100 };
    if (error_copy < 0)
        error_copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, FAR_ABOVE);
    rt->sanitizer->place = watch_place;
    rt->sanitizer->uses = watch_uses;
    device_watch(rt->memory, rt->sanitizer);
    return findings_read_suppressions(setting_text(settings, SETTING_ID_suppressions),
                                      &rt->sanitizer->findings, error);
}

static enum simsm_status write_file(const struct runtime *rt, const char *path,
                                    findings_writer *write, const struct findings_subject *subject,
                                    struct simsm_error *error)
{
    struct outfile out;
    const enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    if (write(&rt->sanitizer->findings, subject, out.file))
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return err_at(error, SIMSM_FAILED, path, 0, 0, "cannot be written");
}

/* Writes to what was the standard error when the program began to use CUDA: it may have closed its
 * own. */
static void write_to_terminal(const struct runtime *rt, findings_writer *write,
                              const struct findings_subject *subject)
{
    FILE *file = error_copy < 0 ? NULL : fdopen(error_copy, "w");
    (void)write(&rt->sanitizer->findings, subject, file ? file : stderr);
    if (file)
        (void)fclose(file); /* and the copy */
    error_copy = file ? -1 : error_copy;
}

/* Reports managed and pinned memory that was never freed. */
static void look_for_host_leaks(struct runtime *rt)
{
    for (size_t i = 0; rt->host && i < host_memory_count(rt->host); i++) {
        const struct host_block *block = host_memory_block(rt->host, i);
        struct finding finding = {.kind = FINDING_LEAK,
                                  .key = (uintptr_t)block->address * 64 + FINDING_LEAK};
        if (block->kind == HOST_REGISTERED)
            continue;
        const struct device_allocation *made =
            device_nearest(rt->memory, (uintptr_t)block->address);
        finding.memory.allocation.stack = made ? made->made_by : 0;
        (void)snprintf(finding.message, sizeof finding.message, "%s: %s memory, %llu bytes at %p",
                       finding_rows[FINDING_LEAK].title,
                       block->kind == HOST_MANAGED ? "managed" : "pinned",
                       (unsigned long long)block->size, block->address);
        findings_add(&rt->sanitizer->findings, &finding);
    }
}

enum simsm_status checking_close(struct runtime *rt, bool *found, struct simsm_error *error)
{
    if (!rt->sanitizer)
        return SIMSM_OK;
    const struct findings_subject subject = {setting_text(&rt->settings, SETTING_ID_command),
                                             journal_launches(rt->journal)};
    findings_writer *text = findings_format(setting_text(&rt->settings, SETTING_ID_as));
    const struct {
        const char *path;
        findings_writer *write;
    } files[] = {{setting_text(&rt->settings, SETTING_ID_findings), text},
                 {setting_text(&rt->settings, SETTING_ID_sarif), findings_sarif},
                 {setting_text(&rt->settings, SETTING_ID_junit), findings_junit}};
    enum simsm_status status = SIMSM_OK;
    const bool cut_short = rt->broken != CUDA_SUCCESS || interrupt_came;
    if (!cut_short)
        look_for_host_leaks(rt);
    sanitizer_end(rt->sanitizer, cut_short);
    for (size_t i = 0; i < sizeof files / sizeof files[0] && status == SIMSM_OK; i++)
        if (files[i].path)
            status = write_file(rt, files[i].path, files[i].write, &subject, error);
    (void)fflush(stdout);
    if (!files[0].path || status != SIMSM_OK) /* what a file could not take, too */
        write_to_terminal(rt, text, &subject);
    *found |= findings_serious(&rt->sanitizer->findings) != 0;
    device_watch(rt->memory, NULL);
    sanitizer_destroy(rt->sanitizer);
    rt->sanitizer = NULL;
    host_calls_free(rt->calls);
    rt->calls = NULL;
    return status;
}

void checking_names(const struct runtime *rt, const struct device_allocation *memory)
{
    if (rt->sanitizer)
        rt->sanitizer->named = (struct finding_memory){
            {.stack = memory->made_by}, {.stack = memory->freed ? memory->freed_by : 0}};
}

void checking_enter(struct runtime *rt)
{
    if (!rt->sanitizer)
        return;
    rt->sanitizer->stack = host_calls_capture(rt->calls);
    rt->sanitizer->failed_as = FINDING_KINDS;
    rt->sanitizer->named = (struct finding_memory){{0}, {0}};
}

void checking_fails_as(const struct runtime *rt, enum finding_kind kind)
{
    if (rt->sanitizer)
        rt->sanitizer->failed_as = kind;
}

static bool is_blocking(const struct stream *stream)
{
    return !(stream->flags & STREAM_NON_BLOCKING);
}

/* Returns the stream to which work is submitted: its id. */
static uint64_t submitting(const struct runtime *rt, bool *blocking)
{
    *blocking = !rt->stream || is_blocking(rt->stream);
    return rt->stream ? rt->stream->id : STREAM_LEGACY;
}

/* Returns the stream of the operation that begins: of a graph's node, or of what is submitted. */
static uint64_t beginning(const struct runtime *rt, bool *blocking)
{
    *blocking = false;
    return rt->graph_stream ? rt->graph_stream : submitting(rt, blocking);
}

/* Begins an operation. */
static void begin(struct runtime *rt, const struct sanitizer_launch *launch)
{
    bool blocking;
    const uint64_t stream = beginning(rt, &blocking);
    sanitizer_begin(rt->sanitizer, launch, stream, blocking);
}

void checking_launch(struct runtime *rt, const struct exec_launch *launch, uint64_t number,
                     bool early)
{
    if (!rt->sanitizer)
        return;
    struct sanitizer_launch added = {
        .module = launch->module, .kernel = launch->kernel, .number = number, .early = early};
    memcpy(added.block, launch->launch.block, sizeof added.block);
    memcpy(added.grid, launch->launch.grid, sizeof added.grid);
    begin(rt, &added);
}

/* Begins a copy or fill. */
static void begin_call(struct runtime *rt)
{
    const struct sanitizer_launch call = {.call = rt_thread.call ? rt_thread.call : "a graph"};
    begin(rt, &call);
}

/* Returns whether the legacy default stream is the only one so far. */
static bool is_alone(const struct runtime *rt)
{
    uint64_t others = 0;
    for (uint32_t s = 1; s < STREAM_SLOTS; s++)
        others |= rt->sanitizer->streams.id[s];
    return !others;
}

/* Reports a copy of bytes that were never written: an error if none of them was, else a warning,
 * but for gaps that are as small as those of structures. */
static void look_at_source(struct runtime *rt, uint64_t address, uint64_t bytes)
{
    struct shadow *shadow = rt->sanitizer->shadow;
    const struct sanitizer_memory *memory = sanitizer_memory_at(rt->sanitizer, address);
    const uint64_t unwritten = memory ? shadow_unwritten(shadow, address, bytes) : 0;
    if (!unwritten || (unwritten < bytes && !shadow_has_gap(shadow, address, bytes)))
        return;
    struct finding finding = {.kind = unwritten < bytes ? FINDING_INIT_PART : FINDING_INIT_COPY,
                              .memory.allocation.stack = memory->stack};
    finding.key = memory->address * 64 + finding.kind;
    (void)snprintf(finding.message, sizeof finding.message,
                   "Copy of %llu bytes, of which %llu were never written, at byte %llu of \"%s\"",
                   (unsigned long long)bytes, (unsigned long long)unwritten,
                   (unsigned long long)(address - memory->address), memory->name);
    finding.place[0].what = "copy";
    finding.place[0].by.stack = rt->sanitizer->stack;
    (void)snprintf(finding.place[0].kernel, sizeof finding.place[0].kernel, "%s",
                   rt_thread.call ? rt_thread.call : "a graph");
    findings_add(&rt->sanitizer->findings, &finding);
}

/* `later`: the program goes on beside the access, to memory that it reaches itself. */
static void touch_row(struct runtime *rt, uint64_t address, uint64_t bytes, bool writes, bool later)
{
    if (!is_alone(rt) || later)
        sanitizer_host_access(rt->sanitizer, address, bytes, writes);
    if (writes)
        shadow_write(rt->sanitizer->shadow, address, bytes);
}

/* Reports a copy onto itself: CUDA leaves its outcome open. */
static void look_for_overlap(struct runtime *rt, const struct copy *copy)
{
    const uint64_t to = (uintptr_t)copy->dst, from = (uintptr_t)copy->src;
    struct finding finding = {.kind = FINDING_COPY_OVERLAP,
                              .key = to * 64 + FINDING_COPY_OVERLAP,
                              .call.stack = rt->sanitizer->stack};
    if (copy->height > 1 || copy->depth > 1 || to >= from + copy->width || from >= to + copy->width)
        return;
    (void)snprintf(finding.message, sizeof finding.message,
                   "Copy of %zu bytes from 0x%llx to 0x%llx, which overlap", copy->width,
                   (unsigned long long)from, (unsigned long long)to);
    findings_add(&rt->sanitizer->findings, &finding);
}

/* Returns whether the program goes on before the copy or fill that it has asked for has ended. Not
 * what work_call_waits() says: cudaMemset() waits if its memory is the host's too (CUDA Runtime
 * API, API synchronization behavior). */
static bool goes_on(void)
{
    const char *call = rt_thread.call;
    return call && (strstr(call, "Async") || strstr(call, "Graph"));
}

void checking_copy(struct runtime *rt, const struct copy *copy, const struct located_memory *dst,
                   const struct located_memory *src)
{
    if (!rt->sanitizer)
        return;
    begin_call(rt);
    look_for_overlap(rt, copy);
    const bool later = goes_on();
    for (size_t z = 0; z < copy->depth; z++)
        for (size_t y = 0; y < copy->height; y++) {
            const uint64_t to = (uintptr_t)copy->dst + z * copy->dst_layer + y * copy->dst_pitch;
            const uint64_t from = (uintptr_t)copy->src + z * copy->src_layer + y * copy->src_pitch;
            if (src->device) {
                look_at_source(rt, from, copy->width);
                touch_row(rt, from, copy->width, false, later && !src->exclusive);
            }
            if (dst->device)
                touch_row(rt, to, copy->width, true, later && !dst->exclusive);
        }
    if (!later && rt->stream)
        checking_stream_waited(rt, rt->stream);
}

void checking_fill(struct runtime *rt, const struct fill *fill, const struct located_memory *dst)
{
    if (!rt->sanitizer)
        return;
    begin_call(rt);
    const bool shared = !dst->exclusive, later = shared && goes_on();
    for (size_t z = 0; z < fill->depth; z++)
        for (size_t y = 0; y < fill->height; y++)
            touch_row(rt, (uintptr_t)fill->dst + z * fill->layer + y * fill->pitch,
                      (uint64_t)fill->width * fill->element, true, later);
    if (shared && !later && rt->stream)
        checking_stream_waited(rt, rt->stream);
}

void checking_memory_op(struct runtime *rt, const struct memory_op *op)
{
    bool blocking;
    if (!rt->sanitizer)
        return;
    if (memory_op_writes(op)) { /* orders streams, and is no race itself */
        shadow_write(rt->sanitizer->shadow, (uintptr_t)op->address, memory_op_bytes(op));
    } else if (memory_op_bytes(op)) {
        const uint64_t stream = beginning(rt, &blocking);
        stream_order_wait_all(&rt->sanitizer->streams, stream, blocking);
    }
}

void checking_memory(struct runtime *rt, uint64_t address, uint64_t size)
{
    if (!rt->sanitizer)
        return;
    begin_call(rt);
    if (!is_alone(rt))
        sanitizer_host_access(rt->sanitizer, address, size, true);
}

void checking_record(struct runtime *rt, const struct stream *stream, struct event *event)
{
    if (rt->sanitizer)
        stream_order_record(&rt->sanitizer->streams, stream->id, is_blocking(stream),
                            &event->clock);
}

void checking_wait(struct runtime *rt, const struct stream *stream, const struct event *event)
{
    if (rt->sanitizer)
        stream_order_wait(&rt->sanitizer->streams, stream->id, is_blocking(stream), &event->clock);
}

void checking_stream_waited(struct runtime *rt, const struct stream *stream)
{
    if (rt->sanitizer)
        stream_order_host_stream(&rt->sanitizer->streams, stream->id, is_blocking(stream));
}

void checking_event_waited(struct runtime *rt, const struct event *event)
{
    if (rt->sanitizer)
        stream_order_host_event(&rt->sanitizer->streams, &event->clock);
}

void checking_all_waited(struct runtime *rt)
{
    if (rt->sanitizer)
        stream_order_host_all(&rt->sanitizer->streams);
}

void checking_stream_ends(struct runtime *rt, const struct stream *stream)
{
    if (rt->sanitizer)
        stream_order_destroy(&rt->sanitizer->streams, stream->id);
}

void checking_host_function(struct runtime *rt)
{
    if (rt->sanitizer)
        begin_call(rt);
}

void checking_node_begins(struct runtime *rt, struct graph_node *node)
{
    if (!rt->sanitizer)
        return;
    static const uint64_t first_id = UINT64_C(1) << 40; /* above those of streams */
    static uint64_t made;
    struct stream_order *order = &rt->sanitizer->streams;
    struct stream_clock clock;
    bool blocking;
    const uint64_t stream = submitting(rt, &blocking);
    node->ran = (struct node_stream){0};
    stream_order_record(order, stream, blocking, &clock);
    for (size_t i = 0; i < node->deps && !node->ran.id; i++) {
        if (node->dep[i]->ran.continued)
            continue;
        node->dep[i]->ran.continued = true;
        node->ran.id = node->dep[i]->ran.id;
    }
    if (!node->ran.id)
        node->ran.id = first_id + ++made;
    stream_order_wait(order, node->ran.id, false, &clock);
    for (size_t i = 0; i < node->deps; i++)
        stream_order_wait(order, node->ran.id, false, &node->dep[i]->ran.clock);
    rt->graph_stream = node->ran.id;
}

void checking_node_ends(struct runtime *rt, struct graph_node *node)
{
    if (!rt->sanitizer)
        return;
    rt->graph_stream = 0;
    stream_order_record(&rt->sanitizer->streams, node->ran.id, false, &node->ran.clock);
}

void checking_graph_ends(struct runtime *rt, const struct graph *graph)
{
    if (!rt->sanitizer)
        return;
    bool blocking;
    const uint64_t stream = submitting(rt, &blocking);
    for (size_t i = 0; i < graph->count; i++)
        stream_order_wait(&rt->sanitizer->streams, stream, blocking, &graph->node[i]->ran.clock);
    for (size_t i = 0; i < graph->count; i++)
        stream_order_destroy(&rt->sanitizer->streams, graph->node[i]->ran.id);
}

/* Which kind of mistake a failed call is. */
static enum finding_kind kind_of_call(const char *function, enum cuda_error error)
{
    if (error != CUDA_INVALID_VALUE && error != CUDA_INVALID_RESOURCE_HANDLE)
        return FINDING_API;
    if (strstr(function, "Free"))
        return FINDING_FREE;
    return strstr(function, "Memcpy") || strstr(function, "Memset") ? FINDING_COPY : FINDING_API;
}

static const char *name_of(enum cuda_error error)
{
    switch (error) {
#define ERROR(id, number, name, text)                                                              \
    case number:                                                                                   \
        return name;
#include "cuda/cuda_errors.def"
#undef ERROR
    }
    return "?";
}

void checking_failed_call(struct runtime *rt, const char *function, enum cuda_error error,
                          const char *why)
{
    if (!rt->sanitizer)
        return;
    const enum finding_kind known = rt->sanitizer->failed_as;
    const enum finding_kind kind = known < FINDING_KINDS ? known : kind_of_call(function, error);
    struct finding finding = {.kind = kind,
                              .call.stack = rt->sanitizer->stack,
                              .memory = rt->sanitizer->named,
                              .key = rt->sanitizer->stack};
    for (const char *c = function; *c; c++)
        finding.key = (finding.key ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    rt->sanitizer->named = (struct finding_memory){{0}, {0}};
    for (const char *c = why; *c; c++) /* names the argument that is wrong */
        finding.key = (finding.key ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    finding.key ^= (uint64_t)error << 48;
    (void)snprintf(finding.message, sizeof finding.message, "%s returned error %d (%s)%s%s",
                   function, (int)error, name_of(error), *why ? ": " : "", why);
    findings_add(&rt->sanitizer->findings, &finding);
}
