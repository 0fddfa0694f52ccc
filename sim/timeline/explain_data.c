/*
 * Explanations of the states in which a warp waits for data: which earlier instruction produces the
 * data, and how far that instruction is.
 */
#include "language/language.h"
#include "model/op.h"
#include "timeline/explain.h"
#include "timeline/explain_inner.h"

/* Issues of the warp that are searched, beginning with the latest. */
enum { LOOK_BACK = 512 };

/* How an instruction depends on an earlier instruction. */
struct relation {
    const char *verb, *earlier; /* "reads", "writes"; NULL: no dependence */
    struct reg_range range;
};

static bool overlap(const struct reg_range *a, uint32_t na, const struct reg_range *b, uint32_t nb,
                    struct reg_range *common)
{
    for (uint32_t i = 0; i < na; i++) {
        for (uint32_t k = 0; k < nb; k++) {
            uint32_t first = a[i].first > b[k].first ? a[i].first : b[k].first;
            uint32_t end_a = (uint32_t)a[i].first + a[i].count;
            uint32_t end_b = (uint32_t)b[k].first + b[k].count;
            uint32_t end = end_a < end_b ? end_a : end_b;
            if (first >= end)
                continue;
            *common = (struct reg_range){.first = (uint16_t)first, .count = (uint8_t)(end - first)};
            return true;
        }
    }
    return false;
}

static struct relation relate(const struct timeline_line *head, const struct timeline_line *earlier)
{
    struct relation r = {0};
    if (overlap(head->source, head->n_sources, earlier->destination, earlier->n_destinations,
                &r.range)) {
        r.verb = _("reads");
        r.earlier = _("writes");
    } else if (overlap(head->destination, head->n_destinations, earlier->destination,
                       earlier->n_destinations, &r.range)) {
        r.verb = _("overwrites");
        r.earlier = _("has still to write");
    } else if (overlap(head->destination, head->n_destinations, earlier->source, earlier->n_sources,
                       &r.range)) {
        r.verb = _("overwrites");
        r.earlier = _("has still to read");
    }
    return r;
}

static bool accesses_memory(const struct explain *e, uint32_t pc)
{
    return op_is_memory(history_op(e->history, pc));
}

/* The earlier instruction that keeps the instruction at the head waiting. */
struct producer {
    const struct timeline_issue *issue; /* NULL: none found */
    struct relation relation;
    struct history_flight flight;
    bool memory;
    uint32_t others; /* number of other outstanding instructions */
};

/* Returns whether a warp can be in `state` because of instruction `pc`. */
static bool can_cause_state(const struct explain *e, uint32_t pc, uint32_t state)
{
    const struct timeline_line *line = history_line(e->history, pc);
    uint32_t route = line ? e->info->ops[line->op].route : (uint32_t)SIMSM_ROUTE_CONTROL;
    if (state == SIMSM_STATE_LONG_SCOREBOARD)
        return route == SIMSM_ROUTE_LONG || history_op(e->history, pc) == SIMSM_OP_MBARRIER_WAIT;
    if (state == SIMSM_STATE_SHORT_SCOREBOARD)
        return route == SIMSM_ROUTE_QUEUED || route == SIMSM_ROUTE_LONG;
    return route == SIMSM_ROUTE_FIXED;
}

/* Returns whether an issue is not complete at `cycle`. */
static bool outstanding(const struct explain *e, const struct timeline_issue *issue,
                        const struct history_flight *flight, bool memory, uint64_t cycle)
{
    const struct timeline_line *line = history_line(e->history, issue->pc);
    if (memory)
        return flight->done == HISTORY_NEVER || flight->done > cycle;
    /*
     * No event tells when such an instruction is done. After a few latencies it is taken as done.
     */
    return issue->cycle + 8ull * e->info->ops[line->op].latency + 64 > cycle;
}

/*
 * Finds the producer among the outstanding instructions of the warp. Prefers an instruction that
 * the head depends on; of several, the one whose answer comes last. If none has a register in
 * common with the head (control bits, DEPBAR), takes the latest issue.
 */
static struct producer find_producer(const struct explain *e, const struct moment *m)
{
    const struct history_slot *h = &e->history->slot[m->slot];
    const struct timeline_warp *warp = history_warp_at(e->history, m->slot, m->cycle);
    const struct timeline_line *head = history_line(e->history, m->span->pc);
    uint32_t state = history_state(e->history, m->span);
    uint32_t n = history_issues_until(e->history, m->slot, m->cycle);
    struct producer best = {0};
    for (uint32_t i = n; head && i-- && n - i <= LOOK_BACK;) {
        struct producer p = {.issue = &h->issues[i]};
        if (warp && p.issue->cycle < warp->cycle)
            break;
        if (!can_cause_state(e, p.issue->pc, state))
            continue;
        p.memory = accesses_memory(e, p.issue->pc);
        if (p.memory)
            p.flight = history_flight_of(e->history, m->slot, i);
        if (!outstanding(e, p.issue, &p.flight, p.memory, m->cycle))
            continue;
        p.relation = relate(head, history_line(e->history, p.issue->pc));
        p.others = best.others + (best.issue != NULL);
        bool better =
            !best.issue || (p.relation.verb && !best.relation.verb) ||
            (p.relation.verb && p.memory && best.memory && p.flight.done > best.flight.done);
        if (better)
            best = p;
        else
            best.others++;
    }
    return best;
}

