/* The screen Source in a terminal: where warps wait, instruction by instruction. */
#include "view/view_source.h"

#include <stdlib.h>
#include <string.h>

#include "tui/tui_plot.h"
#include "tui/tui_screens.h"
#include "view/chart.h"

enum { NARROW = 64, WIDE = 110 };

struct tui_source_columns {
    struct rect pc, text, issues, lanes, sectors, hits, bar; /* only x and w are used */
};

static struct tui_source_columns columns_of(struct rect row)
{
    struct tui_source_columns c = {.pc = rect_cut_left(&row, 5)};
    bool narrow = row.w < NARROW, wide = row.w >= WIDE;
    c.bar = rect_cut_right(&row, row.w * (narrow ? 40 : 36) / 100);
    rect_cut_right(&row, 1);
    c.hits = rect_cut_right(&row, wide ? 10 : 0);
    c.sectors = rect_cut_right(&row, wide ? 12 : 0);
    c.lanes = rect_cut_right(&row, narrow ? 0 : 7);
    c.issues = rect_cut_right(&row, narrow ? 0 : 9);
    c.text = row;
    return c;
}

/*
 * Draws the warp cycles of an instruction by state. The longest bar of the kernel fills the column;
 * each cell shows the state at its middle.
 */
static void draw_bar(const struct view *view, struct grid *grid, struct rect bar,
                     const struct track_line *line, uint64_t most)
{
    const struct theme *theme = view_theme(view);
    for (int i = 0; i < bar.w; i++) {
        double at = (i + 0.5) / bar.w * (double)most;
        double sum = 0;
        for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++) {
            sum += (double)line->states[s];
            if (sum <= at)
                continue;
            const struct state_look *look = &theme->states[s];
            grid_put(grid, bar.x + i, bar.y, (uint32_t)look->letter, look->ink, look->colour);
            break;
        }
    }
}

/* Draws file name and number of a source line, and its text if the file is found. */
static void draw_source(const struct view *view, struct grid *grid, struct rect row, uint32_t i)
{
    const struct theme *theme = view_theme(view);
    const struct timeline_line *line = &run_info(view->run)->lines[i];
    const char *slash = strrchr(line->file, '/');
    const char *text = run_source_line(view->run, i);
    char where[80];
    grid_fill(grid, row, theme->panel);
    (void)snprintf(where, sizeof where, "%.60s:%u  ", slash ? slash + 1 : line->file, line->line);
    rect_cut_left(&row, grid_text(grid, row, ALIGN_LEFT, theme->quiet, where));
    grid_text(grid, row, ALIGN_LEFT, text ? theme->accent : theme->quiet,
              text ? text + strspn(text, " ") : "(the file is not here)");
}

/* Draws issues, lanes and the bar of states. */
static void draw_sums(const struct view *view, struct grid *grid,
                      const struct tui_source_columns *c, const struct track_line *sums,
                      uint64_t most)
{
    const struct theme *theme = view_theme(view);
    char text[32];
    grid_text(grid, c->issues, ALIGN_RIGHT, sums->issues ? theme->text : theme->quiet,
              chart_cycles(sums->issues, text));
    if (sums->issues) {
        (void)snprintf(text, sizeof text, "%.1f", (double)sums->threads / (double)sums->issues);
        grid_text(grid, c->lanes, ALIGN_RIGHT,
                  sums->threads == 32 * sums->issues ? theme->quiet : theme->warning, text);
    }
    if (most)
        draw_bar(view, grid, c->bar, sums, most);
}

/* Draws sectors and L1 hits over all SMs, of an instruction or of its source line. */
static void draw_memory(const struct view *view, struct grid *grid,
                        const struct tui_source_columns *c, uint32_t index, bool whole_line)
{
    const struct theme *theme = view_theme(view);
    struct source_memory memory;
    if (!c->sectors.w || !source_memory(view, index, whole_line, &memory))
        return;
    grid_text(grid, c->sectors, ALIGN_RIGHT,
              memory.sectors > 1.01 * memory.least ? theme->warning : theme->text,
              memory.sectors_text);
    grid_text(grid, c->hits, ALIGN_RIGHT, theme->text, memory.hits_text);
}

/* Draws a source line, with its sums where only source lines are listed. */
static void draw_head_row(const struct view *view, struct grid *grid, struct rect row,
                          const struct tui_source_columns *c, uint32_t i,
                          const struct track_line *lines, uint64_t most)
{
    struct track_line sums;
    if (view->options.source == SOURCE_LINES) {
        row.w = c->issues.x - row.x;
        if (source_line_sums(run_info(view->run), lines, i, &sums)) {
            draw_sums(view, grid, c, &sums, most);
            draw_memory(view, grid, c, i, true);
        }
    }
    draw_source(view, grid, row, i);
}

