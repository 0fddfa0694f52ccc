/* Writes a page: head, sections, data of the timeline, scripts. */
#include "html/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "canvas/theme.h"
#include "html/html_figures.h"
#include "html/html_head.h"
#include "html/html_report.h"
#include "html/markup.h"
#include "html/pack.h"
#include "html/pictures.h"
#include "html/resources.h"
#include "html/script_words.h"
#include "language/language.h"
#include "model/op.h"
#include "view/view_compare.h"

/*
 * MOST_DATA: bytes of the timelines of all SMs before base64, which makes 4 bytes of 3. MOST_CODE:
 * bytes of the instructions' text. MOST_LINES: instructions with operands.
 */
enum { MOST_DATA = 2500 << 10, MOST_CODE = 512 << 10, MOST_LINES = 4096 };

/* ---- Data of the timeline ---- */

static void write_lines(FILE *file, const struct timeline_info *info)
{
    size_t size = 0;
    fputs("\"lines\":[", file);
    for (uint32_t i = 0; i < info->line_count && size < MOST_CODE; i++) {
        size += strlen(info->lines[i].text) + 3;
        fputs(i ? "," : "", file);
        markup_json(file, info->lines[i].text);
    }
    fputs("],", file);
}

static void write_ranges(FILE *file, const char *name, const struct reg_range *range,
                         uint32_t count)
{
    fprintf(file, ",\"%s\":[", name);
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "%s%u,%u", i ? "," : "", range[i].first, range[i].count);
    fputs("]", file);
}

/* Writes what the page needs to find on which earlier instructions an instruction depends. */
static void write_code(FILE *file, const struct timeline_info *info)
{
    uint32_t count = info->line_count < MOST_LINES ? info->line_count : MOST_LINES;
    fputs("\"code\":[", file);
    for (uint32_t i = 0; i < count; i++) {
        const struct timeline_line *line = &info->lines[i];
        const struct timeline_op *op = &info->ops[line->op];
        fprintf(file, "%s{\"route\":%u,\"memory\":%s,\"latency\":%u", i ? "," : "", op->route,
                op_is_memory(op->known) ? "true" : "false", op->latency);
        write_ranges(file, "src", line->source, line->n_sources);
        write_ranges(file, "dst", line->destination, line->n_destinations);
        fputs("}", file);
    }
    fputs("],\"levels\":[", file);
    for (uint32_t i = 0; i < info->level_count; i++) {
        fputs(i ? "," : "", file);
        markup_json(file, translate(info->levels[i]));
    }
    fputs("],", file);
}

static void write_names(FILE *file, const struct timeline_info *info)
{
    fprintf(file, "<script type=\"application/json\" id=\"run\">{\"subs\":%u,\"slots\":%u,",
            info->sub_partitions, info->slots);
    write_lines(file, info);
    write_code(file, info);
    fprintf(file, "\"issued\":%d,\"empty\":%d,\"exited\":%d,\"states\":[", (int)SIMSM_STATE_ISSUED,
            (int)SIMSM_STATE_EMPTY, (int)SIMSM_STATE_EXITED);
    for (unsigned s = 0; s < SIMSM_STATE_COUNT; s++) {
        const struct simsm_state_info *state = &simsm_states[s];
        fprintf(file, "%s{\"name\":\"%s\",\"letter\":\"%c\",\"hatch\":%d,\"title\":", s ? "," : "",
                state->name, state->letter, (int)theme_of(THEME_LIGHT)->states[s].hatch);
        markup_json(file, translate(state->title));
        fputs(",\"meaning\":", file);
        markup_json(file, translate(state->meaning));
        fputs("}", file);
    }
    fputs("]", file);
    script_words_write(file);
    fputs("}</script>\n", file);
}

static enum simsm_status write_sm(FILE *file, struct run *run, uint32_t sm, size_t *room,
                                  size_t share, struct simsm_error *error)
{
    struct byte_buffer bytes = {0};
    uint32_t shift;
    enum simsm_status status = pack_sm(run, sm, share, &bytes, &shift, error);
    if (status == SIMSM_OK && bytes.size) {
        fprintf(file, "<script type=\"text/plain\" class=\"sm\" data-sm=\"%u\">", sm);
        markup_base64(file, bytes.data, bytes.size);
        fputs("</script>\n", file);
    }
    *room -= bytes.size < *room ? bytes.size : *room;
    buffer_free(&bytes);
    return status;
}

