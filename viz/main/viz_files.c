/* Writes pictures, numbers and pages to files. */
#include "main/viz_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "html/html.h"
#include "language/language.h"

typedef enum simsm_status writer(const struct canvas *canvas, FILE *file,
                                 struct simsm_error *error);

enum simsm_status files_open(struct outfile *out, const char *path, struct simsm_error *error)
{
    if (strcmp(path, "-") != 0)
        return outfile_open(out, path, error);
    *out = (struct outfile){.file = stdout, .path = "standard output"};
    return SIMSM_OK;
}

enum simsm_status files_finish(struct outfile *out, enum simsm_status status,
                               struct simsm_error *error)
{
    if (status == SIMSM_OK && out->file != stdout)
        return outfile_commit(out, error);
    if (status == SIMSM_OK)
        return fflush(stdout) == 0 && !ferror(stdout)
                   ? SIMSM_OK
                   : err_at(error, SIMSM_FAILED, out->path, 0, 0, "writing failed");
    if (error && !error->file[0])
        (void)snprintf(error->file, sizeof error->file, "%.255s", out->path);
    if (out->file != stdout)
        outfile_abandon(out);
    return status;
}

static enum simsm_status picture(struct app *app, struct canvas *canvas, writer *write,
                                 const char *path, struct simsm_error *error)
{
    struct outfile out;
    if (!canvas)
        return err_no_memory(error);
    bool patient = app->view.patient;
    app->view.patient = true;
    app_draw(app, canvas); /* the first drawing finds out how wide things are, */
    if (canvas_resize(canvas, app->width, app->height, app->scale))
        app_draw(app, canvas); /* the second is what the next frame of a window would be */
    app->view.patient = patient;
    enum simsm_status status = app->view.problem[0]
                                   ? err_set(error, SIMSM_BAD_INPUT, "%s", app->view.problem)
                                   : files_open(&out, path, error);
    if (status == SIMSM_OK)
        status = files_finish(&out, write(canvas, out.file, error), error);
    canvas_destroy(canvas);
    return status;
}

enum simsm_status files_png(struct app *app, const char *path, struct simsm_error *error)
{
    return picture(app, canvas_create(app->width, app->height, app->scale), canvas_write_png, path,
                   error);
}

enum simsm_status files_svg(struct app *app, const char *path, struct simsm_error *error)
{
    return picture(app, canvas_create_svg(app->width, app->height, app->scale), canvas_write_svg,
                   path, error);
}

enum simsm_status files_csv(struct app *app, const char *path, struct simsm_error *error)
{
    const struct screen *screen = &screens[app->view.place.screen];
    const char *language = language_name();
    struct outfile out;
    (void)language_choose("en"); /* programs read it */
    enum simsm_status status = files_open(&out, path, error);
    if (status == SIMSM_OK)
        status = files_finish(&out, screen->csv(&app->view, out.file, error), error);
    (void)language_choose(language);
    return status;
}

static enum simsm_status page_of_run(struct run *run, struct run *other, const char *program,
                                     const char *path, struct simsm_error *error)
{
    struct outfile out;
    enum simsm_status status = files_open(&out, path, error);
    if (status == SIMSM_OK)
        status = files_finish(&out, html_write(run, other, program, out.file, error), error);
    return status;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Writes the page of a launch that has a timeline. A timeline that cannot be shown is a problem of
 * this launch alone. */
static enum simsm_status page_of_launch(const struct program_file *program, uint64_t launch,
                                        const char *path, struct launch_page *page,
                                        struct simsm_error *error)
{
    struct run *run;
    char name[OUTFILE_PATH];
    if (!program_file_has_timeline(program, launch))
        return SIMSM_OK;
    outfile_numbered(name, sizeof name, path, launch);
    if (program_file_open_launch(program, launch, &run, error) != SIMSM_OK) {
        char text[1400];
        page->problem = strdup(simsm_error_text(error, text, sizeof text));
        return page->problem ? SIMSM_OK : err_no_memory(error);
    }
    const enum simsm_status status = page_of_run(run, NULL, last_part(path), name, error);
    run_close(run);
    page->name = status == SIMSM_OK ? strdup(last_part(name)) : NULL;
    return status == SIMSM_OK && !page->name ? err_no_memory(error) : status;
}

static enum simsm_status page_of_program(const struct program_file *program, const char *path,
                                         struct simsm_error *error)
{
    const size_t count = program->log.entries.count;
    struct launch_page *pages = calloc(count + 1, sizeof *pages);
    struct outfile out;
    enum simsm_status status = pages ? SIMSM_OK : err_no_memory(error);
    const size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".smtl") == 0)
        status = err_set(error, SIMSM_BAD_INPUT,
                         "--html %s: the pages of launches would have the names of timelines: "
                         "choose a name that ends in .html",
                         path);
    for (size_t i = 0; status == SIMSM_OK && strcmp(path, "-") != 0 && i < count; i++)
        status =
            page_of_launch(program, activities(&program->log)[i].launch, path, &pages[i], error);
    if (status == SIMSM_OK)
        status = files_open(&out, path, error);
    if (status == SIMSM_OK)
        status = files_finish(&out, html_write_program(program, pages, out.file, error), error);
    for (size_t i = 0; pages && i < count; i++) {
        free(pages[i].name);
        free(pages[i].problem);
    }
    free(pages);
    return status;
}

enum simsm_status files_html(struct app *app, const char *path, struct simsm_error *error)
{
    if (app->view.program)
        return page_of_program(app->view.program, path, error);
    return page_of_run(app->view.run, app->view.other, NULL, path, error);
}

void files_name(const struct app *app, const char *suffix, char *path, size_t size)
{
    const bool program = view_is_program(&app->view);
    const char *timeline = program ? app->view.program->name : run_info(app->view.run)->name;
    size_t length = strlen(timeline);
    if (length > 5 && strcmp(timeline + length - 5, program ? ".json" : ".smtl") == 0)
        length -= 5;
    const char *screen = screens[app->view.place.screen].name;
    (void)snprintf(path, size, "%.*s-%s%s", (int)length, timeline, screen, suffix);
    for (unsigned i = 2; access(path, F_OK) == 0 && i < 1000; i++)
        (void)snprintf(path, size, "%.*s-%s-%u%s", (int)length, timeline, screen, i, suffix);
}
