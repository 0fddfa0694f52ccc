/*
 * The text picture of a timeline: rows of letters, a strip of the issue rate for each
 * sub-partition, and a legend.
 */
#include "timeline/timeline_picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "language/language.h"
#include "timeline/cycle_selection.h"
#include "timeline/smtl.h"
#include "timeline/timeline_prose.h"

/* Cycles that a slot spent in each state during one column. */
struct picture_cell {
    uint32_t cycles[SMTL_ISSUE];
};

struct picture_row {
    bool shown, other_warps; /* other_warps: more than one warp in the shown cycles */
    bool known;              /* `block` and `warp` are set, to the first warp in the shown cycles */
    uint32_t block, warp;
};

struct text_picture {
    struct timeline_reader *reader;
    const struct timeline_info *info;
    const struct picture_options *options;
    FILE *file;
    uint32_t sm, columns, label; /* label: characters before the cells */
    unsigned shift;              /* a column is 2^shift cycles */
    uint64_t from, to;           /* shown cycles; columns begin at multiples of 2^shift */
    uint64_t begin, end;         /* recorded cycles */
    struct picture_cell *cells;  /* [slots][columns] */
    uint32_t *issues;            /* [sub-partitions][columns] */
    uint32_t block_width;
    struct picture_row row[SIMSM_SLOTS_PER_SM];
    uint64_t sum[SMTL_ISSUE]; /* cycles by state, of the shown rows */
};

static bool is_empty(const struct text_picture *p, uint32_t state)
{
    return p->info->states[state].known == SIMSM_STATE_EMPTY;
}

static bool is_issued(const struct text_picture *p, uint32_t state)
{
    return p->info->states[state].known == SIMSM_STATE_ISSUED;
}

/*
 * Finds the cycle at which the picture begins: a few cycles before the first issue, as all cycles
 * before it look alike. If nothing issues, the first cycle with a warp; without a warp UINT64_MAX.
 */
static enum simsm_status first_activity(struct text_picture *p, uint32_t sm, uint64_t *cycle,
                                        struct simsm_error *error)
{
    enum { BEFORE_ISSUE = 5 };
    struct timeline_data data = {0};
    enum simsm_status status = SIMSM_OK;
    uint64_t warp = UINT64_MAX, issue = UINT64_MAX;
    uint32_t count;
    const struct timeline_chunk *chunk = timeline_read_chunks(p->reader, sm, &count);
    for (; count-- && issue == UINT64_MAX && status == SIMSM_OK; chunk++) {
        status = timeline_read_chunk(p->reader, chunk, &data, error);
        for (uint32_t i = 0; i < data.span_count && warp > chunk->begin; i++) {
            const struct timeline_span *span = &data.spans[i];
            uint64_t from = span->from > chunk->begin ? span->from : chunk->begin;
            if (!is_empty(p, span->state) && from < warp)
                warp = from;
        }
        for (uint32_t i = 0; i < data.issue_count; i++)
            issue = data.issues[i].cycle < issue ? data.issues[i].cycle : issue;
    }
    timeline_data_free(&data);
    *cycle = issue == UINT64_MAX || issue < warp + BEFORE_ISSUE ? warp : issue - BEFORE_ISSUE;
    return status;
}

static enum simsm_status choose_sm(struct text_picture *p, uint64_t *activity,
                                   struct simsm_error *error)
{
    const struct timeline_info *info = p->info;
    if (p->options->sm != UINT32_MAX) {
        p->sm = p->options->sm;
        enum simsm_status status = selection_check_sm(info, p->sm, error);
        return status == SIMSM_OK ? first_activity(p, p->sm, activity, error) : status;
    }
    for (uint32_t i = 0; i < info->sm_count; i++) {
        enum simsm_status status = first_activity(p, info->sm[i], activity, error);
        if (status != SIMSM_OK)
            return status;
        p->sm = info->sm[i];
        if (*activity != UINT64_MAX)
            return SIMSM_OK;
    }
    p->sm = info->sm[0];
    return SIMSM_OK;
}

static uint32_t digits(uint64_t number)
{
    uint32_t n = 1;
    for (; number > 9; number /= 10)
        n++;
    return n;
}

