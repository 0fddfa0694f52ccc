/* The screen Waves: blocks on SMs over time, and the cost of the last wave. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "language/language.h"
#include "report/report_waves.h"
#include "view/chart.h"
#include "view/heat.h"
#include "view/rows.h"
#include "view/view_screens.h"
#include "view/view_waves.h"

enum {
    LEAST_LANE = 2, /* pixels of a place of an SM */
    MOST_LANE = 16, /* pixels of a place of an SM at 100 %, where all SMs are in view */
    MOST_ROW = 120  /* the same of an SM with few places */
};

struct waves_layout {
    struct rect text, mode, axis, labels, rows;
    struct time_scale time;
    double sm_height; /* in pixels; rows of few pixels differ by one */
    uint32_t places;  /* places of an SM that have rows */
    uint32_t sms;     /* SMs shown */
};

uint64_t waves_end_of(const struct view *view, const struct run_block *block)
{
    return block->end == UINT64_MAX ? run_end(view->run) : block->end;
}

/*
 * Returns the first cycle with an empty place and no block left to fill it. This is the start of
 * the last block if a place is empty then, else the first end of a block after it.
 */
static uint64_t first_empty(const struct view *view, const struct run_block *blocks, uint32_t count,
                            uint64_t places)
{
    uint64_t last_start = 0;
    uint64_t first = UINT64_MAX;
    uint64_t taken = 0;
    for (uint32_t i = 0; i < count; i++)
        last_start = blocks[i].start > last_start ? blocks[i].start : last_start;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t end = waves_end_of(view, &blocks[i]);
        taken += end > last_start;
        first = end > last_start && end < first ? end : first;
    }
    return taken < places ? last_start : first;
}

struct waves_summary waves_summarise(const struct view *view, const struct run_block *blocks,
                                     uint32_t count, uint32_t sms, uint32_t places)
{
    double all = (double)sms * places;
    struct waves_summary s = {.tail_begin =
                                  first_empty(view, blocks, count, (uint64_t)sms * places),
                              .full_waves = count / all};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t end = waves_end_of(view, &blocks[i]);
        s.last_sm = end > s.end ? blocks[i].sm : s.last_sm;
        s.end = end > s.end ? end : s.end;
        s.waves = blocks[i].wave + 1 > s.waves ? blocks[i].wave + 1 : s.waves;
    }
    s.tail_begin = s.tail_begin < s.end ? s.tail_begin : s.end;
    return s;
}

static struct waves_layout waves_of(struct view *view, struct canvas *canvas, uint32_t places,
                                    uint32_t sms)
{
    const struct metrics *m = canvas_metrics(canvas);
    struct rect area = rect_inset(view->area, m->pad);
    struct waves_layout w = {.places = places ? places : 1, .sms = sms};
    bool narrow =
        area.w < 115 * m->advance[TEXT_NORMAL]; /* text and legend take an additional line */
    w.text = rect_cut_top(&area, (narrow ? 3 : 2) * m->line[TEXT_NORMAL]);
    w.mode = rect_cut_top(&area, (narrow ? 2 : 1) * m->line[TEXT_NORMAL]);
    rect_cut_top(&area, m->pad);
    w.labels = rect_cut_left(&area, 7 * m->advance[TEXT_SMALL] + m->pad);
    w.axis = rect_cut_top(&area, m->line[TEXT_SMALL] + 2 * m->px);
    w.rows = area;
    w.time = time_scale_of(view, area);
    int most = (MOST_LANE * (int)w.places > MOST_ROW ? MOST_LANE * (int)w.places : MOST_ROW) *
               m->scale / 100;
    bool blocks = view->options.waves == WAVES_BLOCKS;
    int least = blocks ? LEAST_LANE * (int)w.places + m->px : 2 * m->px;
    w.sm_height = sms ? (double)area.h / sms : area.h;
    least = w.sm_height >= (int)w.places + m->px
                ? 0
                : least;        /* places of one pixel are still visible */
    if (view->place.row_height) /* the chosen height; the screen scrolls */
        most = least = (int)w.places * view->place.row_height * m->scale / 100 + m->px;
    w.sm_height = w.sm_height > most ? most : w.sm_height < least ? least : w.sm_height;
    const int high = (int)ceil(w.sm_height * sms);
    w.rows.h = high < w.rows.h ? high : w.rows.h;
    return w;
}

