/* SARIF 2.1.0: the static analysis results interchange format of OASIS. */
#include <jansson.h>

#include "sanitize/findings_write.h"

static const char *const levels[] = {"note", "warning", "error"};

static json_t *location(const struct finding_place *place)
{
    json_t *physical = place->file[0]
                           ? json_pack("{s:{s:s}, s:{s:i}}", "artifactLocation", "uri", place->file,
                                       "region", "startLine", place->line ? (int)place->line : 1)
                           : NULL;
    json_t *found =
        json_pack("{s:[{s:s}]}", "logicalLocations", "fullyQualifiedName", place->kernel);
    if (found && physical)
        (void)json_object_set_new(found, "physicalLocation", physical);
    return found;
}

static json_t *result(const struct finding *finding)
{
    const struct finding_row *row = &finding_rows[finding->kind];
    json_t *places = json_array(), *related = json_array();
    if (finding->place[0].what)
        (void)json_array_append_new(places, location(&finding->place[0]));
    if (finding->place[1].what)
        (void)json_array_append_new(related, location(&finding->place[1]));
    return json_pack("{s:s, s:s, s:{s:s}, s:o, s:o, s:I}", "ruleId", row->name, "level",
                     levels[row->level], "message", "text", finding->message, "locations", places,
                     "relatedLocations", related, "occurrenceCount", (json_int_t)finding->times);
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
