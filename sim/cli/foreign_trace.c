/* Warnings about traces of Accel-Sim, and their conversion to recordings. */
#include "cli/foreign_trace.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "accelsim/accelsim.h"
#include "cli/cli_files.h"
#include "cli/signals.h"
#include "report/quantity.h"
#include "report/recorded.h"

enum { PROBE_BYTES = 64 };

void foreign_trace_warn(const struct front *front)
{
    const char *line = front->warnings;
    while (line && *line) {
        size_t length = strcspn(line, "\n");
        (void)fprintf(stderr, "simsm: warning: %s: %.*s\n", front->path, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

bool foreign_trace_probe(const char *path)
{
    uint8_t bytes[PROBE_BYTES];
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        (void)fclose(file);
    return accelsim_probe(bytes, size);
}

static void print_result(const char *input, const char *output, const struct accelsim_notes *notes)
{
    char line[256];
    for (uint32_t i = 0; accelsim_note_text(notes, i, line, sizeof line); i++)
        (void)fprintf(stderr, "simsm: warning: %s: %s\n", input, line);
    recorded_print(stdout, output, notes->kernels, notes->warp_instructions);
    if (notes->copies)
        (void)printf("%s: left out: %llu copies to the device, %s\n", output,
                     (unsigned long long)notes->copies,
                     quantity_bytes((double)notes->copy_bytes).text);
}

enum simsm_status foreign_trace_convert(const char *input, const char *output, const char *command,
                                        struct simsm_error *error)
{
    const struct cli_file files[] = {{"the input", input, true}, {"the recording", output, false}};
    const struct accelsim_request request = {input, ACCELSIM_ALL, signals_first};
    struct accelsim_notes notes = {0};
    struct recording_writer *writer;
    enum simsm_status status = cli_files_check(files, 2, error);
    if (status != SIMSM_OK)
        return status;
    signals_listen();
    status = recording_create(&writer, output, command, error);
    if (status != SIMSM_OK)
        return status;
    status = accelsim_convert(&request, writer, &notes, error);
    if (status != SIMSM_OK) {
        recording_abandon(writer);
        return status;
    }
    status = recording_finish(writer, error);
    if (status == SIMSM_OK)
        print_result(input, output, &notes);
    return status;
}
