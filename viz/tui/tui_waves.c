/* The screen Waves in a terminal: blocks on SMs over time, and the cost of the last wave. */
#include "view/view_waves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/tui_plot.h"
#include "tui/tui_screens.h"
#include "view/chart.h"
#include "view/heat.h"

/* USUAL_ROW: a chosen row height from this on gives each place a line. */
enum { LABELS = 7, USUAL_ROW = 12, FEW_LINES = 14 };

struct tui_waves_layout {
    struct rect words, mode, axis, labels, rows, bar;
    struct time_scale time;
    const struct run_block *blocks;
    uint32_t count, sms, places;
    bool all;
    bool apart; /* each place of an SM has a line; else each SM has one line */
};

static struct tui_waves_layout layout_of(struct view *view, struct grid *grid, const char *words)
{
    const struct timeline_info *info = run_info(view->run);
    struct tui_waves_layout l = {.places = info->occupancy.blocks ? info->occupancy.blocks : 1};
    struct rect area = view->area;
    int lines = grid_paragraph(grid, area, 0, words, false);
    int most = area.h < FEW_LINES ? 1 : area.h / 4;
    l.words = rect_cut_top(&area, lines < most ? lines : most);
    l.mode = rect_cut_top(&area, 1);
    l.labels = rect_cut_left(&area, LABELS);
    l.axis = rect_cut_top(&area, 1);
    l.bar = rect_cut_right(&area, 1);
    l.axis.w = area.w;
    l.rows = area;
    l.time = time_scale_of(view, area);
    return l;
}

/* A column of a line: how much of its places blocks hold, and the last of these blocks. */
struct held_column {
    double share; /* share of the places that blocks hold */
    uint32_t wave, block;
    bool begins; /* a block has its first column here */
};

/* Adds block `i` to the columns of its line. */
static void add_block(const struct view *view, const struct tui_waves_layout *l, uint32_t i,
                      struct held_column *held)
{
    const struct run_block *block = &l->blocks[i];
    double a = time_x(&l->time, (double)block->start) - l->time.x;
    double b = time_x(&l->time, (double)waves_end_of(view, block)) - l->time.x;
    int first = a < 0 ? 0 : (int)a;
    for (int x = first; x < l->rows.w && x < b; x++) {
        double from = a > x ? a : x;
        double to = b < x + 1 ? b : x + 1;
        struct held_column *h = &held[x];
        h->share += (to - from) / (l->apart ? 1 : l->places);
        h->begins = h->begins || (x == first && a >= 0);
        h->wave = block->wave;
        h->block = block->block;
    }
}

/*
 * Draws a line of blocks. If an SM has one line, the digit is the wave, and the colour is stronger
 * the more places are held. Without colours, a share below one half is a small sign.
 */
static void draw_held(const struct view *view, struct grid *grid, const struct tui_waves_layout *l,
                      int y, const struct held_column *held)
{
    const struct theme *theme = view_theme(view);
    for (int i = 0; i < l->rows.w; i++) {
        const struct held_column *h = &held[i];
        if (h->share < 0.01)
            continue;
        uint32_t colour = waves_colour(theme, h->wave);
        int thin = (int)(60 * (1 - (h->share > 1 ? 1 : h->share)));
        uint32_t ground = colour_mix(colour, theme->panel, l->apart ? 0 : thin);
        uint32_t sign = l->apart ? ' ' : '0' + (h->wave + 1) % 10;
        bool weak = !grid->colour && h->share < 0.5;
        grid_put(grid, l->rows.x + i, y, weak ? 0x00b7 : sign, colour_on(ground), ground);
        if (l->apart && h->begins)
            grid_ink(grid, l->rows.x + i, y, 0x258c, theme->ground);
        if (l->apart && !grid->colour && !h->begins)
            grid_ink(grid, l->rows.x + i, y, '0' + (h->wave + 1) % 10, colour_on(ground));
    }
    for (int i = 0; l->apart && i < l->rows.w; i++) {
        char text[16];
        int end = i + 1;
        (void)snprintf(text, sizeof text, "%u", held[i].block);
        while (end < l->rows.w && held[end].share >= 0.01 && !held[end].begins)
            end++;
        if (held[i].begins && end - i > grid_width(text) + 1)
            grid_text(grid, (struct rect){l->rows.x + i + 1, y, end - i - 1, 1}, ALIGN_LEFT,
                      colour_on(waves_colour(theme, held[i].wave)), text);
    }
}

