/* The screen Source: where warps wait, instruction by instruction. */
#include <stdlib.h>
#include <string.h>

#include "language/language.h"
#include "view/chart.h"
#include "view/states.h"
#include "view/view_screens.h"
#include "view/view_source.h"

enum { WIDE = 130 }; /* characters of a screen with all columns */

struct source_columns {
    struct rect note, head, rows, legend;
    int line; /* height of a row */
    /* Only x and w are used. Narrow screens have no columns `sectors` and `hits`. */
    struct rect pc, source, text, issues, lanes, sectors, hits, cycles, share, bar;
};

/* The scale of warp cycles: the longest bar fills its column, shares are of all warp cycles. */
struct source_scale {
    uint64_t most, all; /* most = 0: no bars */
};

uint64_t source_waiting(const struct track_line *line)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++)
        sum += line->states[i];
    return sum;
}

uint32_t source_states(const struct view *view)
{
    return states_present(view) & ~(1u << SIMSM_STATE_EMPTY) & ~(1u << SIMSM_STATE_EXITED);
}

static struct source_columns columns_of(const struct view *view, struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect area = rect_inset(view->area, m->pad);
    struct source_columns c = {.line = m->line[TEXT_NORMAL] + 2 * m->px};
    c.note = rect_cut_top(&area, m->line[TEXT_NORMAL] + m->pad);
    c.head = rect_cut_top(&area, m->line[TEXT_NORMAL] + m->pad);
    if (view->options.legend) {
        int h = states_legend(view, canvas, area, source_states(view), false);
        c.legend = rect_cut_bottom(&area, h);
        rect_cut_bottom(&area, m->pad);
    }
    c.rows = area;
    rect_cut_right(&area, m->pad);
    int a = m->advance[TEXT_NORMAL];
    c.pc = rect_cut_left(&area, 8 * a);
    c.source = rect_cut_left(&area, 6 * a);
    const bool wide = area.w >= WIDE * a;
    c.bar = rect_cut_right(&area, area.w * (wide ? 26 : 33) / 100);
    c.share = rect_cut_right(&area, 8 * a);
    c.cycles = rect_cut_right(&area, 13 * a);
    c.hits = rect_cut_right(&area, wide ? 9 * a : 0);
    c.sectors = rect_cut_right(&area, wide ? 12 * a : 0);
    c.lanes = rect_cut_right(&area, 8 * a);
    c.issues = rect_cut_right(&area, 11 * a);
    c.text = area;
    c.text.w -= a;
    c.bar.x += 2 * a;
    c.bar.w -= 2 * a;
    return c;
}

void source_point_at_head(struct view *view, struct rect cell, enum source_order order)
{
    const bool again = view->options.source == order && !view->options.source_backward;
    if (!rect_has(cell, view->pointer_x, view->pointer_y))
        return;
    view->target = (struct view_target){.kind = TARGET_ORDER, .value = order};
    (void)snprintf(view->status, sizeof view->status, _("click: %s   (keys m and shift+m)"),
                   translate(again ? source_sorts[order].backward : source_sorts[order].forward));
}

/* Draws a triangle beside the head by which the rows are sorted: down, or up if backward. */
static void draw_sorted(const struct view *view, struct canvas *canvas, struct rect cell, int used,
                        enum text_align align)
{
    const int size = canvas_metrics(canvas)->advance[TEXT_NORMAL] * 7 / 8, gap = size / 3;
    const int left =
        align == ALIGN_LEFT ? cell.x + used + gap : cell.x + cell.w - used - gap - size;
    const int top = cell.y + (cell.h - size) / 2, foot = top + size;
    const int base = view->options.source_backward ? foot : top;
    const int tip = view->options.source_backward ? top : foot;
    const int points[] = {16 * left, 16 * base, 16 * (left + size), 16 * base, 16 * left + 8 * size,
                          16 * tip};
    canvas_polygon(canvas, points, 3, view_theme(view)->accent);
}

