/*
 * Barriers in shared memory (SYNCS, mbarrier): arrivals, and waits for the end of a phase.
 *
 * MODEL: an arrival counts when its access to shared memory is answered; one that is for copies
 * (ARRIVES) when the copies that the warp issued before have come, too. A wait is answered like a
 * load, but not before the barrier has had as many arrivals as the end of its phase took, and then
 * shared.phase_latency later, one wait after another. SOURCE: H200, cuda/calib mbarrier.
 * LEFT OUT: that a wait comes back in vain after 4 us; which lane has arrived.
 */
#include <stdlib.h>

#include "core/sm_state.h"
#include "model/op.h"

/* One word that an instruction has yet to arrive at or waits for. */
struct phase_note {
    uint64_t address;
    uint64_t launched; /* of its warp */
    uint32_t count;    /* wait: arrivals; else lanes that arrive */
    uint32_t tag;      /* in flight; NO_FLIGHT: a wait that has not issued, or an arrival that has
                          been answered and waits for copies */
    uint32_t copies;   /* that the warp had issued */
    uint32_t number;   /* the words of one wait have the same */
    uint8_t sub, slot;
    bool waits, asked; /* asked: the wait's access has been answered */
};

static struct phase_note *add(struct sm *sm, const struct phase_note *note)
{
    if (sm->phase_count == sm->phase_room) {
        uint32_t room = sm->phase_room ? 2 * sm->phase_room : 64;
        struct phase_note *grown = realloc(sm->phase, room * sizeof *grown);
        if (!grown) {
            sm->posts_lost = true;
            return NULL;
        }
        sm->phase = grown;
        sm->phase_room = room;
    }
    sm->phase[sm->phase_count] = *note;
    return &sm->phase[sm->phase_count++];
}

static void drop(struct sm *sm, uint32_t i)
{
    for (sm->phase_count--; i < sm->phase_count; i++)
        sm->phase[i] = sm->phase[i + 1];
}

void phase_free(struct sm *sm)
{
    free(sm->phase);
    sm->phase = NULL;
    sm->phase_count = sm->phase_room = 0;
}

static void *stream_of(const struct sm *sm, const struct sub *sub, unsigned slot)
{
    return sub->stream + (size_t)slot * sm->front->stream_size;
}

void phase_fetched(struct sm *sm, const struct sub *sub, unsigned slot)
{
    struct wait wait;
    sm->phase_number++;
    sm->ops->wait(sm->front, stream_of(sm, sub, slot), &wait);
    for (uint32_t i = 0; i < wait.words; i++)
        (void)add(sm, &(struct phase_note){.address = wait.word[i].address,
                                           .launched = sub->launched[slot],
                                           .count = wait.word[i].count,
                                           .tag = NO_FLIGHT,
                                           .number = sm->phase_number,
                                           .sub = (uint8_t)sub->index,
                                           .slot = (uint8_t)slot,
                                           .waits = true});
}

static bool is_of(const struct sm *sm, const struct phase_note *note, const struct sub *sub,
                  unsigned slot)
{
    return note->sub == sub->index && note->slot == slot &&
           note->launched == sm->sub[note->sub].launched[note->slot];
}

/* The oldest wait of the warp that has not issued does so. */
static void issue_wait(struct sm *sm, const struct sub *sub, const struct queued *queued)
{
    const struct phase_note *oldest = NULL;
    for (uint32_t i = 0; i < sm->phase_count; i++) {
        struct phase_note *note = &sm->phase[i];
        bool mine = note->waits && note->tag == NO_FLIGHT && is_of(sm, note, sub, queued->slot);
        if (!mine || (oldest && note->number != oldest->number))
            continue;
        note->tag = queued->tag;
        oldest = oldest ? oldest : note;
    }
}

bool phase_waits(const struct sm *sm, const struct sub *sub, unsigned slot)
{
    for (uint32_t i = 0; i < sm->phase_count; i++)
        if (sm->phase[i].asked && is_of(sm, &sm->phase[i], sub, slot))
            return true;
    return false;
}