static void draw_tail(const struct view *view, struct grid *grid, const struct tui_waves_layout *l,
                      const struct waves_summary *s)
{
    const struct theme *theme = view_theme(view);
    int x = (int)floor(time_x(&l->time, (double)s->tail_begin));
    int end = (int)floor(time_x(&l->time, (double)s->end));
    if (run_info(view->run)->damage)
        return;
    struct rect saved = grid_clip(grid, l->rows);
    grid_tint(grid, (struct rect){x, l->rows.y, end - x, l->rows.h}, theme->warning, 12);
    for (int y = l->rows.y; y < l->rows.y + l->rows.h; y++)
        grid_ink(grid, x, y, 0x2502, theme->warning);
    grid_unclip(grid, saved);
}

static void draw_labels(const struct view *view, struct grid *grid,
                        const struct tui_waves_layout *l, uint32_t row, uint32_t place, int y)
{
    const struct timeline_info *info = run_info(view->run);
    const struct theme *theme = view_theme(view);
    char text[16];
    uint32_t sm = l->all ? row : info->sm[row];
    if (place)
        return;
    (void)snprintf(text, sizeof text, sm == view->place.sm ? ">SM %u" : "SM %u", sm);
    grid_text(grid, (struct rect){l->labels.x, y, LABELS - 1, 1}, ALIGN_RIGHT,
              sm == view->place.sm ? theme->accent : theme->quiet, text);
}

/* Describes the block under the pointer. */
static void describe_block(struct view *view, const struct tui_waves_layout *l)
{
    int line = view->pointer_y - l->rows.y + (int)view->place.scroll;
    double cycle = time_cycle(&l->time, view->pointer_x + 0.5);
    uint32_t row = (uint32_t)line / (l->apart ? l->places : 1);
    uint32_t place = (uint32_t)line % l->places;
    if (!rect_has(l->rows, view->pointer_x, view->pointer_y))
        return;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct run_block *block = &l->blocks[i];
        if (waves_row_of(run_info(view->run), l->all, block->sm) == row &&
            (!l->apart || block->place == place) && (double)block->start <= cycle &&
            (double)waves_end_of(view, block) > cycle) {
            waves_describe(view, block);
            return;
        }
    }
}

static void draw_blocks(struct view *view, struct grid *grid, struct tui_waves_layout *l)
{
    const struct timeline_info *info = run_info(view->run);
    uint32_t lines_of_sm = l->apart ? l->places : 1;
    size_t lines = (size_t)l->sms * lines_of_sm;
    struct held_column *held = calloc(lines * (size_t)(l->rows.w + 1), sizeof *held);
    for (uint32_t i = 0; held && i < l->count; i++) {
        size_t line = (size_t)waves_row_of(info, l->all, l->blocks[i].sm) * lines_of_sm +
                      (l->apart ? l->blocks[i].place : 0);
        if (line < lines)
            add_block(view, l, i, held + line * (size_t)l->rows.w);
    }
    for (size_t line = 0; held && line < lines; line++) {
        int y = l->rows.y + (int)line - (int)view->place.scroll;
        if (y < l->rows.y || y >= l->rows.y + l->rows.h)
            continue;
        draw_labels(view, grid, l, (uint32_t)(line / lines_of_sm), (uint32_t)(line % lines_of_sm),
                    y);
        draw_held(view, grid, l, y, held + line * (size_t)l->rows.w);
    }
    free(held);
    describe_block(view, l);
}

/* Draws the map of shares: tenths as digits on their colours. */
static void draw_heat(struct view *view, struct grid *grid, const struct tui_waves_layout *l)
{
    struct heat heat = {.mode = view->options.waves, .sms = l->sms, .all = l->all, .time = l->time};
    double *values = heat_values(view, &heat);
    for (uint32_t row = 0; values && row < l->sms; row++) {
        const double *share = values + (size_t)row * (size_t)(l->rows.w + 1);
        int y = l->rows.y + (int)row - (int)view->place.scroll;
        if (y < l->rows.y || y >= l->rows.y + l->rows.h)
            continue;
        draw_labels(view, grid, l, row, 0, y);
        for (int i = 0; i < l->rows.w; i++) {
            uint32_t colour = view_theme(view)->panel;
            uint32_t sign = '-';
            if (!isnan(share[i])) {
                colour = heat_colour(view, heat.mode, share[i]);
                sign = share[i] < 0.005   ? ' '
                       : share[i] >= 0.95 ? '#'
                                          : (uint32_t)('0' + (int)(share[i] * 10));
            }
            grid_put(grid, l->rows.x + i, y, sign,
                     colour_mix(colour, colour_on(colour), grid->colour ? 55 : 100), colour);
            if (view->pointer_x == l->rows.x + i && view->pointer_y == y)
                heat_describe(view, &heat, row, share[i]);
        }
    }
    free(values);
}

