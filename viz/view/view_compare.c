/* The screen Compare: two runs, one above the other, on one time axis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/err.h"
#include "language/language.h"
#include "report/quantity.h"
#include "view/chart.h"
#include "view/rows.h"
#include "view/states.h"
#include "view/view_compare.h"
#include "view/view_screens.h"

enum { RUNS = COMPARE_RUNS, SENTENCE = 560 };

struct compare_panels {
    struct rect rows[RUNS], labels[RUNS], heads[RUNS], difference, axis, table, sentence, settings;
};

/* Divides the screen, below `sentence` and `settings` pixels of text over its whole width. */
static struct compare_panels panels_of(const struct view *view, const struct canvas *canvas,
                                       int sentence, int settings)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect area = rect_inset(view->area, m->pad);
    struct compare_panels p = {.sentence = rect_cut_top(&area, sentence)};
    p.settings = rect_cut_top(&area, settings);
    rect_cut_top(&area, m->pad);
    p.table = rect_cut_right(&area, 50 * m->advance[TEXT_NORMAL]);
    rect_cut_right(&area, m->pad);
    struct rect left = rect_cut_left(&area, 16 * m->advance[TEXT_SMALL]);
    p.axis = rect_cut_top(&area, m->line[TEXT_SMALL] + 2 * m->px);
    rect_cut_top(&left, p.axis.h);
    int strip = 5 * m->line[TEXT_SMALL];
    int half = (area.h - strip - 2 * m->pad) / RUNS;
    for (int i = 0; i < RUNS; i++) {
        struct rect part = rect_cut_top(&area, half);
        p.heads[i] = rect_cut_top(&part, m->line[TEXT_NORMAL]);
        p.rows[i] = part;
        p.labels[i] = (struct rect){left.x, part.y, left.w, part.h};
        if (i == 0) {
            rect_cut_top(&area, m->pad);
            p.difference = rect_cut_top(&area, strip);
            rect_cut_top(&area, m->pad);
        }
    }
    return p;
}

uint32_t compare_sm(const struct run *run, uint32_t sm)
{
    const struct timeline_info *info = run_info(run);
    for (uint32_t i = 0; i < info->sm_count; i++)
        if (info->sm[i] == sm)
            return sm;
    return info->sm_count ? info->sm[0] : 0;
}

bool compare_open(struct view *view, struct run *run, struct compare_side *side)
{
    *side = (struct compare_side){.view = *view};
    side->view.run = run;
    side->view.place.sm = compare_sm(run, view->place.sm);
    side->shift = run == view->run ? 0 : (double)view_shift(view);
    side->view.place.from += side->shift;
    side->view.place.to += side->shift;
    side->track = view_track(&side->view);
    view->loading = view->loading || side->view.loading;
    if (!side->track) {
        memcpy(view->problem, side->view.problem, sizeof view->problem);
        return false;
    }
    struct simsm_error error;
    const struct timeline_info *info = run_info(run);
    bool whole =
        info->ended &&
        info->cycles < run_end(run); /* the recording of an SM ends one cycle after the launch */
    side->cycles = (double)((whole ? info->cycles : run_end(run)) - run_begin(run));
    if (side->view.loading ||
        track_states(side->track, UINT32_MAX, (double)run_begin(run), (double)run_end(run),
                     side->states, &side->issues, 1, &error) != SIMSM_OK)
        return false;
    side->sub_cycles = track_busy_cycles(side->track, UINT32_MAX);
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        if (track_is_resident(s))
            side->warp_cycles += side->states[s];
    return true;
}

struct time_scale compare_time(const struct compare_side *side, const struct time_scale *time)
{
    return time_scale_of(&side->view, (struct rect){.x = time->x, .w = time->w});
}

const char *compare_head(const struct compare_side *side, int i, char *text, size_t size)
{
    const struct timeline_info *info = run_info(side->view.run);
    char cycles[32], first[32];
    (void)snprintf(text, size, _("%c  %s cycles   %.100s   %.80s on %.40s   first block at %s"),
                   'A' + i, chart_cycles((uint64_t)side->cycles, cycles),
                   compare_name(side->view.run), info->launch.name, info->gpu,
                   chart_cycles(run_first_block(side->view.run), first));
    return text;
}

const char *compare_aligned(const struct view *view)
{
    return view->options.from_launch ? _("aligned at cycle 0 (m: at the first blocks)")
                                     : _("aligned at the first blocks (m: at cycle 0)");
}