uint32_t waves_row_of(const struct timeline_info *info, bool all, uint32_t sm)
{
    uint32_t i = 0;
    while (!all && i < info->sm_count && info->sm[i] != sm)
        i++;
    return all ? sm : i;
}

int waves_row_top(struct rect rows, double scroll, double height, uint32_t row)
{
    return rows.y + (int)floor((row - scroll) * height + 1e-6);
}

uint32_t waves_colour(const struct theme *theme, uint32_t wave)
{
    static const uint8_t order[WAVE_COLOURS] = {0, 1, 2, 4};
    return colour_mix(theme->series[order[wave % WAVE_COLOURS]], theme->ground, 15);
}

/* Returns the colour of a block: that of its wave, lighter or darker by its cluster. */
static uint32_t block_colour(const struct view *view, const struct run_block *block)
{
    static const uint8_t shade[] = {0, 45, 25};
    const struct theme *theme = view_theme(view);
    struct run_cluster cluster;
    const uint32_t colour = waves_colour(theme, block->wave);
    if (!run_cluster_of(view->run, block->block, &cluster) || cluster.blocks < 2)
        return colour;
    return colour_mix(colour, theme->ground, shade[cluster.cluster % 3]);
}

/* Appends the block's cluster to the status, if the launch has clusters. */
static void describe_cluster(struct view *view, const struct run_block *block)
{
    struct run_cluster cluster;
    const size_t used = strlen(view->status);
    if (run_cluster_of(view->run, block->block, &cluster))
        (void)snprintf(view->status + used, sizeof view->status - used,
                       _("   cluster %u, rank %u of %u"), cluster.cluster, cluster.rank,
                       cluster.blocks);
}

void waves_describe(struct view *view, const struct run_block *block)
{
    char start[32];
    char end[32];
    char length[32];
    uint64_t last = waves_end_of(view, block);
    (void)snprintf(view->status, sizeof view->status,
                   _("block %u   SM %u place %u   wave %u   cycles %s to %s: %s cycles   (click: "
                     "see its warps)"),
                   block->block, block->sm, block->place, block->wave + 1,
                   chart_cycles(block->start, start), chart_cycles(last, end),
                   chart_cycles(last - block->start, length));
    describe_cluster(view, block);
    view->target = (struct view_target){
        .kind = TARGET_BLOCK, .sm = block->sm, .block = block->block, .cycle = block->start};
}

/* Returns the bar of a block; w = 0: it is not in view. */
static struct rect bar_of(const struct view *view, const struct canvas *canvas,
                          const struct waves_layout *w, const struct run_block *block, uint32_t row)
{
    const struct metrics *m = canvas_metrics(canvas);
    const int top = waves_row_top(w->rows, view->place.scroll, w->sm_height, row);
    const int next = waves_row_top(w->rows, view->place.scroll, w->sm_height, row + 1);
    int x = (int)floor(time_x(&w->time, (double)block->start));
    int end = (int)floor(time_x(&w->time, (double)waves_end_of(view, block)));
    const int high = next - top - m->px;
    int y = high * block->place / (int)w->places;
    struct rect bar = {x, top + y, end - x, high * (block->place + 1) / (int)w->places - y};
    if (bar.x + bar.w < w->rows.x || bar.x > w->rows.x + w->rows.w || top > w->rows.y + w->rows.h ||
        next < w->rows.y)
        return (struct rect){0};
    bar.w = bar.w < 1 ? 1 : bar.w;
    bar.h = bar.h < 1 ? 1 : bar.h;
    return bar;
}

/* Writes a block's number, and its cluster and rank if there is room. */
static void label_of(const struct view *view, const struct metrics *m,
                     const struct run_block *block, int room, char text[64])
{
    struct run_cluster cluster;
    const bool clusters = run_cluster_of(view->run, block->block, &cluster);
    if (clusters)
        (void)snprintf(text, 64, _("%u (cluster %u, rank %u)"), block->block, cluster.cluster,
                       cluster.rank);
    if (!clusters || room < text_width(m, TEXT_SMALL, text) + 2 * m->px)
        (void)snprintf(text, 64, "%u", block->block);
}

