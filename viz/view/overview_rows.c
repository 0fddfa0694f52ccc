/* The screen Overview: its rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "language/language.h"
#include "report/advice.h"
#include "report/costly.h"
#include "report/quantity.h"
#include "report/report_gap.h"
#include "report/verdict.h"
#include "view/states.h"
#include "view/view_overview.h"

enum { MOST_ADVICE = 5, MOST_STATES = 7, MOST_LINES = 5 };

/* Cheaper faults, in per cent of the time, and rarer states and instructions have no row. */
static const double least_advice = 1, least_share = 0.5;

const struct overview_title overview_titles[OVERVIEW_PANELS] = {
    [OVERVIEW_ADVICE] = {N_("What would help?"), N_("estimated share of the time, causes first")},
    [OVERVIEW_STATES] = {N_("What do the warps do?"), N_("share of warp cycles, all SMs")},
    [OVERVIEW_ROOFS] = {N_("How near are the roofs?"), N_("of what the GPU can do")},
    [OVERVIEW_LOST] = {N_("Where is occupancy lost?"), N_("of all warp slots")},
    [OVERVIEW_LINES] = {N_("Where do warps spend their time?"), N_("of warp cycles")},
};

const char overview_absent[] = N_(
    "The file has no statistics of the whole run, because it was cut off before its end. The other "
    "screens show what there is.");

/* The screen that shows each fault. */
static const enum screen_id screen_of_advice[ADVICE_COUNT] = {
    [ADVICE_UNCOALESCED] = SCREEN_SOURCE,  [ADVICE_LOCAL] = SCREEN_SOURCE,
    [ADVICE_BANKS] = SCREEN_SOURCE,        [ADVICE_ATOMICS] = SCREEN_SOURCE,
    [ADVICE_DIVERGENCE] = SCREEN_LANES,    [ADVICE_PREDICATION] = SCREEN_LANES,
    [ADVICE_PARTIAL_WARPS] = SCREEN_LANES, [ADVICE_OCCUPANCY] = SCREEN_OCCUPANCY,
    [ADVICE_WITHIN_BLOCKS] = SCREEN_WAVES, [ADVICE_IMBALANCE] = SCREEN_WAVES,
    [ADVICE_PARTIAL_WAVE] = SCREEN_WAVES,  [ADVICE_FEW_BLOCKS] = SCREEN_WAVES,
    [ADVICE_BARRIERS] = SCREEN_TIMELINE,   [ADVICE_CODE] = SCREEN_TIMELINE,
    [ADVICE_CONSTANTS] = SCREEN_SOURCE,    [ADVICE_FP64] = SCREEN_SOURCE,
    [ADVICE_UNFUSED] = SCREEN_SOURCE,      [ADVICE_TENSOR] = SCREEN_SOURCE,
    [ADVICE_LAUNCH] = SCREEN_TIMELINE,     [ADVICE_L1] = SCREEN_MEMORY,
    [ADVICE_LATENCY] = SCREEN_LATENCY,     [ADVICE_DRAM] = SCREEN_MEMORY,
};

struct source {
    const struct theme *theme;
    const struct simsm_config *config;
    const struct simsm_stats *stats;
    const struct timeline_info *info;
    struct simsm_metric metrics[METRIC_COUNT];
};