static void print_flight(const struct explain *e, const struct producer *p, uint64_t cycle)
{
    const struct history_flight *f = &p->flight;
    unsigned long long start = f->start, done = f->done;
    char count[EXPLAIN_NAME];
    if (f->start == HISTORY_NEVER || f->start > cycle)
        explain_print(e, "At cycle %llu that is still on its way to the load/store stage.",
                      (unsigned long long)cycle);
    if (f->start != HISTORY_NEVER)
        explain_print(e, "That enters the load/store stage at cycle %llu, %s after its issue.",
                      start, explain_cycles(f->start - p->issue->cycle, count));
    if (f->done != HISTORY_NEVER)
        explain_print(e,
                      "The answer comes from %s: its last part is there at cycle %llu, %s after "
                      "the issue.",
                      f->level < e->info->level_count ? translate(e->info->levels[f->level])
                                                      : _("the memory"),
                      done, explain_cycles(f->done - p->issue->cycle, count));
    else
        explain_print(e, "Its answer does not come within the recorded time.");
}

static void print_producer(const struct explain *e, const struct moment *m,
                           const struct producer *p)
{
    char line[EXPLAIN_NAME], reg[EXPLAIN_NAME], count[EXPLAIN_NAME];
    unsigned long long cycle = p->issue->cycle;
    explain_line(e, p->issue->pc, line);
    if (p->relation.verb)
        explain_print(e, "It %s %s, which %s %s. The warp issued that at cycle %llu, %s before.",
                      p->relation.verb, explain_register(p->relation.range, reg), line,
                      p->relation.earlier, cycle, explain_cycles(m->cycle - cycle, count));
    else
        explain_print(e,
                      "It shares no register with an outstanding instruction, so it waits for a "
                      "scoreboard that the compiler has set; the last outstanding instruction is "
                      "%s, issued at cycle %llu.",
                      line, cycle);
}

void explain_scoreboard(const struct explain *e, const struct moment *m)
{
    struct producer p = find_producer(e, m);
    if (!p.issue) {
        explain_print(e,
                      "The instruction that it waits for was issued before the recorded cycles.");
        return;
    }
    print_producer(e, m, &p);
    const struct timeline_op *op = &e->info->ops[history_line(e->history, p.issue->pc)->op];
    if (p.memory)
        print_flight(e, &p, m->cycle);
    else
        explain_print(e,
                      "It goes through the memory-I/O queue to pipe %s; if the queue and the pipe "
                      "are free, its result comes after %u cycles.",
                      e->info->pipes[op->pipe].name, op->latency);
    if (history_op(e->history, p.issue->pc) == SIMSM_OP_MBARRIER_WAIT)
        explain_phase(e, m);
    if (p.others)
        explain_print(e, "%u other instruction%s of the warp %s outstanding too.", p.others,
                      p.others == 1 ? "" : "s", p.others == 1 ? "is" : "are");
}

void explain_wait(const struct explain *e, const struct moment *m)
{
    char line[EXPLAIN_NAME];
    struct producer p = find_producer(e, m);
    if (p.issue && p.relation.verb) {
        const struct timeline_op *op = &e->info->ops[history_line(e->history, p.issue->pc)->op];
        print_producer(e, m, &p);
        explain_print(e, "Class %s has a fixed latency of %u cycles.", op->name, op->latency);
        uint64_t passed = m->span->to - p.issue->cycle;
        if (passed > op->latency && m->span->to < e->history->end)
            explain_print(e,
                          "Here %llu cycles pass: branches and queued instructions take their "
                          "operands later than arithmetic does.",
                          (unsigned long long)passed);
        return;
    }
    const struct timeline_issue *last = explain_last_issue(e, m->slot, m->cycle);
    if (last)
        explain_print(e,
                      "The warp issued %s at cycle %llu and must let the cycles pass that its "
                      "class, %s, or its stall count asks for.",
                      explain_line(e, last->pc, line), (unsigned long long)last->cycle,
                      history_line(e->history, last->pc)
                          ? e->info->ops[history_line(e->history, last->pc)->op].name
                          : _("unknown"));
}

/* Memory accesses of a warp that are not answered at a cycle. */
struct accesses {
    uint32_t count;
    const struct timeline_issue *last; /* the access that holds the warp longest; NULL: none */
    struct history_flight flight;      /* of `last` */
    bool posted; /* `last` holds the warp until flight.start, not flight.done */
};

/*
 * Returns whether a store holds a draining warp only until it has left the SM. Under some values of
 * memory.model a warp waits for the answer instead. A store that is answered after the end of the
 * state cannot have held the warp until its answer.
 */
