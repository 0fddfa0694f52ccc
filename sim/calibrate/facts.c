#include "calibrate/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/err.h"
#include "config/sources.h"

enum { LIMIT = 4 << 20 };
enum facts_column { FILE_, POINT_, UNIT_, VALUE_, MIN_, MAX_, TRUST_, SOURCE_, COLUMNS };

static const char *const names[COLUMNS] = {"file", "point", "unit",  "value",
                                           "min",  "max",   "trust", "source"};

const struct fact *facts_find(const struct facts *facts, const char *file, const char *point)
{
    for (size_t i = 0; i < facts->facts; i++)
        if (strcmp(facts->fact[i].point, point) == 0 && strcmp(facts->fact[i].file, file) == 0)
            return &facts->fact[i];
    return NULL;
}

static enum simsm_status add(struct facts *facts, const struct fact *fact,
                             struct simsm_error *error)
{
    struct fact *more = realloc(facts->fact, (facts->facts + 1) * sizeof *more);
    if (!more)
        return err_no_memory(error);
    facts->fact = more;
    facts->fact[facts->facts++] = *fact;
    return SIMSM_OK;
}

static enum simsm_status add_measured(struct facts *facts, const char *path,
                                      struct simsm_error *error)
{
    struct record record;
    enum simsm_status status = record_read(&record, path, error);
    for (size_t i = 0; status == SIMSM_OK && i < record.rows; i++) {
        struct record_row *row = &record.row[i];
        struct fact fact = {
            .value = row->value, .min = row->min, .max = row->max, .list = row->list};
        if (!row->has_value)
            continue;
        memcpy(fact.file, row->file, sizeof fact.file);
        memcpy(fact.point, row->point, sizeof fact.point);
        memcpy(fact.unit, row->unit, sizeof fact.unit);
        (void)snprintf(fact.trust, sizeof fact.trust, "measured");
        status = add(facts, &fact, error);
        if (status == SIMSM_OK)
            row->list = NULL;
    }
    record_free(&record);
    return status;
}

/* Reads a number; an empty text has the value `otherwise`. */
static bool number(const char *text, double otherwise, double *value)
{
    char *end;
    *value = *text ? strtod(text, &end) : otherwise;
    return !*text || (!*end && end != text && isfinite(*value));
}

static bool is_trust(const char *text)
{
    for (const struct sources_trust *trust = sources_trusts; trust->name; trust++)
        if (strcmp(trust->name, text) == 0)
            return true;
    return false;
}

static enum simsm_status published_row(struct csv_reader *csv, struct fact *fact)
{
    const struct {
        char *to;
        size_t size;
        enum facts_column from;
    } texts[] = {
        {fact->file, sizeof fact->file, FILE_},       {fact->point, sizeof fact->point, POINT_},
        {fact->unit, sizeof fact->unit, UNIT_},       {fact->trust, sizeof fact->trust, TRUST_},
        {fact->source, sizeof fact->source, SOURCE_},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *text = csv->cell[texts[i].from];
        if (!*text || strlen(text) >= texts[i].size)
            return csv_fail(csv, "%s: a text of 1 to %zu bytes is expected", names[texts[i].from],
                            texts[i].size - 1);
        (void)snprintf(texts[i].to, texts[i].size, "%s", text);
    }
    if (!is_trust(fact->trust))
        return csv_fail(csv,
                        "trust: measured, vendor, paper, derived, recalled, transferred or "
                        "estimate is expected, found '%s'",
                        fact->trust);
    if (!*csv->cell[VALUE_] || !number(csv->cell[VALUE_], 0.0, &fact->value) ||
        !number(csv->cell[MIN_], fact->value, &fact->min) ||
        !number(csv->cell[MAX_], fact->value, &fact->max))
        return csv_fail(csv, "value, min and max: numbers are expected");
    return SIMSM_OK;
}

static enum simsm_status add_published(struct facts *facts, const char *path,
                                       struct simsm_error *error)
{
    struct csv_reader csv;
    enum simsm_status status =
        csv_open(&csv, path, "list of published values", names, COLUMNS, LIMIT, error);
    while (status == SIMSM_OK && csv_next(&csv, &status)) {
        struct fact fact = {.list = NULL};
        status = published_row(&csv, &fact);
        if (status == SIMSM_OK && !facts_find(facts, fact.file, fact.point))
            status = add(facts, &fact, error);
    }
    csv_close(&csv);
    return status;
}

enum simsm_status facts_read(struct facts *facts, const char *folder, struct simsm_error *error)
{
    static const struct {
        const char *name;
        enum simsm_status (*add)(struct facts *, const char *, struct simsm_error *);
    } files[] = {{"calib.csv", add_measured}, {"published.csv", add_published}};
    bool any = false;
    *facts = (struct facts){.facts = 0};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[PLAN_PATH];
        (void)snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        if (access(path, F_OK) != 0)
            continue;
        any = true;
        enum simsm_status status = files[i].add(facts, path, error);
        if (status != SIMSM_OK)
            return status;
    }
    if (any)
        return SIMSM_OK;
    if (access(folder, F_OK) != 0)
        return err_at(error, SIMSM_BAD_INPUT, folder, 0, 0,
                      "this folder does not exist; name the folder that has the measured values");
    return err_at(
        error, SIMSM_BAD_INPUT, folder, 0, 0,
        "has neither calib.csv nor published.csv, of which one has to be there to compare "
        "with");
}

void facts_free(struct facts *facts)
{
    for (size_t i = 0; i < facts->facts; i++)
        free(facts->fact[i].list);
    free(facts->fact);
    *facts = (struct facts){.facts = 0};
}
