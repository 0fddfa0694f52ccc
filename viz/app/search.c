/* Search in the chunks of a track. */
#include "app/search.h"
#include "language/language.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct history *load_history(struct track *track, uint64_t cycle)
{
    const struct history *history = NULL;
    struct simsm_error error;
    if (track_history(track, cycle, cycle + 1, &history, &error) != SIMSM_OK)
        return NULL;
    return history;
}

bool search_span(struct track *track, uint32_t slot, uint64_t cycle, uint64_t *from, uint64_t *to)
{
    const struct history *history = load_history(track, cycle);
    const struct timeline_span *span = history ? history_span_at(history, slot, cycle) : NULL;
    if (!span)
        return false;
    *from = span->from;
    *to = span->to;
    return true;
}

/* Looks in one history; returns false if it has no such event. */
static bool step_in_history(const struct history *history, uint32_t slot, uint64_t cycle,
                            bool issues, bool backward, uint64_t *found)
{
    const struct history_slot *row = &history->slot[slot];
    uint32_t count = issues ? row->issue_count : row->span_count;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = issues ? row->issues[i].cycle : row->spans[i].from;
        if (backward ? at < cycle : at > cycle) {
            any = true;
            *found = at;
            if (!backward)
                break;
        }
    }
    return any;
}

bool search_step(struct track *track, uint32_t slot, uint64_t cycle, bool issues, bool backward,
                 uint64_t *found)
{
    uint64_t at = cycle;
    for (const struct history *history = load_history(track, at); history;
         history = load_history(track, at)) {
        if (step_in_history(history, slot, cycle, issues, backward, found))
            return true;
        if (backward && history->begin == 0)
            return false;
        at = backward ? history->begin - 1 : history->end;
    }
    return false;
}

enum find_kind { FIND_PC, FIND_OP, FIND_STATE, FIND_BLOCK, FIND_MASK, FIND_TEXT };

struct search_query {
    enum find_kind kind;
    uint64_t number;
    const char *text;
    /*
     * [line_count] whether each static instruction matches; used by FIND_PC, FIND_OP and FIND_TEXT.
     */
    bool *lines;
};

struct search_hit {
    uint64_t cycle;
    uint32_t slot;
    bool found;
};

/*
 * Returns whether a cell is nearer to `from` than *hit in the direction of the search. Cells are
 * ordered by cycle, then slot. The cell at `from` itself counts if from->found.
 */
static bool is_nearer(const struct search_hit *hit, uint64_t cycle, uint32_t slot,
                      const struct search_hit *from, bool backward)
{
    bool here = from->found && cycle == from->cycle && slot == from->slot;
    bool beyond = here || cycle > from->cycle || (cycle == from->cycle && slot > from->slot);
    bool before = here || cycle < from->cycle || (cycle == from->cycle && slot < from->slot);
    if (backward ? !before : !beyond)
        return false;
    if (!hit->found)
        return true;
    bool earlier = cycle < hit->cycle || (cycle == hit->cycle && slot < hit->slot);
    return backward != earlier;
}

static void keep_nearer(struct search_hit *hit, uint64_t cycle, uint32_t slot,
                        const struct search_hit *from, bool backward)
{
    if (is_nearer(hit, cycle, slot, from, backward))
        *hit = (struct search_hit){.cycle = cycle, .slot = slot, .found = true};
}

/* Where matches go: the nearest match, or a count of all matches. */
struct match_sink {
    const struct search_hit *from;
    bool backward;
    struct search_hit *hit;     /* nearest match; NULL: count all */
    struct search_tally *tally; /* count of all matches */
    const struct view_place *place;
};

static void add_match(const struct match_sink *sink, uint64_t cycle, uint32_t slot)
{
    const struct view_place *place = sink->place;
    struct search_tally *tally = sink->tally;
    if (sink->hit) {
        keep_nearer(sink->hit, cycle, slot, sink->from, sink->backward);
        return;
    }
    tally->all++;
    tally->rank += cycle < place->cycle || (cycle == place->cycle && slot <= place->slot);
    bool shown = (double)cycle >= place->from && (double)cycle < place->to;
    if (shown && tally->mark_count < VIEW_MARKS)
        tally->marks[tally->mark_count++] = (struct view_mark){.cycle = cycle, .slot = slot};
}

