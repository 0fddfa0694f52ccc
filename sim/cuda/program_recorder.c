/* Records the launches of a program into one recording. */
#include "cuda/program_recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "exec/launch/exec_launch.h"
#include "front/block_front.h"
#include "record/recording_write.h"
#include "report/recorded.h"

struct program_recorder {
    const struct settings *settings;
    struct recording_writer *writer;    /* NULL: writing failed, there will be no file */
    const struct exec_counts *executed; /* counts of the open launch; NULL: no launch is open */
    char program[4096];
    uint64_t launches, instructions; /* recorded launches and warp instructions */
};

static const char *path_of(const struct program_recorder *recorder)
{
    return setting_text(recorder->settings, SETTING_ID_record);
}

enum simsm_status program_recorder_open(struct program_recorder **result,
                                        const struct settings *settings, struct simsm_error *error)
{
    *result = NULL;
    if (!setting_text(settings, SETTING_ID_record))
        return SIMSM_OK;
    struct program_recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder)
        return err_no_memory(error);
    recorder->settings = settings;
    if (readlink("/proc/self/exe", recorder->program, sizeof recorder->program - 1) < 0)
        recorder->program[0] = '\0';
    enum simsm_status status = recording_create(&recorder->writer, path_of(recorder),
                                                setting_text(settings, SETTING_ID_command), error);
    if (status == SIMSM_OK)
        *result = recorder;
    else
        free(recorder);
    return status;
}

/* Drops the recording and prints why. Later launches are not recorded. */
static void give_up(struct program_recorder *recorder, const struct simsm_error *error)
{
    char text[1100];
    recording_abandon(recorder->writer);
    recorder->writer = NULL;
    (void)fprintf(stderr, "simsm: nothing is recorded: %s\n",
                  simsm_error_text(error, text, sizeof text));
}

bool program_recorder_close(struct program_recorder *recorder)
{
    struct simsm_error error;
    if (!recorder)
        return true;
    program_recorder_end(recorder, false); /* the program crashed during a launch */
    if (recorder->writer && !recorder->launches) {
        (void)err_at(&error, SIMSM_FAILED, path_of(recorder), 0, 0,
                     "no kernel was launched, or none that --kernels and --launches name");
        give_up(recorder, &error);
    }
    if (recorder->writer && recording_finish(recorder->writer, &error) != SIMSM_OK) {
        recorder->writer = NULL; /* recording_finish has freed the writer */
        give_up(recorder, &error);
    } else if (recorder->writer && !setting_flag(recorder->settings, SETTING_ID_quiet)) {
        recorded_print(stderr, path_of(recorder), recorder->launches, recorder->instructions);
    }
    const bool written = recorder->writer != NULL;
    free(recorder);
    return written;
}

/* Writes a block to the recording. */
static enum simsm_status put(void *context, uint64_t block, const struct byte_buffer *warp,
                             uint32_t warps, struct simsm_error *error)
{
    struct program_recorder *recorder = context;
    if (!recorder->writer)
        return SIMSM_OK;
    if (recording_put_block(recorder->writer, block, warp, warps, error) != SIMSM_OK)
        give_up(recorder, error); /* the program goes on without a recording */
    return SIMSM_OK;
}

void program_recorder_begin(struct program_recorder *recorder, struct front *front)
{
    struct simsm_error error;
    if (!recorder || !recorder->writer)
        return;
    const struct recording_launch launch = {.launch = &front->launch,
                                            .code = front->code,
                                            .text = front->text,
                                            .code_size = front->code_size,
                                            .source = recorder->program,
                                            .paths = front->paths};
    if (recording_begin(recorder->writer, &launch, &error) != SIMSM_OK) {
        give_up(recorder, &error);
        return;
    }
    recorder->executed = exec_front_counts(front);
    block_front_copy(front, &(struct block_sink){put, recorder});
}

void program_recorder_end(struct program_recorder *recorder, bool whole)
{
    struct simsm_error error;
    if (!recorder || !recorder->writer || !recorder->executed)
        return;
    enum simsm_status status =
        whole ? recording_end(recorder->writer, &error) : recording_drop(recorder->writer, &error);
    if (status != SIMSM_OK)
        give_up(recorder, &error);
    recorder->launches += whole;
    recorder->instructions += whole ? recorder->executed->warp_instructions : 0;
    recorder->executed = NULL;
}