static void draw_head(struct view *view, struct canvas *canvas, const struct source_columns *c)
{
    const struct theme *theme = view_theme(view);
    const struct {
        const struct rect *column;
        const char *text;
        enum text_align align;
        enum source_order order; /* the order that a click chooses */
        bool marked;             /* a triangle beside the text says that this is the order */
    } heads[] = {{&c->pc, _("offset"), ALIGN_LEFT, SOURCE_CODE, true},
                 {&c->source, _("line"), ALIGN_LEFT, SOURCE_LINES, true},
                 {&c->text, _("instruction"), ALIGN_LEFT, SOURCE_NAMES, true},
                 {&c->issues, _("issued"), ALIGN_RIGHT, SOURCE_ISSUES, true},
                 {&c->lanes, _("lanes"), ALIGN_RIGHT, SOURCE_LANES, true},
                 {&c->sectors, _("sectors"), ALIGN_RIGHT, SOURCE_SECTORS, true},
                 {&c->hits, _("L1 hits"), ALIGN_RIGHT, SOURCE_HITS, true},
                 {&c->cycles, _("warp cycles"), ALIGN_RIGHT, SOURCE_INSTRUCTIONS, true},
                 {&c->share, _("share"), ALIGN_RIGHT, SOURCE_INSTRUCTIONS, false},
                 {&c->bar, _("these by state"), ALIGN_LEFT, SOURCE_INSTRUCTIONS, false}};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        struct rect cell = {heads[i].column->x, c->head.y, heads[i].column->w, c->head.h};
        const bool sorted = heads[i].order == view->options.source && heads[i].marked;
        if (cell.w <= 0)
            continue;
        const int used = canvas_text_in(canvas, cell, TEXT_NORMAL, heads[i].align,
                                        sorted ? theme->accent : theme->quiet, heads[i].text);
        if (sorted)
            draw_sorted(view, canvas, cell, used, heads[i].align);
        source_point_at_head(view, cell, heads[i].order);
    }
}

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

/* Draws the numbers and the bar of an instruction, or of all instructions of a source line. */
static void draw_sums(const struct view *view, struct canvas *canvas,
                      const struct source_columns *c, int y, const struct track_line *sums,
                      const struct source_scale *scale)
{
    const struct theme *theme = view_theme(view);
    char text[32];
    uint64_t cycles = source_waiting(sums);
    const struct rect *columns[] = {&c->issues, &c->lanes, &c->cycles, &c->share, &c->bar};
    struct rect cells[5];
    for (int i = 0; i < 5; i++)
        cells[i] = (struct rect){columns[i]->x, y, columns[i]->w, c->line};
    canvas_text_in(canvas, cells[0], TEXT_NORMAL, ALIGN_RIGHT,
                   sums->issues ? theme->text : theme->quiet, chart_cycles(sums->issues, text));
    if (sums->issues) {
        (void)snprintf(text, sizeof text, "%.1f", (double)sums->threads / (double)sums->issues);
        bool full = sums->threads == 32 * sums->issues;
        canvas_text_in(canvas, cells[1], TEXT_NORMAL, ALIGN_RIGHT,
                       full ? theme->quiet : theme->warning, text);
    }
    if (!scale->all || !cycles)
        return;
    canvas_text_in(canvas, cells[2], TEXT_NORMAL, ALIGN_RIGHT, theme->text,
                   chart_cycles(cycles, text));
    (void)snprintf(text, sizeof text, "%.1f %%", 100.0 * (double)cycles / (double)scale->all);
    canvas_text_in(canvas, cells[3], TEXT_NORMAL, ALIGN_RIGHT, theme->text, text);
    if (scale->most)
        draw_bar(view, canvas, rect_inset(cells[4], canvas_metrics(canvas)->px), sums, scale->most);
}

/*
 * Draws sectors of a request against the sectors that would do, and the L1 hits, over all SMs: of
 * an instruction, or of all instructions of its source line.
 */
