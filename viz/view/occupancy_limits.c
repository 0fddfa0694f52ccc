/* The screen Occupancy: the resource that limits, and what would give more warps. */
#include "language/language.h"
#include "occupancy/vary.h"
#include "report/quantity.h"
#include "view/chart.h"
#include "view/view_occupancy.h"

/* Columns of the table of limits, in characters, and lines of text below it. */
enum { NAME = 15, BLOCKS = 6, TAKEN = 27, LEAST_BAR = 8, ADVICE_LINES = 6 };

/* Returns the height of a row of the table of limits. */
static int limit_row(const struct metrics *m)
{
    return m->line[TEXT_NORMAL] + 2 * m->px;
}

int occupancy_limits_height(const struct metrics *m)
{
    return m->line[TEXT_LARGE] + (1 + SIMSM_LIMIT_COUNT) * limit_row(m) +
           ADVICE_LINES * m->line[TEXT_NORMAL] + 4 * m->pad;
}

/* What the resident blocks take of a resource of the SM. */
struct taken {
    double part, all;
    char text[48]; /* "40 of 64" */
};

static struct taken taken_of(const struct simsm_config *config, const struct simsm_launch *launch,
                             const struct simsm_occupancy *occupancy, enum simsm_limit limit)
{
    const double blocks = occupancy->blocks;
    const uint32_t shared =
        launch->carveout == SIMSM_CARVEOUT_DEFAULT ? config->sm_shared_bytes : occupancy->carveout;
    const struct taken table[SIMSM_LIMIT_COUNT] = {
        [SIMSM_LIMIT_WARPS] = {.part = occupancy->warps, .all = occupancy->max_warps},
        [SIMSM_LIMIT_REGISTERS] = {.part = (double)occupancy->warps * occupancy->registers_per_warp,
                                   .all = config->sm_registers},
        [SIMSM_LIMIT_SHARED] = {.part = blocks * occupancy->shared_per_block, .all = shared},
        [SIMSM_LIMIT_BLOCKS] = {.part = blocks, .all = config->sm_max_blocks},
    };
    struct taken taken = table[limit];
    char part[32];
    char all[32];
    if (limit == SIMSM_LIMIT_SHARED)
        (void)snprintf(taken.text, sizeof taken.text, _("%s of %s"), quantity_kib(taken.part).text,
                       quantity_kib(taken.all).text);
    else
        (void)snprintf(taken.text, sizeof taken.text, _("%s of %s"),
                       chart_cycles((uint64_t)taken.part, part),
                       chart_cycles((uint64_t)taken.all, all));
    return taken;
}

/* Draws a row of the table of limits: the resource, the blocks that it allows, what is taken. */
static void draw_limit(const struct view *view, struct canvas *canvas, struct rect row,
                       const struct simsm_config *config, const struct simsm_launch *launch,
                       const struct simsm_occupancy *occupancy, enum simsm_limit limit)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const int wide = m->advance[TEXT_NORMAL];
    const bool binds = occupancy->limiters >> limit & 1;
    const uint32_t colour = binds ? theme->warning : theme->text;
    const struct taken taken = taken_of(config, launch, occupancy, limit);
    char text[80];
    canvas_text_in(canvas, rect_cut_left(&row, NAME * wide), TEXT_NORMAL, ALIGN_LEFT, colour,
                   translate(simsm_limit_names[limit]));
    (void)snprintf(text, sizeof text, occupancy->limit[limit] == SIMSM_NO_LIMIT ? "-" : "%u",
                   occupancy->limit[limit]);
    canvas_text_in(canvas, rect_cut_left(&row, BLOCKS * wide), TEXT_NORMAL, ALIGN_RIGHT, colour,
                   text);
    rect_cut_left(&row, 2 * wide);
    (void)snprintf(text, sizeof text, binds ? _("limits: %s") : "%s", taken.text);
    if (row.w >= (TAKEN + LEAST_BAR) * wide) {
        const struct rect words = rect_cut_right(&row, TAKEN * wide);
        canvas_text_in(canvas, words, TEXT_NORMAL, ALIGN_RIGHT, colour, text);
        chart_bar(canvas, theme, rect_inset(row, 3 * m->px), taken.part / taken.all,
                  binds ? theme->warning : theme->series[0]);
    } else {
        canvas_text_in(canvas, row, TEXT_NORMAL, ALIGN_LEFT, colour, binds ? _("<- limits") : "");
    }
}

