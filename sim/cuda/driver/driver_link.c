/*
 * Links device code while the program runs (cuLink*): ptxas compiles PTX when it is added, and
 * nvlink joins all when the link is completed. Messages go to the buffers that the program gave.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/infile.h"
#include "cuda/assemble.h"
#include "cuda/driver/driver.h"
#include "cuda/toolkit.h"

/* CUjitInputType */
enum input_kind { INPUT_CUBIN, INPUT_PTX, INPUT_FATBIN, INPUT_OBJECT, INPUT_LIBRARY, INPUT_KINDS };

/* CUjit_option: the options that matter here. */
enum link_option { OPTION_INFO = 3, OPTION_INFO_SIZE, OPTION_ERRORS, OPTION_ERRORS_SIZE };

struct link_input {
    enum input_kind kind;
    char *data; /* owned */
    size_t size;
};

/* A buffer for messages. *used, in the program's options, becomes the number of bytes in it. */
struct link_log {
    char *buffer;
    size_t room;
    void **used;
};

struct link {
    struct link *next;        /* list of all links that are not destroyed */
    struct link_input *input; /* [inputs] */
    unsigned inputs;
    char arch[ASSEMBLE_ARCH];
    struct link_log info, errors;
    char *cubin; /* the result, which the program reads */
};

static struct link *links;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the list */

int cuDeviceComputeCapability(int *major, int *minor, int device);
int cuLinkCreate_v2(unsigned count, const int *option, void **value, struct link **made);
int cuLinkCreate(unsigned count, const int *option, void **value, struct link **made);
int cuLinkAddData_v2(struct link *link, int kind, const void *data, size_t size, const char *name,
                     unsigned count, const int *option, void **value);
int cuLinkAddData(struct link *link, int kind, const void *data, size_t size, const char *name,
                  unsigned count, const int *option, void **value);
int cuLinkAddFile_v2(struct link *link, int kind, const char *path, unsigned count,
                     const int *option, void **value);
int cuLinkAddFile(struct link *link, int kind, const char *path, unsigned count, const int *option,
                  void **value);
int cuLinkComplete(struct link *link, void **cubin, size_t *size);
int cuLinkDestroy(struct link *link);

/* Returns the link of the list that points to `link`; NULL if it was destroyed. The caller holds
 * the lock. */
static struct link **find(const struct link *link)
{
    struct link **at = &links;
    while (*at && *at != link)
        at = &(*at)->next;
    return *at ? at : NULL;
}

static bool lives(const struct link *link)
{
    (void)pthread_mutex_lock(&lock);
    const bool found = find(link) != NULL;
    (void)pthread_mutex_unlock(&lock);
    return found;
}

/* Adds a line to the text of a log. */
static void log_write(struct link_log *log, const char *text)
{
    if (!log->buffer || !log->room)
        return;
    const size_t used = strnlen(log->buffer, log->room - 1);
    (void)snprintf(log->buffer + used, log->room - used, used ? "\n%s" : "%s", text);
    if (log->used)
        *log->used = (void *)(uintptr_t)strlen(log->buffer);
}

static void read_options(struct link *link, unsigned count, const int *option, void **value)
{
    for (unsigned i = 0; i < count; i++) {
        const bool info = option[i] == OPTION_INFO || option[i] == OPTION_INFO_SIZE;
        struct link_log *log = info ? &link->info : &link->errors;
        if (option[i] == OPTION_INFO || option[i] == OPTION_ERRORS) {
            log->buffer = value[i];
        } else if (option[i] == OPTION_INFO_SIZE || option[i] == OPTION_ERRORS_SIZE) {
            log->room = (size_t)(uintptr_t)value[i];
            log->used = &value[i];
        }
    }
    struct link_log *logs[] = {&link->info, &link->errors};
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++)
        if (logs[i]->buffer && logs[i]->room) {
            logs[i]->buffer[0] = '\0';
            *logs[i]->used = NULL;
        }
}

int cuLinkCreate_v2(unsigned count, const int *option, void **value, struct link **made)
{
    int major, minor;
    if (!made || (count && (!option || !value)))
        return DRIVER_INVALID_VALUE;
    const int result = cuDeviceComputeCapability(&major, &minor, 0);
    if (result)
        return result;
    struct link *link = calloc(1, sizeof *link);
    if (!link)
        return DRIVER_OUT_OF_MEMORY;
    (void)snprintf(link->arch, sizeof link->arch, "-arch=sm_%d%d", major, minor);
    read_options(link, count, option, value);
    (void)pthread_mutex_lock(&lock);
    link->next = links;
    links = link;
    (void)pthread_mutex_unlock(&lock);
    *made = link;
    return DRIVER_SUCCESS;
}

