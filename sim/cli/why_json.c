/* `simsm why --json`: all kinds that were examined, and all their advice. */
#include <jansson.h>

#include "base/printable.h"
#include "cli/why_show.h"

static json_t *advice_object(const struct experiment_kind *kind, unsigned number)
{
    const struct advice *advice = &kind->advice[number];
    const struct advice_row *row = &advice_rows[advice->id];
    return json_pack("{s:s, s:s, s:f, s:f, s:b, s:s, s:s, s:s, s:s}", "advice", row->name, "title",
                     row->title, "share", advice->share, "estimate", advice->estimate, "measured",
                     (int)advice->measured, "experiment", row->experiment, "place", advice->place,
                     "figure", advice->figure, "try", row->remedy);
}

static json_t *kind_object(const struct why *why, const struct experiment_kind *kind)
{
    const struct simsm_launch *l = &kind->launch;
    char name[sizeof l->name];
    json_t *advice = json_array();
    for (unsigned i = 0; i < kind->advices; i++)
        (void)json_array_append_new(advice, advice_object(kind, i));
    json_t *o = json_pack("{s:s, s:[iii], s:[iii], s:i, s:I, s:s, s:f, s:i, s:o}", "kernel",
                          printable(l->name, name, sizeof name), "grid", (int)l->grid[0],
                          (int)l->grid[1], (int)l->grid[2], "block", (int)l->block[0],
                          (int)l->block[1], (int)l->block[2], "launches", (int)kind->count,
                          "cycles", (json_int_t)kind->cycles, "roof", kind->roof.name, "roof_share",
                          kind->roof.share, "worth", (int)why_worth(kind), "advice", advice);
    if (why->experiments->only && o) {
        (void)json_object_set_new(o, "experiment", json_string(why->experiments->only));
        (void)json_object_set_new(o, "experiment_cycles",
                                  json_integer((json_int_t)kind->only_cycles));
    }
    return o;
}

bool why_json(FILE *file, const struct why *why)
{
    json_t *kinds = json_array();
    for (uint32_t i = 0; i < why->kinds; i++)
        (void)json_array_append_new(kinds, kind_object(why, &why->experiments->kind[i]));
    json_t *all = json_pack("{s:s, s:i, s:o}", "configuration", why->config_name, "not_examined",
                            (int)(why->experiments->kinds - why->kinds), "kinds", kinds);
    if (all && why->copies)
        (void)json_object_set_new(all, "program",
                                  json_pack("{s:s, s:f, s:s, s:s}", "advice", "copies_alone",
                                            "share", why->copies->share, "figure",
                                            why->copies->figure, "try", copy_overlap_remedy));
    const bool written =
        all &&
        json_dumpf(all, file, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6)) == 0;
    (void)fputc('\n', file);
    json_decref(all);
    return written || ferror(file);
}