static void draw_memory(const struct view *view, struct canvas *canvas,
                        const struct source_columns *c, int y, uint32_t index, bool whole_line)
{
    const struct theme *theme = view_theme(view);
    struct source_memory memory;
    if (!c->sectors.w || !source_memory(view, index, whole_line, &memory))
        return;
    canvas_text_in(canvas, (struct rect){c->sectors.x, y, c->sectors.w, c->line}, TEXT_NORMAL,
                   ALIGN_RIGHT, memory.sectors > 1.01 * memory.least ? theme->warning : theme->text,
                   memory.sectors_text);
    canvas_text_in(canvas, (struct rect){c->hits.x, y, c->hits.w, c->line}, TEXT_NORMAL,
                   ALIGN_RIGHT, theme->text, memory.hits_text);
}

static void draw_cells(const struct view *view, struct canvas *canvas,
                       const struct source_columns *c, int y, const struct timeline_line *line)
{
    const struct theme *theme = view_theme(view);
    char text[32];
    const struct rect *columns[] = {&c->pc, &c->source, &c->text};
    struct rect cells[3];
    for (int i = 0; i < 3; i++)
        cells[i] = (struct rect){columns[i]->x, y, columns[i]->w, c->line};
    (void)snprintf(text, sizeof text, "%04x", line->pc);
    canvas_text_in(canvas, cells[0], TEXT_NORMAL, ALIGN_LEFT, theme->quiet, text);
    (void)snprintf(text, sizeof text, "%u", line->line);
    canvas_text_in(canvas, cells[1], TEXT_NORMAL, ALIGN_LEFT, theme->quiet, line->line ? text : "");
    canvas_text_in(canvas, cells[2], TEXT_NORMAL, ALIGN_LEFT, theme->text, line->text);
}

void source_describe(struct view *view, uint32_t index, const struct track_line *sums)
{
    view->target = (struct view_target){.kind = TARGET_LINE, .line = index};
    uint64_t all = source_waiting(sums);
    char number[32];
    size_t used =
        (size_t)snprintf(view->status, sizeof view->status, _("%.60s:  %s warp cycles"),
                         run_info(view->run)->lines[index].text, chart_cycles(all, number));
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT && all; i++) {
        double share = 100.0 * (double)sums->states[i] / (double)all;
        if (share >= 1 && used < sizeof view->status)
            used += (size_t)snprintf(view->status + used, sizeof view->status - used,
                                     "  %s %.0f %%", translate(simsm_states[i].title), share);
    }
}

uint64_t source_most(const struct view *view, const struct track_line *lines)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < run_info(view->run)->line_count; i++)
        most = source_waiting(&lines[i]) > most ? source_waiting(&lines[i]) : most;
    return most;
}

uint64_t source_most_of(const struct source_row *rows, uint32_t count)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = rows[i].cycles > most ? rows[i].cycles : most;
    return most;
}

uint32_t source_hottest(const struct view *view, const struct track_line *lines, bool less)
{
    const struct timeline_info *info = run_info(view->run);
    uint32_t now = view->place.line;
    uint64_t here = now < info->line_count ? source_waiting(&lines[now]) : less ? UINT64_MAX : 0;
    uint32_t best = VIEW_NONE;
    for (uint32_t i = 0; i < info->line_count; i++) {
        uint64_t sum = source_waiting(&lines[i]);
        /* Instructions with equal warp cycles are ordered by index. */
        bool beyond =
            less ? sum < here || (sum == here && now < i) : sum > here || (sum == here && i < now);
        bool nearer = best == VIEW_NONE || (less ? sum > source_waiting(&lines[best])
                                                 : sum <= source_waiting(&lines[best]));
        if (i != now && beyond && nearer && sum)
            best = i;
    }
    return best == VIEW_NONE ? now : best;
}

bool source_line_sums(const struct timeline_info *info, const struct track_line *lines,
                      uint32_t index, struct track_line *sums)
{
    const struct timeline_line *line = &info->lines[index];
    memset(sums, 0, sizeof *sums);
    for (uint32_t i = 0; i < info->line_count; i++) {
        if (info->lines[i].line != line->line || info->lines[i].file != line->file)
            continue;
        if (i < index)
            return false;
        sums->issues += lines[i].issues;
        sums->threads += lines[i].threads;
        for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
            sums->states[s] += lines[i].states[s];
    }
    return true;
}