int cuLinkCreate(unsigned count, const int *option, void **value, struct link **made)
{
    return cuLinkCreate_v2(count, option, value, made);
}

int cuLinkDestroy(struct link *link)
{
    (void)pthread_mutex_lock(&lock);
    struct link **at = find(link);
    if (at)
        *at = link->next;
    (void)pthread_mutex_unlock(&lock);
    if (!at)
        return DRIVER_INVALID_HANDLE;
    for (unsigned i = 0; i < link->inputs; i++)
        free(link->input[i].data);
    free(link->input);
    free(link->cubin);
    free(link);
    return DRIVER_SUCCESS;
}

/* Logs an error; prints it as well if there is no log, or no tool that could link. */
static int fail(struct link *link, enum simsm_status status, const struct simsm_error *error,
                int result)
{
    log_write(&link->errors, error->message);
    if (!link->errors.buffer || !link->errors.room || status == SIMSM_FAILED)
        (void)fprintf(stderr, "simsm: device code cannot be linked: %s\n", error->message);
    return status == SIMSM_FAILED ? DRIVER_JIT_COMPILER_NOT_FOUND : result;
}

/* Adds code to the link, which owns `data` then. */
static int add(struct link *link, enum input_kind kind, char *data, size_t size)
{
    struct link_input *more = realloc(link->input, (link->inputs + 1) * sizeof *more);
    if (!more) {
        free(data);
        return DRIVER_OUT_OF_MEMORY;
    }
    link->input = more;
    link->input[link->inputs++] = (struct link_input){kind, data, size};
    return DRIVER_SUCCESS;
}

/* Compiles PTX so that it can be linked, and adds it. */
static int add_ptx(struct link *link, const void *data, size_t size)
{
    struct sass_image ptx;
    struct simsm_error error;
    char assembler[TOOLKIT_PATH], *cubin = NULL;
    int major = 0, minor = 0;
    if (!assemble_is_ptx(data, size, &ptx))
        return DRIVER_INVALID_IMAGE;
    (void)cuDeviceComputeCapability(&major, &minor, 0);
    const uint32_t sm = (uint32_t)(major * 10 + minor);
    const enum simsm_status status =
        assemble(&ptx, sm, "-c", &cubin, &size, assembler, sizeof assembler, &error);
    if (status != SIMSM_OK)
        return fail(link, status, &error, DRIVER_INVALID_PTX);
    char arch[ASSEMBLE_ARCH];
    assemble_arch(&ptx, sm, arch);
    if (strlen(arch) > strlen(link->arch)) /* sm_90a */
        memcpy(link->arch, arch, sizeof arch);
    return add(link, INPUT_CUBIN, cubin, size);
}

/* Returns whether data begin as those of this kind do. An H200's driver (580.159.04) looks, too. */
static bool begins_well(enum input_kind kind, const void *data, size_t size)
{
    static const char *const begins[INPUT_KINDS] = {"\177ELF", "", "\x50\xed\x55\xba", "\177ELF",
                                                    "!<arch>\n"};
    const size_t length = strlen(begins[kind]);
    return size >= length && memcmp(data, begins[kind], length) == 0;
}

int cuLinkAddData_v2(struct link *link, int kind, const void *data, size_t size, const char *name,
                     unsigned count, const int *option, void **value)
{
    (void)name;
    (void)count;
    (void)option;
    (void)value;
    if (!lives(link))
        return DRIVER_INVALID_HANDLE;
    if (!data || !size || kind < 0 || kind >= INPUT_KINDS || link->cubin)
        return DRIVER_INVALID_VALUE;
    if (kind == INPUT_PTX)
        return add_ptx(link, data, size);
    if (!begins_well((enum input_kind)kind, data, size))
        return kind == INPUT_OBJECT ? DRIVER_UNKNOWN : DRIVER_INVALID_IMAGE;
    char *copy = malloc(size);
    if (!copy)
        return DRIVER_OUT_OF_MEMORY;
    memcpy(copy, data, size);
    return add(link, (enum input_kind)kind, copy, size);
}

int cuLinkAddData(struct link *link, int kind, const void *data, size_t size, const char *name,
                  unsigned count, const int *option, void **value)
{
    return cuLinkAddData_v2(link, kind, data, size, name, count, option, value);
}

