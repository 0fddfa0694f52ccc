/* A program's work as a file: a trace for Perfetto, a picture, a table. */
#include <jansson.h>
#include <string.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cuda/program_log.h"
#include "draw/label.h"
#include "report/quantity.h"

static const char *const kind_names[] = {
#define PROGRAM_WORK(id, name, mark, ascii, colour) name,
    PROGRAM_KINDS
#undef PROGRAM_WORK
};

static const unsigned colours[] = {
#define PROGRAM_WORK(id, name, mark, ascii, colour) colour,
    PROGRAM_KINDS
#undef PROGRAM_WORK
};

typedef enum simsm_status write_fn(const struct program_log *log, FILE *file,
                                   struct simsm_error *error);

/* Adds an event to the list; a thread of the trace is a stream, thread 0 the host. */
static bool add_event(json_t *events, const struct program_entry *entry)
{
    json_t *args = json_pack("{s:s}", "kind", kind_names[entry->kind]);
    if (entry->launch)
        (void)json_object_set_new(args, "launch", json_integer((json_int_t)entry->launch));
    if (entry->bytes)
        (void)json_object_set_new(args, "bytes", json_integer((json_int_t)entry->bytes));
    json_t *event = json_pack("{s:s, s:s, s:i, s:I, s:f, s:f, s:o}", "ph", "X", "name", entry->name,
                              "pid", 1, "tid", (json_int_t)entry->stream, "ts", entry->begin / 1e3,
                              "dur", (entry->end - entry->begin) / 1e3, "args", args);
    return event && json_array_append_new(events, event) == 0;
}

static bool name_thread(json_t *events, uint64_t stream)
{
    char name[32];
    if (stream)
        (void)snprintf(name, sizeof name, "stream %llu", (unsigned long long)stream);
    else
        (void)snprintf(name, sizeof name, "host");
    json_t *event = json_pack("{s:s, s:s, s:i, s:I, s:{s:s}}", "ph", "M", "name", "thread_name",
                              "pid", 1, "tid", (json_int_t)stream, "args", "name", name);
    return event && json_array_append_new(events, event) == 0;
}

/* https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU */
static enum simsm_status write_trace(const struct program_log *log, FILE *file,
                                     struct simsm_error *error)
{
    json_t *events = json_array(), *named = json_object();
    bool done = events && named;
    for (size_t i = 0; done && i < log->entries.count; i++) {
        char key[24];
        (void)snprintf(key, sizeof key, "%llu", (unsigned long long)program_entries(log)[i].stream);
        if (!json_object_get(named, key))
            done = name_thread(events, program_entries(log)[i].stream) &&
                   json_object_set_new(named, key, json_true()) == 0;
        done = done && add_event(events, &program_entries(log)[i]);
    }
    json_t *trace =
        done ? json_pack("{s:s, s:O}", "displayTimeUnit", "ns", "traceEvents", events) : NULL;
    done = trace && json_dumpf(trace, file, JSON_COMPACT | JSON_REAL_PRECISION(15)) == 0;
    json_decref(trace);
    json_decref(events);
    json_decref(named);
    return done ? SIMSM_OK : err_no_memory(error);
}

static enum simsm_status write_table(const struct program_log *log, FILE *file,
                                     struct simsm_error *error)
{
    (void)error;
    (void)fputs("what,name,stream,begin_ns,end_ns,bytes,launch\n", file);
    for (size_t i = 0; i < log->entries.count; i++) {
        const struct program_entry *e = &program_entries(log)[i];
        (void)fprintf(file, "%s,\"%s\",%llu,%.3f,%.3f,%llu,%llu\n", kind_names[e->kind], e->name,
                      (unsigned long long)e->stream, e->begin, e->end, (unsigned long long)e->bytes,
                      (unsigned long long)e->launch);
    }
    return SIMSM_OK;
}

enum { LEFT = 90, WIDTH = 1100, TOP = 40, LANE = 26, BAR = 18, LANES = 64 };

static void write_lane(FILE *file, size_t lane, uint64_t stream)
{
    (void)fprintf(file, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">", LEFT - 8,
                  TOP + lane * LANE + 13);
    if (lane == 0)
        (void)fputs("host</text>\n", file);
    else
        (void)fprintf(file, "stream %llu</text>\n", (unsigned long long)stream);
}

