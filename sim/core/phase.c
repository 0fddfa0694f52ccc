/*
 * MODEL: barriers in shared memory (SYNCS, mbarrier): arrivals, and waits for the end of a phase.
 * An arrival counts when its access to shared memory is answered. An arrival for copies (ARRIVES)
 * also needs the copies that the warp issued before it. A wait is answered like a load, but not
 * before the barrier has had as many arrivals as the end of its phase took; it then takes
 * shared.phase_latency more, one wait after another.
 * SOURCE: H200, cuda/calib/mbarrier.
 * LEFT OUT: nothing known.
 */
#include <stdlib.h>

#include "base/check.h"
#include "core/sm_state.h"
#include "model/op.h"

/*
 * Notes allocated at first for each warp slot. Most waits and arrivals of a warp are of one word.
 */
enum { NOTES_OF_SLOT = 8 };

/*
 * One word that an instruction has yet to arrive at. Each note is in one list: of the flight of its
 * arrival, or of arrivals that have been answered and need copies. A list is named by its first
 * note's index + 1; 0: empty.
 */
struct phase_note {
    uint64_t address;
    uint32_t lanes;  /* that arrive */
    uint32_t copies; /* that the warp had issued */
    uint32_t inst;
    uint32_t next;
    uint8_t sub, slot;
};

static struct phase_note *note_at(const struct sm *sm, uint32_t note)
{
    SIMSM_CHECK(note != 0 && note <= sm->phase_room, "note %u of %u", note, sm->phase_room);
    return &sm->phase[note - 1];
}

static void give_note(struct sm *sm, uint32_t note)
{
    note_at(sm, note)->next = sm->phase_free;
    sm->phase_free = note;
}

/* Grows the array to `room` notes. Returns false if memory runs out. */
static bool grow(struct sm *sm, uint32_t room)
{
    struct phase_note *grown = realloc(sm->phase, room * sizeof *grown);
    if (!grown)
        return false;
    sm->phase = grown;
    while (sm->phase_room < room)
        give_note(sm, ++sm->phase_room);
    return true;
}

bool phase_init(struct sm *sm)
{
    const struct sm_grid *grid = sm->setup->first;
    for (uint32_t i = 0; i < grid->front->code_size; i++)
        if (op_is_mbarrier(grid->code[i].op))
            return grow(sm, sm->config->sm_warp_slots * NOTES_OF_SLOT);
    return true;
}

void phase_free(struct sm *sm)
{
    free(sm->phase);
}

/* Returns a new note with `content`; 0 if memory runs out. */
static uint32_t take_note(struct sm *sm, const struct phase_note *content)
{
    if (!sm->phase_free && !grow(sm, sm->phase_room ? 2 * sm->phase_room : 64)) {
        sm->no_memory = true;
        return 0;
    }
    uint32_t note = sm->phase_free;
    sm->phase_free = note_at(sm, note)->next;
    *note_at(sm, note) = *content;
    note_at(sm, note)->next = 0;
    return note;
}

/* Appends `note` to the list *first, whose last note is *last. Does nothing for note 0. */
static void append(struct sm *sm, uint32_t *first, uint32_t *last, uint32_t note)
{
    if (!note)
        return;
    if (*first)
        note_at(sm, *last)->next = note;
    else
        *first = note;
    *last = note;
}

static void issue_wait(struct sm *sm, struct sub *sub, const struct queued *queued)
{
    struct in_flight *flight = &sm->flight[queued->tag];
    flight->number = ++sm->phase_number;
    flight->waits = (queued->inst.flags & WARP_INST_WAITS) != 0;
    flight->wait = sub->warp[queued->slot].waits_issued;
    sub->warp[queued->slot].waits_issued += flight->waits;
    flight->give_up = sm->now + sm->config->shared_wait_limit;
}

static void issue_arrival(struct sm *sm, struct sub *sub, const struct queued *queued)
{
    const struct warp *warp = &sub->warp[queued->slot];
    bool for_copies = inst_of(sub, queued)->op == SIMSM_OP_MBARRIER_COPY;
    struct in_flight *flight = &sm->flight[queued->tag];
    uint32_t last = 0;
    const struct lane_addresses *addresses = &sm->addresses[queued->place];
    struct phase_note note = {.copies = for_copies ? warp->copies_issued : 0,
                              .inst = queued->inst.index,
                              .sub = (uint8_t)sub->index,
                              .slot = queued->slot};
    for (uint32_t rest = queued->inst.exec; rest; rest &= rest - 1) {
        uint64_t address = lane_address(addresses, (unsigned)__builtin_ctz(rest));
        if (note.lanes && note.address != address) {
            append(sm, &flight->notes, &last, take_note(sm, &note));
            note.lanes = 0;
        }
        note.address = address;
        note.lanes |= rest & (0u - rest);
    }
    if (note.lanes)
        append(sm, &flight->notes, &last, take_note(sm, &note));
}

void phase_issue(struct sm *sm, struct sub *sub, const struct queued *queued)
{
    sm->flight[queued->tag].phase = true;
    if (inst_of(sub, queued)->op == SIMSM_OP_MBARRIER_WAIT)
        issue_wait(sm, sub, queued);
    else
        issue_arrival(sm, sub, queued);
}

/* Returns whether the wait in flight as `tag` is over. */
static bool is_over(struct sm *sm, uint32_t tag, bool give_up)
{
    const struct in_flight *flight = &sm->flight[tag];
    const struct sub *sub = &sm->sub[flight->sub];
    const struct sm_grid *grid = sub->warp[flight->slot].grid;
    return !flight->waits || grid->ops->phase_over(grid->front, slot_cursor(sm, sub, flight->slot),
                                                   flight->wait, give_up);
}

