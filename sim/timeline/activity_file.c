/* A program's activities as files: a trace, written and read, and a table. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/infile.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "timeline/activity.h"

#define MOST_BYTES ((size_t)1 << 30)
#define MOST_NS    1e15 /* a bit more than 11 days */

/* ---- Writing ---- */

static json_t *json_size(const uint32_t size[3])
{
    return json_pack("[I, I, I]", (json_int_t)size[0], (json_int_t)size[1], (json_int_t)size[2]);
}

/* Adds an event to the list; a thread of the trace is a row, as events of a thread must not
 * overlap. */
static bool add_event(json_t *events, const struct activity *entry, uint32_t lane)
{
    char name[sizeof entry->name];
    json_t *args = json_pack("{s:s, s:I}", "kind", activity_looks[entry->kind].name, "stream",
                             (json_int_t)entry->stream);
    if (entry->by_device)
        (void)json_object_set_new(args, "by_device", json_true());
    if (entry->launch) {
        (void)json_object_set_new(args, "kernel", json_integer((json_int_t)entry->kernel));
        (void)json_object_set_new(args, "launch", json_integer((json_int_t)entry->launch));
        (void)json_object_set_new(args, "grid", json_size(entry->grid));
        (void)json_object_set_new(args, "block", json_size(entry->block));
    }
    if (entry->bytes)
        (void)json_object_set_new(args, "bytes", json_integer((json_int_t)entry->bytes));
    json_t *event =
        json_pack("{s:s, s:s, s:i, s:I, s:f, s:f, s:o}", "ph", "X", "name",
                  printable(entry->name, name, sizeof name), "pid", 1, "tid", (json_int_t)lane,
                  "ts", entry->begin / 1e3, "dur", (entry->end - entry->begin) / 1e3, "args", args);
    return event && json_array_append_new(events, event) == 0;
}

static bool name_thread(json_t *events, const struct activity_log *log, uint32_t lane)
{
    const struct activity_lane *row = &log->lanes[lane];
    char name[48] = "host";
    if (row->stream)
        (void)snprintf(name, sizeof name, row->part ? "stream %llu, also" : "stream %llu",
                       (unsigned long long)row->stream);
    json_t *event = json_pack("{s:s, s:s, s:i, s:I, s:{s:s}}", "ph", "M", "name", "thread_name",
                              "pid", 1, "tid", (json_int_t)lane, "args", "name", name);
    return event && json_array_append_new(events, event) == 0;
}

/* https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU */
static enum simsm_status write_trace(const struct activity_log *log, FILE *file,
                                     struct simsm_error *error)
{
    json_t *events = json_array();
    char *command = log->command ? strdup(log->command) : NULL;
    bool done = events;
    if (command)
        (void)printable(command, command, strlen(command) + 1);
    for (uint32_t i = 0; done && i < log->lane_count; i++)
        done = name_thread(events, log, i);
    for (size_t i = 0; done && i < log->entries.count; i++)
        done = add_event(events, &activities(log)[i], log->lane[i]);
    json_t *trace =
        done ? json_pack("{s:s, s:{s:s, s:s, s:s}, s:O}", "displayTimeUnit", "ns", "otherData",
                         "simsm", "program", "gpu", log->gpu ? log->gpu : "", "command",
                         command ? command : "", "traceEvents", events)
             : NULL;
    done = trace && json_dumpf(trace, file, JSON_COMPACT | JSON_REAL_PRECISION(15)) == 0;
    json_decref(trace);
    json_decref(events);
    free(command);
    return done ? SIMSM_OK : err_no_memory(error);
}

void activity_write_table(const struct activity_log *log, FILE *file)
{
    (void)fputs("what,name,stream,begin_ns,end_ns,bytes,launch\n", file);
    for (size_t i = 0; i < log->entries.count; i++) {
        const struct activity *e = &activities(log)[i];
        (void)fprintf(file, "%s,", activity_looks[e->kind].name);
        csv_cell(file, e->name, ',');
        (void)fprintf(file, "%llu,%.3f,%.3f,%llu,%llu\n", (unsigned long long)e->stream, e->begin,
                      e->end, (unsigned long long)e->bytes, (unsigned long long)e->launch);
    }
}

static bool ends_in(const char *path, const char *end)
{
    const size_t length = strlen(path), size = strlen(end);
    return length > size && strcmp(path + length - size, end) == 0;
}

enum simsm_status activity_check_name(const char *path, struct simsm_error *error)
{
    if (ends_in(path, ".json") || ends_in(path, ".csv"))
        return SIMSM_OK;
    return err_set(
        error, SIMSM_BAD_INPUT,
        "--program: '%s' ends neither in .json (a trace for simsm-view and Perfetto) nor "
        "in .csv (a table)",
        path);
}