const char *compare_name(const struct run *run)
{
    const char *path = run_info(run)->name;
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Draws all slots of the SM by sub-partition, in rows as high as the room allows. */
static void draw_rows(struct compare_side *side, struct canvas *canvas, struct rect rows,
                      struct rect labels, const struct time_scale *time)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(&side->view);
    const struct timeline_info *info = run_info(side->view.run);
    uint32_t subs = info->sub_partitions;
    uint32_t per_sub = track_slots_used(side->track);
    int band = rows.h / (int)subs;
    int strip = band / 5 < m->line[TEXT_SMALL] ? band / 5 : m->line[TEXT_SMALL];
    int row = (band - strip - 3 * m->px) / (int)per_sub;
    row = row < 1 ? 1 : row;
    for (uint32_t sub = 0; sub < subs; sub++) {
        char text[32];
        int top = rows.y + (int)sub * band;
        (void)snprintf(text, sizeof text, _("sub-partition %u"), sub);
        canvas_text_in(canvas, (struct rect){labels.x, top, labels.w - m->pad, m->line[TEXT_SMALL]},
                       TEXT_SMALL, ALIGN_RIGHT, theme->quiet, text);
        row_issues(&side->view, canvas, side->track, sub, (struct rect){rows.x, top, rows.w, strip},
                   time);
        top += strip + m->px;
        for (uint32_t i = 0; i < per_sub; i++)
            row_draw(&side->view, canvas, side->track, i * subs + sub,
                     (struct rect){rows.x, top + (int)i * row, rows.w, row}, time);
    }
}

double compare_ahead(const struct compare_side sides[RUNS], double from, double step, int count,
                     double *ahead)
{
    double most = 1;
    for (int i = 0; i < count; i++) {
        double cycle = from + step * i;
        ahead[i] = track_issued_until(sides[0].track, cycle + sides[0].shift) -
                   track_issued_until(sides[1].track, cycle + sides[1].shift);
        most = fabs(ahead[i]) > most ? fabs(ahead[i]) : most;
    }
    return most;
}

/* Draws how many warp instructions one run is ahead of the other, up to each cycle. */
static void draw_difference(const struct view *view, struct canvas *canvas, struct rect strip,
                            const struct compare_side sides[RUNS], const struct time_scale *time)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    canvas_fill(canvas, strip, theme->panel);
    struct rect words = rect_cut_top(&strip, m->line[TEXT_SMALL] + m->px);
    rect_cut_left(&words, m->pad);
    double *ahead = calloc((size_t)strip.w + 1, sizeof *ahead);
    double most = ahead ? compare_ahead(sides, time->from, time->cycles_per_px, strip.w, ahead) : 1;
    int middle = strip.y + strip.h / 2;
    for (int i = 0; ahead && i < strip.w; i++) {
        int h = (int)lround(fabs(ahead[i]) / most * (strip.h / 2 - m->px));
        struct rect bar = {strip.x + i, ahead[i] > 0 ? middle - h : middle, 1, h};
        canvas_fill(canvas, bar, ahead[i] > 0 ? theme->series[0] : theme->series[1]);
    }
    canvas_fill(canvas, (struct rect){strip.x, middle, strip.w, m->px}, theme->line);
    char text[96];
    char number[32];
    (void)snprintf(text, sizeof text,
                   _("instructions that one run is ahead (up: A, down: B); at most %s"),
                   chart_number(most, number));
    const int used = canvas_text_in(canvas, words, TEXT_SMALL, ALIGN_LEFT, theme->quiet, text);
    const char *aligned = compare_aligned(view);
    rect_cut_right(&words, m->pad);
    if (!view->still && used + 2 * m->pad + text_width(m, TEXT_SMALL, aligned) < words.w)
        canvas_text_in(canvas, words, TEXT_SMALL, ALIGN_RIGHT, theme->quiet, aligned);
    free(ahead);
}

/*
 * Writes the states in which either run spends at least 0.5 % of its warp cycles, by falling share.
 * Returns their number, at most COMPARE_STATES.
 */