static enum simsm_status choose_range(struct text_picture *p, uint64_t activity,
                                      struct simsm_error *error)
{
    uint32_t count;
    const struct timeline_chunk *chunks = timeline_read_chunks(p->reader, p->sm, &count);
    if (!count)
        return err_at(error, SIMSM_BAD_INPUT, p->info->name, 0, 0,
                      "no cycle of SM %u is recorded here", p->sm);
    p->begin = chunks[0].begin;
    p->end = chunks[count - 1].end;
    p->from = p->options->range ? p->options->from : activity != UINT64_MAX ? activity : p->begin;
    if (p->from < p->begin)
        p->from = p->begin;
    p->to = p->options->range && p->options->to ? p->options->to : p->from + p->columns;
    if (p->to > p->end)
        p->to = p->end;
    if (p->from >= p->to)
        return err_at(
            error, SIMSM_BAD_INPUT, p->info->name, 0, 0,
            "cycles %llu to %llu of SM %u are recorded; the requested range has none of them",
            (unsigned long long)p->begin, (unsigned long long)p->end - 1, p->sm);
    while (((p->to - 1) >> p->shift) - (p->from >> p->shift) >= p->columns)
        p->shift++;
    p->columns = (uint32_t)(((p->to - 1) >> p->shift) - (p->from >> p->shift)) + 1;
    return SIMSM_OK;
}

static void add_span(struct text_picture *p, const struct timeline_span *span)
{
    uint64_t from = span->from > p->from ? span->from : p->from;
    uint64_t to = span->to < p->to ? span->to : p->to;
    uint64_t first = p->from >> p->shift;
    struct picture_cell *row = p->cells + (size_t)span->slot * p->columns;
    if (!is_empty(p, span->state) && from < to)
        p->row[span->slot].shown = true;
    while (from < to) {
        uint64_t column = from >> p->shift;
        uint64_t end = (column + 1) << p->shift;
        uint64_t cycles = (end < to ? end : to) - from;
        row[column - first].cycles[span->state] += (uint32_t)cycles;
        from += cycles;
    }
}

static void add_warp(struct text_picture *p, const struct timeline_warp *warp)
{
    struct picture_row *row = &p->row[warp->slot];
    if (!warp->started || warp->cycle >= p->to)
        return;
    if (row->known && row->block == warp->block && row->warp == warp->warp)
        return; /* the next chunk repeats the warp */
    row->other_warps = row->known && warp->cycle > p->from;
    if (row->known && row->other_warps)
        return;
    row->known = true;
    row->block = warp->block;
    row->warp = warp->warp;
}

static void add_issue(struct text_picture *p, const struct timeline_issue *issue)
{
    if (issue->cycle < p->from || issue->cycle >= p->to)
        return;
    uint32_t sub = issue->slot % p->info->sub_partitions;
    p->issues[(size_t)sub * p->columns + ((issue->cycle >> p->shift) - (p->from >> p->shift))]++;
}

static enum simsm_status gather(struct text_picture *p, struct simsm_error *error)
{
    struct timeline_data data = {0};
    enum simsm_status status = SIMSM_OK;
    uint32_t count;
    const struct timeline_chunk *chunk = timeline_read_chunks(p->reader, p->sm, &count);
    for (; count-- && status == SIMSM_OK; chunk++) {
        if (chunk->end <= p->from || chunk->begin >= p->to)
            continue;
        status = timeline_read_chunk(p->reader, chunk, &data, error);
        if (status != SIMSM_OK)
            break;
        for (uint32_t i = 0; i < data.span_count; i++) {
            struct timeline_span span = data.spans[i];
            if (span.from < chunk->begin)
                span.from = chunk->begin; /* the cycles before were counted with the chunk before */
            add_span(p, &span);
        }
        for (uint32_t i = 0; i < data.warp_count; i++)
            add_warp(p, &data.warps[i]);
        for (uint32_t i = 0; i < data.issue_count; i++)
            add_issue(p, &data.issues[i]);
    }
    timeline_data_free(&data);
    return status;
}

