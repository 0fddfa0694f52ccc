/* Writes pictures, numbers and pages to files. */
#include "main/viz_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "html/html.h"

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
    struct outfile out;
    enum simsm_status status = files_open(&out, path, error);
    if (status == SIMSM_OK)
        status = files_finish(&out, screen->csv(&app->view, out.file, error), error);
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

/*
 * Writes the page of each launch whose timeline there is. Gives the names of the pages by activity,
 * to be freed.
 */
static enum simsm_status pages_of_launches(const struct program_file *program, const char *path,
                                           char **names, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (size_t i = 0; i < program->log.entries.count && status == SIMSM_OK; i++) {
        const uint64_t launch = activities(&program->log)[i].launch;
        struct run *run;
        char page[OUTFILE_PATH];
        if (!program_file_has_timeline(program, launch))
            continue;
        outfile_numbered(page, sizeof page, path, launch);
        status = program_file_open_launch(program, launch, &run, error);
        if (status != SIMSM_OK)
            break;
        status = page_of_run(run, NULL, last_part(path), page, error);
        run_close(run);
        names[i] = strdup(last_part(page));
        if (!names[i] && status == SIMSM_OK)
            status = err_no_memory(error);
    }
    return status;
}

static enum simsm_status page_of_program(const struct program_file *program, const char *path,
                                         struct simsm_error *error)
{
    const size_t count = program->log.entries.count;
    char **names = calloc(count + 1, sizeof *names);
    struct outfile out;
    if (!names)
        return err_no_memory(error);
    enum simsm_status status = SIMSM_OK;
    if (strcmp(path, "-") != 0)
        status = pages_of_launches(program, path, names, error);
    if (status == SIMSM_OK)
        status = files_open(&out, path, error);
    if (status == SIMSM_OK)
        status = files_finish(&out, html_write_program(program, names, out.file, error), error);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
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