/*
 * Writes the timelines of all SMs. The first SM, which is shown first, may take half of the room,
 * so that it is more likely to be exact. A damaged SM is left out, with a message in `notes`.
 */
static enum simsm_status write_data(FILE *file, FILE *notes, struct run *run,
                                    struct simsm_error *error)
{
    const struct timeline_info *info = run_info(run);
    size_t room = MOST_DATA;
    write_names(file, info);
    for (uint32_t i = 0; i < info->sm_count; i++) {
        uint32_t left = info->sm_count - i;
        size_t share = i == 0 && left > 1 ? room / 2 : room / left;
        enum simsm_status status = write_sm(file, run, info->sm[i], &room, share, error);
        if (status != SIMSM_OK && status != SIMSM_BAD_INPUT)
            return status;
        if (status == SIMSM_BAD_INPUT) {
            fputs("<p class=\"note\">", notes);
            fprintf(notes, _("SM %u is left out here: "), info->sm[i]);
            markup_text(notes, error->message);
            fputs("</p>\n", notes);
        }
    }
    return SIMSM_OK;
}

/* ---- The page ---- */

static void write_page_head(FILE *file, const struct run *run, const char *program,
                            const struct recolour *colours)
{
    const struct timeline_info *info = run_info(run);
    head_write(file, info->launch.name, info->gpu, colours);
    if (program) {
        fputs("<nav><a href=\"", file);
        markup_link(file, program);
        fprintf(file, "\">◀ %s</a>%s</nav>\n", _("The program"),
                _(": the launch is seen here alone, with cold caches."));
    }
}

static void write_interactive(FILE *file, const struct run *run, const char *notes)
{
    fprintf(file, "<section id=\"explore\">\n<h2>%s</h2>\n<p class=\"question\">%s</p>\n",
            _("Explore the timeline"), _("What does every warp slot do in every cycle?"));
    fprintf(
        file,
        "<div class=\"tools\"><label>SM <select id=\"sm\"></select></label>\n"
        "<button id=\"in\" title=\"w, +\">%s</button>\n"
        "<button id=\"out\" title=\"s, -\">%s</button>\n"
        "<button id=\"left\" title=\"a\">◀ %s</button>\n"
        "<button id=\"right\" title=\"d\">%s ▶</button>\n"
        "<button id=\"whole\" title=\"z\">%s</button>\n"
        "<span id=\"range\"></span></div>\n"
        "<p class=\"note\" id=\"coarse\" hidden></p>\n"
        "<div id=\"stage\"><canvas id=\"timeline\" tabindex=\"0\" role=\"application\" "
        "aria-label=\"%s\" aria-describedby=\"cell\"></canvas><div id=\"mark\" "
        "hidden></div></div>\n"
        "<output id=\"cell\" aria-live=\"polite\">%s</output>\n",
        _("zoom in"), _("zoom out"), _("earlier"), _("later"), _("whole run"),
        _("Timeline: warp slots by cycle. Arrow keys move the selected cell, plus and minus zoom."),
        _("Point at a cell to read what the warp does, and why."));
    fputs(notes, file);
    figures_legend(file, run);
    fprintf(
        file,
        "<noscript><p class=\"note\">%s</p></noscript>\n"
        "<details open><summary>%s</summary><p>%s</p></details>\n</section>\n",
        _("Without scripts there is no timeline to explore here; the pictures below are "
          "complete."),
        _("How to use it"),
        _("The wheel zooms at the pointer, with Shift it goes through time; drag to move; click to "
          "keep a cell selected. Keys, once "
          "the timeline has the focus: w s zoom, a d move, z shows the whole run, arrows step "
          "through cycles (Ctrl: 10) and slots. Zoomed out, a column shows the state that fills "
          "most of its cycles, below it the second one, and at the foot a tick as high as the "
          "share of cycles with an issue. The strip above each sub-partition is the share of "
          "cycles in which its scheduler issued."));
}