static void choose_rows(struct text_picture *p)
{
    for (uint32_t s = 0; s < p->info->slots; s++) {
        struct picture_row *row = &p->row[s];
        if (p->options->slots)
            row->shown = p->options->slots >> s & 1u;
        for (uint32_t c = 0; row->shown && c < p->columns; c++) {
            for (uint32_t state = 0; state < p->info->state_count; state++)
                p->sum[state] += p->cells[(size_t)s * p->columns + c].cycles[state];
        }
    }
}

/*
 * Returns the state that gives a cell its colour: the longest state except `selected`. UINT32_MAX:
 * there is none.
 */
static uint32_t ground(const struct text_picture *p, const struct picture_cell *cell)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t state = 0; state < p->info->state_count; state++) {
        if (cell->cycles[state] && !is_issued(p, state) &&
            (best == UINT32_MAX || cell->cycles[state] > cell->cycles[best] ||
             (is_empty(p, best) && cell->cycles[state] == cell->cycles[best])))
            best = state;
    }
    return best;
}

/* Returns the state `selected` if the cell has cycles in it, else UINT32_MAX. */
static uint32_t issued(const struct text_picture *p, const struct picture_cell *cell)
{
    for (uint32_t state = 0; state < p->info->state_count; state++) {
        if (cell->cycles[state] && is_issued(p, state))
            return state;
    }
    return UINT32_MAX;
}

/*
 * Returns black or white, as a colour number: the one that is easier to read on the state's colour.
 */
static unsigned ink(const struct timeline_state *state)
{
    uint32_t red = state->dark >> 16 & 255u, green = state->dark >> 8 & 255u;
    uint32_t blue = state->dark & 255u;
    return red * 299 + green * 587 + blue * 114 > 128000 ? 16 : 231;
}

static void paint(const struct text_picture *p, uint32_t state)
{
    if (p->options->colour)
        (void)fprintf(p->file, "\033[38;5;%um\033[48;5;%um", ink(&p->info->states[state]),
                      p->info->states[state].xterm);
}

static void unpaint(const struct text_picture *p)
{
    if (p->options->colour)
        (void)fputs("\033[0m", p->file);
}

static void write_cells(const struct text_picture *p, uint32_t slot)
{
    uint32_t painted = UINT32_MAX;
    for (uint32_t c = 0; c < p->columns; c++) {
        const struct picture_cell *cell = &p->cells[(size_t)slot * p->columns + c];
        uint32_t below = ground(p, cell), above = issued(p, cell);
        uint32_t letter = above != UINT32_MAX ? above : below;
        uint32_t colour = p->shift && below != UINT32_MAX ? below : letter;
        if (letter == UINT32_MAX) {
            (void)fputc(' ', p->file);
            continue;
        }
        if (colour != painted)
            paint(p, colour);
        painted = colour;
        (void)fputc(p->info->states[letter].letter, p->file);
    }
    unpaint(p);
    (void)fputc('\n', p->file);
}

/* Writes the share of a column's cycles in which a sub-partition issued, as a bar. */
static void write_share(const struct text_picture *p, uint32_t issues, uint64_t cycles)
{
    static const char *const bars[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                       "\u2585", "\u2586", "\u2587", "\u2588"};
    if (!issues)
        (void)fputs(p->options->ascii ? "." : "\u00b7", p->file);
    else if (issues >= cycles)
        (void)fputs(p->options->ascii ? "#" : bars[7], p->file);
    else if (p->options->ascii)
        (void)fputc((int)('1' + issues * 9 / cycles), p->file);
    else
        (void)fputs(bars[issues * 7 / cycles], p->file);
}

static void write_strip(const struct text_picture *p, uint32_t sub)
{
    (void)fprintf(p->file, "%-*s", (int)p->label, "issue");
    for (uint32_t c = 0; c < p->columns; c++) {
        uint64_t begin = ((p->from >> p->shift) + c) << p->shift;
        uint64_t end = begin + ((uint64_t)1 << p->shift);
        uint64_t cycles = (end < p->to ? end : p->to) - (begin > p->from ? begin : p->from);
        write_share(p, p->issues[(size_t)sub * p->columns + c], cycles);
    }
    (void)fputc('\n', p->file);
}

