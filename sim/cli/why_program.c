#include "cli/why_program.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/host_program.h"
#include "cli/signals.h"
#include "sweep/record_program.h"

static enum simsm_status make_folder(struct why_program *program, struct simsm_error *error)
{
    const char *base = getenv("TMPDIR");
    (void)snprintf(program->folder, sizeof program->folder, "%s/simsm-why-XXXXXX",
                   base && *base ? base : "/tmp");
    if (!mkdtemp(program->folder)) {
        const enum simsm_status status =
            err_set(error, SIMSM_FAILED,
                    "cannot make the folder %s for the recording: %s; set TMPDIR to a "
                    "folder that can be written",
                    program->folder, strerror(errno));
        program->folder[0] = '\0';
        return status;
    }
    (void)snprintf(program->recording, sizeof program->recording, "%s/program.smtr",
                   program->folder);
    (void)snprintf(program->table, sizeof program->table, "%s/program.csv", program->folder);
    return SIMSM_OK;
}

static enum simsm_status find_program(struct host_program *host, const char *name,
                                      struct simsm_error *error)
{
    enum simsm_status status = host_program_inspect(host, name, error);
    if (status != SIMSM_OK || host_program_check(host, error) == SIMSM_OK)
        return status;
    return err_at(
        error, SIMSM_BAD_INPUT, host->path, 0, 0,
        "shows no CUDA runtime that simsm can replace. `simsm record CONFIG -o FILE.smtr -- "
        "%s` says why; a recording goes to `simsm why CONFIG FILE.smtr`",
        name);
}

enum simsm_status why_program_record(struct why_program *program, char **words,
                                     const struct given_options *given,
                                     const struct simsm_config *config, struct simsm_error *error)
{
    struct host_program host;
    struct spec_kernel kernel = {.kind = SPEC_PROGRAM};
    char self[WHY_PATH];
    *program = (struct why_program){.folder = ""};
    enum simsm_status status = find_program(&host, words[0], error);
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    if (status == SIMSM_OK)
        status = make_folder(program, error);
    for (; status == SIMSM_OK && *words; words++)
        if (!texts_add(&kernel.program, *words, 0, 0))
            status = err_no_memory(error);
    kernel.path = host.path;
    const struct record_program record = {.simsm = self,
                                          .kernel = &kernel,
                                          .config = config,
                                          .recording = program->recording,
                                          .table = program->table,
                                          .kernels = given->value[OPTION_kernels],
                                          .launches = given->value[OPTION_launches],
                                          .stop = signals_first};
    if (status == SIMSM_OK)
        status = record_program(&record, error);
    if (status == SIMSM_OK && access(program->recording, R_OK) != 0)
        status = err_at(error, SIMSM_FAILED, host.path, 0, 0,
                        "recorded no launch: it has launched no kernel, or has become another "
                        "program (exec); its output is in %s/program.log",
                        program->folder);
    program->keeps_log = status == SIMSM_FAILED; /* the message names it */
    texts_free(&kernel.program);
    return status;
}

void why_program_remove(struct why_program *program)
{
    char path[WHY_PATH + NAME_MAX + 2];
    DIR *folder = program->folder[0] ? opendir(program->folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) { /* a killed program leaves
                                                                          unfinished files too */
        if (program->keeps_log && strcmp(entry->d_name, "program.log") == 0)
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", program->folder, entry->d_name);
        (void)unlink(path); /* "." and ".." stay */
    }
    if (folder)
        (void)closedir(folder);
    if (program->folder[0])
        (void)rmdir(program->folder);
}