/* Writes which of two runs is faster, and why. */
static void write_comparison(FILE *file, struct run *run, struct run *other)
{
    char sentence[560];
    compare_sentence(run, other, sentence, sizeof sentence);
    if (!*sentence)
        return;
    fprintf(file, "<section id=\"compared\">\n<h2>%s</h2>\n<p class=\"verdict\">",
            _("Which run is faster, and why"));
    markup_text(file, sentence);
    fprintf(file, "</p>\n<p>%s", _("A is "));
    markup_text(file, compare_name(run));
    fputs(_(", the run of this page; B is "), file);
    markup_text(file, compare_name(other));
    fprintf(file, "%s</p>\n</section>\n",
            _(". The picture <a href=\"#screen-compare\">Compare</a> shows both."));
}

static void write_figures(FILE *file, struct run *run, struct run *other, const char *notes)
{
    fputs("<main>\n", file);
    if (other)
        write_comparison(file, run, other);
    fprintf(file, "<section id=\"what\">\n<h2>%s</h2>\n", _("What was run"));
    figures_run(file, run);
    fputs("</section>\n", file);
    report_limits(file, run);
    write_interactive(file, run, notes);
    fprintf(file, "<section id=\"states\">\n<h2>%s</h2>\n", _("Where the warps' cycles went"));
    figures_states(file, run);
    fputs("</section>\n", file);
    report_details(file, run);
    fprintf(file, "<section id=\"figures\">\n<h2>%s</h2>\n", _("Figures of the run"));
    figures_metrics(file, run);
    fputs("</section>\n", file);
}

/* Parts of the page that are made before the parts in front of them. */
enum page_part { PICTURES, DATA, NOTES, PARTS };

struct page_parts {
    FILE *file[PARTS];
    char *text[PARTS];
    size_t size[PARTS];
    struct recolour colours;
};

static enum simsm_status make_parts(struct page_parts *parts, struct run *run, struct run *other,
                                    enum html_pictures pictures, struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (int i = 0; i < PARTS; i++) {
        parts->file[i] = open_memstream(&parts->text[i], &parts->size[i]);
        if (!parts->file[i])
            status = err_no_memory(error);
    }
    if (status == SIMSM_OK && pictures == HTML_ALL_PICTURES)
        status = pictures_write(parts->file[PICTURES], run, other, &parts->colours, error);
    if (status == SIMSM_OK)
        status = write_data(parts->file[DATA], parts->file[NOTES], run, error);
    for (int i = 0; i < PARTS; i++)
        if (parts->file[i] && fclose(parts->file[i]) != 0 && status == SIMSM_OK)
            status = err_no_memory(error);
    return status;
}

static enum simsm_status write_page(struct run *run, struct run *other, const char *program,
                                    enum html_pictures pictures, FILE *file,
                                    struct simsm_error *error)
{
    struct page_parts *parts = calloc(1, sizeof *parts);
    enum simsm_status status =
        parts ? make_parts(parts, run, other, pictures, error) : err_no_memory(error);
    if (status == SIMSM_OK) {
        write_page_head(file, run, program, &parts->colours);
        write_figures(file, run, other, parts->text[NOTES]);
        if (pictures == HTML_ALL_PICTURES)
            fprintf(file, "<p class=\"aside\">%s</p>\n",
                    _("The pictures below are screens of simsm-view; keys and clicks in their "
                      "explanations work there."));
        fputs(parts->text[PICTURES], file);
        fprintf(file, "<p class=\"aside\">%s</p>\n</main>\n",
                _("Words: <code>simsm explain WORD</code> says what a state, a metric or a word "
                  "means; docs/glossary.md has all of them."));
        fputs(parts->text[DATA], file);
        fprintf(file, "<script>\n%s</script>\n</body>\n</html>\n", resource_script);
    }
    for (int i = 0; parts && i < PARTS; i++)
        free(parts->text[i]);
    free(parts);
    return status;
}

enum simsm_status html_write(struct run *run, struct run *other, const char *program, FILE *file,
                             struct simsm_error *error)
{
    return write_page(run, other, program, HTML_ALL_PICTURES, file, error);
}

enum simsm_status html_write_part(struct run *run, enum html_pictures pictures, FILE *file,
                                  struct simsm_error *error)
{
    return write_page(run, NULL, NULL, pictures, file, error);
}
