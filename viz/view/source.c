/* Source: where warps wait, instruction by instruction. */
#include <stdlib.h>
#include <string.h>

#include "view/chart.h"
#include "view/screens.h"
#include "view/source.h"

struct columns {
    struct rect head, rows;
    int line;                                         /* height of a row */
    struct rect pc, source, text, issues, lanes, bar; /* x and w of each */
};

static uint64_t waiting(const struct track_line *line)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++)
        sum += line->states[i];
    return sum;
}

static struct columns columns_of(const struct view *view, const struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect area = rect_inset(view->area, m->pad);
    struct columns c = {.line = m->line[TEXT_NORMAL] + 2 * m->px};
    c.head = rect_cut_top(&area, m->line[TEXT_NORMAL] + m->pad);
    c.rows = area;
    int a = m->advance[TEXT_NORMAL];
    c.pc = rect_cut_left(&area, 7 * a);
    c.source = rect_cut_left(&area, 6 * a);
    c.bar = rect_cut_right(&area, area.w * 45 / 100);
    c.lanes = rect_cut_right(&area, 8 * a);
    c.issues = rect_cut_right(&area, 11 * a);
    c.text = area;
    c.text.w -= a;
    c.bar.x += 2 * a;
    c.bar.w -= 2 * a;
    return c;
}

static void draw_head(const struct view *view, struct canvas *canvas, const struct columns *c)
{
    const struct theme *theme = view_theme(view);
    const struct {
        const struct rect *column;
        const char *text;
        enum text_align align;
    } heads[] = {{&c->pc, "offset", ALIGN_LEFT},
                 {&c->source, "line", ALIGN_LEFT},
                 {&c->text, "instruction", ALIGN_LEFT},
                 {&c->issues, "issued", ALIGN_RIGHT},
                 {&c->lanes, "lanes", ALIGN_RIGHT},
                 {&c->bar, "warp cycles with it next, by state", ALIGN_LEFT}};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        struct rect cell = {heads[i].column->x, c->head.y, heads[i].column->w, c->head.h};
        canvas_text_in(canvas, cell, TEXT_NORMAL, heads[i].align, theme->quiet, heads[i].text);
    }
}

/* Stacked: the longest bar of the kernel fills the column. */
static void draw_bar(const struct view *view, struct canvas *canvas, struct rect bar,
                     const struct track_line *line, uint64_t most)
{
    const struct theme *theme = view_theme(view);
    uint64_t sum = 0;
    int begin = bar.x;
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++) {
        if (!line->states[i])
            continue;
        sum += line->states[i];
        int end = bar.x + (int)((double)sum * bar.w / (double)most);
        struct rect part = {begin, bar.y, end - begin, bar.h};
        const struct state_look *look = &theme->states[i];
        canvas_fill(canvas, part, look->colour);
        canvas_hatch(canvas, part, look->hatch, colour_mix(look->colour, look->ink, 25));
        if (part.w > 2 * canvas_metrics(canvas)->advance[TEXT_SMALL])
            canvas_text_in(canvas, part, TEXT_SMALL, ALIGN_CENTRE, look->ink,
                           (char[]){look->letter, '\0'});
        begin = end;
    }
}

static void draw_cells(const struct view *view, struct canvas *canvas, const struct columns *c,
                       int y, const struct timeline_line *line, const struct track_line *sums,
                       uint64_t most)
{
    const struct theme *theme = view_theme(view);
    char text[32];
    const struct rect *columns[] = {&c->pc, &c->source, &c->text, &c->issues, &c->lanes, &c->bar};
    struct rect cells[6];
    for (int i = 0; i < 6; i++)
        cells[i] = (struct rect){columns[i]->x, y, columns[i]->w, c->line};
    (void)snprintf(text, sizeof text, "%04x", line->pc);
    canvas_text_in(canvas, cells[0], TEXT_NORMAL, ALIGN_LEFT, theme->quiet, text);
    (void)snprintf(text, sizeof text, line->line ? "%u" : "", line->line);
    canvas_text_in(canvas, cells[1], TEXT_NORMAL, ALIGN_LEFT, theme->quiet, text);
    canvas_text_in(canvas, cells[2], TEXT_NORMAL, ALIGN_LEFT, theme->text, line->text);
    canvas_text_in(canvas, cells[3], TEXT_NORMAL, ALIGN_RIGHT,
                   sums->issues ? theme->text : theme->quiet, chart_cycles(sums->issues, text));
    if (sums->issues) {
        (void)snprintf(text, sizeof text, "%.1f", (double)sums->threads / (double)sums->issues);
        bool full = sums->threads == 32 * sums->issues;
        canvas_text_in(canvas, cells[4], TEXT_NORMAL, ALIGN_RIGHT,
                       full ? theme->quiet : theme->warning, text);
    }
    if (most)
        draw_bar(view, canvas, rect_inset(cells[5], canvas_metrics(canvas)->px), sums, most);
}