int cuLinkAddFile_v2(struct link *link, int kind, const char *path, unsigned count,
                     const int *option, void **value)
{
    struct simsm_error error;
    char *data = NULL;
    size_t size;
    if (!lives(link) || !path)
        return path ? DRIVER_INVALID_HANDLE : DRIVER_INVALID_VALUE;
    if (infile_read(path, "device code", (size_t)1 << 31, &data, &size, &error) != SIMSM_OK)
        return DRIVER_FILE_NOT_FOUND;
    const int result = cuLinkAddData_v2(link, kind, data, size, path, count, option, value);
    free(data);
    return result;
}

int cuLinkAddFile(struct link *link, int kind, const char *path, unsigned count, const int *option,
                  void **value)
{
    return cuLinkAddFile_v2(link, kind, path, count, option, value);
}

/* Writes the path of the file of an input; number `inputs` is the result. */
static void name_file(const struct link *link, const char *folder, unsigned i, char *path,
                      size_t size)
{
    static const char *const ends[INPUT_KINDS] = {"cubin", "ptx", "fatbin", "o", "a"};
    const enum input_kind kind = i < link->inputs ? link->input[i].kind : INPUT_CUBIN;
    (void)snprintf(path, size, "%s/%u.%s", folder, i, ends[kind]);
}

static enum simsm_status write_input(const struct link_input *input, const char *path,
                                     struct simsm_error *error)
{
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(input->data, 1, input->size, file) == input->size;
    if (file && fclose(file) != 0)
        good = false;
    return good ? SIMSM_OK
                : err_at(error, SIMSM_FAILED, path, 0, 0, "cannot be written: %s", strerror(errno));
}

/* Writes the inputs to files in the folder, and links them. `path` has room for all files. */
static enum simsm_status link_files(struct link *link, const char *folder, const char **words,
                                    char (*path)[TOOLKIT_PATH + 16], size_t *size,
                                    struct simsm_error *error)
{
    char linker[TOOLKIT_PATH];
    enum simsm_status status = SIMSM_OK;
    for (unsigned i = 0; i < link->inputs; i++) {
        name_file(link, folder, i, path[i], sizeof path[i]);
        if (status == SIMSM_OK)
            status = write_input(&link->input[i], path[i], error);
        words[3 + i] = path[i];
    }
    name_file(link, folder, link->inputs, path[link->inputs], sizeof path[0]);
    words[0] = link->arch;
    words[1] = "-o";
    words[2] = path[link->inputs];
    if (status == SIMSM_OK)
        status = toolkit_run("nvlink", words, linker, sizeof linker, error);
    if (status == SIMSM_OK)
        status = infile_read(words[2], "cubin", (size_t)1 << 31, &link->cubin, size, error);
    for (unsigned i = 0; i <= link->inputs; i++)
        (void)unlink(path[i]);
    return status;
}

static enum simsm_status run_nvlink(struct link *link, size_t *size, struct simsm_error *error)
{
    char folder[TOOLKIT_PATH];
    const char **words = calloc(link->inputs + 4, sizeof *words);
    char(*path)[TOOLKIT_PATH + 16] = calloc(link->inputs + 1, sizeof *path);
    enum simsm_status status = SIMSM_FAILED;
    if (!words || !path) {
        (void)err_no_memory(error);
    } else {
        status = toolkit_folder(folder, error);
        if (status == SIMSM_OK)
            status = link_files(link, folder, words, path, size, error);
        (void)rmdir(folder);
    }
    free(words);
    free(path);
    return status;
}

int cuLinkComplete(struct link *link, void **cubin, size_t *size)
{
    /* Without inputs, an H200's driver gives a cubin without contents. */
    static const char nothing[] = ".version 6.3\n.target sm_75\n.address_size 64\n";
    struct simsm_error error;
    size_t found = 0;
    if (!lives(link) || link->cubin)
        return DRIVER_INVALID_HANDLE;
    if (!cubin)
        return DRIVER_INVALID_VALUE;
    const int result = link->inputs ? DRIVER_SUCCESS : add_ptx(link, nothing, sizeof nothing);
    if (result != DRIVER_SUCCESS)
        return result;
    const enum simsm_status status = run_nvlink(link, &found, &error);
    if (status != SIMSM_OK)
        return fail(link, status, &error, DRIVER_INVALID_SOURCE);
    *cubin = link->cubin;
    if (size)
        *size = found;
    return DRIVER_SUCCESS;
}
