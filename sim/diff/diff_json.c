/* Reads launches from JSON: what --json wrote, or a baseline. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/printable.h"
#include "diff/baseline.h"
#include "diff/diff_read.h"
#include "export/export.h"

enum { NAME_ROOM = 256, SETTINGS_ROOM = 512 };

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* Reads [x, y, z]. Returns false if it is something else; then numbers are 0. */
static bool read_size(const json_t *array, uint32_t size[3])
{
    bool whole = json_array_size(array) == 3;
    for (size_t i = 0; i < 3; i++) {
        const json_int_t n = json_integer_value(json_array_get(array, i));
        size[i] = n > 0 && n <= UINT32_MAX ? (uint32_t)n : 0;
        whole &= size[i] > 0;
    }
    return whole;
}

static void read_counters(struct speed_side *side, const json_t *counters, const json_t *states)
{
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        side->counter[i] = number(counters, simsm_counters[i].name);
    for (unsigned i = 0; i < SIMSM_STATE_COUNT; i++)
        side->state[i] = number(states, simsm_states[i].name);
}

/* What --json writes for a launch. */
static void read_launch(struct speed_side *side, const json_t *root)
{
    const json_t *launch = json_object_get(root, "launch"), *run = json_object_get(root, "run");
    uint32_t block[3];
    (void)read_size(json_object_get(launch, "block"), block);
    *side = (struct speed_side){
        .clock_mhz = number(json_object_get(root, "config"), "clock_mhz"),
        .calls = 1,
        .cycles = number(run, "cycles"),
        .launch_cycles = number(run, "launch_cycles"),
        .blocks = number(run, "blocks_total"),
        .block_threads = (double)block[0] * block[1] * block[2],
        .registers = number(launch, "registers_per_thread"),
        .shared_bytes =
            number(launch, "shared_static_bytes") + number(launch, "shared_dynamic_bytes"),
        .warps_most = number(json_object_get(root, "occupancy"), "warps_per_sm"),
    };
    read_counters(side, json_object_get(root, "counters"), json_object_get(root, "states"));
}

/* A line of a baseline (diff/baseline.h). */
static void read_baseline(struct speed_side *side, const json_t *root, double clock_mhz)
{
    uint32_t block[3];
    (void)read_size(json_object_get(root, "block"), block);
    *side = (struct speed_side){
        .clock_mhz = clock_mhz,
        .calls = number(root, "calls"),
        .cycles = number(root, "cycles"),
        .launch_cycles = number(root, "launch_cycles"),
        .blocks = number(root, "blocks"),
        .block_threads = (double)block[0] * block[1] * block[2],
        .registers = number(root, "registers"),
        .shared_bytes = number(root, "shared_bytes"),
        .warps_most = number(root, "warps_per_sm"),
    };
    read_counters(side, json_object_get(root, "counters"), json_object_get(root, "states"));
}

static bool read_line(struct diff_kernel *kernel, size_t at, size_t count, const json_t *object)
{
    const char *text = json_string_value(json_object_get(object, "text"));
    const json_t *states = json_object_get(object, "states");
    const double source = number(object, "line");
    struct diff_line line = {
        .text = (char *)(text ? text : ""),
        .file = (char *)json_string_value(json_object_get(object, "file")),
        .line = source > 0 && source < UINT32_MAX ? (uint32_t)source : 0,
        .issues = number(object, "issues"),
    };
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++) {
        line.state[s] = number(states, simsm_states[s].name);
        line.cycles += line.state[s];
    }
    return diff_add_line(kernel, at, count, &line);
}

/* Writes the options of a run, separated by blanks. */
static void settings_of(const json_t *root, char text[SETTINGS_ROOM])
{
    const json_t *options = json_object_get(json_object_get(root, "config"), "options");
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < json_array_size(options) && used < SETTINGS_ROOM; i++) {
        const char *word = json_string_value(json_array_get(options, i));
        const int n =
            snprintf(text + used, SETTINGS_ROOM - used, "%s%s", i ? " " : "", word ? word : "");
        used += n > 0 ? (size_t)n : 0;
    }
    (void)printable(text, text, SETTINGS_ROOM);
}

/* An object of a file. */
struct object {
    const char *path;
    const json_t *root, *launch; /* launch: the object with kernel, grid and block */
    const char *kernel, *gpu;
    struct speed_side side;
};

