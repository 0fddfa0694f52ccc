/* Reads the YAML file of a sweep. */
#include "sweep/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/infile.h"
#include "sweep/spec_check.h"
#include "sweep/spec_policy.h"
#include "sweep/spec_values.h"

enum { FILE_LIMIT = 1 << 20 };

enum simsm_status spec_fail(const struct spec *spec, uint32_t line, uint32_t column,
                            struct simsm_error *error, const char *format, ...)
{
    char message[512];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return err_at(error, SIMSM_BAD_INPUT, spec->path, line, column, "%s", message);
}

/* Sets the kind of a kernel. Returns a failure if the kernel has a file already. */
static enum simsm_status set_kind(struct plan_reader *p, struct spec_kernel *kernel,
                                  enum spec_kind kind)
{
    if (kernel->path)
        return yaml_reader_fail(&p->yaml, yaml_reader_place(&p->yaml),
                                "a kernel has one of trace, code and program; begin the next "
                                "kernel with a '-' of its own");
    kernel->kind = kind;
    return SIMSM_OK;
}

static enum simsm_status trace_value(struct plan_reader *p, void *field)
{
    struct spec_kernel *kernel = field;
    enum simsm_status status = set_kind(p, kernel, SPEC_TRACE);
    return status == SIMSM_OK ? spec_file(p, &kernel->path) : status;
}

static enum simsm_status code_value(struct plan_reader *p, void *field)
{
    struct spec_kernel *kernel = field;
    enum simsm_status status = set_kind(p, kernel, SPEC_CODE);
    return status == SIMSM_OK ? spec_file(p, &kernel->path) : status;
}

static enum simsm_status program_value(struct plan_reader *p, void *field)
{
    struct spec_kernel *kernel = field;
    enum simsm_status status = set_kind(p, kernel, SPEC_PROGRAM);
    if (status == SIMSM_OK)
        status = spec_texts(p, &kernel->program);
    if (status != SIMSM_OK)
        return status;
    if (!kernel->program.count || !kernel->program.item[0].text[0])
        return plan_fail(p, "a list of the program and its arguments");
    kernel->path = text_path_beside(p->yaml.file, kernel->program.item[0].text);
    return kernel->path ? SIMSM_OK : err_no_memory(p->yaml.error);
}

static const struct plan_key kernel_keys[] = {
    {"name", spec_text, offsetof(struct spec_kernel, name)},
    {"trace", trace_value, 0},
    {"code", code_value, 0},
    {"launch_file", spec_file, offsetof(struct spec_kernel, launch_file)},
    {"program", program_value, 0},
    {"env", spec_pairs, offsetof(struct spec_kernel, env)},
    {"folder", spec_file, offsetof(struct spec_kernel, folder)},
    {"files", spec_files, offsetof(struct spec_kernel, files)},
    {"param", spec_pairs, offsetof(struct spec_kernel, params)},
    {"launches", spec_numbers, offsetof(struct spec_kernel, launches)},
    {"vary", spec_axes, offsetof(struct spec_kernel, vary)},
    {"sample", plan_bool, offsetof(struct spec_kernel, sample)},
    {NULL, NULL, 0},
};

static enum simsm_status kernel_value(struct plan_reader *p, void *field)
{
    struct spec *spec = field;
    struct spec_kernel *grown = realloc(spec->kernel, (spec->kernels + 1) * sizeof *grown);
    if (!grown)
        return err_no_memory(p->yaml.error);
    spec->kernel = grown;
    const struct yaml_place place = yaml_reader_place(&p->yaml);
    struct spec_kernel *kernel = &grown[spec->kernels++];
    *kernel = (struct spec_kernel){.line = place.line, .column = place.column};
    if (p->yaml.event.type == YAML_MAPPING_START_EVENT)
        return plan_mapping(p, kernel_keys, kernel);
    return trace_value(p, kernel); /* a bare name is a trace */
}

static enum simsm_status kernels_value(struct plan_reader *p, void *field)
{
    return spec_each(p, kernel_value, field);
}

static enum simsm_status seeds_value(struct plan_reader *p, void *field)
{
    return spec_axis(p, field, "run.seed");
}

static enum simsm_status rule_value(struct plan_reader *p, void *field)
{
    struct spec_rules *rules = field;
    struct spec_rule *grown = realloc(rules->rule, (rules->count + 1) * sizeof *grown);
    if (!grown)
        return err_no_memory(p->yaml.error);
    rules->rule = grown;
    const struct yaml_place place = yaml_reader_place(&p->yaml);
    grown[rules->count] = (struct spec_rule){.line = place.line, .column = place.column};
    return spec_axes(p, &grown[rules->count++].keys);
}

static enum simsm_status rules_value(struct plan_reader *p, void *field)
{
    return spec_each(p, rule_value, field);
}

/* Reads a number that is not a size: KiB is not allowed. */
static enum simsm_status plain_number(struct plan_reader *p, void *field, const char *what)
{
    const char *text = yaml_reader_scalar(&p->yaml);
    if (!text || !*text || text[strspn(text, "0123456789")] || !text[strspn(text, "0")])
        return plan_fail(p, what);
    return plan_positive(p, field);
}