/* Draws file name and number of a source line, and its text if the file is found. */
static void draw_source(const struct view *view, struct canvas *canvas, struct rect row, uint32_t i)
{
    const struct theme *theme = view_theme(view);
    const struct metrics *m = canvas_metrics(canvas);
    const struct timeline_line *line = &run_info(view->run)->lines[i];
    const char *slash = strrchr(line->file, '/');
    const char *text = run_source_line(view->run, i);
    char where[80];
    (void)snprintf(where, sizeof where, "%.60s:%u", slash ? slash + 1 : line->file, line->line);
    int used = canvas_text_in(canvas, row, TEXT_NORMAL, ALIGN_LEFT, theme->quiet, where);
    rect_cut_left(&row, used + 2 * m->advance[TEXT_NORMAL]);
    canvas_text_in(canvas, row, TEXT_NORMAL, ALIGN_LEFT, text ? theme->accent : theme->quiet,
                   text ? text + strspn(text, " ") : _("(the file is not here)"));
}

/*
 * Draws the row of a source line. A line whose instructions lie apart has several rows; the first
 * row has the sums of all its instructions.
 */
static void draw_line_head(const struct view *view, struct canvas *canvas,
                           const struct source_columns *c, struct rect row, uint32_t i,
                           const struct track_line *lines, const struct source_scale *scale)
{
    struct track_line sums;
    struct source_scale its = *scale;
    if (view->options.source != SOURCE_LINES)
        its.most = 0; /* no bar: the sum of a source line may exceed the longest bar */
    canvas_fill(canvas, row, view_theme(view)->panel);
    struct rect words = {row.x, row.y, c->text.x + c->text.w - row.x, row.h};
    draw_source(view, canvas, words, i);
    if (source_line_sums(run_info(view->run), lines, i, &sums)) {
        draw_sums(view, canvas, c, row.y, &sums, &its);
        draw_memory(view, canvas, c, row.y, i, true);
    } else
        canvas_text_in(canvas, (struct rect){c->cycles.x, row.y, c->cycles.w, row.h}, TEXT_NORMAL,
                       ALIGN_RIGHT, view_theme(view)->quiet, _("(see above)"));
}

static void draw_row(struct view *view, struct canvas *canvas, const struct source_columns *c,
                     int y, const struct source_row *listed, const struct track_line *lines,
                     const struct source_scale *scale)
{
    const struct theme *theme = view_theme(view);
    struct rect row = {c->rows.x, y, c->rows.w, c->line};
    uint32_t i = listed->line;
    if (listed->head) {
        draw_line_head(view, canvas, c, row, i, lines, scale);
        return;
    }
    if (i == view->place.line)
        canvas_blend(canvas, row, theme->accent, 50);
    if (rect_has(row, view->pointer_x, view->pointer_y)) {
        canvas_blend(canvas, row, theme->text, 16);
        source_describe(view, i, &lines[i]);
    }
    draw_cells(view, canvas, c, y, &run_info(view->run)->lines[i]);
    draw_sums(view, canvas, c, y, &lines[i], scale);
    draw_memory(view, canvas, c, y, i, false);
}

/* Writes what the numbers cover. `all` are the warp cycles of all instructions. */
static void write_note(const struct view *view, uint64_t all, char *text, size_t size)
{
    char number[32];
    (void)snprintf(text, size,
                   _("SM %u, %s, whatever cycles the other screens show: %s warp cycles. "
                     "n: the next hottest; m: %s"),
                   view->place.sm, view_part(view), chart_cycles(all, number),
                   translate(source_sorts[(view->options.source + 1u) % SOURCE_ORDER_COUNT].brief));
}

