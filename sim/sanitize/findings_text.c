/* Findings for people: what, where, and what to do. */
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "sanitize/findings_write.h"

static const char *const levels[] = {"note", "warning", "error"};

/* Prints the line of the source, if the file is there. */
static void print_source(const char *path, uint32_t wanted, FILE *file)
{
    FILE *source = path[0] && wanted ? fopen(path, "r") : NULL;
    char *text = NULL;
    size_t room = 0;
    uint32_t line = 0;
    ssize_t length = 0;
    while (source && line < wanted && (length = getline(&text, &room, source)) >= 0)
        line++;
    if (source && line == wanted && length > 0) {
        const char *begin = text + strspn(text, " \t");
        const size_t size = strcspn(begin, "\r\n");
        (void)fprintf(file, "       %.*s\n", size > 110 ? 110 : (int)size, begin);
    }
    free(text);
    if (source)
        (void)fclose(source);
}

static void print_frame(const struct host_frame *frame, FILE *file)
{
    if (frame->file[0])
        (void)fprintf(file, "%s:%u, %s", frame->file, frame->line, frame->function);
    else
        (void)fprintf(file, "%s+0x%llx%s%s", *frame->function ? frame->function : frame->object,
                      (unsigned long long)frame->offset, *frame->function ? " in " : "",
                      *frame->function ? frame->object : "");
}

/* Prints where the program has made a call, and the calls of its functions that led there. */
static void print_call(const char *what, const struct finding_call *call, FILE *file)
{
    const struct host_stack *frames = call->frames;
    for (uint32_t i = 0; frames && i < frames->count; i++) {
        (void)fprintf(file, "     %s at ", i ? "  called" : what);
        print_frame(&frames->frame[i], file);
        (void)fputc('\n', file);
        if (i == 0)
            print_source(frames->frame[i].file, frames->frame[i].line, file);
    }
}

static void print_place(const struct finding_place *place, FILE *file)
{
    const char *by = *place->what ? " by" : "by";
    (void)fprintf(file, "     %s", place->what);
    if (place->has_thread)
        (void)fprintf(file, "%s thread (%u,%u,%u) of block (%u,%u,%u)", by, place->thread[0],
                      place->thread[1], place->thread[2], place->block[0], place->block[1],
                      place->block[2]);
    else if (place->same_warp)
        (void)fprintf(file, "%s another thread of the warp", by);
    else if (place->code[0])
        (void)fprintf(file, "%s several threads", by);
    else if (*place->what && !place->launch)
        (void)fputs(" by", file);
    const bool begun = *place->what || place->has_thread || place->code[0];
    if (place->launch)
        (void)fprintf(file, "%slaunch %llu", begun ? ", " : "in ",
                      (unsigned long long)place->launch);
    (void)fputs("\n       ", file);
    if (place->file[0])
        (void)fprintf(file, "%s:%u, ", place->file, place->line);
    if (place->code[0])
        (void)fprintf(file, "%s+0x%x: %s\n", place->kernel, place->offset, place->code);
    else
        (void)fprintf(file, "%s\n", place->kernel);
    print_source(place->file, place->line, file);
    for (uint32_t i = 0; i < place->inlined_count; i++)
        (void)fprintf(file, "       inlined at %s:%u\n", place->inlined[i].file,
                      place->inlined[i].line);
}

void findings_text_places(const struct finding *finding, FILE *file)
{
    uint32_t last = 0;
    for (size_t i = 0; i < FINDING_PLACES && finding->place[i].what; i++) {
        const struct finding_place *place = &finding->place[i];
        print_place(place, file);
        if (place->by.stack != last)
            print_call(place->launch                        ? "launched"
                       : finding->kind == FINDING_RACE_HOST ? "accessed"
                                                            : "called",
                       &place->by, file);
        last = place->by.stack;
    }
    print_call("called", &finding->call, file);
    print_call("allocated", &finding->memory.allocation, file);
    print_call("freed", &finding->memory.release, file);
}

static void print_finding(const struct finding *finding, size_t number, FILE *file)
{
    const struct finding_row *row = &finding_rows[finding->kind];
    (void)fprintf(file, "%zu. %s: %s\n", number, levels[row->level], finding->message);
    findings_text_places(finding, file);
    (void)fprintf(file, "     %s\n     [%s", row->advice, row->name);
    if (finding->times > 1)
        (void)fprintf(file, ", %llu times", (unsigned long long)finding->times);
    (void)fputs("]\n", file);
}

static void print_count(uint64_t count, const char *what, FILE *file)
{
    (void)fprintf(file, "%llu %s%s", (unsigned long long)count, what, count == 1 ? "" : "s");
}

bool findings_text(const struct findings *findings, const struct findings_subject *subject,
                   FILE *file)
{
    const struct finding *list = findings->list.data;
    uint64_t count[3] = {0};
    for (size_t i = 0; i < findings->list.count; i++) {
        print_finding(&list[i], i + 1, file);
        count[finding_rows[list[i].kind].level]++;
    }
    (void)fputs("simsm check: ", file);
    for (int level = LEVEL_ERROR; level >= LEVEL_NOTE; level--) {
        print_count(count[level], levels[level], file);
        (void)fputs(level ? ", " : " in ", file);
    }
    (void)fprintf(file, "%llu launch%s", (unsigned long long)subject->launches,
                  subject->launches == 1 ? "" : "es");
    if (findings->suppressed) {
        (void)fputs("; ", file);
        print_count(findings->suppressed, "finding", file);
        (void)fputs(" suppressed", file);
    }
    if (findings->failed)
        (void)fputs("; memory was short, so some may be missing", file);
    (void)fputc('\n', file);
    return !ferror(file);
}

findings_writer *findings_format(const char *as)
{
    if (!as || strcmp(as, "text") == 0)
        return findings_text;
    return strcmp(as, "compute-sanitizer") == 0 ? findings_sanitizer : NULL;
}
