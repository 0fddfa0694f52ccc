/* A range of cycles selected with Shift and drag: what the warps did in it, as a table. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "language/language.h"
#include "view/chart.h"
#include "view/states.h"
#include "view/timeline_parts.h"

bool timeline_stretch_sums(const struct view *view, struct track *track, struct stretch_sums *sums)
{
    const struct view_stretch *stretch = &view->stretch;
    double from = stretch->from > (double)run_begin(view->run) ? stretch->from : 0;
    double to = stretch->to < (double)run_end(view->run) ? stretch->to : (double)run_end(view->run);
    uint32_t subs = run_info(view->run)->sub_partitions;
    SIMSM_CHECK(stretch->last < subs, "sub-partition %u of %u", stretch->last, subs);
    memset(sums, 0, sizeof *sums);
    sums->cycles = to - from;
    for (uint32_t sub = stretch->first; sub <= stretch->last; sub++) {
        double states[SIMSM_STATE_COUNT];
        double issues = 0;
        struct simsm_error error;
        if (track_states(track, sub, from, to, states, &issues, 1, &error) != SIMSM_OK)
            return false;
        sums->issues += issues;
        for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++) {
            sums->states[s] += states[s];
            sums->warp_cycles += track_is_resident(s) ? states[s] : 0;
        }
    }
    return sums->cycles > 0;
}

void timeline_stretch(const struct view *view, struct canvas *canvas,
                      const struct timeline_layout *layout)
{
    const struct view_stretch *stretch = &view->stretch;
    int x = (int)floor(time_x(&layout->time, stretch->from));
    int end = (int)ceil(time_x(&layout->time, stretch->to));
    struct rect top = timeline_row(view, layout, stretch->first);
    struct rect foot =
        timeline_row(view, layout, stretch->last + (layout->per_sub - 1) * layout->subs);
    struct rect area = {x, top.y - layout->strip, end - x, 0};
    area.h = foot.y + layout->row - area.y;
    struct rect saved = canvas_clip(canvas, layout->rows);
    canvas_frame(canvas, rect_inset(area, -canvas_metrics(canvas)->px), canvas_metrics(canvas)->px,
                 view_theme(view)->ground);
    canvas_frame(canvas, area, 2 * canvas_metrics(canvas)->px, view_theme(view)->accent);
    canvas_unclip(canvas, saved);
}

static void write_head(const struct view *view, const struct stretch_sums *sums, char *text,
                       size_t size)
{
    const struct view_stretch *stretch = &view->stretch;
    char from[32];
    char to[32];
    uint32_t subs = stretch->last - stretch->first + 1;
    (void)snprintf(
        text, size,
        _("Cycles %s to %s of sub-partitions %u to %u: %.0f instructions issued, in %.1f %% of "
          "the cycles; %.1f warps on average. Escape ends it."),
        chart_cycles((uint64_t)stretch->from, from), chart_cycles((uint64_t)stretch->to, to),
        stretch->first, stretch->last, sums->issues, 100 * sums->issues / sums->cycles / subs,
        sums->warp_cycles / sums->cycles);
}

static void draw_state(const struct view *view, struct canvas *canvas, struct rect row,
                       uint32_t state, const struct stretch_sums *sums)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const struct state_look *look = &theme->states[state];
    char text[32];
    struct rect swatch = rect_inset(rect_cut_left(&row, row.h), m->px);
    canvas_fill(canvas, swatch, look->colour);
    canvas_text_in(canvas, swatch, TEXT_NORMAL, ALIGN_CENTRE, look->ink,
                   (char[]){look->letter, '\0'});
    rect_cut_left(&row, m->pad);
    (void)snprintf(text, sizeof text, "%.1f %%", 100 * sums->states[state] / sums->warp_cycles);
    canvas_text_in(canvas, rect_cut_right(&row, 8 * m->advance[TEXT_NORMAL]), TEXT_NORMAL,
                   ALIGN_RIGHT, theme->text, text);
    canvas_text_in(canvas, rect_cut_right(&row, 12 * m->advance[TEXT_NORMAL]), TEXT_NORMAL,
                   ALIGN_RIGHT, theme->quiet,
                   chart_cycles((uint64_t)llround(sums->states[state]), text));
    canvas_text_in(canvas, row, TEXT_NORMAL, ALIGN_LEFT, theme->text,
                   translate(simsm_states[state].title));
}

void timeline_stretch_table(const struct view *view, struct canvas *canvas, struct track *track,
                            struct rect panel)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    struct rect inner = chart_panel(canvas, theme, panel, _("What do the warps do here?"), NULL);
    struct stretch_sums sums;
    char text[256];
    if (!timeline_stretch_sums(view, track, &sums))
        return;
    write_head(view, &sums, text, sizeof text);
    rect_cut_top(&inner,
                 canvas_paragraph(canvas, inner, TEXT_NORMAL, theme->text, text, true) + m->pad);
    canvas_text_in(canvas, rect_cut_top(&inner, m->line[TEXT_NORMAL]), TEXT_NORMAL, ALIGN_RIGHT,
                   theme->quiet, _("warp cycles   share"));
    uint32_t done = 0;
    int line = m->line[TEXT_NORMAL] + 2 * m->px;
    for (uint32_t s; inner.h >= line && (s = states_next(sums.states, done)) < SIMSM_STATE_COUNT;
         done |= 1u << s)
        draw_state(view, canvas, rect_cut_top(&inner, line), s, &sums);
}
