/* Names, makes and finds the recordings of a sweep. */
#include "sweep/recordings.h"
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
 * Keys of the configuration that decide only how long something takes, not what is executed. What
 * is executed depends on the properties of the GPU that a program can query, on the side of a
 * branch that runs first, and on clock values. A key that this table does not cover is part of a
 * recording's identity.
 */
static const struct {
    const char *section;
    const char
        *but; /* keys of the section that decide what is executed, with a space on both sides */
    const char *only; /* the only keys of the section that do not decide it; NULL: use `but` */
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
    {"gpu", "", " timing launch_cycles end_cycles drain_cycles "},
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

/* Adds the identity of the policy plugin that orders divergent paths. An error in the plugin is
 * reported when the plugin is used. */
static void describe_order(FILE *file, const struct simsm_config *config)
{
    char path[PLUGIN_PATH], hash[HASH_TEXT] = "";
    struct simsm_error wrong;
    uint64_t bytes;
    if (plugin_find(config->policy_module, path, &wrong) == SIMSM_OK)
        (void)hash_file(path, hash, &bytes, &wrong);
    (void)fprintf(file, "order of paths %s %s\n", hash, config->policy_params);
}

/* Writes everything that decides a recording, as text. */
static void describe(FILE *file, const struct spec_kernel *kernel, const struct inputs *inputs,
                     const struct simsm_config *config, const struct texts *params)
{
    char path[SCHEMA_PATH], text[VALUE_TEXT];
    (void)fprintf(file, "recording 1\nversion %s\n", sweep_version);
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

/*
 * Returns the parameters for the front of a launch file, ending with NULL. NULL if memory runs out.
 */
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

static enum simsm_status add(struct sweep_recordings *recordings, const struct spec_kernel *kernel,
                             const struct simsm_config *config, const struct texts *params,
                             const char *key, struct simsm_error *error)
{
    struct sweep_recording *grown =
        realloc(recordings->recording, (recordings->count + 1) * sizeof *grown);
    if (!grown)
        return err_no_memory(error);
    recordings->recording = grown;
    struct sweep_recording *recording = &grown[recordings->count++];
    *recording = (struct sweep_recording){.kernel = kernel, .config = *config};
    memcpy(recording->key, key, sizeof recording->key);
    recording->path = text_format("%s/%.16s.smtr", recordings->folder, key);
    recording->params = front_params(kernel, params);
    return recording->path && recording->params ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status recordings_find(struct sweep_recordings *recordings,
                                  const struct spec_kernel *kernel, const struct inputs *inputs,
                                  const struct simsm_config *config, const struct texts *params,
                                  uint32_t *number, struct simsm_error *error)
{
    char key[HASH_TEXT];
    enum simsm_status status = key_of(kernel, inputs, config, params, key, error);
    for (*number = 0; status == SIMSM_OK && *number < recordings->count; (*number)++) {
        if (strcmp(recordings->recording[*number].key, key) == 0)
            return SIMSM_OK;
    }
    return status == SIMSM_OK ? add(recordings, kernel, config, params, key, error) : status;
}

bool recordings_ready(struct sweep_recording *recording)
{
    struct front_launches launches = {0};
    struct simsm_error error;
    if (!recording->launches && access(recording->path, R_OK) == 0 &&
        front_launches_read(&launches, recording->path, &error) == SIMSM_OK) {
        recording->launches = launches.count;
        front_launches_free(&launches);
    }
    return recording->launches > 0;
}

/*
 * Returns "KEY.failed" for the recording "KEY.smtr". NULL if memory runs out. The caller frees it.
 */
static char *problem_path(const struct sweep_recording *recording)
{
    return text_format("%.*s.failed", (int)(strrchr(recording->path, '.') - recording->path),
                       recording->path);
}

bool recordings_failed(struct sweep_recording *recording)
{
    char *path = problem_path(recording);
    FILE *file = path ? fopen(path, "r") : NULL;
    const bool known = file && fgets(recording->problem, sizeof recording->problem, file);
    if (file)
        (void)fclose(file);
    free(path);
    return known;
}

void recordings_store_problem(const struct sweep_recording *recording)
{
    struct outfile out = {0};
    struct simsm_error ignored;
    char *path = problem_path(recording);
    if (path && !recording->problem[0]) {
        (void)unlink(path);
    } else if (path && outfile_open(&out, path, &ignored) == SIMSM_OK) {
        (void)fputs(recording->problem, out.file);
        (void)outfile_commit(&out, &ignored);
    }
    free(path);
}

static enum simsm_status record_code(const struct sweep_recording *recording, int (*stop)(void),
                                     struct simsm_error *error)
{
    struct recording_writer *writer;
    struct front *front;
    enum simsm_status status = front_open(&front, recording->kernel->path, &recording->config,
                                          (const char *const *)recording->params, error);
    if (status != SIMSM_OK)
        return status;
    front_stop_when(front, stop);
    status = recording_create(&writer, recording->path, "simsm sweep", error);
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

enum simsm_status recordings_record(const struct sweep_recordings *recordings,
                                    const struct sweep_recording *recording, int (*stop)(void),
                                    struct simsm_error *error)
{
    if (mkdir(recordings->folder, 0777) != 0 && errno != EEXIST)
        return err_at(error, SIMSM_FAILED, recordings->folder, 0, 0, "cannot be created: %s",
                      strerror(errno));
    if (recording->kernel->kind == SPEC_CODE)
        return record_code(recording, stop, error);
    const struct record_program program = {.simsm = recordings->simsm,
                                           .kernel = recording->kernel,
                                           .config = &recording->config,
                                           .recording = recording->path,
                                           .stop = stop};
    return record_program(&program, error);
}

void recordings_free(struct sweep_recordings *recordings)
{
    for (uint32_t i = 0; i < recordings->count; i++) {
        struct sweep_recording *recording = &recordings->recording[i];
        for (char **param = recording->params; param && *param; param++)
            free(*param);
        free(recording->params);
        free(recording->path);
    }
    free(recordings->recording);
    free(recordings->folder);
    *recordings = (struct sweep_recordings){0};
}
