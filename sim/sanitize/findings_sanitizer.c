/* Findings as compute-sanitizer prints them, for scripts that read its output. */
#include <inttypes.h>

#include "sanitize/findings_write.h"

static void print_at(const char *before, const struct finding_place *place, FILE *file)
{
    (void)fprintf(file, "%s%s+0x%x", before, place->kernel, place->offset);
    if (place->file[0])
        (void)fprintf(file, " in %s:%u", place->file, place->line);
}

/* Prints the functions of the program that led to a call. */
static void print_call(const char *when, const struct finding_call *call, FILE *file)
{
    const struct host_stack *frames = call->frames;
    if (!frames || !frames->count)
        return;
    (void)fprintf(file, "=========     Saved host backtrace up to driver entry point at %s\n",
                  when);
    for (uint32_t i = 0; i < frames->count; i++) {
        const struct host_frame *frame = &frames->frame[i];
        (void)fprintf(file, "=========         Host Frame: %s", frame->function);
        if (frame->file[0])
            (void)fprintf(file, " in %s:%u", frame->file, frame->line);
        (void)fprintf(file, " [0x%" PRIx64 "] in %s\n", frame->at, frame->object);
    }
}

static void print_calls(const struct finding *finding, FILE *file)
{
    print_call("kernel launch time", &finding->place[0].by, file);
    print_call("error", &finding->call, file);
    print_call("allocation time", &finding->memory.allocation, file);
    print_call("free time", &finding->memory.release, file);
}

static void print_race(const struct finding *finding, FILE *file)
{
    const bool harmless = finding_rows[finding->kind].level == LEVEL_NOTE;
    const char *what[2];
    for (size_t i = 0; i < 2; i++)
        what[i] = finding->place[i].what && finding->place[i].what[0] == 'r' ? "Read" : "Write";
    (void)fprintf(file, "========= %s: Race reported between %s access",
                  harmless ? "Warning" : "Error", what[0]);
    print_at(" at ", &finding->place[0], file);
    (void)fprintf(file, "\n=========     and %s access", what[1]);
    print_at(" at ", &finding->place[1], file);
    (void)fprintf(file, " [%" PRIu64 " hazards]\n", finding->times);
    print_calls(finding, file);
    (void)fputs("=========\n", file);
}

static void print_other(const struct finding *finding, FILE *file)
{
    const struct finding_place *place = &finding->place[0];
    (void)fprintf(file, "========= %s%s\n",
                  finding_rows[finding->kind].tool == TOOL_SYNC ? "Barrier error detected. " : "",
                  finding->message);
    if (place->what) {
        print_at("=========     at ", place, file);
        (void)fputc('\n', file);
    }
    if (place->has_thread)
        (void)fprintf(file, "=========     by thread (%u,%u,%u) in block (%u,%u,%u)\n",
                      place->thread[0], place->thread[1], place->thread[2], place->block[0],
                      place->block[1], place->block[2]);
    print_calls(finding, file);
    (void)fputs("=========\n", file);
}

bool findings_sanitizer(const struct findings *findings, const struct findings_subject *subject,
                        FILE *file)
{
    const struct finding *list = findings->list.data;
    uint64_t races = 0, others = 0;
    (void)subject;
    (void)fputs("========= COMPUTE-SANITIZER\n", file);
    for (size_t i = 0; i < findings->list.count; i++) {
        const bool race = finding_rows[list[i].kind].tool == TOOL_RACE;
        (race ? print_race : print_other)(&list[i], file);
        races += race;
        others += !race;
    }
    if (races)
        (void)fprintf(file, "========= RACECHECK SUMMARY: %" PRIu64 " hazard%s displayed\n", races,
                      races == 1 ? "" : "s");
    (void)fprintf(file, "========= ERROR SUMMARY: %" PRIu64 " error%s\n", others,
                  others == 1 ? "" : "s");
    return !ferror(file);
}
