/* Writes the page of a program: its time, its picture, its launches with links to their pages. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "html/html.h"
#include "html/html_figures.h"
#include "html/html_head.h"
#include "html/markup.h"
#include "html/pictures.h"
#include "language/language.h"
#include "report/quantity.h"
#include "view/chart.h"
#include "view/view_program.h"

enum {
    MOST_SUMS = 200,
    MOST_ROWS = 2000, /* launches in the table */
    MOST_HITS = 4000  /* bars with a title or a link */
};

struct program_page {
    FILE *file;
    const struct program_file *program;
    const struct launch_page *pages; /* of each activity */
};

static void write_about(const struct program_page *page)
{
    const struct activity_log *log = &page->program->log;
    const uint64_t copies =
        log->count[ACTIVITY_TO_DEVICE] + log->count[ACTIVITY_TO_HOST] + log->count[ACTIVITY_WITHIN];
    char number[32];
    fprintf(page->file, "<section id=\"what\">\n<h2>%s</h2>\n<dl>\n", _("What was run"));
    figures_item(page->file, _("Command"), log->command ? log->command : page->program->name);
    figures_item(page->file, "GPU", log->gpu ? log->gpu : _("not known"));
    figures_item(page->file, _("Time, from the first call to the last end"),
                 quantity_time(log->end - log->begin).text);
    figures_item(page->file, _("Launches"), chart_cycles(log->count[ACTIVITY_KERNEL], number));
    figures_item(page->file, _("Copies"), chart_cycles(copies, number));
    figures_item(page->file, _("Fills"), chart_cycles(log->count[ACTIVITY_FILL], number));
    fputs("</dl>\n</section>\n", page->file);
}

/* A column of a table; `number`: of figures. */
struct column {
    const char *title;
    bool number;
};

/* Begins a section with a table, up to its first row. */
static void begin_table(FILE *file, const char *id, const char *title, const struct column *columns,
                        size_t count)
{
    fprintf(file, "<section id=\"%s\">\n<h2>%s</h2>\n<div class=\"wide\"><table><thead><tr>", id,
            title);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "<th scope=\"col\"%s>%s</th>", columns[i].number ? " class=\"number\"" : "",
                translate(columns[i].title));
    fputs("</tr></thead><tbody>\n", file);
}

/* Writes a remark about the section. */
__attribute__((format(printf, 2, 3))) static void note(FILE *file, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("<p class=\"note\">", file);
    (void)vfprintf(file, format, values);
    fputs("</p>\n", file);
    va_end(values);
}

/* Writes rows of what, kind and count of work, time and share, and the end of the table. */
static void write_rows(FILE *file, const struct program_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool part = rows[i].what[0] == ' ';
        fprintf(file, part ? "<tr><th scope=\"row\" class=\"part\">%s" : "<tr><th scope=\"row\">%s",
                part ? _("of it ") : "");
        markup_text(file, rows[i].what + strspn(rows[i].what, " "));
        if (rows[i].kind != ACTIVITY_KIND_COUNT)
            fprintf(file, "</th><td>%s</td><td class=\"number\">%s",
                    translate(activity_looks[rows[i].kind].name), rows[i].count);
        fprintf(file, "%s<td class=\"number\">%s</td><td class=\"number\">%s</td></tr>\n",
                rows[i].kind != ACTIVITY_KIND_COUNT ? "</td>" : "</th>", rows[i].time,
                rows[i].share);
    }
    fputs("</tbody></table></div>\n", file);
}