static bool leaves_unanswered(const struct explain *e, const struct moment *m, uint32_t pc,
                              const struct history_flight *flight)
{
    bool drains = history_state(e->history, m->span) == SIMSM_STATE_DRAIN;
    return drains && op_is_posted(history_op(e->history, pc)) && flight->done > m->span->to &&
           flight->start <= m->span->to;
}

static struct accesses find_accesses(const struct explain *e, const struct moment *m)
{
    const struct history_slot *h = &e->history->slot[m->slot];
    const struct timeline_warp *warp = history_warp_at(e->history, m->slot, m->cycle);
    uint32_t n = history_issues_until(e->history, m->slot, m->cycle);
    struct accesses found = {.count = 0};
    uint64_t longest = 0;
    for (uint32_t i = n; i-- && n - i <= LOOK_BACK;) {
        if (warp && h->issues[i].cycle < warp->cycle)
            break;
        if (!accesses_memory(e, h->issues[i].pc))
            continue;
        struct history_flight flight = history_flight_of(e->history, m->slot, i);
        if (flight.done <= m->cycle)
            continue;
        found.count++;
        bool posted = leaves_unanswered(e, m, h->issues[i].pc, &flight);
        uint64_t until = posted ? flight.start : flight.done;
        if (found.last && until <= longest)
            continue;
        longest = until;
        found.last = &h->issues[i];
        found.flight = flight;
        found.posted = posted;
    }
    return found;
}

static void print_accesses(const struct explain *e, const struct accesses *a)
{
    char line[EXPLAIN_NAME];
    explain_print(e, "%u of its accesses %s not come back; the last is %s, issued at cycle %llu.",
                  a->count, a->count == 1 ? "has" : "have", explain_line(e, a->last->pc, line),
                  (unsigned long long)a->last->cycle);
    if (a->posted)
        explain_print(e, "That enters the load/store stage at cycle %llu and then leaves the SM.",
                      (unsigned long long)a->flight.start);
    if (a->posted && a->flight.done != HISTORY_NEVER)
        explain_print(e, "The warp does not wait for the answer to a store, here at cycle %llu.",
                      (unsigned long long)a->flight.done);
    else if (a->flight.done != HISTORY_NEVER)
        explain_print(e, "That is answered at cycle %llu.", (unsigned long long)a->flight.done);
}

void explain_fence(const struct explain *e, const struct moment *m)
{
    struct accesses accesses = find_accesses(e, m);
    if (accesses.count)
        print_accesses(e, &accesses);
    else
        explain_print(e,
                      "None of its accesses is outstanding any more; the fence itself takes time.");
}

void explain_drain(const struct explain *e, const struct moment *m)
{
    struct accesses accesses = find_accesses(e, m);
    if (accesses.count)
        print_accesses(e, &accesses);
    else
        explain_print(e, "None of its accesses is outstanding any more; the result of another "
                         "instruction is, or its operands have not been read.");
}

/* Links to the producer of the operand that the slot waits for. */
static bool link_producer(const struct explain *e, const struct moment *m,
                          struct explain_link *link)
{
    char reg[EXPLAIN_NAME];
    struct producer p = find_producer(e, m);
    if (!p.issue)
        return false;
    *link = (struct explain_link){
        .slot = m->slot, .cycle = p.issue->cycle, .done = p.memory ? p.flight.done : HISTORY_NEVER};
    (void)snprintf(link->text, sizeof link->text, _("waits for %.24s <- %.80s, issued at %llu"),
                   p.relation.verb ? explain_register(p.relation.range, reg) : _("a barrier"),
                   history_line(e->history, p.issue->pc)->text, (unsigned long long)link->cycle);
    return true;
}

/* Links to the instruction that the scheduler of the sub-partition issued in this cycle. */
static bool link_chosen(const struct explain *e, const struct moment *m, struct explain_link *link)
{
    const struct timeline_issue *issue =
        history_issue_in(e->history, m->slot % e->info->sub_partitions, m->cycle);
    const struct timeline_line *line = issue ? history_line(e->history, issue->pc) : NULL;
    if (!line)
        return false;
    *link =
        (struct explain_link){.slot = issue->slot, .cycle = issue->cycle, .done = HISTORY_NEVER};
    (void)snprintf(link->text, sizeof link->text, _("the scheduler chose %.80s"), line->text);
    return true;
}

bool explain_link(const struct history *history, uint32_t slot, uint64_t cycle,
                  struct explain_link *link)
{
    const struct explain e = {.history = history, .info = history->info};
    struct moment m = {.slot = slot, .cycle = cycle, .span = history_span_at(history, slot, cycle)};
    uint32_t state = m.span ? history_state(history, m.span) : (uint32_t)SIMSM_STATE_COUNT;
    if (state == SIMSM_STATE_NOT_SELECTED)
        return link_chosen(&e, &m, link);
    if (state == SIMSM_STATE_BARRIER)
        return explain_link_barrier(&e, &m, link);
    if (state == SIMSM_STATE_LONG_SCOREBOARD || state == SIMSM_STATE_SHORT_SCOREBOARD ||
        state == SIMSM_STATE_WAIT)
        return link_producer(&e, &m, link);
    return false;
}