/* Draws the mode of the screen and its legend. */
static void draw_mode(const struct view *view, struct grid *grid, const struct tui_waves_layout *l,
                      uint32_t waves)
{
    static const char *const names[WAVES_MODE_COUNT] = {"blocks", "warps", "issues"};
    const struct theme *theme = view_theme(view);
    struct rect strip = l->mode;
    int x = strip.x + strip.w;
    for (int i = WAVES_MODE_COUNT - 1; i >= 0; i--) {
        bool here = (int)view->options.waves == i;
        struct rect name = {x -= grid_width(names[i]) + 1, strip.y, grid_width(names[i]), 1};
        grid_text(grid, name, ALIGN_LEFT, here ? theme->accent : theme->quiet, names[i]);
        grid_style(grid, name, here ? GRID_BOLD | GRID_UNDERLINE : 0);
    }
    grid_text(grid, (struct rect){x - 3, strip.y, 3, 1}, ALIGN_LEFT, theme->quiet, "m:");
    strip.w = x - 4 - strip.x;
    if (view->options.waves != WAVES_BLOCKS) {
        grid_text(grid, strip, ALIGN_LEFT, theme->quiet,
                  view->options.waves == WAVES_WARPS
                      ? "digit: tenths of the warp slots that blocks hold, # all"
                      : "digit: tenths of the issue slots that are used, # all");
        return;
    }
    for (uint32_t i = 0; i < waves && i < WAVE_COLOURS; i++) {
        char text[32];
        struct rect box = rect_cut_left(&strip, 2);
        (void)snprintf(text, sizeof text, waves > i + WAVE_COLOURS ? "%s%u,%u...  " : "%s%u  ",
                       i ? "" : "wave ", i + 1, i + 1 + WAVE_COLOURS);
        grid_fill(grid, (struct rect){box.x, box.y, 1, 1}, waves_colour(theme, i));
        rect_cut_left(&strip, grid_text(grid, strip, ALIGN_LEFT, theme->text, text));
    }
    if (grid_width("| tail") <= strip.w)
        grid_text(grid, strip, ALIGN_LEFT, theme->warning, "\u2502 tail");
}

void tui_waves(struct view *view, struct grid *grid)
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
    uint32_t sms = all ? info->sms : info->sm_count;
    uint32_t places = info->occupancy.blocks ? info->occupancy.blocks : 1;
    struct waves_summary s = waves_summarise(view, blocks, count, sms, places);
    char words[400];
    waves_words(view, &s, count, all, words, sizeof words);
    struct tui_waves_layout l = layout_of(view, grid, words);
    bool map = view->options.waves != WAVES_BLOCKS;
    l.blocks = blocks;
    l.count = count;
    l.all = all;
    l.sms = sms;
    l.apart = !map && (view->place.row_height ? view->place.row_height >= USUAL_ROW
                                              : (int)(sms * places) <= l.rows.h);
    view->time_area = l.rows;
    view->shown_from = l.time.from;
    view->shown_cycles_per_px = l.time.cycles_per_px;
    uint32_t lines_of_sm = l.apart ? places : 1;
    view->content_rows = sms * lines_of_sm;
    view->shown_rows = l.rows.h;
    view->selected_row = waves_row_of(info, all, view->place.sm) * lines_of_sm;
    grid_paragraph(grid, l.words, theme->text, words, true);
    draw_mode(view, grid, &l, s.waves);
    plot_time(grid, view, l.axis, l.time.from, l.time.cycles_per_px);
    int lines = (int)view->content_rows;
    l.rows.h = lines < l.rows.h ? lines : l.rows.h;
    grid_fill(grid, l.rows, theme->panel);
    if (map)
        draw_heat(view, grid, &l);
    else
        draw_blocks(view, grid, &l);
    draw_tail(view, grid, &l, &s);
    plot_cursor(grid, view, l.rows, l.time.from, l.time.cycles_per_px);
    plot_scrollbar(grid, theme, (struct rect){l.bar.x, l.rows.y, 1, l.rows.h}, view->place.scroll,
                   view->shown_rows, view->content_rows);
}