static int main_states(const struct compare_side sides[RUNS], uint32_t order[COMPARE_STATES])
{
    double share[SIMSM_STATE_COUNT];
    uint32_t taken = 0;
    int count = 0;
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++) {
        double a = sides[0].states[s] / (sides[0].warp_cycles + 1);
        double b = sides[1].states[s] / (sides[1].warp_cycles + 1);
        share[s] = a > b ? a : b;
    }
    for (uint32_t s; count < COMPARE_STATES &&
                     (s = states_next(share, taken)) < SIMSM_STATE_COUNT && share[s] >= 0.005;
         taken |= 1u << s)
        order[count++] = s;
    return count;
}

static struct compare_row row_of(const char *name, double a, double b, bool percent)
{
    struct compare_row row = {.name = name};
    const double value[RUNS] = {a, b};
    char number[32];
    for (int i = 0; i < RUNS; i++)
        (void)snprintf(row.text[i], sizeof row.text[i], "%s",
                       percent ? quantity_percent(value[i]).text : chart_number(value[i], number));
    if (percent) /* + 0.0 turns -0.0 into 0.0 */
        (void)snprintf(row.text[2], sizeof row.text[2], "%+.1f", round(10 * (b - a)) / 10 + 0.0);
    else
        (void)snprintf(row.text[2], sizeof row.text[2], a > 0 ? "%+.1f %%" : "-",
                       a > 0 ? 100 * (b / a - 1) : 0);
    return row;
}

uint32_t compare_table(const struct compare_side sides[RUNS], struct compare_row rows[COMPARE_ROWS])
{
    const struct compare_side *a = &sides[0];
    const struct compare_side *b = &sides[1];
    uint32_t order[COMPARE_STATES];
    uint32_t count = COMPARE_FIRST;
    rows[0] = row_of(_("cycles"), a->cycles, b->cycles, false);
    rows[1] = row_of(_("instructions"), a->issues, b->issues, false);
    rows[2] = row_of(_("issue active"), 100 * a->issues / a->sub_cycles,
                     100 * b->issues / b->sub_cycles, true);
    rows[3] = row_of(_("warps (avg)"),
                     a->warp_cycles / a->sub_cycles * run_info(a->view.run)->sub_partitions,
                     b->warp_cycles / b->sub_cycles * run_info(b->view.run)->sub_partitions, false);
    int states = main_states(sides, order);
    SIMSM_CHECK(states <= COMPARE_STATES, "%d states, room for %d", states, (int)COMPARE_STATES);
    for (int i = 0; i < states; i++)
        rows[count++] = row_of(translate(simsm_states[order[i]].title),
                               100 * a->states[order[i]] / a->warp_cycles,
                               100 * b->states[order[i]] / b->warp_cycles, true);
    return count;
}

static void draw_row(const struct view *view, struct canvas *canvas, struct rect row,
                     const struct compare_row *words)
{
    const struct theme *theme = view_theme(view);
    for (int i = 2; i >= 0; i--) {
        struct rect cell = rect_cut_right(&row, 10 * canvas_metrics(canvas)->advance[TEXT_NORMAL]);
        canvas_text_in(canvas, cell, TEXT_NORMAL, ALIGN_RIGHT, i == 2 ? theme->quiet : theme->text,
                       words->text[i]);
    }
    canvas_text_in(canvas, row, TEXT_NORMAL, ALIGN_LEFT, theme->text, words->name);
}

static void draw_table(const struct view *view, struct canvas *canvas, struct rect panel,
                       const struct compare_side sides[RUNS])
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    struct rect inner =
        chart_panel(canvas, theme, panel, _("What differs?"), _("this SM: A, B, change"));
    struct compare_row rows[COMPARE_ROWS];
    uint32_t count = compare_table(sides, rows);
    const int line = m->line[TEXT_NORMAL] + 2 * m->px;
    for (uint32_t i = 0; i < count && inner.h >= line; i++) {
        if (i == COMPARE_FIRST) {
            rect_cut_top(&inner, m->pad);
            canvas_text_in(canvas, rect_cut_top(&inner, m->line[TEXT_NORMAL]), TEXT_NORMAL,
                           ALIGN_LEFT, theme->quiet, translate(compare_states_title));
        }
        draw_row(view, canvas, rect_cut_top(&inner, line), &rows[i]);
    }
    rect_cut_top(&inner, 2 * m->pad);
    uint32_t present = states_present(&sides[0].view) | states_present(&sides[1].view);
    if (view->options.legend && inner.h >= line)
        states_legend(view, canvas, inner, present, true);
}

