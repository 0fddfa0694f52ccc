/* SARIF 2.1.0: the static analysis results interchange format of OASIS. */
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "sanitize/findings_write.h"

static const char *const levels[] = {"note", "warning", "error"};

/* Returns the path from the current folder on, if it lies there: code hosts show such files. */
static const char *from_here(const char *path)
{
    char here[4096];
    const size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    return length > 1 && strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1
                                                                                 : path;
}

/* `message`: what happened there; NULL: nothing is told. */
static json_t *location(const char *file, uint32_t line, const char *function, const char *message)
{
    json_t *found = json_pack("{s:[{s:s}]}", "logicalLocations", "fullyQualifiedName", function);
    if (found && file[0])
        (void)json_object_set_new(found, "physicalLocation",
                                  json_pack("{s:{s:s}, s:{s:i}}", "artifactLocation", "uri",
                                            from_here(file), "region", "startLine",
                                            line ? (int)line : 1));
    if (found && message)
        (void)json_object_set_new(found, "message", json_pack("{s:s}", "text", message));
    return found;
}

/* Adds the stack of a call, and where it is to `places`. */
static void add_call(const char *what, const struct finding_call *call, json_t *places,
                     json_t *stacks)
{
    const struct host_stack *of = call->frames;
    json_t *frames = json_array();
    for (uint32_t i = 0; of && i < of->count; i++) {
        const struct host_frame *frame = &of->frame[i];
        const char *name = frame->function[0] ? frame->function : frame->object;
        if (i == 0)
            (void)json_array_append_new(places, location(frame->file, frame->line, name, what));
        (void)json_array_append_new(frames,
                                    json_pack("{s:o, s:s}", "location",
                                              location(frame->file, frame->line, name, NULL),
                                              "module", frame->object));
    }
    if (json_array_size(frames))
        (void)json_array_append_new(
            stacks, json_pack("{s:{s:s}, s:O}", "message", "text", what, "frames", frames));
    json_decref(frames);
}

static void add_place(const struct finding_place *place, json_t *places, json_t *related,
                      json_t *stacks)
{
    if (!place->what)
        return;
    (void)json_array_append_new(places, location(place->file, place->line, place->kernel,
                                                 place->what[0] ? place->what : NULL));
    for (uint32_t i = 0; i < place->inlined_count; i++)
        (void)json_array_append_new(
            related,
            location(place->inlined[i].file, place->inlined[i].line, place->kernel, "inlined"));
    add_call(place->launch ? "launched" : "called", &place->by, place->file[0] ? related : places,
             stacks);
}

/* The place at fault comes first: code hosts show a result there. */
static json_t *result(const struct finding *finding)
{
    const struct finding_row *row = &finding_rows[finding->kind];
    json_t *places = json_array(), *related = json_array(), *stacks = json_array();
    add_place(&finding->place[0], places, related, stacks);
    add_place(&finding->place[1], related, related, stacks);
    add_call("called", &finding->call, places, stacks);
    add_call("allocated", &finding->memory.allocation, json_array_size(places) ? related : places,
             stacks);
    add_call("freed", &finding->memory.release, related, stacks);
    return json_pack("{s:s, s:s, s:{s:s}, s:o, s:o, s:o, s:I}", "ruleId", row->name, "level",
                     levels[row->level], "message", "text", finding->message, "locations", places,
                     "relatedLocations", related, "stacks", stacks, "occurrenceCount",
                     (json_int_t)finding->times);
}

static json_t *rules(void)
{
    json_t *list = json_array();
    for (unsigned k = 0; list && k < FINDING_KINDS; k++)
        (void)json_array_append_new(list,
                                    json_pack("{s:s, s:{s:s}, s:{s:s}}", "id", finding_rows[k].name,
                                              "shortDescription", "text", finding_rows[k].title,
                                              "help", "text", finding_rows[k].advice));
    return list;
}

bool findings_sarif(const struct findings *findings, const struct findings_subject *subject,
                    FILE *file)
{
    const struct finding *list = findings->list.data;
    json_t *results = json_array();
    for (size_t i = 0; results && i < findings->list.count; i++)
        (void)json_array_append_new(results, result(&list[i]));
    json_t *root =
        json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:o}}, s:[{s:b, s:s}], s:o}]}", "$schema",
                  "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                  "tool", "driver", "name", "simsm check", "rules", rules(), "invocations",
                  "executionSuccessful", 1, "commandLine", subject->program, "results", results);
    const bool done = root && json_dumpf(root, file, JSON_INDENT(2)) == 0 && fputc('\n', file) >= 0;
    json_decref(root);
    return done;
}
