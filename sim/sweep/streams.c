#include "sweep/streams.h"
#include "input/front_open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"
#include "config/schema.h"
#include "config/value.h"
#include "input/front_launches.h"
#include "plugin/plugin.h"
#include "record/record_front.h"
#include "sweep/record_program.h"
#include "sweep/version.h"

/*
 * Keys that say how long something takes, but not what is executed: neither what a program is told
 * of its GPU, nor which side of a branch runs first, nor what a clock shows. A key that is not here
 * is part of a recording's identity.
 */
static const struct {
    const char *section;
    const char *but;  /* keys of the section that decide what is executed, each between blanks */
    const char *only; /* the others do; NULL: see `but` */
} timing[] = {
    {"fetch", " instruction_bytes ", NULL},
    {"issue", "", NULL},
    {"constant", "", NULL},
    {"mio", "", NULL},
    {"dispatch", "", NULL},
    {"memory", "", NULL},
    {"shared", "", NULL},
    {"l1", "", NULL},
    {"xbar", "", NULL},
    {"policy", "", NULL},
    {"l2", " bytes ", NULL},
    {"dram", " bandwidth_gbs channels ", NULL},
    {"sm", "", " scheduler two_level_active dependence "},
    {"gpu", "", " launch_cycles end_cycles "},
};

static bool has_word(const char *words, const char *word)
{
    char padded[80];
    (void)snprintf(padded, sizeof padded, " %s ", word);
    return strstr(words, padded) != NULL;
}

static bool decides(const struct schema_row *row)
{
    for (size_t i = 0; i < sizeof timing / sizeof timing[0]; i++) {
        if (strcmp(timing[i].section, row->section) != 0)
            continue;
        return timing[i].only ? !has_word(timing[i].only, row->key)
                              : has_word(timing[i].but, row->key);
    }
    return true;
}

static void write_texts(FILE *file, const char *what, const struct texts *texts)
{
    for (uint32_t i = 0; i < texts->count; i++)
        (void)fprintf(file, "%s %s\n", what, texts->item[i].text);
}

/* The order of paths that a module has. What is wrong with it is told where it is used. */
static void describe_order(FILE *file, const struct simsm_config *config)
{
    char path[MODULE_PATH], hash[HASH_TEXT] = "";
    struct simsm_error wrong;
    uint64_t bytes;
    if (module_find(config->policy_module, path, &wrong) == SIMSM_OK)
        (void)hash_file(path, hash, &bytes, &wrong);
    (void)fprintf(file, "order of paths %s %s\n", hash, config->policy_params);
}

/* All that decides a recording, as text. */
static void describe(FILE *file, const struct spec_kernel *kernel, const struct inputs *inputs,
                     const struct simsm_config *config, const struct texts *params)
{
    char path[SCHEMA_PATH], text[VALUE_TEXT];
    (void)fprintf(file, "stream 1\nversion %s\n", sweep_version);
    for (uint32_t i = 0; i < inputs->count; i++)
        (void)fprintf(file, "%s %s\n", inputs->input[i].role, inputs->input[i].hash);
    for (int id = 0; id < SCHEMA_ROWS; id++) {
        if (decides(&schema_rows[id]))
            (void)fprintf(file, "%s=%s\n", schema_path(&schema_rows[id], path),
                          value_text(config, &schema_rows[id], text));
    }
    if (config->divergence_first == SIMSM_MODULE_divergence_first)
        describe_order(file, config);
    write_texts(file, "argument", &kernel->program);
    write_texts(file, "env", &kernel->env);
    write_texts(file, "param", params);
}

static enum simsm_status key_of(const struct spec_kernel *kernel, const struct inputs *inputs,
                                const struct simsm_config *config, const struct texts *params,
                                char key[HASH_TEXT], struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return err_no_memory(error);
    describe(file, kernel, inputs, config, params);
    const bool good = fclose(file) == 0;
    if (good)
        hash_bytes(text, size, key);
    free(text);
    return good ? SIMSM_OK : err_no_memory(error);
}

/* The parameters with which the front of a launch file is opened. */
static char **front_params(const struct spec_kernel *kernel, const struct texts *params)
{
    char **list = calloc(params->count + 2, sizeof *list);
    bool good = list != NULL;
    for (uint32_t i = 0; i < params->count && good; i++)
        good = (list[i] = text_copy(params->item[i].text, strlen(params->item[i].text))) != NULL;
    if (good && kernel->launch_file)
        good = (list[params->count] = text_format("launch=%s", kernel->launch_file)) != NULL;
    for (uint32_t i = 0; !good && list && list[i]; i++)
        free(list[i]);
    if (!good)
        free(list);
    return good ? list : NULL;
}