static void write_slot(const struct text_picture *p, uint32_t slot)
{
    const struct picture_row *row = &p->row[slot];
    char text[64] = "";
    if (row->known)
        (void)snprintf(text, sizeof text, "b%u%*s w%u%s", row->block,
                       (int)(p->block_width - digits(row->block)), "", row->warp,
                       row->other_warps ? "+" : "");
    (void)fprintf(p->file, "%2u  %-*s", slot / p->info->sub_partitions, (int)p->label - 4, text);
    write_cells(p, slot);
}

static void write_sub(const struct text_picture *p, uint32_t sub)
{
    uint64_t issues = 0, cycles = p->to - p->from;
    uint32_t shown = 0, slots = 0;
    for (uint32_t c = 0; c < p->columns; c++)
        issues += p->issues[(size_t)sub * p->columns + c];
    for (uint32_t s = sub; s < p->info->slots; s += p->info->sub_partitions) {
        slots++;
        shown += p->row[s].shown;
    }
    if (!shown)
        return;
    (void)fprintf(p->file, _("sub-partition %u: issued in %llu of %llu cycles, %.0f %%"), sub,
                  (unsigned long long)issues, (unsigned long long)cycles,
                  100.0 * (double)issues / (double)cycles);
    if (shown < slots && !p->options->slots)
        (void)fprintf(p->file, _("; %u of its %u slots are empty"), slots - shown, slots);
    (void)fputc('\n', p->file);
    write_strip(p, sub);
    for (uint32_t s = sub; s < p->info->slots; s += p->info->sub_partitions) {
        if (p->row[s].shown)
            write_slot(p, s);
    }
    (void)fputc('\n', p->file);
}

/*
 * Returns the distance between the ruler's ticks: a round number of cycles, so large that the
 * numbers do not touch.
 */
static uint64_t tick_distance(const struct text_picture *p)
{
    uint64_t least = (uint64_t)(digits(p->to) + 2) << p->shift, step = 10;
    static const uint64_t factors[] = {2, 5, 10};
    for (;; step *= 10) {
        if (step >= least)
            return step;
        for (int i = 0; i < 2; i++) {
            if (step * factors[i] >= least)
                return step * factors[i];
        }
    }
}

static void write_ruler(const struct text_picture *p)
{
    uint64_t distance = tick_distance(p), cycle = (p->from + distance - 1) / distance * distance;
    uint64_t first = p->from >> p->shift;
    uint32_t column = 0;
    (void)fprintf(p->file, "%-*s", (int)p->label, "cycle");
    for (uint64_t tick = cycle; tick < p->to; tick += distance) {
        uint32_t at = (uint32_t)((tick >> p->shift) - first);
        if (at + digits(tick) > p->columns && at)
            break;
        (void)fprintf(p->file, "%*s%llu", (int)(at - column), "", (unsigned long long)tick);
        column = at + digits(tick);
    }
    (void)fprintf(p->file, "\n%-*s", (int)p->label, "slot warp");
    column = 0;
    for (uint64_t tick = cycle; tick < p->to; tick += distance) {
        uint32_t at = (uint32_t)((tick >> p->shift) - first);
        (void)fprintf(p->file, "%*s|", (int)(at - column), "");
        column = at + 1;
    }
    (void)fputc('\n', p->file);
}

static void write_title(const struct text_picture *p)
{
    char text[1024];
    const struct timeline_info *info = p->info;
    (void)snprintf(
        text, sizeof text, _("%s: kernel %s on %s, SM %u, cycles %llu to %llu of %llu to %llu"),
        info->name, info->launch.name, info->gpu, p->sm, (unsigned long long)p->from,
        (unsigned long long)p->to, (unsigned long long)p->begin, (unsigned long long)p->end);
    prose_wrap(p->file, text, 0, 2, p->options->width);
    if (p->shift)
        (void)snprintf(text, sizeof text,
                       _("One column is %llu cycles: # where the warp issued at least once%s, else "
                         "the state that it was in longest."),
                       1ull << p->shift,
                       p->options->colour ? _(" (on the colour of its longest other state)") : "");
    else
        (void)snprintf(text, sizeof text, _("One column is one cycle."));
    prose_wrap(p->file, text, 0, 2, p->options->width);
    (void)fputc('\n', p->file);
}

