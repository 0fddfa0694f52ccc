/* Writes the outputs of `simsm results`: text, CSV, JSON, SVG and PNG. */
#include "cli/results_show.h"

#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "base/program.h"
#include "results/results_list.h"
#include "results/results_measured.h"
#include "sweep/version.h"

/* The content of an output: the results, and the table or comparison made from them. */
struct results_content {
    const struct results_show *show;
    struct results *results;
    struct pivot *pivot;              /* NULL: no table */
    struct measured_points *measured; /* NULL: no comparison */
};

typedef enum simsm_status write_content(FILE *file, const struct results_content *content,
                                        struct simsm_error *error);

static enum simsm_status write_csv(FILE *file, const struct results_content *c,
                                   struct simsm_error *error)
{
    (void)error;
    if (c->measured)
        show_csv(file, &c->measured->shown);
    else if (c->pivot)
        pivot_csv(file, c->pivot, &c->show->table);
    else
        list_csv(file, c->results);
    return SIMSM_OK;
}

static enum simsm_status write_json(FILE *file, const struct results_content *c,
                                    struct simsm_error *error)
{
    return c->measured ? show_json(file, &c->measured->shown, error)
                       : list_json(file, c->results, error);
}

static enum simsm_status draw(FILE *file, const struct results_content *c,
                              struct simsm_error *error)
{
    const struct results_show *show = c->show;
    const char *title = show->titles.count ? show->titles.item[0].text : NULL;
    switch (show->kind) {
    case FIGURE_CURVES:
        return figure_curves(file, c->results, &show->table, show->panels, &show->titles, error);
    case FIGURE_STACK:
        return figure_stack(file, c->results, &show->table, title, error);
    case FIGURE_SCATTER:
        return show_svg(file, &c->measured->shown, error);
    default:
        return figure_bars(file, c->pivot, &show->table, title, error);
    }
}

/* Writes the picture, followed by a processing instruction with simsm's version and the command
 * line that made it. XML allows it there, and viewers do not show it. */
static enum simsm_status write_svg(FILE *file, const struct results_content *c,
                                   struct simsm_error *error)
{
    enum simsm_status status = draw(file, c, error);
    const char *at = c->show->command;
    (void)fprintf(file, "<?simsm %s: ", sweep_version);
    for (; status == SIMSM_OK && *at; at++)
        (void)fputc(at[0] == '?' && at[1] == '>' ? ' ' : *at, file);
    (void)fputs("?>\n", file);
    return status;
}

static enum simsm_status write_file(const char *path, write_content *write,
                                    const struct results_content *content,
                                    struct simsm_error *error)
{
    struct outfile out = {0};
    if (!path)
        return SIMSM_OK;
    enum simsm_status status = outfile_open(&out, path, error);
    if (status == SIMSM_OK)
        status = write(out.file, content, error);
    if (status == SIMSM_OK)
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return status;
}

/* Converts SVG to PNG at twice its size, for papers and slides. */
static enum simsm_status convert(const char *svg, const char *png, struct simsm_error *error)
{
    const char *words[] = {"rsvg-convert", "--format=png", "--zoom=2", "--output", png, svg, NULL};
    char said[1024], told[600];
    bool good;
    enum simsm_status status = program_ask(words, said, sizeof said, &good, error);
    if (status != SIMSM_OK || good)
        return status;
    return err_set(error, SIMSM_FAILED, "rsvg-convert: %s", printable(said, told, sizeof told));
}

static enum simsm_status write_png(const struct results_content *content, struct simsm_error *error)
{
    const char *path = content->show->png;
    struct outfile png = {0};
    char svg[OUTFILE_PATH + 64];
    if (!path)
        return SIMSM_OK;
    enum simsm_status status = outfile_open(&png, path, error);
    if (status != SIMSM_OK)
        return status;
    if (!png.beside[0]) {
        outfile_abandon(&png);
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "is not a regular file");
    }
    (void)snprintf(svg, sizeof svg, "%s.svg", png.beside);
    status = write_file(svg, write_svg, content, error);
    if (status == SIMSM_OK)
        status = convert(svg, png.beside, error);
    (void)unlink(svg);
    if (status == SIMSM_OK)
        return outfile_commit(&png, error);
    outfile_abandon(&png);
    return status;
}

static enum simsm_status print(const struct results_content *c, struct simsm_error *error)
{
    if (c->show->csv || c->show->json || (c->show->svg && outfile_is_stdout(c->show->svg)))
        return SIMSM_OK;
    if (c->measured)
        return show_text(stdout, &c->measured->shown, error);
    if (c->pivot)
        pivot_text(stdout, c->pivot, &c->show->table);
    else if (c->show->kind == FIGURE_KINDS)
        list_text(stdout, c->results);
    return SIMSM_OK;
}

static enum simsm_status write_all(const struct results_content *content, struct simsm_error *error)
{
    enum simsm_status status = write_file(content->show->csv, write_csv, content, error);
    if (status == SIMSM_OK)
        status = write_file(content->show->json, write_json, content, error);
    if (status == SIMSM_OK)
        status = write_file(content->show->svg, write_svg, content, error);
    if (status == SIMSM_OK)
        status = write_png(content, error);
    return status == SIMSM_OK ? print(content, error) : status;
}

static enum simsm_status show_measured(const struct results_show *show, struct results *results,
                                       struct simsm_error *error)
{
    struct measured_points measured = {.gpu = ""};
    const struct results_content content = {
        .show = show, .results = results, .measured = &measured};
    enum simsm_status status =
        measured_compare(&measured, results, show->measured, show->table.metric, error);
    if (status == SIMSM_OK)
        status = write_all(&content, error);
    measured_free(&measured);
    return status;
}

enum simsm_status results_show(const struct results_show *show, struct results *results,
                               struct simsm_error *error)
{
    struct pivot pivot = {0};
    const bool tabular = show->table.rows.count && show->kind != FIGURE_STACK;
    const struct results_content content = {
        .show = show, .results = results, .pivot = tabular ? &pivot : NULL};
    if (show->measured)
        return show_measured(show, results, error);
    enum simsm_status status =
        tabular ? pivot_make(&pivot, results, &show->table, error) : SIMSM_OK;
    if (results_check_damage(results, error) == SIMSM_OK && status == SIMSM_OK)
        status = write_all(&content, error);
    pivot_free(&pivot);
    return results->damage.status == SIMSM_OK ? status : results_check_damage(results, error);
}