static void issue_arrival(struct sm *sm, const struct sub *sub, const struct queued *queued)
{
    const struct warp *warp = &sub->warp[queued->slot];
    bool for_copies = sm->code[queued->inst.index].op == SIMSM_OP_MBARRIER_COPY;
    struct lane_addresses addresses;
    struct phase_note note = {.launched = sub->launched[queued->slot],
                              .tag = queued->tag,
                              .copies = for_copies ? warp->copies_issued : 0,
                              .sub = (uint8_t)sub->index,
                              .slot = queued->slot};
    sm->ops->addresses(sm->front, stream_of(sm, sub, queued->slot), &queued->inst, &addresses);
    for (uint32_t rest = queued->inst.exec; rest; rest &= rest - 1) {
        uint64_t address = lane_address(&addresses, (unsigned)__builtin_ctz(rest));
        if (note.count && note.address != address) {
            (void)add(sm, &note);
            note.count = 0;
        }
        note.address = address;
        note.count++;
    }
    if (note.count)
        (void)add(sm, &note);
}

void phase_issue(struct sm *sm, const struct sub *sub, const struct queued *queued)
{
    sm->flight[queued->tag].phase = true;
    if (sm->code[queued->inst.index].op == SIMSM_OP_MBARRIER_WAIT)
        issue_wait(sm, sub, queued);
    else
        issue_arrival(sm, sub, queued);
}

static struct word_table *words_of(struct sm *sm, const struct phase_note *note)
{
    return &sm->block[sm->sub[note->sub].warp[note->slot].place].words;
}

static bool is_over(struct sm *sm, const struct phase_note *note)
{
    const struct word_state *word = word_find(words_of(sm, note), note->address);
    return word && word->count >= note->count;
}

/* Whether a word is missing for the wait in flight as `tag`; those that are not are dropped. */
static bool is_missing(struct sm *sm, uint32_t tag)
{
    bool missing = false;
    for (uint32_t i = 0; i < sm->phase_count;) {
        struct phase_note *note = &sm->phase[i];
        bool mine = note->waits && note->tag == tag;
        if (mine && is_over(sm, note)) {
            drop(sm, i);
            continue;
        }
        missing |= mine;
        note->asked |= mine;
        i++;
    }
    return missing;
}

/* Waits that have been asked and have nothing missing any more are answered. */
static void wake(struct sm *sm)
{
    uint64_t at = sm->now + sm->config->shared_phase_latency;
    for (uint32_t i = 0; i < sm->phase_count;) {
        const struct phase_note *note = &sm->phase[i];
        uint32_t tag = note->tag;
        if (!note->waits || !note->asked || !is_over(sm, note)) {
            i++;
            continue;
        }
        if (!is_missing(sm, tag)) {
            due_add(sm, (struct due){.cycle = at, .tag = tag});
            at += sm->op.op[SIMSM_OP_MBARRIER].interval;
        }
        i = 0;
    }
}

static void arrive(struct sm *sm, uint32_t i)
{
    struct phase_note note = sm->phase[i];
    struct word_table *words = words_of(sm, &note);
    drop(sm, i);
    for (uint32_t n = 0; n < note.count; n++)
        sm->posts_lost |= !word_written(words, note.address);
}

/* Arrivals for copies that have come. */
static void arrive_copied(struct sm *sm)
{
    bool any = false;
    for (uint32_t i = 0; i < sm->phase_count;) {
        const struct phase_note *note = &sm->phase[i];
        const struct warp *warp = &sm->sub[note->sub].warp[note->slot];
        if (note->waits || note->tag != NO_FLIGHT || warp->copies_done < note->copies) {
            i++;
            continue;
        }
        arrive(sm, i);
        any = true;
    }
    if (any)
        wake(sm);
}

void phase_copied(struct sm *sm, const struct sub *sub, unsigned slot)
{
    sub->warp[slot].copies_done++;
    if (sm->phase_count)
        arrive_copied(sm);
}

bool phase_answer(struct sm *sm, uint32_t tag)
{
    if (sm->code[sm->flight[tag].inst].op == SIMSM_OP_MBARRIER_WAIT)
        return !is_missing(sm, tag);
    for (uint32_t i = 0; i < sm->phase_count; i++)
        if (!sm->phase[i].waits && sm->phase[i].tag == tag)
            sm->phase[i].tag = NO_FLIGHT;
    arrive_copied(sm);
    return true;
}