static enum simsm_status add(struct streams *streams, const struct spec_kernel *kernel,
                             const struct simsm_config *config, const struct texts *params,
                             const char *key, struct simsm_error *error)
{
    struct stream *grown = realloc(streams->stream, (streams->count + 1) * sizeof *grown);
    if (!grown)
        return err_no_memory(error);
    streams->stream = grown;
    struct stream *stream = &grown[streams->count++];
    *stream = (struct stream){.kernel = kernel, .config = *config};
    memcpy(stream->key, key, sizeof stream->key);
    stream->path = text_format("%s/%.16s.smtr", streams->folder, key);
    stream->params = front_params(kernel, params);
    return stream->path && stream->params ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status streams_find(struct streams *streams, const struct spec_kernel *kernel,
                               const struct inputs *inputs, const struct simsm_config *config,
                               const struct texts *params, uint32_t *number,
                               struct simsm_error *error)
{
    char key[HASH_TEXT];
    enum simsm_status status = key_of(kernel, inputs, config, params, key, error);
    for (*number = 0; status == SIMSM_OK && *number < streams->count; (*number)++) {
        if (strcmp(streams->stream[*number].key, key) == 0)
            return SIMSM_OK;
    }
    return status == SIMSM_OK ? add(streams, kernel, config, params, key, error) : status;
}

bool streams_ready(struct stream *stream)
{
    struct front_launches launches = {0};
    struct simsm_error error;
    if (!stream->launches && access(stream->path, R_OK) == 0 &&
        front_launches_read(&launches, stream->path, &error) == SIMSM_OK) {
        stream->launches = launches.count;
        front_launches_free(&launches);
    }
    return stream->launches > 0;
}

/* "KEY.failed" beside "KEY.smtr", to be freed; NULL: memory has run out. */
static char *problem_path(const struct stream *stream)
{
    return text_format("%.*s.failed", (int)(strrchr(stream->path, '.') - stream->path),
                       stream->path);
}

bool streams_failed(struct stream *stream)
{
    char *path = problem_path(stream);
    FILE *file = path ? fopen(path, "r") : NULL;
    const bool known = file && fgets(stream->problem, sizeof stream->problem, file);
    if (file)
        (void)fclose(file);
    free(path);
    return known;
}

void streams_keep_problem(const struct stream *stream)
{
    struct outfile out = {0};
    struct simsm_error ignored;
    char *path = problem_path(stream);
    if (path && !stream->problem[0]) {
        (void)unlink(path);
    } else if (path && outfile_open(&out, path, &ignored) == SIMSM_OK) {
        (void)fputs(stream->problem, out.file);
        (void)outfile_commit(&out, &ignored);
    }
    free(path);
}

static enum simsm_status record_code(const struct stream *stream, int (*stop)(void),
                                     struct simsm_error *error)
{
    struct recording_writer *writer;
    struct front *front;
    enum simsm_status status = front_open(&front, stream->kernel->path, &stream->config,
                                          (const char *const *)stream->params, error);
    if (status != SIMSM_OK)
        return status;
    front_stop_when(front, stop);
    status = recording_create(&writer, stream->path, "simsm sweep", error);
    if (status == SIMSM_OK) {
        status = record_front(writer, front, NULL, NULL, error);
        if (status == SIMSM_OK)
            status = recording_finish(writer, error);
        else
            recording_abandon(writer);
    }
    front_close(front);
    return status;
}

enum simsm_status streams_record(const struct streams *streams, const struct stream *stream,
                                 int (*stop)(void), struct simsm_error *error)
{
    if (mkdir(streams->folder, 0777) != 0 && errno != EEXIST)
        return err_at(error, SIMSM_FAILED, streams->folder, 0, 0, "cannot be made: %s",
                      strerror(errno));
    if (stream->kernel->kind == SPEC_CODE)
        return record_code(stream, stop, error);
    const struct record_program program = {.simsm = streams->simsm,
                                           .kernel = stream->kernel,
                                           .config = &stream->config,
                                           .recording = stream->path,
                                           .stop = stop};
    return record_program(&program, error);
}

void streams_free(struct streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        struct stream *stream = &streams->stream[i];
        for (char **param = stream->params; param && *param; param++)
            free(*param);
        free(stream->params);
        free(stream->path);
    }
    free(streams->stream);
    free(streams->folder);
    *streams = (struct streams){0};
}