static void match_history(const struct run *run, const struct history *history,
                          const struct search_query *query, const struct match_sink *sink)
{
    for (uint32_t slot = 0; slot < history->info->slots; slot++) {
        const struct history_slot *row = &history->slot[slot];
        for (uint32_t i = 0; query->kind == FIND_STATE && i < row->span_count; i++)
            if (run_known_state(run, row->spans[i].state) == query->number)
                add_match(sink, row->spans[i].from, slot);
        for (uint32_t i = 0; query->kind == FIND_BLOCK && i < row->warp_count; i++)
            if (row->warps[i].started && row->warps[i].block == query->number)
                add_match(sink, row->warps[i].cycle, slot);
        for (uint32_t i = 0;
             query->kind != FIND_STATE && query->kind != FIND_BLOCK && i < row->issue_count; i++) {
            const struct timeline_issue *issue = &row->issues[i];
            bool fits = query->kind == FIND_MASK
                            ? (uint64_t)__builtin_popcount(issue->mask) < query->number
                            : issue->pc < history->info->line_count && query->lines[issue->pc];
            if (fits)
                add_match(sink, issue->cycle, slot);
        }
    }
}

static struct search_hit search_from(struct run *run, struct track *track,
                                     const struct search_query *query,
                                     const struct search_hit *from, bool backward)
{
    struct search_hit hit = {.found = false};
    const struct match_sink sink = {.from = from, .backward = backward, .hit = &hit};
    uint64_t at = from->cycle;
    for (const struct history *history = load_history(track, at); history && !hit.found;
         history = load_history(track, at)) {
        match_history(run, history, query, &sink);
        if (backward && history->begin == 0)
            break;
        at = backward ? history->begin - 1 : history->end;
    }
    return hit;
}

static bool state_of(const char *name, uint64_t *state)
{
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++) {
        bool letter = name[0] == simsm_states[i].letter && !name[1];
        if (letter || strcasecmp(name, simsm_states[i].name) == 0 ||
            strcasecmp(name, simsm_states[i].title) == 0) {
            *state = i;
            return true;
        }
    }
    return false;
}

static const char *after_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    if (strncasecmp(words, word, length) != 0)
        return NULL;
    return words + length + strspn(words + length, " ");
}

static bool fits_op(const char *text, const char *op)
{
    return strncasecmp(view_operation(text), op, strlen(op)) == 0;
}

static bool has_words(const char *text, const char *words)
{
    size_t length = strlen(words);
    for (; *text; text++)
        if (strncasecmp(text, words, length) == 0)
            return true;
    return false;
}

static void mark_lines(const struct timeline_info *info, struct search_query *query)
{
    for (uint32_t i = 0; i < info->line_count; i++) {
        const struct timeline_line *line = &info->lines[i];
        query->lines[i] = query->kind == FIND_PC   ? line->pc == query->number
                          : query->kind == FIND_OP ? fits_op(line->text, query->text)
                                                   : has_words(line->text, query->text);
    }
}

/*
 * Parses the words of a search. Returns false and writes the reason to `message` if the words
 * cannot be searched for.
 */
static bool parse_query(const char *words, struct search_query *query, char *message, size_t size)
{
    const char *rest;
    *query = (struct search_query){.kind = FIND_TEXT, .text = words};
    if ((rest = after_word(words, "pc ")))
        *query = (struct search_query){.kind = FIND_PC, .number = strtoull(rest, NULL, 0)};
    else if ((rest = after_word(words, "op ")))
        *query = (struct search_query){.kind = FIND_OP, .text = rest};
    else if ((rest = after_word(words, "block ")))
        *query = (struct search_query){.kind = FIND_BLOCK, .number = strtoull(rest, NULL, 0)};
    else if ((rest = after_word(words, "mask<")))
        *query = (struct search_query){.kind = FIND_MASK, .number = strtoull(rest, NULL, 0)};
    else if ((rest = after_word(words, "state "))) {
        query->kind = FIND_STATE;
        if (!state_of(rest, &query->number)) {
            (void)snprintf(message, size,
                           _("there is no state \"%.40s\": the legend (l) has letters and names"),
                           rest);
            return false;
        }
    } else if (words[1] && state_of(words, &query->number)) {
        query->kind = FIND_STATE; /* a state by its whole name */
    }
    return true;
}

