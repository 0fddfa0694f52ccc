#include "view/hierarchy_chart.h"

#include <math.h>

#include "language/language.h"
#include "report/quantity.h"
#include "view/chart.h"

enum { COLUMNS = 4, BOX_PERCENT = 13 };

enum box_id { BOX_SM, BOX_SHARED, BOX_L1, BOX_L2, BOX_DRAM, BOX_COUNT };

/* A part of the hierarchy, with the hits and the share of the peak of the way that leads to it. */
static const struct {
    const char *title;
    int column;
    int half; /* 0: whole height; 1: upper half; 2: lower half */
    int way;  /* enum memory_link_id; -1: none */
} boxes[BOX_COUNT] = {
    {"SM", 0, 0, -1},
    {N_("Shared memory"), 1, 1, LINK_SM_SHARED},
    {"L1", 1, 2, LINK_SM_L1},
    {"L2", 2, 0, LINK_L1_L2},
    {"DRAM", 3, 0, LINK_L2_DRAM},
};

/* The boxes at the ends of a way, from the SM outwards, and what its third kind of bytes is. */
static const struct {
    enum box_id from, to;
    const char *other;
} ways[LINK_COUNT] = {
    [LINK_SM_SHARED] = {BOX_SM, BOX_SHARED, N_("atomics")},
    [LINK_SM_L1] = {BOX_SM, BOX_L1, N_("atomics, local")},
    [LINK_SHARED_L2] = {BOX_SHARED, BOX_L2, N_("reduced")},
    [LINK_L1_L2] = {BOX_L1, BOX_L2, N_("atomics")},
    [LINK_L2_DRAM] = {BOX_L2, BOX_DRAM, NULL},
};

static struct rect box_place(const struct metrics *m, struct rect area, enum box_id box)
{
    const int w = area.w * BOX_PERCENT / 100;
    const int gap = (area.w - COLUMNS * w) / (COLUMNS - 1);
    struct rect rect = {area.x + boxes[box].column * (w + gap), area.y, w, area.h};
    if (boxes[box].half) {
        rect.h = (area.h - m->pad) / 2;
        rect.y += boxes[box].half == 2 ? area.h - rect.h : 0;
    }
    return rect;
}

/* Draws a box with its name, hits and share of the peak; the share fills it from its foot. */
static void draw_box(struct canvas *canvas, const struct theme *theme, struct rect rect,
                     enum box_id box, const struct memory_link links[LINK_COUNT])
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct memory_link *link = boxes[box].way < 0 ? NULL : &links[boxes[box].way];
    const bool used = !link || memory_link_used(link);
    const double share = link && used && !isnan(link->peak_percent) ? link->peak_percent : 0;
    const int filled = (int)lround(rect.h * fmin(share, 100) / 100);
    char text[64];
    canvas_fill(canvas, rect, theme->ground);
    canvas_blend(canvas, (struct rect){rect.x, rect.y + rect.h - filled, rect.w, filled},
                 share > 75 ? theme->warning : theme->accent, 90);
    canvas_frame(canvas, rect, m->px, used ? theme->text : theme->line);
    struct rect line = {rect.x, rect.y + m->pad / 2, rect.w, m->line[TEXT_NORMAL]};
    canvas_text_in(canvas, line, TEXT_NORMAL, ALIGN_CENTRE, used ? theme->text : theme->quiet,
                   translate(boxes[box].title));
    if (!link || !used)
        return;
    line.y += line.h;
    line.h = m->line[TEXT_SMALL];
    (void)snprintf(text, sizeof text, _("%s of peak"), quantity_percent(link->peak_percent).text);
    if (!isnan(link->peak_percent))
        canvas_text_in(canvas, line, TEXT_SMALL, ALIGN_CENTRE, theme->text, text);
    line.y += line.h;
    (void)snprintf(text, sizeof text, _("%s hits"), quantity_percent(link->hit_percent).text);
    if (!isnan(link->hit_percent))
        canvas_text_in(canvas, line, TEXT_SMALL, ALIGN_CENTRE, theme->text, text);
}

/* Draws an arrow between the columns x0 and x1 with its words above it. */
static void draw_arrow(struct canvas *canvas, const struct theme *theme, int x0, int x1, int y,
                       uint32_t colour, double bytes, const char *what)
{
    const struct metrics *m = canvas_metrics(canvas);
    const int left = x0 < x1 ? x0 : x1, right = x0 < x1 ? x1 : x0;
    char text[64];
    canvas_arrow(canvas, x0, y, x1, y, colour);
    (void)snprintf(text, sizeof text, "%s %s", quantity_bytes(bytes).text, what);
    canvas_text_in(
        canvas,
        (struct rect){left, y - m->line[TEXT_SMALL] - m->px, right - left, m->line[TEXT_SMALL]},
        TEXT_SMALL, ALIGN_CENTRE, theme->text, text);
}

static void draw_way(struct canvas *canvas, const struct theme *theme, struct rect area,
                     enum memory_link_id id, const struct memory_link *link)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct rect from = box_place(m, area, ways[id].from);
    const struct rect to = box_place(m, area, ways[id].to);
    const struct rect *low = from.h < to.h ? &from : &to;
    const int x0 = from.x + from.w + m->pad, x1 = to.x - m->pad;
    const struct {
        double bytes;
        const char *what;
        bool inwards;
    } arrows[] = {{link->read, _("read"), true},
                  {link->written, _("written"), false},
                  {ways[id].other ? link->other : 0,
                   ways[id].other ? translate(ways[id].other) : NULL, false}};
    int count = 0;
    for (int i = 0; i < 3; i++)
        count += arrows[i].bytes > 0;
    for (int i = 0, k = 0; i < 3; i++) {
        if (arrows[i].bytes <= 0)
            continue;
        const int y = low->y + low->h * (2 * k++ + 1) / (2 * count) + m->line[TEXT_SMALL] / 2;
        draw_arrow(canvas, theme, arrows[i].inwards ? x1 : x0, arrows[i].inwards ? x0 : x1, y,
                   theme->text, arrows[i].bytes, arrows[i].what);
    }
}

void hierarchy_chart(struct canvas *canvas, const struct theme *theme, struct rect area,
                     const struct memory_link links[LINK_COUNT])
{
    struct rect inner = chart_panel(canvas, theme, area, _("What moves between the memory levels?"),
                                    _("share of the peak from below"));
    for (unsigned i = 0; i < LINK_COUNT; i++)
        draw_way(canvas, theme, inner, (enum memory_link_id)i, &links[i]);
    for (unsigned i = 0; i < BOX_COUNT; i++)
        draw_box(canvas, theme, box_place(canvas_metrics(canvas), inner, (enum box_id)i),
                 (enum box_id)i, links);
}