static void write_legend_line(const struct text_picture *p, uint32_t state, uint64_t alive)
{
    const struct timeline_state *info = &p->info->states[state];
    char share[16] = "      ";
    if (!is_empty(p, state))
        (void)snprintf(share, sizeof share, "%4.1f %%",
                       100.0 * (double)p->sum[state] / (double)alive);
    paint(p, state);
    (void)fputc(info->letter, p->file);
    unpaint(p);
    int at = fprintf(p->file, "  %-18s %7s  ", info->name, share) + 1;
    prose_wrap(p->file, translate(info->meaning), (uint32_t)at, (uint32_t)at, p->options->width);
}

static void write_legend(const struct text_picture *p)
{
    uint64_t alive = 0;
    bool done[SMTL_ISSUE] = {false}, others = false;
    for (uint32_t state = 0; state < p->info->state_count; state++)
        alive += is_empty(p, state) ? 0 : p->sum[state];
    for (uint32_t n = 0; n < p->info->state_count; n++) { /* the most frequent state first */
        uint32_t best = UINT32_MAX;
        for (uint32_t state = 0; state < p->info->state_count; state++) {
            if (p->sum[state] && !done[state] &&
                (best == UINT32_MAX || is_empty(p, best) > is_empty(p, state) ||
                 (p->sum[state] > p->sum[best] && !is_empty(p, state))))
                best = state;
        }
        if (best == UINT32_MAX)
            break;
        done[best] = true;
        write_legend_line(p, best, alive);
    }
    for (uint32_t s = 0; s < p->info->slots; s++)
        others |= p->row[s].shown && p->row[s].other_warps;
    prose_wrap(p->file, _("Shares are of the time that warps held these slots."), 0, 0,
               p->options->width);
    if (others)
        prose_wrap(
            p->file,
            _("b, w: block, and warp in it, that hold the slot first; + where others follow."), 0,
            0, p->options->width);
    else
        prose_wrap(p->file, _("b, w: block, and warp in it, that hold the slot."), 0, 0,
                   p->options->width);
}

static uint32_t label_width(struct text_picture *p)
{
    /* "12  b345 w31+ " */
    return 4 + 1 + p->block_width + 1 + 1 + digits(p->info->occupancy.warps_per_block) + 2;
}

static enum simsm_status draw(struct text_picture *p, struct simsm_error *error)
{
    uint64_t activity;
    enum simsm_status status = choose_sm(p, &activity, error);
    uint64_t blocks = simsm_grid_blocks(&p->info->launch);
    p->block_width = digits(blocks ? blocks - 1 : 0);
    p->label = label_width(p) < 10 ? 10 : label_width(p);
    p->columns = p->options->width > p->label + 8 ? p->options->width - p->label : 8;
    if (status == SIMSM_OK)
        status = choose_range(p, activity, error);
    if (status != SIMSM_OK)
        return status;
    p->cells = calloc((size_t)p->info->slots * p->columns, sizeof *p->cells);
    p->issues = calloc((size_t)p->info->sub_partitions * p->columns, sizeof *p->issues);
    if (!p->cells || !p->issues)
        return err_no_memory(error);
    status = gather(p, error);
    if (status != SIMSM_OK)
        return status;
    choose_rows(p);
    write_title(p);
    write_ruler(p);
    for (uint32_t sub = 0; sub < p->info->sub_partitions; sub++)
        write_sub(p, sub);
    write_legend(p);
    return SIMSM_OK;
}

enum simsm_status picture_write(struct timeline_reader *reader,
                                const struct picture_options *options, FILE *file,
                                struct simsm_error *error)
{
    struct text_picture picture = {
        .reader = reader, .info = timeline_read_info(reader), .options = options, .file = file};
    enum simsm_status status = draw(&picture, error);
    free(picture.cells);
    free(picture.issues);
    return status;
}