uint32_t source_selected(const struct view *view, struct track *track)
{
    const struct history *history = NULL;
    struct simsm_error error;
    const struct view_place *place = &view->place;
    if (place->slot == VIEW_NONE ||
        track_history(track, place->cycle, place->cycle + 1, &history, &error) != SIMSM_OK ||
        !history)
        return VIEW_NONE;
    const struct timeline_span *span = history_span_at(history, place->slot, place->cycle);
    const bool lives = span && track_is_resident(run_known_state(view->run, span->state));
    return lives ? span->pc : VIEW_NONE;
}

uint32_t source_focus(const struct view *view, const struct track_line *lines, uint32_t here)
{
    if (view->place.line != VIEW_NONE)
        return view->place.line;
    return here != VIEW_NONE ? here : source_hottest(view, lines, true);
}

void view_source_draw(struct view *view, struct canvas *canvas)
{
    const struct theme *theme = view_theme(view);
    struct track *track = view_track(view);
    uint32_t count;
    struct source_row *rows = track ? source_rows(view, track_lines(track), &count) : NULL;
    if (!rows)
        return;
    const struct track_line *lines = track_lines(track);
    uint32_t here = source_selected(view, track);
    struct source_columns c = columns_of(view, canvas);
    uint64_t all = 0;
    for (uint32_t i = 0; i < run_info(view->run)->line_count; i++)
        all += source_waiting(&lines[i]);
    struct source_scale scale = {source_most(view, lines), all};
    if (rows[0].head && view->options.source == SOURCE_LINES)
        scale.most = source_most_of(rows, count);
    uint32_t wanted = source_focus(view, lines, here);
    char note[200];
    write_note(view, all, note, sizeof note);
    canvas_text_in(canvas, c.note, TEXT_NORMAL, ALIGN_LEFT, theme->quiet, note);
    view->content_rows = count;
    view->shown_rows = c.rows.h / c.line;
    draw_head(view, canvas, &c);
    struct rect saved = canvas_clip(canvas, c.rows);
    for (uint32_t k = 0; k < count; k++) {
        int y = c.rows.y + (int)(((double)k - view->place.scroll) * c.line);
        if (!rows[k].head && rows[k].line == wanted)
            view->selected_row = k;
        if (y + c.line <= c.rows.y || y >= c.rows.y + c.rows.h)
            continue;
        draw_row(view, canvas, &c, y, &rows[k], lines, &scale);
        if (!rows[k].head && rows[k].line == here)
            canvas_frame(canvas, (struct rect){c.rows.x, y, c.rows.w, c.line},
                         canvas_metrics(canvas)->px, theme->accent);
    }
    canvas_unclip(canvas, saved);
    chart_scrollbar(canvas, theme, c.rows, view->place.scroll, view->shown_rows,
                    view->content_rows);
    if (c.legend.h)
        states_legend(view, canvas, c.legend, source_states(view), true);
    free(rows);
}

enum simsm_status view_source_csv(struct view *view, FILE *file, struct simsm_error *error)
{
    const struct timeline_info *info = run_info(view->run);
    struct track *track = run_track(view->run, view->place.sm, UINT32_MAX, error);
    if (!track)
        return error->status;
    (void)fputs("offset,file,line,instruction,issued,lanes", file);
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        (void)fprintf(file, ",%s", simsm_states[s].name);
    (void)fputc('\n', file);
    const struct track_line *lines = track_lines(track);
    for (uint32_t i = 0; i < info->line_count; i++) {
        (void)fprintf(file, "%u,", info->lines[i].pc);
        chart_csv_text(file, info->lines[i].file ? info->lines[i].file : "");
        (void)fprintf(file, ",%u,", info->lines[i].line);
        chart_csv_text(file, info->lines[i].text);
        (void)fprintf(file, ",%llu,%llu", (unsigned long long)lines[i].issues,
                      (unsigned long long)lines[i].threads);
        for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
            (void)fprintf(file, ",%llu", (unsigned long long)lines[i].states[s]);
        (void)fputc('\n', file);
    }
    return SIMSM_OK;
}