/* Fills *object from its root. Returns SIMSM_BAD_INPUT if it is no launch of a whole run. */
static enum simsm_status understand(const struct diff_run *run, struct object *object,
                                    struct simsm_error *error)
{
    const json_t *root = object->root;
    const bool baseline = json_object_get(root, "kernel") != NULL;
    object->launch = baseline ? root : json_object_get(root, "launch");
    object->kernel = json_string_value(json_object_get(object->launch, "kernel"));
    object->gpu = baseline
                      ? run->gpu
                      : json_string_value(json_object_get(json_object_get(root, "config"), "gpu"));
    if (!object->kernel || !json_is_object(json_object_get(root, "counters")) ||
        !json_is_object(json_object_get(root, "states")))
        return err_at(error, SIMSM_BAD_INPUT, object->path, 0, 0,
                      "this is no run that simsm wrote with --json: \"launch\", \"counters\" and "
                      "\"states\" are expected");
    if (!baseline && !json_is_true(json_object_get(json_object_get(root, "run"), "complete")))
        return err_at(error, SIMSM_BAD_INPUT, object->path, 0, 0,
                      "a launch of %s was stopped before its end: run it again without "
                      "--max-cycles, --max-instructions or --sample",
                      object->kernel);
    if (baseline)
        read_baseline(&object->side, root, run->clock_mhz);
    else
        read_launch(&object->side, root);
    if (object->side.cycles > 0 && object->side.clock_mhz > 0 && object->side.calls > 0)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, object->path, 0, 0,
                  "the cycles or the clock of a launch of %s are missing", object->kernel);
}

/* Notes the first line of a baseline. */
static enum simsm_status note_head(struct diff_run *run, const struct object *object,
                                   struct simsm_error *error)
{
    const json_int_t version = json_integer_value(json_object_get(object->root, "baseline"));
    if (version != BASELINE_VERSION)
        return err_at(error, SIMSM_BAD_INPUT, object->path, 0, 0,
                      "is a baseline of version %lld; this program reads version %d: renew it with "
                      "--write",
                      (long long)version, BASELINE_VERSION);
    const char *gpu = json_string_value(json_object_get(object->root, "gpu"));
    const char *settings = json_string_value(json_object_get(object->root, "settings"));
    run->clock_mhz = number(object->root, "clock_mhz");
    return diff_run_note(run, object->path, gpu ? gpu : "", settings ? settings : "", error);
}

/* Returns SIMSM_BAD_INPUT if the object is of another version of the format of --json. */
static enum simsm_status check_version(const struct object *object, struct simsm_error *error)
{
    const json_t *format = json_object_get(object->root, "format");
    if (!format || json_integer_value(format) == STATS_JSON_VERSION)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, object->path, 0, 0,
                  "is of version %lld of the format of --json; this program reads version %d: run "
                  "it again",
                  (long long)json_integer_value(format), STATS_JSON_VERSION);
}

static enum simsm_status add_object(struct diff_run *run, struct object *object,
                                    const regex_t *only, struct simsm_error *error)
{
    char settings[SETTINGS_ROOM], name[NAME_ROOM], gpu[NAME_ROOM];
    uint32_t grid[3], block[3];
    if (json_object_get(object->root, "baseline"))
        return note_head(run, object, error);
    enum simsm_status status = check_version(object, error);
    if (status == SIMSM_OK)
        status = understand(run, object, error);
    if (status != SIMSM_OK || !diff_wants(only, object->kernel))
        return status;
    settings_of(object->root, settings);
    (void)printable(object->kernel, name, sizeof name);
    (void)printable(object->gpu ? object->gpu : "", gpu, sizeof gpu);
    status = diff_run_note(run, object->path, gpu, settings, error);
    if (status != SIMSM_OK)
        return status;
    if (!read_size(json_object_get(object->launch, "grid"), grid) ||
        !read_size(json_object_get(object->launch, "block"), block))
        return err_at(error, SIMSM_BAD_INPUT, object->path, 0, 0,
                      "the grid and the block of a launch of %s are expected as [x, y, z], of "
                      "whole numbers above 0",
                      object->kernel);
    const size_t before = run->kernels;
    struct diff_kernel *kernel = diff_run_add(run, name, grid, block, &object->side);
    if (!kernel)
        return err_no_memory(error);
    if (json_object_get(object->root, "kernel") && run->kernels == before)
        return err_at(error, SIMSM_BAD_INPUT, object->path, 0, 0,
                      "the baseline has two lines for %s with the same grid and block; renew it "
                      "with --write",
                      object->kernel);
    const json_t *lines = json_object_get(object->root, "lines");
    const size_t count = json_array_size(lines);
    for (size_t i = 0; i < count; i++)
        if (!read_line(kernel, i, count, json_array_get(lines, i)))
            return err_no_memory(error);
    return SIMSM_OK;
}

/* Skips blanks and line ends. Returns false at the end of the file. */
static bool more(FILE *file)
{
    int byte = fgetc(file);
    while (byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t')
        byte = fgetc(file);
    return byte != EOF && ungetc(byte, file) != EOF;
}

enum simsm_status diff_read_json(struct diff_run *run, const char *path, const regex_t *only,
                                 struct simsm_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot be opened: %s", strerror(errno));
    enum simsm_status status = SIMSM_OK;
    for (unsigned long long number_of = 1; status == SIMSM_OK && more(file); number_of++) {
        json_error_t at;
        json_t *root = json_loadf(file, JSON_DISABLE_EOF_CHECK, &at);
        struct object object = {.path = path, .root = root};
        if (root)
            status = add_object(run, &object, only, error);
        else
            status = err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                            "this is neither JSON of --json nor a timeline: object %llu, line %d: "
                            "%s",
                            number_of, at.line, at.text);
        json_decref(root);
    }
    (void)fclose(file);
    return status;
}