static enum simsm_status write_sums(const struct program_page *page, struct simsm_error *error)
{
    const struct activity_log *log = &page->program->log;
    struct program_row shares[PROGRAM_SHARES];
    struct program_row *sums = calloc(MOST_SUMS, sizeof *sums);
    if (!sums)
        return err_no_memory(error);
    begin_table(
        page->file, "device", _("On the device"),
        (const struct column[]){{N_("What"), false}, {N_("Time"), true}, {N_("Share"), true}}, 3);
    program_share_rows(log, log->begin, log->end, shares);
    write_rows(page->file, shares, PROGRAM_SHARES);
    fputs("</section>\n", page->file);
    begin_table(page->file, "work", _("Work, by name"),
                (const struct column[]){{N_("Name"), false},
                                        {N_("Kind"), false},
                                        {N_("Times"), true},
                                        {N_("Time"), true},
                                        {N_("Share"), true}},
                5);
    write_rows(page->file, sums, program_sum_rows(log, log->begin, log->end, sums, MOST_SUMS));
    if (log->name_count > MOST_SUMS)
        note(page->file, _("The first %d names are listed."), (int)MOST_SUMS);
    fputs("</section>\n", page->file);
    free(sums);
    return SIMSM_OK;
}

/* Writes what lies over a bar of the picture: a title, and the link to the launch's page. */
static void write_hit(const struct program_page *page, const struct view *view, uint32_t activity)
{
    const struct activity *entry = &activities(&page->program->log)[activity];
    const struct rect bar = program_bar(view, activity);
    const char *link = page->pages[activity].name;
    if (bar.y + bar.h > view->time_area.y + view->time_area.h)
        return;
    fprintf(
        page->file,
        "<%s class=\"hit\" style=\"left:%.3f%%;top:%.3f%%;width:%.3f%%;height:%.3f%%\" title=\"",
        link ? "a" : "span", 100.0 * bar.x / view->area.w, 100.0 * bar.y / view->area.h,
        100.0 * bar.w / view->area.w, 100.0 * bar.h / view->area.h);
    if (entry->launch)
        fprintf(page->file, _("launch %llu: "), (unsigned long long)entry->launch);
    markup_text(page->file, entry->name);
    fprintf(page->file, ", %s", quantity_time(entry->end - entry->begin).text);
    if (link) {
        fputs("\" href=\"", page->file);
        markup_link(page->file, link);
    }
    fprintf(page->file, "\"></%s>\n", link ? "a" : "span");
}

static enum simsm_status write_picture(const struct program_page *page, struct recolour *colours,
                                       struct simsm_error *error)
{
    static struct view view; /* too large for some stacks */
    const struct activity_log *log = &page->program->log;
    size_t hits = 0;
    fprintf(page->file,
            "<section id=\"program\">\n<h2>%s</h2>\n<p class=\"question\">%s</p>\n"
            "<figure tabindex=\"0\" aria-label=\"%s\"><div class=\"picture\">\n",
            translate(screens[SCREEN_PROGRAM].title), translate(screens[SCREEN_PROGRAM].question),
            translate(screens[SCREEN_PROGRAM].title));
    const enum simsm_status status =
        pictures_write_program(page->file, &view, page->program, colours, error);
    for (uint32_t i = 0; status == SIMSM_OK && i < log->entries.count && hits < MOST_HITS; i++)
        if (!activity_is_call(&activities(log)[i])) {
            write_hit(page, &view, i);
            hits++;
        }
    fputs("</div></figure>\n", page->file);
    if (view.shown_rows < view.content_rows - 0.5)
        note(page->file, _("The first %.0f of %u rows are shown."), floor(view.shown_rows),
             log->lane_count);
    if (hits == MOST_HITS)
        note(page->file, _("Only the first %d bars have names and links."), (int)MOST_HITS);
    fputs("</section>\n", page->file);
    return status;
}

static void write_launch(const struct program_page *page, uint32_t activity)
{
    const struct activity_log *log = &page->program->log;
    const struct activity *entry = &activities(log)[activity];
    const char *link = page->pages[activity].name;
    char text[32];
    fprintf(page->file, "<tr><td class=\"number\">%llu</td><th scope=\"row\">",
            (unsigned long long)entry->launch);
    if (link) {
        fputs("<a href=\"", page->file);
        markup_link(page->file, link);
        fputs("\">", page->file);
    }
    markup_text(page->file, entry->name);
    fprintf(page->file, "%s</th><td>%s</td>", link ? "</a>" : "",
            program_lane(log, log->lane[activity], text));
    fprintf(page->file,
            "<td class=\"number\">%u × %u × %u</td><td class=\"number\">%u × %u × %u</td>",
            entry->grid[0], entry->grid[1], entry->grid[2], entry->block[0], entry->block[1],
            entry->block[2]);
    fprintf(page->file, "<td class=\"number\">%s</td><td class=\"number\">%s</td></tr>\n",
            program_time(log, entry->begin, 1, text),
            quantity_time(entry->end - entry->begin).text);
}