/* What the row under the pointer waits for, in words. */
static void describe(struct view *view, uint32_t index, const struct track_line *sums)
{
    uint64_t all = waiting(sums);
    size_t used = (size_t)snprintf(view->status, sizeof view->status,
                                   "%.60s:", run_info(view->run)->lines[index].text);
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT && all; i++) {
        double share = 100.0 * (double)sums->states[i] / (double)all;
        if (share >= 1 && used < sizeof view->status)
            used += (size_t)snprintf(view->status + used, sizeof view->status - used,
                                     "  %s %.0f %%", simsm_states[i].title, share);
    }
}

uint64_t source_most(const struct view *view, const struct track_line *lines)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < run_info(view->run)->line_count; i++)
        most = waiting(&lines[i]) > most ? waiting(&lines[i]) : most;
    return most;
}

uint32_t source_hottest(const struct view *view, const struct track_line *lines, bool less)
{
    const struct timeline_info *info = run_info(view->run);
    uint32_t now = view->place.line;
    uint64_t here = now < info->line_count ? waiting(&lines[now]) : less ? UINT64_MAX : 0;
    uint32_t best = VIEW_NONE;
    for (uint32_t i = 0; i < info->line_count; i++) {
        uint64_t sum = waiting(&lines[i]);
        /* Equal ones follow one another by their place. */
        bool beyond =
            less ? sum < here || (sum == here && now < i) : sum > here || (sum == here && i < now);
        bool nearer = best == VIEW_NONE ||
                      (less ? sum > waiting(&lines[best]) : sum <= waiting(&lines[best]));
        if (i != now && beyond && nearer && sum)
            best = i;
    }
    return best == VIEW_NONE ? now : best;
}

static void draw(struct view *view, struct canvas *canvas)
{
    const struct timeline_info *info = run_info(view->run);
    const struct theme *theme = view_theme(view);
    struct track *track = view_track(view);
    if (!track)
        return;
    const struct track_line *lines = track_lines(track);
    struct columns c = columns_of(view, canvas);
    uint64_t most = source_most(view, lines);
    view->content_rows = info->line_count;
    view->shown_rows = c.rows.h / c.line;
    if (view->place.line != VIEW_NONE)
        view->selected_row = view->place.line;
    draw_head(view, canvas, &c);
    struct rect saved = canvas_clip(canvas, c.rows);
    for (uint32_t i = (uint32_t)view->place.scroll; i < info->line_count; i++) {
        int y = c.rows.y + (int)((double)i - view->place.scroll) * c.line;
        if (y >= c.rows.y + c.rows.h)
            break;
        struct rect row = {c.rows.x, y, c.rows.w, c.line};
        if (i == view->place.line)
            canvas_blend(canvas, row, theme->accent, 50);
        if (rect_has(row, view->pointer_x, view->pointer_y)) {
            canvas_blend(canvas, row, theme->text, 16);
            view->target = (struct view_target){.kind = TARGET_LINE, .line = i};
            describe(view, i, &lines[i]);
        }
        draw_cells(view, canvas, &c, y, &info->lines[i], &lines[i], most);
    }
    canvas_unclip(canvas, saved);
}

static enum simsm_status csv(struct view *view, FILE *file, struct simsm_error *error)
{
    const struct timeline_info *info = run_info(view->run);
    struct track *track = run_track(view->run, view->place.sm, UINT32_MAX, error);
    if (!track)
        return error->status;
    (void)fputs("offset,line,instruction,issued,lanes", file);
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        (void)fprintf(file, ",%s", simsm_states[s].name);
    (void)fputc('\n', file);
    const struct track_line *lines = track_lines(track);
    for (uint32_t i = 0; i < info->line_count; i++) {
        (void)fprintf(file, "%u,%u,", info->lines[i].pc, info->lines[i].line);
        chart_csv_text(file, info->lines[i].text);
        (void)fprintf(file, ",%llu,%llu", (unsigned long long)lines[i].issues,
                      (unsigned long long)lines[i].threads);
        for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
            (void)fprintf(file, ",%llu", (unsigned long long)lines[i].states[s]);
        (void)fputc('\n', file);
    }
    return SIMSM_OK;
}

const struct screen screen_source = {
    .name = "source",
    .title = "Source",
    .question = "At which instructions do warps spend their time, and in which state?",
    .help =
        "Every instruction of the kernel, with how often warps of this SM issued it and how many "
        "lanes "
        "were active. The bar has the cycles that warps spent with this instruction next, by "
        "state: a long "
        "one in the colour of long scoreboard means that its operands come from memory, so look at "
        "the "
        "load above that writes them. n goes to the next hottest. A click makes the cells of the "
        "instruction glow in the timeline.",
    .draw = draw,
    .csv = csv,
};
