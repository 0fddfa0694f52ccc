#include "compare/runs.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/infile.h"
#include "base/printable.h"

/* Cuts "out/fft.jsonl" to "fft". */
static void program_name(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    (void)printable(slash ? slash + 1 : path, name, size);
    char *dot = strrchr(name, '.');
    if (dot && (strcmp(dot, ".json") == 0 || strcmp(dot, ".jsonl") == 0))
        *dot = '\0';
}

static void read_size(const json_t *array, uint32_t size[3])
{
    for (size_t i = 0; i < 3; i++) {
        const json_int_t n = json_integer_value(json_array_get(array, i));
        size[i] = n > 0 && n <= UINT32_MAX ? (uint32_t)n : 0;
    }
}

static bool read_metrics(struct launches *launches, struct launch_row *row, json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        const int metric = json_is_number(value) ? launches_metric(launches, name) : 0;
        if (json_is_number(value) &&
            (metric < 0 || !launches_set(row, metric, json_number_value(value))))
            return false;
    }
    return true;
}

static enum simsm_status read_run(struct launches *launches, const char *path, json_t *root,
                                  char gpu[RUNS_GPU], struct simsm_error *error)
{
    json_t *launch = json_object_get(root, "launch"), *metrics = json_object_get(root, "metrics");
    json_t *counters = json_object_get(root, "counters");
    const char *kernel = json_string_value(json_object_get(launch, "kernel"));
    const char *name = json_string_value(json_object_get(json_object_get(root, "config"), "gpu"));
    if (!kernel || !json_is_object(metrics) || !json_is_object(counters))
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                      "this is no run that simsm wrote with --json: \"launch\", \"metrics\" and "
                      "\"counters\" are expected");
    if (!json_is_true(json_object_get(json_object_get(root, "run"), "complete")))
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                      "the run was stopped before its end: it has no counts of a whole launch");
    char program[256];
    const json_int_t number = json_integer_value(json_object_get(root, "number"));
    program_name(path, program, sizeof program);
    struct launch_row *row = launches_add(launches, program, kernel);
    if (!row)
        return err_no_memory(error);
    row->number = number > 0 && number <= UINT32_MAX ? (uint32_t)number : 1;
    read_size(json_object_get(launch, "grid"), row->grid);
    read_size(json_object_get(launch, "block"), row->block);
    (void)printable(name ? name : "", gpu, RUNS_GPU);
    return read_metrics(launches, row, counters) && read_metrics(launches, row, metrics)
               ? SIMSM_OK
               : err_no_memory(error);
}

/* Returns the line of the file, from 1; `line` counts from text[begin]. */
static uint32_t line_of(const char *text, size_t begin, int line)
{
    uint32_t before = 0;
    for (size_t i = 0; i < begin; i++)
        before += text[i] == '\n';
    return before + (line > 0 ? (uint32_t)line : 1);
}

enum simsm_status runs_read(struct launches *launches, const char *path, char gpu[RUNS_GPU],
                            struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    enum simsm_status status = infile_read(path, "run", RUNS_BYTES, &text, &size, error);
    if (status != SIMSM_OK)
        return status;
    size_t done = 0;
    do { /* an empty file is no JSON, either */
        json_error_t at;
        json_t *root = json_loadb(text + done, size - done, JSON_DISABLE_EOF_CHECK, &at);
        if (!root)
            status = err_at(error, SIMSM_BAD_INPUT, path, line_of(text, done, at.line), 0,
                            "this is no JSON: %s", at.text);
        else
            status = read_run(launches, path, root, gpu, error);
        json_decref(root);
        done += root ? (size_t)at.position : 0;
        while (done < size && strchr(" \t\r\n", text[done]))
            done++;
    } while (status == SIMSM_OK && done < size);
    free(text);
    return status;
}

static int by_number(const void *a, const void *b)
{
    const struct launch_row *x = a, *y = b;
    const int programs = strcmp(x->program, y->program);
    return programs ? programs : (x->number > y->number) - (x->number < y->number);
}

void runs_sort(struct launches *launches)
{
    if (launches->rows)
        qsort(launches->row, launches->rows, sizeof *launches->row, by_number);
}
