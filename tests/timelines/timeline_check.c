/*
 * Checks timelines written as text: a configuration, a trace or a launch of machine code, and the
 * pictures that they must give.
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
 * defs/warp_states.def; slots that stay empty in the range have no row. More pictures may follow,
 * each after `set` lines that change what was configured before, and all of the same trace. Lines
 * that begin with # are comments, also between `expect` and the rows. With REBASELINE=1 in the
 * environment the file is rewritten to what the simulator draws now. Each picture is drawn in three
 * ways (`ways`), which must agree.
 *
 * A picture of machine code names it in place of the trace, and has a launch file:
 *
 *     code tests/data/sass/rules/rules.sm_90.cubin
 *     param late=1
 *     launch
 *     kernel: first
 *     ...
 *     expect 0:20
 *
 * `param` lines change arguments, as --param does; they may also stand behind a picture, like `set`
 * lines. After `sms 2` rows of SMs 0 and 1 are drawn, which begin SM/sub-partition:slot.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "simsm/simsm.h"

enum { SMS = 4, SLOTS = 64, CYCLES = 1000, PARAMETERS = 8, FILE_BYTES = 65536 };

/* The rows of one SM. */
struct sm_rows {
    char state[SLOTS]; /* letter now */
    uint64_t drawn[SLOTS];
    char row[SLOTS][CYCLES + 1];
};

/* A picture: the letters of the first `sms` SMs in cycles [from, to). */
struct sheet {
    uint64_t from, to;
    uint32_t sms, subs;
    struct sm_rows sm[SMS];
};

struct page {
    const char *name;
    struct simsm_config config;
    char input[48]; /* "launch=" and the path of the trace or launch file */
    FILE *input_file;
    const char *code;                      /* machine code; NULL: the input is a trace */
    const char *parameter[PARAMETERS + 1]; /* the first is `input`, if there is code */
    uint32_t parameters, sms;
    FILE *drawn; /* the file as it should be */
    bool in_input, in_rows;
    int pictures;
};

static const char launch_key[] = "launch=";

static const char *path_of(const char *input)
{
    return input + strlen(launch_key);
}

static void draw_until(struct sheet *sheet, uint32_t sm, unsigned slot, uint64_t cycle)
{
    struct sm_rows *rows = &sheet->sm[sm];
    for (uint64_t c = rows->drawn[slot]; c < cycle && c < sheet->to; c++) {
        if (c >= sheet->from)
            rows->row[slot][c - sheet->from] = rows->state[slot];
    }
    rows->drawn[slot] = cycle;
}

static int on_events(void *context, uint32_t sm, const struct simsm_event *events, size_t count)
{
    struct sheet *sheet = context;
    for (size_t i = 0; sm < sheet->sms && i < count; i++) {
        unsigned slot = events[i].unit % SIMSM_SLOTS_PER_SM;
        draw_until(sheet, sm, slot, events[i].cycle);
        sheet->sm[sm].state[slot] = simsm_states[events[i].sub].letter;
    }
    return 0;
}

static void print_row(const struct sheet *sheet, uint32_t sm, unsigned slot, FILE *file)
{
    const char *row = sheet->sm[sm].row[slot];
    if (strspn(row, ".") == strlen(row))
        return;
    if (sheet->sms > 1)
        (void)fprintf(file, "%u/", sm);
    (void)fprintf(file, "%u:%u %s\n", slot % sheet->subs, slot / sheet->subs, row);
}

static void print_sheet(const struct sheet *sheet, FILE *file)
{
    for (uint32_t sm = 0; sm < sheet->sms; sm++)
        for (unsigned sub = 0; sub < sheet->subs; sub++)
            for (unsigned slot = sub; slot < SLOTS; slot += sheet->subs)
                print_row(sheet, sm, slot, file);
}

static bool fail(const struct page *page, const struct simsm_error *error)
{
    char text[1200];
    (void)fprintf(stderr, "%s: %s\n", page->name, simsm_error_text(error, text, sizeof text));
    return false;
}

/* Ways to simulate that must give the same picture. */
static const struct way {
    const char *name;
    bool no_skip;
    uint64_t window;
} ways[] = {{"as usual", false, 0}, {"every cycle visited", true, 0}, {"short windows", false, 1}};

static bool simulate(const struct page *page, const struct way *way, struct sheet *sheet)
{
    struct simsm_error error;
    struct simsm_observer observer = {
        .wants = 1u << SIMSM_EVENT_WARP_STATE, .batch = on_events, .context = sheet};
    const struct simsm_observer *observers[] = {&observer, NULL};
    struct simsm_options options = {.observers = observers,
                                    .check = true,
                                    .parameters = page->parameter,
                                    .no_skip = way->no_skip,
                                    .window = way->window};
    const char *input = page->code ? page->code : path_of(page->input);
    struct simsm *simulation;
    if (simsm_config_check(&page->config, &error) != SIMSM_OK ||
        simsm_open(&simulation, &page->config, input, &options, &error) != SIMSM_OK)
        return fail(page, &error);
    bool good = simsm_run(simulation, UINT64_MAX, &error) == SIMSM_OK || fail(page, &error);
    for (unsigned i = 0; i < sheet->sms * SLOTS; i++)
        draw_until(sheet, i / SLOTS, i % SLOTS, sheet->to);
    simsm_close(simulation);
    return good;
}

static void begin_sheet(const struct page *page, struct sheet *sheet, uint64_t from, uint64_t to)
{
    memset(sheet, 0, sizeof *sheet);
    for (uint32_t sm = 0; sm < SMS; sm++)
        memset(sheet->sm[sm].state, '.', sizeof sheet->sm[sm].state);
    sheet->from = from;
    sheet->to = to;
    sheet->sms = page->sms;
    sheet->subs = page->config.sm_sub_partitions;
}

