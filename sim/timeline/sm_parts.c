#include "timeline/sm_parts.h"

#include "base/err.h"
#include "language/language.h"
#include "timeline/cycle_selection.h"
#include "timeline/slot_history.h"
#include "timeline/work_words.h"

/* AROUND: cycles before and after the cycle that are searched for issues and answers. EARLIER:
 * issues of a slot that may still be under way. */
enum { AROUND = 16384, EARLIER = 64 };

static const char *instruction(const struct history *history, uint32_t pc, char text[320])
{
    const struct timeline_line *line = history_line(history, pc);
    if (!line)
        (void)snprintf(text, 320, _("an instruction outside the kernel"));
    else if (line->line)
        (void)snprintf(text, 320, _("%.240s (line %u)"), line->text, line->line);
    else
        (void)snprintf(text, 320, _("%.240s (offset 0x%x)"), line->text, line->pc);
    return text;
}

static void print_scheduler(const struct history *history, uint32_t sub, uint64_t cycle, FILE *file)
{
    char text[320];
    const struct timeline_info *info = history->info;
    const struct timeline_issue *issue = history_issue_in(history, sub, cycle);
    if (!issue) {
        (void)fprintf(file, _("  scheduler  issues nothing\n"));
        return;
    }
    const struct timeline_warp *warp = history_warp_at(history, issue->slot, cycle);
    const struct timeline_line *line = history_line(history, issue->pc);
    (void)fprintf(file, _("  scheduler  issues slot %u, warp %u of block %u: %s\n"),
                  issue->slot / info->sub_partitions, warp ? warp->warp : 0u,
                  warp ? warp->block : 0u, instruction(history, issue->pc, text));
    if (line)
        (void)fprintf(file, _("  pipe       %s takes it, for %u cycle%s\n"),
                      info->pipes[info->ops[line->op].pipe].name, info->ops[line->op].interval,
                      info->ops[line->op].interval == 1 ? "" : "s");
}

static bool is_in_state(const struct history *history, uint32_t slot, uint64_t cycle,
                        uint32_t state)
{
    const struct timeline_span *span = history_span_at(history, slot, cycle);
    return span && span->state == state;
}

/* Prints how many slots of the sub-partition are in which state, and which slots. */
static void print_slots(const struct history *history, uint32_t sub, uint64_t cycle, FILE *file)
{
    const struct timeline_info *info = history->info;
    for (uint32_t state = 0; state < info->state_count; state++) {
        uint32_t count = 0, first = 0;
        for (uint32_t slot = sub; slot < info->slots; slot += info->sub_partitions)
            if (is_in_state(history, slot, cycle, state) && count++ == 0)
                first = slot;
        if (!count)
            continue;
        (void)fprintf(file, _("  %-2u slot%s   %s: %u"), count, count == 1 ? " " : "s",
                      info->states[state].name, first / info->sub_partitions);
        for (uint32_t slot = first + info->sub_partitions; slot < info->slots;
             slot += info->sub_partitions)
            if (is_in_state(history, slot, cycle, state))
                (void)fprintf(file, " %u", slot / info->sub_partitions);
        (void)fputc('\n', file);
    }
}

/* Counts the memory instructions of the SM that have been issued but not answered: those that wait
 * in a queue of a sub-partition, and those that have left it. */
static void print_memory(const struct history *history, uint64_t cycle, FILE *file)
{
    uint32_t queued = 0, under_way = 0;
    for (uint32_t slot = 0; slot < history->info->slots; slot++) {
        uint32_t until = history_issues_until(history, slot, cycle);
        for (uint32_t i = until > EARLIER ? until - EARLIER : 0; i < until; i++) {
            struct history_flight flight = history_flight_of(history, slot, i);
            bool memory = flight.start != HISTORY_NEVER;
            queued += memory && flight.start > cycle;
            under_way += memory && flight.start <= cycle && flight.done > cycle;
        }
    }
    (void)fprintf(file,
                  _("memory\n  queues     %u instruction%s wait%s for the load/store stage\n"
                    "  under way  %u memory instruction%s not answered yet\n"),
                  queued, queued == 1 ? "" : "s", queued == 1 ? "s" : "", under_way,
                  under_way == 1 ? "" : "s");
}

static void print_work(const struct history *history, uint64_t cycle, FILE *file)
{
    char text[WORK_WORDS];
    bool any = false;
    for (uint32_t i = 0; i < history->work_count; i++) {
        const struct timeline_work *work = &history->works[i];
        if (work->from > cycle || work->to <= cycle)
            continue;
        if (!any)
            (void)fprintf(file, _("beside the warps\n"));
        any = true;
        (void)fprintf(file, "  %s\n", work_words(history, work, text));
    }
}

enum simsm_status parts_write(struct timeline_reader *reader, uint32_t sm, uint64_t cycle,
                              FILE *file, struct simsm_error *error)
{
    const struct timeline_info *info = timeline_read_info(reader);
    struct history history = {0};
    if (sm == UINT32_MAX)
        sm = info->sm[0];
    enum simsm_status status = selection_check_cycle(reader, sm, cycle, error);
    if (status == SIMSM_OK)
        status = history_load(&history, reader, sm, cycle > AROUND ? cycle - AROUND : 0,
                              cycle + AROUND, error);
    if (status == SIMSM_OK) {
        (void)fprintf(file, _("SM %u at cycle %llu\n"), sm, (unsigned long long)cycle);
        for (uint32_t sub = 0; sub < info->sub_partitions; sub++) {
            (void)fprintf(file, _("sub-partition %u\n"), sub);
            print_scheduler(&history, sub, cycle, file);
            print_slots(&history, sub, cycle, file);
        }
        print_memory(&history, cycle, file);
        print_work(&history, cycle, file);
    }
    history_free(&history);
    return status;
}