static bool go_to_cycle(struct run *run, const char *digits, struct view_place *place,
                        char *message, size_t size)
{
    uint64_t cycle = strtoull(digits, NULL, 0);
    if (cycle < run_begin(run) || cycle >= run_end(run)) {
        (void)snprintf(message, size, _("cycles go from %llu to %llu"),
                       (unsigned long long)run_begin(run), (unsigned long long)run_end(run) - 1);
        return false;
    }
    place->cycle = cycle;
    place->slot = place->slot == VIEW_NONE ? 0 : place->slot;
    return true;
}

/*
 * Parses the words, opens the track and marks the matching instructions. The caller frees
 * query->lines. Returns false and writes the reason to `message` on failure.
 */
static bool prepare(struct run *run, const char *words, uint32_t sm, struct search_query *query,
                    struct track **track, char *message, size_t size)
{
    struct simsm_error error;
    if (!parse_query(words, query, message, size))
        return false;
    *track = run_track(run, sm, UINT32_MAX, &error);
    query->lines = calloc((size_t)run_info(run)->line_count + 1, sizeof *query->lines);
    if (!*track || !query->lines) {
        (void)snprintf(message, size, "%.200s", *track ? _("out of memory") : error.message);
        free(query->lines);
        return false;
    }
    if (query->text || query->kind == FIND_PC)
        mark_lines(run_info(run), query);
    return true;
}

bool search_count(struct run *run, const char *words, const struct view_place *place,
                  struct search_tally *tally)
{
    enum { MOST_CYCLES = 1 << 21 }; /* a longer run would take too long after each key */
    char message[256];
    struct search_query query;
    struct track *track;
    memset(tally, 0, sizeof *tally);
    if (after_word(words, "cycle ") || run_end(run) - run_begin(run) > MOST_CYCLES ||
        !prepare(run, words, place->sm, &query, &track, message, sizeof message))
        return false;
    const struct match_sink sink = {.tally = tally, .place = place};
    for (const struct history *history = load_history(track, run_begin(run)); history;
         history = load_history(track, history->end))
        match_history(run, history, &query, &sink);
    free(query.lines);
    return true;
}

bool search_run(struct run *run, const char *words, struct view_place *place, bool backward,
                char *message, size_t size)
{
    const char *digits = after_word(words, "cycle ");
    if (digits)
        return go_to_cycle(run, digits, place, message, size);
    struct search_query query;
    struct track *track;
    if (!prepare(run, words, place->sm, &query, &track, message, size))
        return false;
    struct search_hit from = {.cycle = place->cycle, .slot = place->slot};
    if (place->slot == VIEW_NONE)
        from =
            (struct search_hit){.cycle = (uint64_t)(place->from > 0 ? place->from : 0), .slot = 0};
    struct search_hit hit = search_from(run, track, &query, &from, backward);
    if (!hit.found) { /* continue at the other end of the run */
        from = (struct search_hit){.cycle = backward ? run_end(run) - 1 : run_begin(run),
                                   .slot = backward ? run_info(run)->slots - 1 : 0,
                                   .found = true};
        hit = search_from(run, track, &query, &from, backward);
        (void)snprintf(message, size, _("continued from the %s"),
                       backward ? _("end") : _("beginning"));
    }
    free(query.lines);
    if (!hit.found) {
        (void)snprintf(message, size, _("\"%.60s\" is not in SM %u"), words, place->sm);
        return false;
    }
    place->cycle = hit.cycle;
    place->slot = hit.slot;
    return true;
}