static enum simsm_status seconds_value(struct plan_reader *p, void *field)
{
    return plain_number(p, field, "a whole number of seconds, at least 1,");
}

static enum simsm_status cycles_value(struct plan_reader *p, void *field)
{
    return plain_number(p, field, "a whole number of cycles, at least 1,");
}

static enum simsm_status threads_value(struct plan_reader *p, void *field)
{
    return plain_number(p, field, "a whole number of threads, at least 1,");
}

static const struct plan_key spec_keys[] = {
    {"name", spec_text, offsetof(struct spec, name)},
    {"results", spec_file, offsetof(struct spec, results)},
    {"configs", spec_texts, offsetof(struct spec, configs)},
    {"kernels", kernels_value, 0},
    {"vary", spec_axes, offsetof(struct spec, vary)},
    {"seeds", seeds_value, offsetof(struct spec, vary)},
    {"set", spec_settings, offsetof(struct spec, set)},
    {"only", rules_value, offsetof(struct spec, only)},
    {"exclude", rules_value, offsetof(struct spec, exclude)},
    {"max_cycles", cycles_value, offsetof(struct spec, max_cycles)},
    {"seconds", seconds_value, offsetof(struct spec, seconds)},
    {"memory", plan_positive, offsetof(struct spec, memory)},
    {"threads", threads_value, offsetof(struct spec, threads)},
    {NULL, NULL, 0},
};

static enum simsm_status read_text(struct spec *spec, const char *text, size_t size,
                                   struct simsm_error *error)
{
    struct plan_reader reader = {.plan = NULL};
    enum simsm_status status = yaml_reader_open(&reader.yaml, text, size, spec->path, error);
    if (status == SIMSM_BAD_INPUT && strstr(error->message, "configuration"))
        status = spec_fail(spec, error->line, error->column, error,
                           "expected keys and values: configs, kernels and varied keys");
    if (status == SIMSM_OK)
        status = plan_mapping(&reader, spec_keys, spec);
    if (status == SIMSM_OK)
        status = yaml_reader_end(&reader.yaml);
    yaml_reader_close(&reader.yaml);
    return status;
}

/* Returns "b" for "a/b.trace". NULL if memory runs out. */
static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return text_copy(name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

/*
 * Fills in what the file leaves out: name, file of results, names of kernels, folders of programs.
 */
static enum simsm_status fill_in(struct spec *spec, struct simsm_error *error)
{
    if (!spec->name)
        spec->name = base_name(spec->path);
    if (!spec->results) {
        char *stem = base_name(spec->path);
        char *file = stem ? text_format("%s.sqlite", stem) : NULL;
        spec->results = file ? text_path_beside(spec->path, file) : NULL;
        free(stem);
        free(file);
    }
    bool done = spec->name && spec->results;
    for (uint32_t i = 0; i < spec->kernels && done; i++) {
        struct spec_kernel *kernel = &spec->kernel[i];
        if (!kernel->name && kernel->path)
            kernel->name = base_name(kernel->path);
        if (!kernel->folder && kernel->kind == SPEC_PROGRAM)
            kernel->folder = text_path_beside(spec->path, ".");
        done = done && (kernel->name || !kernel->path) &&
               (kernel->folder || kernel->kind != SPEC_PROGRAM);
    }
    return done ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status spec_parse(struct spec *spec, const char *text, size_t size, const char *path,
                             struct simsm_error *error)
{
    *spec = (struct spec){.path = text_copy(path, strlen(path))};
    enum simsm_status status = spec->path ? SIMSM_OK : err_no_memory(error);
    if (status == SIMSM_OK)
        status = read_text(spec, text, size, error);
    if (status == SIMSM_OK)
        status = fill_in(spec, error);
    if (status == SIMSM_OK)
        status = spec_policies(spec, error);
    return status == SIMSM_OK ? spec_check(spec, error) : status;
}

enum simsm_status spec_read(struct spec *spec, const char *path, struct simsm_error *error)
{
    char *text = NULL;
    size_t size;
    *spec = (struct spec){.path = NULL};
    enum simsm_status status = infile_read(path, "sweep", FILE_LIMIT, &text, &size, error);
    if (status == SIMSM_OK)
        status = spec_parse(spec, text, size, path, error);
    free(text);
    return status;
}

static void free_kernel(struct spec_kernel *kernel)
{
    free(kernel->name);
    free(kernel->path);
    free(kernel->launch_file);
    free(kernel->folder);
    texts_free(&kernel->program);
    texts_free(&kernel->env);
    texts_free(&kernel->files);
    texts_free(&kernel->params);
    texts_free(&kernel->launches);
    axes_free(&kernel->vary);
}

static void free_rules(struct spec_rules *rules)
{
    for (uint32_t i = 0; i < rules->count; i++)
        axes_free(&rules->rule[i].keys);
    free(rules->rule);
}

void spec_free(struct spec *spec)
{
    for (uint32_t i = 0; i < spec->kernels; i++)
        free_kernel(&spec->kernel[i]);
    free(spec->kernel);
    free_rules(&spec->only);
    free_rules(&spec->exclude);
    axes_free(&spec->vary);
    texts_free(&spec->configs);
    texts_free(&spec->set);
    free(spec->path);
    free(spec->name);
    free(spec->results);
    *spec = (struct spec){0};
}