static void write_bar(FILE *file, const struct program_entry *entry, size_t lane, double from,
                      double scale)
{
    const double x = LEFT + (entry->begin - from) * scale;
    const double width = (entry->end - entry->begin) * scale;
    (void)fprintf(file,
                  "<rect x=\"%.2f\" y=\"%zu\" width=\"%.2f\" height=\"%d\" fill=\"#%06x\"><title>",
                  x, TOP + lane * LANE, width > 0.5 ? width : 0.5, BAR, colours[entry->kind]);
    label_xml(file, entry->name);
    (void)fprintf(file, "\n%s at %s", quantity_time(entry->end - entry->begin).text,
                  quantity_time(entry->begin - from).text);
    if (entry->launch)
        (void)fprintf(file, "\nlaunch %llu", (unsigned long long)entry->launch);
    if (entry->bytes)
        (void)fprintf(file, "\n%s", quantity_bytes((double)entry->bytes).text);
    (void)fputs("</title></rect>\n", file);
}

/* Writes the legend, and the time at both ends of the axis. */
static void write_frame(FILE *file, double ns, size_t lanes)
{
    const size_t bottom = TOP + lanes * LANE + 14;
    int x = LEFT;
    (void)fprintf(file, "<text x=\"%d\" y=\"%zu\">0</text>\n", LEFT, bottom);
    (void)fprintf(file, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">%s</text>\n", WIDTH - 10,
                  bottom, quantity_time(ns).text);
    for (size_t kind = 0; kind < PROGRAM_KIND_COUNT; kind++) {
        (void)fprintf(file, "<rect x=\"%d\" y=\"10\" width=\"12\" height=\"12\" fill=\"#%06x\"/>",
                      x, colours[kind]);
        (void)fprintf(file, "<text x=\"%d\" y=\"20\">%s</text>\n", x + 16, kind_names[kind]);
        x += 36 + 7 * (int)strlen(kind_names[kind]);
    }
}

static enum simsm_status write_picture(const struct program_log *log, FILE *file,
                                       struct simsm_error *error)
{
    uint64_t stream[LANES];
    size_t streams = 0;
    double from = log->entries.count ? program_entries(log)[0].begin : 0, to = from + 1;
    (void)error;
    for (size_t i = 0; i < log->entries.count; i++) {
        (void)program_lane(&program_entries(log)[i], stream, &streams, LANES);
        from = program_entries(log)[i].begin < from ? program_entries(log)[i].begin : from;
        to = program_entries(log)[i].end > to ? program_entries(log)[i].end : to;
    }
    (void)fprintf(file,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
                  "font-family=\"sans-serif\" font-size=\"12\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                  WIDTH, TOP + (streams + 1) * LANE + 24);
    write_frame(file, to - from, streams + 1);
    for (size_t lane = 0; lane <= streams; lane++)
        write_lane(file, lane, lane ? stream[lane - 1] : 0);
    for (size_t i = 0; i < log->entries.count; i++) {
        const size_t lane = program_lane(&program_entries(log)[i], stream, &streams, LANES);
        if (lane <= streams)
            write_bar(file, &program_entries(log)[i], lane, from,
                      (WIDTH - LEFT - 10) / (to - from));
    }
    (void)fputs("</svg>\n", file);
    return SIMSM_OK;
}

static const struct {
    const char *end;
    write_fn *write;
} formats[] = {{".json", write_trace}, {".svg", write_picture}, {".csv", write_table}};

static write_fn *format_of(const char *path)
{
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const size_t end = strlen(formats[i].end);
        if (length > end && strcmp(path + length - end, formats[i].end) == 0)
            return formats[i].write;
    }
    return NULL;
}

enum simsm_status program_check_name(const char *path, struct simsm_error *error)
{
    if (format_of(path))
        return SIMSM_OK;
    return err_set(error, SIMSM_BAD_INPUT,
                   "--program: '%s' ends neither in .json (a trace for Perfetto) nor in .svg (a "
                   "picture) or .csv (a table)",
                   path);
}

enum simsm_status program_write(const struct program_log *log, const char *path,
                                struct simsm_error *error)
{
    struct outfile out = {0};
    enum simsm_status status = outfile_open(&out, path, error);
    if (status == SIMSM_OK)
        status = format_of(path)(log, out.file, error);
    if (status == SIMSM_OK)
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return status;
}