static void draw_row(struct view *view, struct grid *grid, struct rect row,
                     const struct source_row *listed, const struct track_line *lines, uint64_t most,
                     uint32_t next)
{
    const struct theme *theme = view_theme(view);
    uint32_t i = listed->line;
    const struct timeline_line *line = &run_info(view->run)->lines[i];
    const struct track_line *sums = &lines[i];
    struct tui_source_columns c = columns_of(row);
    char text[32];
    bool here = i == view->place.line;
    c.pc.y = c.text.y = c.issues.y = c.lanes.y = c.sectors.y = c.hits.y = c.bar.y = row.y;
    if (listed->head) {
        draw_head_row(view, grid, row, &c, i, lines, most);
        return;
    }
    (void)snprintf(text, sizeof text, "%04x", line->pc);
    if (here)
        grid_tint(grid, row, theme->accent, 30);
    grid_text(grid, c.pc, ALIGN_LEFT, theme->quiet, text);
    if (i == next)
        grid_ink(grid, c.pc.x + 4, row.y, 0x25b6, theme->accent);
    grid_text(grid, c.text, ALIGN_LEFT, theme->text, line->text);
    draw_sums(view, grid, &c, sums, most);
    draw_memory(view, grid, &c, i, false);
    if (here)
        grid_style(grid, (struct rect){row.x, row.y, c.bar.x - row.x, 1},
                   grid->colour ? GRID_BOLD : GRID_REVERSE);
    if (rect_has(row, view->pointer_x, view->pointer_y))
        source_describe(view, i, sums);
}

static void draw_head(struct view *view, struct grid *grid, struct rect row)
{
    const struct theme *theme = view_theme(view);
    struct tui_source_columns c = columns_of(row);
    const struct {
        const struct rect *column;
        const char *text;
        enum text_align align;
        enum source_order order; /* the order that a click chooses */
    } heads[] = {{&c.pc, "pc", ALIGN_LEFT, SOURCE_CODE},
                 {&c.text, "instruction", ALIGN_LEFT, SOURCE_NAMES},
                 {&c.issues, "issued", ALIGN_RIGHT, SOURCE_ISSUES},
                 {&c.lanes, "lanes", ALIGN_RIGHT, SOURCE_LANES},
                 {&c.sectors, "sectors", ALIGN_RIGHT, SOURCE_SECTORS},
                 {&c.hits, "L1 hits", ALIGN_RIGHT, SOURCE_HITS},
                 {&c.bar, "warp cycles with it next", ALIGN_LEFT, SOURCE_INSTRUCTIONS}};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        const struct rect cell = *heads[i].column;
        const bool sorted = heads[i].order == view->options.source;
        if (!cell.w)
            continue;
        const int used = grid_text(grid, cell, heads[i].align,
                                   sorted ? theme->accent : theme->quiet, heads[i].text);
        if (sorted)
            grid_ink(grid,
                     heads[i].align == ALIGN_LEFT ? cell.x + used : cell.x + cell.w - used - 1,
                     cell.y, view->options.source_backward ? 0x25b2 : 0x25bc, theme->accent);
        source_point_at_head(view, cell, heads[i].order);
    }
}

void tui_source(struct view *view, struct grid *grid)
{
    struct track *track = view_track(view);
    uint32_t count;
    struct source_row *rows = track ? source_rows(view, track_lines(track), &count) : NULL;
    if (!rows)
        return;
    const struct track_line *lines = track_lines(track);
    uint32_t next = source_selected(view, track);
    const bool lines_only = rows[0].head && view->options.source == SOURCE_LINES;
    uint64_t most = lines_only ? source_most_of(rows, count) : source_most(view, lines);
    uint32_t wanted = source_focus(view, lines, next);
    struct rect area = view->area;
    if (view->options.legend && area.h >= 8) {
        uint32_t states = source_states(view);
        int need = plot_legend(grid, view, area, states, false);
        int room = area.h / 8 + 1;
        plot_legend(grid, view, rect_cut_bottom(&area, need < room ? need : room), states, true);
    }
    struct rect bar = rect_cut_right(&area, 1);
    draw_head(view, grid, rect_cut_top(&area, 1));
    view->content_rows = count;
    view->shown_rows = area.h;
    struct rect saved = grid_clip(grid, area);
    for (uint32_t k = 0; k < count; k++) {
        int y = area.y + (int)k - (int)view->place.scroll;
        if (!rows[k].head && rows[k].line == wanted)
            view->selected_row = k;
        if (y >= area.y && y < area.y + area.h)
            draw_row(view, grid, (struct rect){area.x, y, area.w, 1}, &rows[k], lines, most, next);
    }
    grid_unclip(grid, saved);
    plot_scrollbar(grid, view_theme(view), (struct rect){bar.x, area.y, 1, area.h},
                   view->place.scroll, view->shown_rows, view->content_rows);
    free(rows);
}