/* Appends a row. Returns NULL if there is no room. */
static struct overview_row *add(struct overview_page *overview, enum overview_panel panel,
                                const char *name, double percent, uint32_t colour,
                                enum screen_id screen)
{
    if (overview->count == OVERVIEW_PAGE_ROWS)
        return NULL;
    struct overview_row *row = &overview->rows[overview->count++];
    *row = (struct overview_row){
        .panel = panel, .percent = percent, .colour = colour, .screen = screen, .line = VIEW_NONE};
    (void)snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

static void add_advice(const struct source *from, struct overview_page *overview)
{
    struct advice advice[ADVICE_COUNT];
    const uint32_t before = overview->count;
    const unsigned count = advice_find(from->config, from->stats, from->metrics, advice);
    for (unsigned i = 0; i < count && i < MOST_ADVICE; i++) {
        const struct advice *a = &advice[i];
        if (100 * a->share < least_advice)
            continue;
        struct overview_row *row =
            add(overview, OVERVIEW_ADVICE, translate(advice_rows[a->id].title), 100 * a->share,
                from->theme->accent, screen_of_advice[a->id]);
        if (!row)
            return;
        (void)snprintf(row->detail, sizeof row->detail, "%s%s%s%s",
                       advice_rows[a->id].kind == ADVICE_UNSURE ? _("not sure: ") : "", a->figure,
                       a->place[0] ? "; " : "", a->place);
        row->hint = translate(advice_rows[a->id].remedy);
        if (a->line < from->info->line_count)
            row->line = a->line;
    }
    if (overview->count == before)
        (void)add(overview, OVERVIEW_ADVICE, _("No fault costs one per cent of the time."), NAN, 0,
                  SCREEN_TIMELINE);
}

static void add_states(const struct source *from, struct overview_page *overview)
{
    const double all = (double)metrics_resident_cycles(from->stats);
    double cycles[SIMSM_STATE_COUNT];
    uint32_t taken = 0;
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        cycles[s] = (double)from->stats->states[s];
    for (int n = 0; n < MOST_STATES; n++) {
        const uint32_t most = states_next(cycles, taken);
        if (most == SIMSM_STATE_COUNT || !(100 * cycles[most] / all >= least_share))
            break;
        taken |= 1u << most;
        struct overview_row *row =
            add(overview, OVERVIEW_STATES, translate(simsm_states[most].title),
                100 * cycles[most] / all, from->theme->states[most].colour, SCREEN_LATENCY);
        if (row)
            (void)snprintf(row->detail, sizeof row->detail, "%s",
                           translate(simsm_states[most].meaning));
    }
}

static void add_roofs(const struct source *from, struct overview_page *overview)
{
    const struct {
        const char *name, *detail;
        unsigned metric;
        enum screen_id screen;
    } roofs[] = {
        {_("compute"), _("the busiest pipe of the SMs"), METRIC_SM_THROUGHPUT, SCREEN_MEMORY},
        {_("memory"), _("the busiest part of the memory"), METRIC_MEMORY_THROUGHPUT, SCREEN_MEMORY},
        {_("issue"), _("cycles in which a scheduler issues"), METRIC_ISSUE_SLOTS_BUSY,
         SCREEN_LATENCY},
    };
    for (size_t i = 0; i < sizeof roofs / sizeof roofs[0]; i++) {
        struct overview_row *row =
            add(overview, OVERVIEW_ROOFS, roofs[i].name, from->metrics[roofs[i].metric].value,
                from->theme->series[0], roofs[i].screen);
        if (row)
            (void)snprintf(row->detail, sizeof row->detail, "%s", roofs[i].detail);
    }
    const struct advice_roof roof = advice_roof(from->config, from->stats, from->metrics);
    char pipe[40];
    (void)snprintf(pipe, sizeof pipe, _("the %s pipe"), roof.pipe ? roof.pipe : "");
    struct overview_row *row =
        add(overview, OVERVIEW_ROOFS, roof.pipe ? pipe : translate(roof.name), 100 * roof.share,
            from->theme->series[0], SCREEN_MEMORY);
    if (row)
        (void)snprintf(row->detail, sizeof row->detail, _("the busiest resource of the launch"));
}

static void add_lost(const struct source *from, struct overview_page *overview)
{
    struct gap_shares gap;
    if (!gap_shares(from->stats, &gap))
        return;
    struct overview_row *row = add(overview, OVERVIEW_LOST, _("filled"), (double)gap.achieved / 10,
                                   from->theme->issue, SCREEN_OCCUPANCY);
    if (row)
        (void)snprintf(row->detail, sizeof row->detail,
                       _("achieved occupancy; %.1f %% is the most that this launch can have"),
                       (double)gap.theoretical / 10);
    for (int i = 0; i < GAP_CAUSES; i++) {
        if (!gap.cause[i].tenths)
            continue;
        row = add(overview, OVERVIEW_LOST, gap.cause[i].name, (double)gap.cause[i].tenths / 10,
                  from->theme->warning, SCREEN_WAVES);
        if (row)
            (void)snprintf(row->detail, sizeof row->detail, "%s", gap.cause[i].phrase);
    }
    if (gap.theoretical < 1000) {
        row = add(overview, OVERVIEW_LOST, _("cannot be filled"),
                  100 - (double)gap.theoretical / 10, from->theme->warning, SCREEN_OCCUPANCY);
        if (row)
            (void)snprintf(row->detail, sizeof row->detail,
                           _("no more blocks of this shape fit into an SM"));
    }
}

static void add_lines(const struct source *from, struct overview_page *overview)
{
    uint32_t count = 0;
    struct costly_line *lines = costly_lines(from->stats, COSTLY_INSTRUCTIONS, &count);
    const double all = (double)metrics_resident_cycles(from->stats);
    for (uint32_t i = 0; lines && i < count && i < MOST_LINES; i++) {
        char place[40];
        const struct simsm_line_info *info = lines[i].info;
        const double percent = 100 * (double)lines[i].cycles / all;
        if (i && !(percent >= least_share))
            break;
        (void)snprintf(place, sizeof place, info->line ? _("line %u") : "0x%x",
                       info->line ? info->line : info->pc);
        struct overview_row *row = add(overview, OVERVIEW_LINES, place, percent,
                                       from->theme->states[lines[i].state].colour, SCREEN_SOURCE);
        if (!row)
            break;
        (void)snprintf(row->detail, sizeof row->detail, "%.200s   (%s)", info->text,
                       translate(simsm_states[lines[i].state].title));
        if (lines[i].line < from->info->line_count)
            row->line = lines[i].line;
    }
    free(lines);
}

bool overview_fill(const struct view *view, struct overview_page *overview)
{
    struct simsm_error error;
    struct source from = {.theme = view_theme(view),
                          .config = run_config(view->run, &error),
                          .info = run_info(view->run)};
    struct verdict_finding findings[VERDICT_MAX];
    from.stats = from.info->stats;
    *overview = (struct overview_page){0};
    if (!from.config || !from.stats)
        return false;
    metrics_compute(from.config, from.stats, from.metrics);
    (void)verdict_find(from.config, from.stats, from.metrics, findings);
    (void)snprintf(overview->verdict, sizeof overview->verdict, "%s", findings[0].sentence);
    overview->hint = findings[0].hint;
    add_advice(&from, overview);
    add_states(&from, overview);
    add_roofs(&from, overview);
    add_lost(&from, overview);
    add_lines(&from, overview);
    return true;
}

void overview_point(struct view *view, const struct overview_page *overview, uint32_t row)
{
    const struct overview_row *r = &overview->rows[row];
    (void)snprintf(view->status, sizeof view->status, _("%.60s: %.110s   (click, or return: %s)"),
                   r->name, r->detail, translate(screens[r->screen].title));
    view->target = (struct view_target){
        .kind = TARGET_WAY, .screen = r->screen, .line = r->line, .field = row};
}
