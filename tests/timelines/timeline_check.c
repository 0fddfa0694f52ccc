/*
 * Checks a timeline written as text: a configuration, a trace, and the picture that they must give.
 *
 *     # what this file teaches
 *     config configs/teaching.yaml
 *     set ops.fp32.latency=4
 *     trace
 *     kernel ...
 *     expect 0:20
 *     0:0 #www#
 *
 * A row is sub-partition:slot of SM 0 and a letter for each cycle of the half-open range, as in
 * defs/warp_states.def; slots that stay empty in the range have no row. With REBASELINE=1 in the
 * environment the file is rewritten to what the simulator draws now.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "simsm/simsm.h"

enum { SLOTS = 64, CYCLES = 400 };

struct sheet {
    uint64_t from, to;
    uint32_t subs;
    char state[SLOTS]; /* letter now */
    uint64_t drawn[SLOTS];
    char row[SLOTS][CYCLES + 1];
};

static void draw_until(struct sheet *sheet, unsigned slot, uint64_t cycle)
{
    for (uint64_t c = sheet->drawn[slot]; c < cycle && c < sheet->to; c++) {
        if (c >= sheet->from)
            sheet->row[slot][c - sheet->from] = sheet->state[slot];
    }
    sheet->drawn[slot] = cycle;
}

static int on_events(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    struct sheet *sheet = context;
    for (size_t i = 0; sm == 0 && i < count; i++) {
        unsigned slot = events[i].unit % SIMSM_SLOTS_PER_SM;
        draw_until(sheet, slot, events[i].cycle);
        sheet->state[slot] = simsm_states[events[i].sub].letter;
    }
    return 0;
}

static void print_sheet(const struct sheet *sheet, FILE *file)
{
    for (unsigned sub = 0; sub < sheet->subs; sub++) {
        for (unsigned slot = sub; slot < SLOTS; slot += sheet->subs) {
            const char *row = sheet->row[slot];
            if (strspn(row, ".") != strlen(row))
                (void)fprintf(file, "%u:%u %s\n", sub, slot / sheet->subs, row);
        }
    }
}

static int fail(const char *file, const struct simsm_error *error)
{
    char text[1200];
    (void)fprintf(stderr, "%s: %s\n", file, simsm_error_text(error, text, sizeof text));
    return 1;
}

static int simulate(const char *name, const struct simsm_config *config, const char *trace,
                    struct sheet *sheet)
{
    struct simsm_error error;
    struct simsm_observer observer = {
        .wants = 1u << SIMSM_EVENT_WARP_STATE, .batch = on_events, .context = sheet};
    const struct simsm_observer *observers[] = {&observer, NULL};
    struct simsm_options options = {.observers = observers, .check = true};
    struct simsm *simulation;
    if (simsm_open(&simulation, config, trace, &options, &error) != SIMSM_OK)
        return fail(name, &error);
    int bad = simsm_run(simulation, UINT64_MAX, &error) != SIMSM_OK ? fail(name, &error) : 0;
    for (unsigned slot = 0; slot < SLOTS; slot++)
        draw_until(sheet, slot, sheet->to);
    simsm_close(simulation);
    return bad;
}

/* Reads the head of the file up to "expect"; the trace goes to `trace`. Returns its end, or NULL. */
static char *read_head(const char *name, char *text, struct simsm_config *config, FILE *trace,
                       struct sheet *sheet)
{
    struct simsm_error error;
    int in_trace = 0;
    for (char *line = text; *line;) {
        char *end = strchr(line, '\n');
        if (!end)
            break;
        *end = '\0';
        unsigned long from = 0, to = 0;
        int ok = 1;
        if (sscanf(line, "expect %lu:%lu", &from, &to) == 2) {
            *end = '\n';
            sheet->from = from;
            sheet->to = to;
            return to > from && to - from <= CYCLES ? end + 1 : NULL;
        }
        if (in_trace)
            (void)fprintf(trace, "%s\n", line);
        else if (strncmp(line, "config ", 7) == 0)
            ok = simsm_config_load(config, line + 7, &error) == SIMSM_OK;
        else if (strncmp(line, "set ", 4) == 0)
            ok = simsm_config_set(config, line + 4, &error) == SIMSM_OK;
        else if (strcmp(line, "trace") == 0)
            in_trace = 1;
        *end = '\n';
        if (!ok) {
            (void)fail(name, &error);
            return NULL;
        }
        line = end + 1;
    }
    return NULL;
}

static char *read_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = calloc(1, 65536);
    if (file && text)
        text[fread(text, 1, 65535, file)] = '\0';
    if (file)
        (void)fclose(file);
    return text;
}

static int compare(const char *name, const char *text, const char *expected,
                   const struct sheet *sheet)
{
    char *drawn = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&drawn, &size);
    if (!memory)
        return 1;
    print_sheet(sheet, memory);
    (void)fclose(memory);
    int bad = strcmp(drawn, expected) != 0;
    if (bad && getenv("REBASELINE")) {
        FILE *file = fopen(name, "wb");
        if (file) {
            (void)fwrite(text, 1, (size_t)(expected - text), file);
            (void)fputs(drawn, file);
            (void)fclose(file);
            bad = 0;
        }
    } else if (bad) {
        (void)fprintf(stderr, "%s: expected\n%sdrawn\n%s", name, expected, drawn);
    }
    free(drawn);
    return bad;
}

static int check(const char *name)
{
    static struct sheet sheet;
    struct simsm_config config = {0};
    char trace[] = "/tmp/simsm-timeline-XXXXXX";
    int descriptor = mkstemp(trace);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    char *text = read_file(name);
    if (!file || !text)
        return 1;
    memset(&sheet, 0, sizeof sheet);
    memset(sheet.state, '.', sizeof sheet.state);
    const char *expected = read_head(name, text, &config, file, &sheet);
    (void)fclose(file);
    sheet.subs = config.sm_sub_partitions;
    int bad = 1;
    if (!expected)
        (void)fprintf(stderr, "%s: no good 'expect A:B' line\n", name);
    else
        bad = simulate(name, &config, trace, &sheet) || compare(name, text, expected, &sheet);
    (void)unlink(trace);
    free(text);
    return bad;
}

int main(int argc, char **argv)
{
    int bad = argc < 2;
    for (int i = 1; i < argc; i++)
        bad |= check(argv[i]);
    return bad;
}
