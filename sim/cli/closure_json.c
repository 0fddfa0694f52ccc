/* `simsm closure --json`: all points as one JSON object. */
#include <jansson.h>
#include <math.h>

#include "cli/closure_show.h"

static json_t *number(double value, bool given)
{
    return given && isfinite(value) ? json_real(value) : json_null();
}

static json_t *value(const char *list, double value_, bool given)
{
    return list ? json_string(list) : number(value_, given);
}

static json_t *row_object(const struct closure_row *row)
{
    const struct fact *fact = row->fact;
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:s, s:o, s:o, s:s, s:s}", "file",
                     row->table->name, "point", row->name, "kind", point_kind_names[row->kind],
                     "unit", fact->unit, "hardware", value(fact->list, fact->value, true), "min",
                     number(fact->min, !fact->list), "max", number(fact->max, !fact->list), "trust",
                     fact->trust, "source", fact->source, "simulated",
                     value(row->list, row->simulated, row->verdict != CLOSURE_FAILED), "error",
                     number(row->error, true), "verdict", closure_verdict_names[row->verdict],
                     "note", row->note);
}

bool closure_write_json(FILE *file, const struct closure_shown *shown)
{
    json_t *points = json_array();
    for (uint32_t i = 0; i < shown->closure->rows; i++)
        (void)json_array_append_new(points, row_object(&shown->closure->row[i]));
    json_t *all = json_pack("{s:s, s:s, s:s, s:I, s:o}", "gpu", shown->config->gpu_name, "tables",
                            shown->tables, "data", shown->data, "not_run",
                            (json_int_t)shown->closure->unknown, "points", points);
    const bool written =
        all &&
        json_dumpf(all, file, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12)) == 0;
    (void)fputc('\n', file);
    json_decref(all);
    return written || ferror(file);
}
