/* The result of a point as a JSON file. */
#include "sweep/fragment.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/err.h"
#include "base/infile.h"
#include "base/outfile.h"
#include "sweep/texts.h"

enum { FORMAT = 1, LIMIT = 1 << 20, DIGITS = 17 };

static const char ending[] = ".point";

static bool path_of(const char *folder, const char *identity, char path[OUTFILE_PATH])
{
    const int length = snprintf(path, OUTFILE_PATH, "%s/%s%s", folder, identity, ending);
    return length > 0 && length < OUTFILE_PATH;
}

/* ---- Writing ---- */

static json_t *three(const uint32_t number[3])
{
    return json_pack("[I,I,I]", (json_int_t)number[0], (json_int_t)number[1],
                     (json_int_t)number[2]);
}

static json_t *counters(const struct sweep_outcome *outcome)
{
    json_t *all = json_object();
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT && all; i++)
        (void)json_object_set_new(all, simsm_counters[i].name,
                                  json_integer((json_int_t)outcome->counter[i]));
    return all;
}

/* Returns the metrics that are defined. */
static json_t *metrics(const struct sweep_outcome *outcome)
{
    struct simsm_metric metric[OUTCOME_METRICS];
    json_t *all = json_object();
    outcome_describe(metric);
    for (unsigned i = 0; i < OUTCOME_METRICS && all; i++) {
        if (isfinite(outcome->metric[i]))
            (void)json_object_set_new(all, metric[i].name, json_real(outcome->metric[i]));
    }
    return all;
}

static json_t *describe(const char *identity, const struct fragment *fragment)
{
    const struct sweep_outcome *o = &fragment->outcome;
    const bool done = fragment->reason[0] == '\0';
    return json_pack("{s:i,s:s,s:s,s:f,s:f,s:f,s:I,s:s,s:o,s:o,s:o,s:o}", "simsm_point", FORMAT,
                     "identity", identity, "reason", fragment->reason, "seconds", fragment->seconds,
                     "wall_seconds", o->wall_seconds, "cpu_seconds", o->cpu_seconds, "peak_bytes",
                     (json_int_t)o->peak_bytes, "kernel", o->kernel, "grid", three(o->grid),
                     "block", three(o->block), "counters", done ? counters(o) : json_object(),
                     "metrics", done ? metrics(o) : json_object());
}

static enum simsm_status write_file(const char *path, const json_t *json, struct simsm_error *error)
{
    struct outfile out = {0};
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    /* fsync() comes before the rename: a crash of the machine must not leave an empty file. */
    if (json_dumpf(json, out.file, JSON_REAL_PRECISION(DIGITS) | JSON_INDENT(1)) == 0 &&
        fflush(out.file) == 0 && fsync(fileno(out.file)) == 0)
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return err_at(error, SIMSM_FAILED, path, 0, 0, "writing failed: %s", strerror(errno));
}

enum simsm_status fragment_write(const char *folder, const char identity[HASH_TEXT],
                                 const struct fragment *fragment, struct simsm_error *error)
{
    char path[OUTFILE_PATH];
    if (!path_of(folder, identity, path))
        return err_set(error, SIMSM_BAD_INPUT, "%s: the name of the folder is too long", folder);
    json_t *json = describe(identity, fragment);
    if (!json) /* a text is not UTF-8, or out of memory */
        return err_at(error, SIMSM_FAILED, path, 0, 0, "the result of the point cannot be written");
    enum simsm_status status = write_file(path, json, error);
    json_decref(json);
    return status;
}

/* ---- Reading ---- */

static bool take_text(const json_t *json, const char *key, char *text, size_t size)
{
    const char *found = json_string_value(json_object_get(json, key));
    return found && (size_t)snprintf(text, size, "%s", found) < size;
}

static bool take_three(const json_t *json, const char *key, uint32_t number[3])
{
    const json_t *array = json_object_get(json, key);
    for (size_t i = 0; i < 3; i++)
        number[i] = (uint32_t)json_integer_value(json_array_get(array, i));
    return json_array_size(array) == 3;
}

static bool take_real(const json_t *json, const char *key, double *real)
{
    const json_t *number = json_object_get(json, key);
    *real = json_number_value(number);
    return json_is_number(number);
}

/* Reads counters and metrics. A point that is done must have all counters. A metric that is missing
 * is undefined (NaN). */
static bool take_figures(const json_t *json, bool done, struct sweep_outcome *outcome)
{
    const json_t *counter = json_object_get(json, "counters");
    const json_t *metric = json_object_get(json, "metrics");
    struct simsm_metric described[OUTCOME_METRICS];
    outcome_describe(described);
    for (unsigned i = 0; i < OUTCOME_METRICS; i++) {
        if (!take_real(metric, described[i].name, &outcome->metric[i]))
            outcome->metric[i] = NAN;
    }
    bool good = true;
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT && done; i++) {
        const json_t *number = json_object_get(counter, simsm_counters[i].name);
        good &= json_is_integer(number);
        outcome->counter[i] = (uint64_t)json_integer_value(number);
    }
    return good;
}

static bool read_fragment(const json_t *json, const char *identity, struct fragment *fragment)
{
    struct sweep_outcome *o = &fragment->outcome;
    char of[HASH_TEXT];
    bool good = json_integer_value(json_object_get(json, "simsm_point")) == FORMAT &&
                take_text(json, "identity", of, sizeof of) && strcmp(of, identity) == 0 &&
                take_text(json, "reason", fragment->reason, sizeof fragment->reason) &&
                take_text(json, "kernel", o->kernel, sizeof o->kernel) &&
                take_three(json, "grid", o->grid) && take_three(json, "block", o->block) &&
                take_real(json, "seconds", &fragment->seconds) &&
                take_real(json, "wall_seconds", &o->wall_seconds) &&
                take_real(json, "cpu_seconds", &o->cpu_seconds);
    o->peak_bytes = (uint64_t)json_integer_value(json_object_get(json, "peak_bytes"));
    return good && take_figures(json, fragment->reason[0] == '\0', o);
}

enum simsm_status fragment_read(const char *folder, const char identity[HASH_TEXT],
                                struct fragment *fragment, struct simsm_error *error)
{
    char path[OUTFILE_PATH], *text = NULL;
    size_t size;
    json_error_t wrong;
    *fragment = (struct fragment){0};
    if (!path_of(folder, identity, path))
        return err_set(error, SIMSM_BAD_INPUT, "%s: the name of the folder is too long", folder);
    enum simsm_status status = infile_read(path, "point", LIMIT, &text, &size, error);
    if (status != SIMSM_OK)
        return status;
    json_t *json = json_loadb(text, size, 0, &wrong);
    const bool good = json && read_fragment(json, identity, fragment);
    json_decref(json);
    free(text);
    return good ? SIMSM_OK
                : err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                         "is damaged; remove it to simulate the point again");
}

bool fragment_exists(const char *folder, const char identity[HASH_TEXT])
{
    char path[OUTFILE_PATH];
    return path_of(folder, identity, path) && access(path, R_OK) == 0;
}

void fragment_remove(const char *folder, const char identity[HASH_TEXT])
{
    char path[OUTFILE_PATH];
    if (path_of(folder, identity, path))
        (void)unlink(path);
}

bool fragment_name(const char *name, char identity[HASH_TEXT])
{
    const size_t digits = strspn(name, "0123456789abcdef");
    if (digits != HASH_TEXT - 1 || strcmp(name + digits, ending) != 0)
        return false;
    memcpy(identity, name, digits);
    identity[digits] = '\0';
    return true;
}