static void draw_block(struct view *view, struct canvas *canvas, const struct waves_layout *w,
                       const struct run_block *block, uint32_t row)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const struct rect bar = bar_of(view, canvas, w, block, row);
    if (!bar.w)
        return;
    int gap = bar.h >= 5 ? m->px : 0;
    struct rect inner = {bar.x, bar.y, bar.w - (bar.w >= 4 ? m->px : 0), bar.h - gap};
    uint32_t colour = block_colour(view, block);
    canvas_fill(canvas, inner, colour);
    char text[64];
    label_of(view, m, block, inner.w, text);
    int left = inner.x > w->rows.x ? inner.x : w->rows.x;
    int right = w->rows.x + w->rows.w;
    right = inner.x + inner.w < right ? inner.x + inner.w : right;
    struct rect seen = {left, inner.y, right - left, inner.h};
    if (inner.h >= m->line[TEXT_SMALL] - 2 * m->px &&
        seen.w >= text_width(m, TEXT_SMALL, text) + 2 * m->px)
        canvas_text_in(canvas, seen, TEXT_SMALL, ALIGN_CENTRE, colour_on(colour), text);
    if (rect_has(bar, view->pointer_x, view->pointer_y)) {
        canvas_frame(canvas, bar, m->px, theme->accent);
        waves_describe(view, block);
    }
}

static void draw_labels(struct view *view, struct canvas *canvas, const struct waves_layout *w,
                        bool all)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const struct timeline_info *info = run_info(view->run);
    uint32_t every = 1;
    while (every * w->sm_height < m->line[TEXT_SMALL])
        every *= 2;
    for (uint32_t i = 0; i < w->sms; i += every) {
        char text[16];
        const int y = waves_row_top(w->rows, view->place.scroll, w->sm_height, i);
        struct rect label = {w->labels.x, y, w->labels.w - m->pad, m->line[TEXT_SMALL]};
        if (w->sm_height > label.h)
            label.y += ((int)w->sm_height - label.h) / 2;
        (void)snprintf(text, sizeof text, "SM %u", all ? i : info->sm[i]);
        uint32_t colour = (all ? i : info->sm[i]) == view->place.sm ? theme->accent : theme->quiet;
        canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_RIGHT, colour, text);
    }
}

/* Frames all blocks of the cluster whose block is under the pointer. */
static void frame_cluster(const struct view *view, struct canvas *canvas,
                          const struct waves_layout *w, const struct run_block *blocks,
                          uint32_t count, bool all)
{
    struct run_cluster pointed;
    struct run_cluster other;
    if (view->target.kind != TARGET_BLOCK ||
        !run_cluster_of(view->run, view->target.block, &pointed))
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (!run_cluster_of(view->run, blocks[i].block, &other) || other.cluster != pointed.cluster)
            continue;
        const uint32_t row = waves_row_of(run_info(view->run), all, blocks[i].sm);
        canvas_frame(canvas, bar_of(view, canvas, w, &blocks[i], row), canvas_metrics(canvas)->px,
                     view_theme(view)->accent);
    }
}

/* Draws the mode of the screen and its legend. */
static void draw_mode(struct view *view, struct canvas *canvas, struct rect strip, uint32_t waves,
                      bool tail)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    static const char *const names[WAVES_MODE_COUNT] = {N_("blocks"), N_("warps"), N_("issues")};
    const char *hint = view->still ? "" : "m: ";
    int wide = text_width(m, TEXT_NORMAL, _("m: blocks  warps  issues"));
    struct rect modes = rect_cut_right(&strip, wide + m->pad);
    modes.h = m->line[TEXT_NORMAL];
    rect_cut_left(&modes,
                  canvas_text_in(canvas, modes, TEXT_NORMAL, ALIGN_LEFT, theme->quiet, hint));
    for (int i = 0; i < WAVES_MODE_COUNT && !view->still; i++) {
        uint32_t colour = (int)view->options.waves == i ? theme->accent : theme->quiet;
        int used =
            canvas_text_in(canvas, modes, TEXT_NORMAL, ALIGN_LEFT, colour, translate(names[i]));
        rect_cut_left(&modes, used + 2 * m->advance[TEXT_NORMAL]);
    }
    if (view->options.waves != WAVES_BLOCKS) {
        strip.h = modes.h;
        heat_legend(view, canvas, strip, view->options.waves);
        return;
    }
    struct legend_entry entries[WAVE_COLOURS + 1];
    char words[WAVE_COLOURS][32];
    uint32_t count = waves < WAVE_COLOURS ? waves : WAVE_COLOURS;
    for (uint32_t i = 0; i < count; i++) {
        (void)snprintf(words[i], sizeof words[i],
                       waves > i + WAVE_COLOURS ? _("wave %u, %u, ...") : _("wave %u"), i + 1,
                       i + 1 + WAVE_COLOURS);
        entries[i] = (struct legend_entry){.colour = waves_colour(theme, i), .text = words[i]};
    }
    entries[count] = (struct legend_entry){.colour = colour_mix(theme->panel, theme->warning, 12),
                                           .text = _("tail")};
    chart_legend(canvas, theme, strip, entries, count + tail, true);
}