static uint32_t number_of(const struct sm *sm, uint32_t tag)
{
    return sm->flight[tag].number;
}

/* Adds a wait whose phase has not ended to the list of such waits. The list is in the order of
 * issue, in which waits mostly come here. */
static void keep_unanswered(struct sm *sm, uint32_t tag)
{
    uint32_t *at = &sm->phase_unanswered;
    if (*at != NO_FLIGHT && number_of(sm, sm->phase_unanswered_last) < number_of(sm, tag))
        at = &sm->flight[sm->phase_unanswered_last].next;
    while (*at != NO_FLIGHT && number_of(sm, *at) < number_of(sm, tag))
        at = &sm->flight[*at].next;
    sm->flight[tag].next = *at;
    *at = tag;
    if (sm->flight[tag].next == NO_FLIGHT)
        sm->phase_unanswered_last = tag;
}

/* An arrival ends NANOSLEEP.SYNCS, whichever barrier it is at: the warp looks again. */
static void wake_sleepers(struct sm *sm)
{
    sm->arrival_wakes = false;
    for (uint32_t i = 0; i < sm->subs; i++) {
        struct sub *sub = &sm->sub[i];
        for (uint64_t left = sub->alive; left; left &= left - 1) {
            const unsigned slot = (unsigned)__builtin_ctzll(left);
            struct warp *warp = &sub->warp[slot];
            if (!warp->sleeps_for_arrival || warp->sleep_until <= sm->now)
                continue;
            warp->sleeps_for_arrival = false;
            warp->sleep_until = sm->now + sm->config->shared_phase_latency;
            slot_refresh(sm, sub, slot);
        }
    }
}

#define BY_NO_COPY UINT32_MAX

/* Answers the waits in the list that are over. `copy`: the copy that has ended their phases, as
 * events name it, or BY_NO_COPY. */
static void answer_waits(struct sm *sm, uint32_t copy)
{
    sm->last_arrival = (uint32_t)sm->now;
    if (sm->arrival_wakes)
        wake_sleepers(sm);
    uint64_t at = sm->now + sm->config->shared_phase_latency;
    uint32_t *place = &sm->phase_unanswered, last = NO_FLIGHT;
    for (uint32_t tag; (tag = *place) != NO_FLIGHT;) {
        struct in_flight *flight = &sm->flight[tag];
        if (!is_over(sm, tag, false)) {
            last = tag;
            place = &flight->next;
            continue;
        }
        *place = flight->next;
        flight->phase = false;
        if (copy != BY_NO_COPY)
            bus_emit(sm->bus, SIMSM_EVENT_COPY_WAKE, sm->now,
                     sm_slot(sm, &sm->sub[flight->sub], flight->slot), copy, 0);
        due_add(sm, at, tag);
        at += sm->op.op[SIMSM_OP_MBARRIER].interval;
    }
    sm->phase_unanswered_last = last;
}

/* Counts the arrivals in *list whose copies have come; the others stay in the list. Returns whether
 * an arrival was counted. */
static bool count_arrivals(struct sm *sm, uint32_t *list)
{
    bool any = false;
    for (uint32_t place; (place = *list);) {
        struct phase_note *note = note_at(sm, place);
        const struct warp *warp = &sm->sub[note->sub].warp[note->slot];
        if (warp->copies_done < note->copies) {
            list = &note->next;
            continue;
        }
        warp->grid->ops->arrive(warp->grid->front, slot_cursor(sm, &sm->sub[note->sub], note->slot),
                                note->inst, note->address, note->lanes);
        *list = note->next;
        give_note(sm, place);
        any = true;
    }
    return any;
}

void phase_landed(struct sm *sm, uint32_t copy)
{
    answer_waits(sm, copy);
}

void phase_copied(struct sm *sm, struct sub *sub, unsigned slot)
{
    sub->warp[slot].copies_done++;
    if (count_arrivals(sm, &sm->phase_copies))
        answer_waits(sm, BY_NO_COPY);
}

/* Moves the arrivals left in the flight to the list of arrivals that need copies. */
static void defer_to_copies(struct sm *sm, uint32_t tag)
{
    for (uint32_t note; (note = sm->flight[tag].notes);) {
        sm->flight[tag].notes = note_at(sm, note)->next;
        note_at(sm, note)->next = sm->phase_copies;
        sm->phase_copies = note;
    }
}

/* Notes when a warp has seen the state of its barrier. */
static void note_answer(struct sm *sm, uint32_t tag)
{
    const struct in_flight *flight = &sm->flight[tag];
    sm->sub[flight->sub].warp[flight->slot].wait_answered = (uint32_t)sm->now;
}

bool phase_answer(struct sm *sm, uint32_t tag)
{
    if (sm->flight[tag].op == SIMSM_OP_MBARRIER_WAIT) {
        bool over = is_over(sm, tag, false);
        if (!over)
            keep_unanswered(sm, tag);
        else
            note_answer(sm, tag);
        return over;
    }
    if (count_arrivals(sm, &sm->flight[tag].notes))
        answer_waits(sm, BY_NO_COPY);
    defer_to_copies(sm, tag);
    return true;
}

void phase_give_up(struct sm *sm)
{
    while (sm->phase_unanswered != NO_FLIGHT) {
        const uint32_t tag = sm->phase_unanswered;
        struct in_flight *flight = &sm->flight[tag];
        if (flight->give_up > sm->now)
            return;
        if (!is_over(sm, tag, true)) {
            flight->give_up = SM_NEVER;
            return;
        }
        sm->phase_unanswered = flight->next;
        flight->phase = false;
        note_answer(sm, tag);
        due_add(sm, sm->now + sm->config->shared_phase_latency, tag);
    }
    sm->phase_unanswered_last = NO_FLIGHT;
}