const char compare_states_title[] = N_("share of warp cycles by state");
const char compare_alone[] =
    N_("There is nothing to compare with yet. Open two timelines:\n\n"
       "    simsm-view A.smtl B.smtl\n\n"
       "or press h: the same kernel is run again with one resident block on each SM, which "
       "shows what latency hiding is worth.");

static void draw_alone(const struct view *view, struct canvas *canvas)
{
    const struct metrics *m = canvas_metrics(canvas);
    canvas_paragraph(canvas, rect_inset(view->area, 4 * m->pad), TEXT_LARGE,
                     view_theme(view)->quiet, translate(compare_alone), true);
}

void view_compare_draw(struct view *view, struct canvas *canvas)
{
    static struct compare_side
        sides[RUNS]; /* static because of its size; filled anew in every frame */
    const struct theme *theme = view_theme(view);
    if (!view->other) {
        draw_alone(view, canvas);
        return;
    }
    bool a = compare_open(view, view->run, &sides[0]);
    bool b = compare_open(view, view->other, &sides[1]);
    if (!a || !b)
        return;
    char sentence[SENTENCE];
    compare_sentence(view->run, view->other, sentence, sizeof sentence);
    const struct rect inner = rect_inset(view->area, canvas_metrics(canvas)->pad);
    char settings[300];
    compare_differences(view->run, view->other, settings, sizeof settings);
    const struct compare_panels p = panels_of(
        view, canvas, canvas_paragraph(canvas, inner, TEXT_NORMAL, theme->accent, sentence, false),
        canvas_paragraph(canvas, inner, TEXT_NORMAL, theme->text, settings, false));
    struct time_scale time = time_scale_of(view, p.rows[0]);
    view->time_area = p.rows[0];
    view->time_area.h = p.rows[1].y + p.rows[1].h - p.rows[0].y;
    view->shown_from = time.from;
    view->shown_cycles_per_px = time.cycles_per_px;
    chart_time_axis(canvas, theme, p.axis, p.rows[0], time.from, time.cycles_per_px);
    canvas_paragraph(canvas, p.sentence, TEXT_NORMAL, theme->accent, sentence, true);
    canvas_paragraph(canvas, p.settings, TEXT_NORMAL, theme->text, settings, true);
    for (int i = 0; i < RUNS; i++) {
        char text[300];
        const struct time_scale its = compare_time(&sides[i], &time);
        canvas_text_in(canvas, p.heads[i], TEXT_NORMAL, ALIGN_LEFT, theme->series[i],
                       compare_head(&sides[i], i, text, sizeof text));
        struct rect saved = canvas_clip(
            canvas, (struct rect){p.labels[i].x, p.rows[i].y,
                                  p.rows[i].x + p.rows[i].w - p.labels[i].x, p.rows[i].h});
        draw_rows(&sides[i], canvas, p.rows[i], p.labels[i], &its);
        canvas_unclip(canvas, saved);
    }
    draw_difference(view, canvas, p.difference, sides, &time);
    time_cursor(view, canvas, view->time_area, &time);
    draw_table(view, canvas, p.table, sides);
}

/*
 * Writes the warp instructions that both runs have issued, at PARTS equal steps of the shown
 * cycles.
 */
enum simsm_status view_compare_csv(struct view *view, FILE *file, struct simsm_error *error)
{
    enum { PARTS = 1000 };
    if (!view->other)
        return err_set(error, SIMSM_BAD_INPUT,
                       "only one run is open: name a second timeline to compare it with");
    struct track *a =
        run_track(view->run, compare_sm(view->run, view->place.sm), UINT32_MAX, error);
    struct track *b =
        a ? run_track(view->other, compare_sm(view->other, view->place.sm), UINT32_MAX, error)
          : NULL;
    if (!b)
        return error->status;
    (void)fputs("cycle,issued_a,issued_b,a_ahead_by\n", file);
    for (uint32_t i = 0; i <= PARTS; i++) {
        double cycle = view->place.from + (view->place.to - view->place.from) * i / PARTS;
        double issued_a = track_issued_until(a, cycle);
        double issued_b = track_issued_until(b, cycle + (double)view_shift(view));
        (void)fprintf(file, "%.1f,%.1f,%.1f,%.1f\n", cycle, issued_a, issued_b,
                      issued_a - issued_b);
    }
    return SIMSM_OK;
}