/* Draws the table of limits: a head and a row for each resource. */
static void draw_limit_table(const struct view *view, struct canvas *canvas, struct rect *rest,
                             const struct simsm_config *config, const struct simsm_launch *launch,
                             const struct simsm_occupancy *occupancy)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const int wide = m->advance[TEXT_NORMAL];
    const bool headed = rest->h >= (1 + SIMSM_LIMIT_COUNT) * limit_row(m);
    struct rect head = rect_cut_top(rest, headed ? limit_row(m) : 0);
    char text[48];
    if (headed)
        canvas_text_in(canvas, rect_cut_left(&head, (NAME + BLOCKS) * wide), TEXT_NORMAL,
                       ALIGN_RIGHT, theme->quiet, _("blocks it allows"));
    (void)snprintf(text, sizeof text, _("taken by %u block%s"), occupancy->blocks,
                   occupancy->blocks == 1 ? "" : "s");
    if (headed && head.w >= (2 + TAKEN + LEAST_BAR) * wide)
        canvas_text_in(canvas, head, TEXT_NORMAL, ALIGN_RIGHT, theme->quiet, text);
    for (int i = 0; i < SIMSM_LIMIT_COUNT && rest->h >= m->line[TEXT_NORMAL]; i++)
        draw_limit(view, canvas, rect_cut_top(rest, limit_row(m)), config, launch, occupancy,
                   (enum simsm_limit)i);
}

/*
 * Says that the grid is smaller than the places of the GPU, and which next value of each input
 * gives more warps.
 */
static void draw_better(const struct view *view, struct canvas *canvas, struct rect inner,
                        const struct simsm_config *config, const struct simsm_launch *launch,
                        const struct simsm_occupancy *occupancy)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(view);
    const uint64_t grid = view_grid_blocks(view);
    const uint64_t places = (uint64_t)config->gpu_sms * occupancy->blocks;
    char text[200];
    if (grid < places) {
        (void)snprintf(
            text, sizeof text,
            _("The grid has only %llu block%s for the %llu places of %u SM%s: a larger one "
              "would fill more."),
            (unsigned long long)grid, grid == 1 ? "" : "s", (unsigned long long)places,
            config->gpu_sms, config->gpu_sms == 1 ? "" : "s");
        const int high = canvas_paragraph(canvas, inner, TEXT_NORMAL, theme->warning, text, false);
        if (high <= inner.h)
            canvas_paragraph(canvas, inner, TEXT_NORMAL, theme->warning, text, true);
        rect_cut_top(&inner, high);
    }
    bool any = inner.h < m->line[TEXT_NORMAL];
    for (int i = 0; i < 2 * OCCUPANCY_FIELDS && inner.h >= m->line[TEXT_NORMAL]; i++) {
        const struct occupancy_input *input = &occupancy_inputs[i / 2];
        struct vary_point better;
        if (!vary_next_better(config, launch, input->input, i % 2, &better))
            continue;
        (void)snprintf(text, sizeof text, _("%s: %u instead of %u gives %u warps"),
                       translate(input->title), better.value, vary_get(launch, input->input),
                       better.occupancy.warps);
        canvas_text_in(canvas, rect_cut_top(&inner, m->line[TEXT_NORMAL]), TEXT_NORMAL, ALIGN_LEFT,
                       theme->text, text);
        any = true;
    }
    if (!any)
        canvas_paragraph(canvas, inner, TEXT_NORMAL, theme->quiet,
                         occupancy->warps == occupancy->max_warps
                             ? _("An SM's warp slots can all be taken: no input gains any.")
                             : _("No other value of one input alone gives more warps."),
                         true);
}

void occupancy_draw_limits(const struct view *view, struct canvas *canvas, struct rect panel,
                           const struct simsm_config *config, const struct simsm_launch *launch,
                           const struct simsm_occupancy *occupancy, const char *problem)
{
    const struct theme *theme = view_theme(view);
    struct rect inner = chart_panel(canvas, theme, panel, _("What limits it?"), NULL);
    const struct rect saved = canvas_clip(canvas, panel);
    if (occupancy->blocks) {
        draw_limit_table(view, canvas, &inner, config, launch, occupancy);
        rect_cut_top(&inner, canvas_metrics(canvas)->pad);
        draw_better(view, canvas, inner, config, launch, occupancy);
    } else {
        canvas_paragraph(canvas, inner, TEXT_NORMAL, theme->warning, problem, true);
    }
    canvas_unclip(canvas, saved);
}