/* Simulates in each way, and returns whether the pictures are the same. The first is `sheet`. */
static bool draw(const struct page *page, struct sheet *sheet, uint64_t from, uint64_t to)
{
    static struct sheet other;
    begin_sheet(page, sheet, from, to);
    if (!simulate(page, &ways[0], sheet))
        return false;
    for (size_t i = 1; i < sizeof ways / sizeof ways[0]; i++) {
        begin_sheet(page, &other, from, to);
        if (!simulate(page, &ways[i], &other))
            return false;
        if (memcmp(sheet, &other, sizeof other) == 0)
            continue;
        (void)fprintf(stderr, "%s: another picture with %s:\n", page->name, ways[i].name);
        print_sheet(&other, stderr);
        return false;
    }
    return true;
}

static bool expect(struct page *page, const char *line)
{
    static struct sheet sheet;
    unsigned long from = 0, to = 0;
    if (sscanf(line, "expect %lu:%lu", &from, &to) != 2 || to <= from || to - from > CYCLES) {
        (void)fprintf(stderr, "%s: expected \"expect A:B\", B - A from 1 to %d; found \"%s\"\n",
                      page->name, CYCLES, line);
        return false;
    }
    page->in_input = false;
    page->in_rows = true;
    page->pictures++;
    (void)fflush(page->input_file);
    if (!draw(page, &sheet, from, to))
        return false;
    print_sheet(&sheet, page->drawn);
    return true;
}

/* Takes an argument's value, "name=value", which replaces the value that it had before. */
static bool take_parameter(struct page *page, const char *text)
{
    size_t name = strcspn(text, "=") + 1;
    uint32_t i = 0;
    while (i < page->parameters && strncmp(page->parameter[i], text, name) != 0)
        i++;
    if (i == PARAMETERS)
        return false;
    page->parameters += i == page->parameters;
    page->parameter[i] = text;
    return true;
}

/* Reads a line of the file that is not a row of a picture. */
static bool understand(struct page *page, const char *line)
{
    struct simsm_error error;
    if (page->in_input)
        return fprintf(page->input_file, "%s\n", line) > 0;
    if (*line == '#' || *line == '\0')
        return true;
    if (strncmp(line, "config ", 7) == 0)
        return simsm_config_load(&page->config, line + 7, &error) == SIMSM_OK || fail(page, &error);
    if (strncmp(line, "set ", 4) == 0)
        return simsm_config_set(&page->config, line + 4, &error) == SIMSM_OK || fail(page, &error);
    if (strncmp(line, "code ", 5) == 0) {
        page->code = line + 5;
        return take_parameter(page, page->input);
    }
    if (strncmp(line, "param ", 6) == 0 && take_parameter(page, line + 6))
        return true;
    if (strncmp(line, "sms ", 4) == 0 && line[4] >= '1' && line[4] <= '0' + SMS) {
        page->sms = (uint32_t)(line[4] - '0');
        return true;
    }
    page->in_input = strcmp(line, page->code ? "launch" : "trace") == 0;
    if (!page->in_input)
        (void)fprintf(stderr, "%s: what is \"%s\"?\n", page->name, line);
    return page->in_input;
}

static bool is_row(const char *line)
{
    return *line >= '0' && *line <= '9';
}

/* The rows are drawn when a picture's comments are over, so that these stay above them. */
static bool take_lines(struct page *page, char *text)
{
    char *expected = NULL;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        bool comment = *line == '#';
        if (expected && !comment) {
            if (!expect(page, expected))
                return false;
            expected = NULL;
        }
        if (page->in_rows && is_row(line))
            continue;
        (void)fprintf(page->drawn, "%s\n", line);
        if (strncmp(line, "expect ", 7) == 0) {
            expected = line;
            page->in_input = false;
        } else if (!understand(page, line)) {
            return false;
        }
    }
    return !expected || expect(page, expected);
}

static char *read_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = calloc(1, FILE_BYTES);
    if (file && text)
        text[fread(text, 1, FILE_BYTES - 1, file)] = '\0';
    if (file)
        (void)fclose(file);
    return text;
}

static bool rewrite(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

/* strtok leaves out empty lines, so files have none: a line with # stands for one. */
static bool compare(const struct page *page, const char *expected, const char *drawn)
{
    if (!page->pictures) {
        (void)fprintf(stderr, "%s: no \"expect A:B\" line\n", page->name);
        return false;
    }
    if (strcmp(expected, drawn) == 0)
        return true;
    if (getenv("REBASELINE"))
        return rewrite(page->name, drawn);
    (void)fprintf(stderr, "%s: drawn now\n%s", page->name, drawn);
    return false;
}

static bool check(const char *name)
{
    struct page page = {.name = name, .sms = 1};
    (void)snprintf(page.input, sizeof page.input, "%s/tmp/simsm-timeline-XXXXXX", launch_key);
    int descriptor = mkstemp(page.input + strlen(launch_key));
    page.input_file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    char *expected = read_file(name), *lines = read_file(name), *drawn = NULL;
    size_t size = 0;
    page.drawn = open_memstream(&drawn, &size);
    bool good = page.input_file && page.drawn && expected && lines && take_lines(&page, lines);
    if (page.drawn)
        (void)fclose(page.drawn);
    if (page.input_file)
        (void)fclose(page.input_file);
    (void)unlink(path_of(page.input));
    good = good && compare(&page, expected, drawn);
    free(expected);
    free(lines);
    free(drawn);
    return good;
}

int main(int argc, char **argv)
{
    bool good = argc > 1;
    for (int i = 1; i < argc; i++)
        good &= check(argv[i]);
    return good ? 0 : 1;
}