/* A launch in the table: its number, and its activity. */
struct launch_row {
    uint64_t launch;
    uint32_t activity;
};

static int by_launch(const void *a, const void *b)
{
    const struct launch_row *x = a, *y = b;
    return (x->launch > y->launch) - (x->launch < y->launch);
}

static enum simsm_status write_launches(const struct program_page *page, struct simsm_error *error)
{
    const struct activity_log *log = &page->program->log;
    struct launch_row *row = calloc(log->entries.count + 1, sizeof *row);
    size_t rows = 0, linked = 0;
    char path[4096];
    if (!row)
        return err_no_memory(error);
    for (uint32_t i = 0; i < log->entries.count; i++)
        if (activities(log)[i].launch)
            row[rows++] = (struct launch_row){activities(log)[i].launch, i};
    if (rows)
        qsort(row, rows, sizeof *row, by_launch);
    rows = rows < MOST_ROWS ? rows : MOST_ROWS;
    begin_table(page->file, "launches", _("Launches"),
                (const struct column[]){{N_("Launch"), true},
                                        {N_("Kernel"), false},
                                        {N_("Stream"), false},
                                        {N_("Grid"), true},
                                        {N_("Block"), true},
                                        {N_("Begins"), true},
                                        {N_("Takes"), true}},
                7);
    for (size_t i = 0; i < rows; i++) {
        write_launch(page, row[i].activity);
        linked += page->pages[row[i].activity].name != NULL;
    }
    fputs("</tbody></table></div>\n", page->file);
    if (rows < log->count[ACTIVITY_KERNEL])
        note(page->file, _("The first %zu of %llu launches are listed."), rows,
             (unsigned long long)log->count[ACTIVITY_KERNEL]);
    for (size_t i = 0; i < rows; i++)
        if (page->pages[row[i].activity].problem) {
            fputs("<p class=\"note\">", page->file);
            markup_text(page->file, page->pages[row[i].activity].problem);
            fputs("</p>\n", page->file);
        }
    free(row);
    if (log->by_device)
        fprintf(
            page->file, "<p>%s</p>\n",
            _("Kernels launch kernels here. Recorded alone, launches have other numbers, so that "
              "none has a page: make one of each .smtl file by itself."));
    else if (linked < rows) {
        fprintf(
            page->file, "<p>%s",
            _("A launch with a link has a page of its own. For the others, record their "
              "timelines: the command above without --concurrent and --program, with --timeline "));
        markup_text(page->file, program_file_timeline(page->program, 0, path, sizeof path));
        fprintf(page->file, "%s</p>\n", _(" and, for some launches only, --launches A:B."));
    }
    fputs("</section>\n", page->file);
    return SIMSM_OK;
}

enum simsm_status html_write_program(const struct program_file *program,
                                     const struct launch_page *pages, FILE *file,
                                     struct simsm_error *error)
{
    char *text = NULL;
    size_t size;
    static struct recolour colours; /* too large for some stacks */
    struct program_page page = {open_memstream(&text, &size), program, pages};
    if (!page.file)
        return err_no_memory(error);
    colours = (struct recolour){0};
    write_about(&page);
    enum simsm_status status = write_picture(&page, &colours, error);
    if (status == SIMSM_OK)
        status = write_sums(&page, error);
    if (status == SIMSM_OK)
        status = write_launches(&page, error);
    if (fclose(page.file) != 0 && status == SIMSM_OK)
        status = err_no_memory(error);
    if (status == SIMSM_OK) {
        head_write(file, _("A program"), program->log.gpu ? program->log.gpu : _("a GPU"),
                   &colours);
        fprintf(file, "<main>\n%s</main>\n</body>\n</html>\n", text);
    }
    free(text);
    return status;
}