enum simsm_status activity_write(const struct activity_log *log, const char *path,
                                 struct simsm_error *error)
{
    struct outfile out = {0};
    enum simsm_status status = outfile_open(&out, path, error);
    if (status == SIMSM_OK && ends_in(path, ".csv"))
        activity_write_table(log, out.file);
    else if (status == SIMSM_OK)
        status = write_trace(log, out.file, error);
    if (status == SIMSM_OK)
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return status;
}

/* ---- Reading ---- */

bool activity_is_file(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) /* a pipe can be read only once */
        return ends_in(path, ".json");
    FILE *file = fopen(path, "r");
    char first = '\0';
    const bool is = file && fscanf(file, " %c", &first) == 1 && first == '{';
    if (file)
        (void)fclose(file);
    return is;
}

static enum activity_kind kind_of(const char *name)
{
    unsigned kind = 0;
    while (kind < ACTIVITY_KIND_COUNT && (!name || strcmp(activity_looks[kind].name, name) != 0))
        kind++;
    return (enum activity_kind)kind;
}

static void read_size(const json_t *from, uint32_t size[3])
{
    for (size_t i = 0; i < 3; i++) {
        const json_int_t n = json_integer_value(json_array_get(from, i));
        size[i] = n > 0 && n <= UINT32_MAX ? (uint32_t)n : 1;
    }
}

static uint64_t read_count(const json_t *args, const char *key)
{
    const json_int_t n = json_integer_value(json_object_get(args, key));
    return n > 0 ? (uint64_t)n : 0;
}

/* Reads an event "X". Returns false if it is not as add_event writes it. */
static bool read_event(const json_t *event, struct activity *entry)
{
    const json_t *args = json_object_get(event, "args");
    const char *name = json_string_value(json_object_get(event, "name"));
    const json_t *begin = json_object_get(event, "ts"), *length = json_object_get(event, "dur");
    *entry = (struct activity){.kind = kind_of(json_string_value(json_object_get(args, "kind"))),
                               .stream = read_count(args, "stream"),
                               .begin = 1e3 * json_number_value(begin),
                               .launch = read_count(args, "launch"),
                               .by_device = json_is_true(json_object_get(args, "by_device")),
                               .kernel = read_count(args, "kernel"),
                               .bytes = read_count(args, "bytes")};
    entry->end = entry->begin + 1e3 * json_number_value(length);
    if (entry->launch) {
        read_size(json_object_get(args, "grid"), entry->grid);
        read_size(json_object_get(args, "block"), entry->block);
    }
    if (name)
        (void)printable(name, entry->name, sizeof entry->name);
    return entry->kind < ACTIVITY_KIND_COUNT && name &&
           (entry->stream != 0) != activity_is_call(entry) && json_is_number(begin) &&
           json_is_number(length) && entry->begin >= 0 && entry->end >= entry->begin &&
           entry->end < MOST_NS;
}

static char *read_text(const json_t *from, const char *key)
{
    const char *text = json_string_value(json_object_get(from, key));
    char *copy = text && *text ? strdup(text) : NULL;
    if (copy)
        (void)printable(copy, copy, strlen(copy) + 1);
    return copy;
}

static enum simsm_status read_trace(struct activity_log *log, const json_t *root, const char *path,
                                    struct simsm_error *error)
{
    const json_t *about = json_object_get(root, "otherData");
    const json_t *events = json_object_get(root, "traceEvents");
    const char *mark = json_string_value(json_object_get(about, "simsm"));
    if (!mark || strcmp(mark, "program") != 0 || !json_is_array(events))
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                      "this is JSON, but no program: expected a file that `simsm run --concurrent "
                      "--program FILE.json` has written");
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        const char *phase = json_string_value(json_object_get(event, "ph"));
        struct activity entry;
        if (phase && strcmp(phase, "X") != 0)
            continue;
        if (!phase || !read_event(event, &entry))
            return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                          "event %zu has not the name, kind and times of an activity: write the "
                          "file again with `simsm run --concurrent --program`",
                          i + 1);
        activity_add(log, &entry);
    }
    log->gpu = read_text(about, "gpu");
    log->command = read_text(about, "command");
    return log->lost || !activity_finish(log) ? err_no_memory(error) : SIMSM_OK;
}

enum simsm_status activity_read(struct activity_log *log, const char *path,
                                struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    *log = (struct activity_log){0};
    enum simsm_status status = infile_read(path, "program", MOST_BYTES, &text, &size, error);
    if (status != SIMSM_OK)
        return status;
    json_error_t at;
    json_t *root = json_loadb(text, size, 0, &at);
    free(text);
    if (!root)
        return err_at(error, SIMSM_BAD_INPUT, path, at.line > 0 ? (uint32_t)at.line : 0, 0,
                      "this is no JSON: %s", at.text);
    status = read_trace(log, root, path, error);
    json_decref(root);
    if (status != SIMSM_OK)
        activity_free(log);
    return status;
}