/* Draws a line where the tail begins, and its length if there is room. */
static void label_tail(struct canvas *canvas, const struct theme *theme, struct rect tail,
                       const struct waves_summary *s)
{
    const struct metrics *m = canvas_metrics(canvas);
    char text[64];
    char cycles[32];
    (void)snprintf(text, sizeof text, _("tail: %s cycles"),
                   chart_cycles(s->end - s->tail_begin, cycles));
    const int width = text_width(m, TEXT_SMALL, text) + 2 * m->pad;
    struct rect label = {tail.x, tail.y + tail.h - m->line[TEXT_SMALL], width, m->line[TEXT_SMALL]};
    canvas_fill(canvas, (struct rect){tail.x, tail.y, m->px, tail.h}, theme->warning);
    if (tail.w < width)
        return;
    canvas_fill(canvas, label, theme->ground);
    canvas_text_in(canvas, label, TEXT_SMALL, ALIGN_CENTRE, theme->warning, text);
}

/* Draws the tail: shaded behind the blocks (`shade`), or as a line at its begin over them. */
static void draw_tail(struct view *view, struct canvas *canvas, const struct waves_layout *w,
                      const struct waves_summary *s, bool shade)
{
    const struct theme *theme = view_theme(view);
    int x = (int)floor(time_x(&w->time, (double)s->tail_begin));
    int end = (int)floor(time_x(&w->time, (double)s->end));
    struct rect tail = {x, w->axis.y, end - x, w->rows.y + w->rows.h - w->axis.y};
    if (shade)
        canvas_blend(canvas, tail, theme->warning, 30);
    else
        label_tail(canvas, theme, tail, s);
}

void waves_words(const struct view *view, const struct waves_summary *s, uint32_t count, bool all,
                 char *text, size_t size)
{
    const struct timeline_info *info = run_info(view->run);
    uint32_t places = info->occupancy.blocks ? info->occupancy.blocks : 1;
    uint64_t grid = view_grid_blocks(view);
    uint64_t room = (uint64_t)info->sms * places;
    const uint32_t sms = all ? info->sms : info->sm_count;
    char cycles[32], begin[32], wasted[96] = "";
    if (info->stats)
        (void)snprintf(wasted, sizeof wasted, _(": this tail wastes %.1f %% of the places' time"),
                       wave_tail_percent(info->stats));
    if (info->damage)
        (void)snprintf(text, size,
                       _("The file is not whole: of the grid's blocks only %u are known, and what "
                         "others did cannot be said."),
                       count);
    else if (!info->complete)
        (void)snprintf(text, size,
                       _("The run was stopped: %u of the grid's %llu blocks had started%s, so that "
                         "nothing can be said of its waves and its tail."),
                       count, (unsigned long long)grid, all ? "" : _(" on the recorded SMs"));
    else if (grid < room)
        (void)snprintf(
            text, size,
            _("%llu block%s on %u SM%s of %u places each: too few for a whole wave, which "
              "has %llu. %.1f %% of the places never get one, and have no row here: "
              "a larger grid, or smaller blocks, would use them. SM %u ends last."),
            (unsigned long long)grid, grid == 1 ? "" : "s", info->sms, info->sms == 1 ? "" : "s",
            places, (unsigned long long)room, 100.0 * (double)(room - grid) / (double)room,
            s->last_sm);
    else
        (void)snprintf(text, size,
                       _("%u block%s%s fill %.2f waves of %u SM%s x %u places. From cycle %s on "
                         "(%s cycles) no "
                         "block is left%s. SM %u ends last."),
                       count, count == 1 ? "" : "s", all ? "" : _(" of the recorded SMs"),
                       s->full_waves, sms, sms == 1 ? "" : "s", places,
                       chart_cycles(s->tail_begin, begin),
                       chart_cycles(s->end - s->tail_begin, cycles), wasted, s->last_sm);
}

/*
 * Returns whether the run has a tail to show: a complete run of at least one full wave. In other
 * runs, places are empty for other reasons.
 */
static bool has_tail(const struct view *view)
{
    const struct timeline_info *info = run_info(view->run);
    return !info->damage && info->complete &&
           view_grid_blocks(view) >= (uint64_t)info->sms * info->occupancy.blocks;
}

