/* Opens a trace of Accel-Sim as a front, by way of a temporary recording. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accelsim/accelsim.h"
#include "accelsim/scan.h"
#include "base/err.h"
#include "record/recording_front.h"

/*
 * The temporary recording. It has a folder of its own because a recording is written under a
 * temporary name first.
 */
struct converted_file {
    char folder[512], file[512 + 32];
};

static enum simsm_status make_place(struct converted_file *place, struct simsm_error *error)
{
    const char *base = getenv("TMPDIR");
    if (!base || !*base)
        base = "/tmp";
    int length = snprintf(place->folder, sizeof place->folder, "%s/simsm-XXXXXX", base);
    if (length < 0 || (size_t)length >= sizeof place->folder)
        return err_set(error, SIMSM_FAILED, "$TMPDIR is longer than %zu characters",
                       sizeof place->folder);
    if (!mkdtemp(place->folder))
        return err_at(error, SIMSM_FAILED, base, 0, 0,
                      "cannot make a folder for the converted trace: %s; set TMPDIR to a folder "
                      "with room",
                      strerror(errno));
    (void)snprintf(place->file, sizeof place->file, "%s/kernel.smtr", place->folder);
    return SIMSM_OK;
}

/* Removes the file and its folder; the open file stays readable. */
static void remove_place(const struct converted_file *place)
{
    (void)unlink(place->file);
    (void)rmdir(place->folder);
}

/*
 * Returns the index of the kernel that "launch=N" (from 1) in `params` chooses. Returns
 * ACCELSIM_ALL for anything else, which recording_open_file() then reports.
 */
static uint32_t chosen_kernel(const char *const *params)
{
    uint64_t number;
    if (!params || !params[0] || params[1])
        return ACCELSIM_ALL;
    const char *at = params[0];
    if (!scan_text(&at, "launch=") || !scan_decimal(&at, &number) || !scan_end(at) || !number ||
        number > ACCELSIM_ALL)
        return ACCELSIM_ALL;
    return (uint32_t)number - 1;
}

/* Fails if the list has several kernels and none is chosen, before anything is converted. */
static enum simsm_status check_choice(const char *path, uint32_t number, struct simsm_error *error)
{
    uint32_t count = 0;
    enum simsm_status status = accelsim_launches(path, &count, NULL, NULL, error);
    if (status != SIMSM_OK || number != ACCELSIM_ALL || count < 2)
        return status;
    return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                  "holds %u kernel launches; choose one with --launch-number 1 to %u; `simsm trace "
                  "info` lists them",
                  count, count);
}

static enum simsm_status fill(const struct converted_file *place, const char *path, uint32_t number,
                              struct accelsim_notes *notes, struct simsm_error *error)
{
    struct recording_writer *writer;
    enum simsm_status status = recording_create(&writer, place->file, "", error);
    if (status != SIMSM_OK)
        return status;
    const struct accelsim_request request = {path, number, NULL};
    status = accelsim_convert(&request, writer, notes, error);
    if (status == SIMSM_OK)
        return recording_finish(writer, error);
    recording_abandon(writer);
    return status;
}

/* Returns all warnings, one per line; NULL if there are none or memory runs out. */
static char *warnings_of(const struct accelsim_notes *notes)
{
    char line[256], *text = NULL;
    size_t size = 0;
    if (!accelsim_note_text(notes, 0, line, sizeof line))
        return NULL;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    for (uint32_t i = 0; accelsim_note_text(notes, i, line, sizeof line); i++)
        (void)fprintf(file, "%s\n", line);
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

enum simsm_status accelsim_open(struct front **front, const char *path,
                                const struct simsm_config *config, const char *const *params,
                                struct simsm_error *error)
{
    struct converted_file place = {.folder = ""};
    struct accelsim_notes notes = {0};
    uint32_t number = chosen_kernel(params);
    FILE *file = NULL;
    enum simsm_status status = check_choice(path, number, error);
    if (status == SIMSM_OK)
        status = make_place(&place, error);
    if (status != SIMSM_OK)
        return status;
    status = fill(&place, path, number, &notes, error);
    if (status == SIMSM_OK) {
        file = fopen(place.file, "rb");
        if (!file)
            status =
                err_at(error, SIMSM_FAILED, place.file, 0, 0, "cannot open: %s", strerror(errno));
    }
    remove_place(&place);
    if (status == SIMSM_OK) /* the recording has only the chosen kernel, if one was chosen */
        status = recording_open_file(front, file, path, config,
                                     number == ACCELSIM_ALL ? params : NULL, error);
    if (status == SIMSM_OK)
        (*front)->warnings = warnings_of(&notes);
    return status;
}