/* Returns how many places of an SM ever held a block. Other places would be empty rows. */
static uint32_t places_used(const struct run_block *blocks, uint32_t count)
{
    uint32_t used = 1;
    for (uint32_t i = 0; i < count; i++)
        used = blocks[i].place >= used ? blocks[i].place + 1U : used;
    return used;
}

void view_waves_draw(struct view *view, struct canvas *canvas)
{
    const struct timeline_info *info = run_info(view->run);
    const struct theme *theme = view_theme(view);
    struct simsm_error error;
    uint32_t count;
    bool all;
    const struct run_block *blocks = run_blocks(view->run, &count, &all, &error);
    if (!blocks) {
        (void)snprintf(view->problem, sizeof view->problem, "%.250s", error.message);
        return;
    }
    struct waves_layout w =
        waves_of(view, canvas, places_used(blocks, count), all ? info->sms : info->sm_count);
    struct waves_summary s = waves_summarise(view, blocks, count, w.sms, info->occupancy.blocks);
    bool tail = has_tail(view);
    view->time_area = w.rows;
    view->shown_from = w.time.from;
    view->shown_cycles_per_px = w.time.cycles_per_px;
    view->content_rows = w.sms;
    view->shown_rows = (double)w.rows.h / w.sm_height;
    view->selected_row = waves_row_of(info, all, view->place.sm);
    char words[400];
    waves_words(view, &s, count, all, words, sizeof words);
    canvas_paragraph(canvas, w.text, TEXT_NORMAL, theme->text, words, true);
    draw_mode(view, canvas, w.mode, s.waves, tail);
    chart_time_axis(canvas, theme, w.axis, w.rows, w.time.from, w.time.cycles_per_px);
    struct rect saved = canvas_clip(
        canvas, (struct rect){w.labels.x, w.rows.y, w.rows.x + w.rows.w - w.labels.x, w.rows.h});
    draw_labels(view, canvas, &w, all);
    canvas_unclip(canvas, saved);
    saved = canvas_clip(canvas, w.rows);
    canvas_fill(canvas, w.rows, theme->panel);
    if (tail)
        draw_tail(view, canvas, &w, &s, true);
    struct heat heat = {.mode = view->options.waves,
                        .rows = w.rows,
                        .scroll = view->place.scroll,
                        .height = w.sm_height,
                        .sms = w.sms,
                        .all = all,
                        .time = w.time};
    if (heat.mode != WAVES_BLOCKS)
        heat_draw(view, canvas, &heat);
    for (uint32_t i = 0; heat.mode == WAVES_BLOCKS && i < count; i++)
        draw_block(view, canvas, &w, &blocks[i], waves_row_of(info, all, blocks[i].sm));
    if (heat.mode == WAVES_BLOCKS)
        frame_cluster(view, canvas, &w, blocks, count, all);
    if (tail)
        draw_tail(view, canvas, &w, &s, false);
    time_cursor(view, canvas, w.rows, &w.time);
    chart_scrollbar(canvas, theme, w.rows, view->place.scroll, view->shown_rows,
                    view->content_rows);
    canvas_unclip(canvas, saved);
}

enum simsm_status view_waves_csv(struct view *view, FILE *file, struct simsm_error *error)
{
    uint32_t count;
    bool all;
    const struct run_block *blocks = run_blocks(view->run, &count, &all, error);
    if (!blocks)
        return error->status;
    struct run_cluster cluster;
    const bool clusters = run_cluster_of(view->run, 0, &cluster);
    (void)fprintf(file, "block,sm,place,wave,start,end%s\n", clusters ? ",cluster,rank" : "");
    for (uint32_t i = 0; i < count; i++) {
        uint64_t end = waves_end_of(view, &blocks[i]);
        if ((double)blocks[i].start >= view->place.to || (double)end <= view->place.from)
            continue;
        (void)fprintf(file, "%u,%u,%u,%u,%llu,%llu", blocks[i].block, blocks[i].sm, blocks[i].place,
                      blocks[i].wave + 1, (unsigned long long)blocks[i].start,
                      (unsigned long long)end);
        if (clusters && run_cluster_of(view->run, blocks[i].block, &cluster))
            (void)fprintf(file, ",%u,%u", cluster.cluster, cluster.rank);
        (void)fputc('\n', file);
    }
    return SIMSM_OK;
}
