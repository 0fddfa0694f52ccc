/* The screen Program in words and numbers, for the window, the terminal and the page. */
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/outfile.h"
#include "language/language.h"
#include "report/quantity.h"
#include "view/chart.h"
#include "view/view_program.h"
#include "view/view_screens.h"

const char program_absent[] =
    N_("This screen shows a program: open the file that `simsm run CONFIG --concurrent --program "
       "FILE.json -- PROGRAM` has written.");

const char *program_time(const struct activity_log *log, double ns, double step, char text[32])
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    const double time = ns - log->begin;
    const double most = log->end - log->begin;
    size_t unit = 0;
    while (unit < 3 && most < units[unit].ns)
        unit++;
    const double digits = ceil(-log10(step / units[unit].ns) - 1e-9);
    (void)snprintf(text, 32, "%.*f %s",
                   digits > 12  ? 12
                   : digits > 0 ? (int)digits
                                : 0,
                   time / units[unit].ns, units[unit].name);
    return text;
}

const char *program_lane(const struct activity_log *log, uint32_t lane, char text[32])
{
    if (lane == 0)
        (void)snprintf(text, 32, _("host"));
    else
        (void)snprintf(text, 32, _("stream %llu"), (unsigned long long)log->lanes[lane].stream);
    return text;
}

void program_describe(struct view *view, uint32_t activity)
{
    if (activity == VIEW_NONE)
        return;
    const struct activity_log *log = &view->program->log;
    const struct activity *entry = &activities(log)[activity];
    char at[32];
    char launch[32] = "";
    char bytes[48] = "";
    if (entry->launch)
        (void)snprintf(launch, sizeof launch, _("launch %llu: "),
                       (unsigned long long)entry->launch);
    if (entry->bytes)
        (void)snprintf(bytes, sizeof bytes, ", %s", quantity_bytes((double)entry->bytes).text);
    (void)snprintf(view->status, sizeof view->status, _("%s%s%s   %s, from %s%s"), launch,
                   entry->name, bytes, quantity_time(entry->end - entry->begin).text,
                   program_time(log, entry->begin, 1, at),
                   entry->launch ? _("   (return: its timeline)") : "");
}

/* Says how to see the timeline of a launch. */
static void timeline_words(const struct view *view, const struct activity *entry, char *text,
                           size_t size)
{
    char path[OUTFILE_PATH];
    if (view->program->log.by_device) {
        (void)snprintf(text, size,
                       _("\nKernels of this program launch kernels: recorded alone, launches have "
                         "other numbers. Open their .smtl files one by one."));
        return;
    }
    if (program_file_has_timeline(view->program, entry->launch)) {
        (void)snprintf(text, size, "%s",
                       view->still ? "" : _("\nReturn or a double click: its timeline."));
        return;
    }
    (void)snprintf(
        text, size,
        _("\nThere is no timeline of it. To record it alone: the command of this program "
          "without --concurrent and --program, with --launches %llu:%llu --timeline %.200s"),
        (unsigned long long)entry->launch, (unsigned long long)entry->launch + 1,
        program_file_timeline(view->program, 0, path, sizeof path));
}

void program_words(const struct view *view, uint32_t activity, char *text, size_t size)
{
    const struct activity_log *log = &view->program->log;
    const struct activity *entry = &activities(log)[activity];
    const double ns = entry->end - entry->begin;
    char lane[32];
    char at[32];
    size_t used = 0;
    if (entry->launch)
        used = (size_t)snprintf(text, size, _("Launch %llu: "), (unsigned long long)entry->launch);
    used += (size_t)snprintf(text + used, size - used, _("%s\n%s, %s\nbegins %s\ntakes %s"),
                             entry->name, translate(activity_looks[entry->kind].name),
                             program_lane(log, log->lane[activity], lane),
                             program_time(log, entry->begin, 1, at), quantity_time(ns).text);
    if (entry->bytes && used < size)
        used += (size_t)snprintf(text + used, size - used, "\n%s, %s",
                                 quantity_bytes((double)entry->bytes).text,
                                 quantity_rate(ns > 0 ? (double)entry->bytes / ns : 0).text);
    if (entry->launch && used < size)
        used += (size_t)snprintf(text + used, size - used,
                                 _("\ngrid %u x %u x %u\nblock %u x %u x %u\n"), entry->grid[0],
                                 entry->grid[1], entry->grid[2], entry->block[0], entry->block[1],
                                 entry->block[2]);
    if (entry->launch && used < size)
        timeline_words(view, entry, text + used, size - used);
}

void program_title(const struct program_file *program, char *text, size_t size)
{
    const struct activity_log *log = &program->log;
    const uint64_t copies = log->count[ACTIVITY_TO_DEVICE] + log->count[ACTIVITY_TO_HOST] +
                            log->count[ACTIVITY_WITHIN] + log->count[ACTIVITY_FILL];
    const uint64_t kernels = log->count[ACTIVITY_KERNEL];
    char number[2][32];
    (void)snprintf(text, size, _("%s   %s   %s launch%s, %s cop%s or fill%s   %.300s"),
                   log->gpu ? log->gpu : "", quantity_time(log->end - log->begin).text,
                   chart_cycles(kernels, number[0]), kernels == 1 ? "" : "es",
                   chart_cycles(copies, number[1]), copies == 1 ? "y" : "ies",
                   copies == 1 ? "" : "s", log->command ? log->command : program->name);
}

void program_share_rows(const struct activity_log *log, double from, double to,
                        struct program_row rows[PROGRAM_SHARES])
{
    const struct activity_shares shares = activity_shares(log, from, to);
    const struct {
        const char *what;
        double ns;
    } parts[PROGRAM_SHARES] = {{_("kernels on the GPU"), shares.kernel},
                               {_("  two or more at a time"), shares.several},
                               {_("copies and fills"), shares.copy},
                               {_("  beside kernels"), shares.beside},
                               {_("nothing on the device"), to - from - shares.any}};
    for (size_t i = 0; i < PROGRAM_SHARES; i++) {
        rows[i] = (struct program_row){.kind = ACTIVITY_KIND_COUNT};
        (void)snprintf(rows[i].what, sizeof rows[i].what, "%s", parts[i].what);
        (void)snprintf(rows[i].time, sizeof rows[i].time, "%s", quantity_time(parts[i].ns).text);
        (void)snprintf(rows[i].share, sizeof rows[i].share, "%s",
                       quantity_percent(100 * parts[i].ns / (to - from)).text);
    }
}

size_t program_sum_rows(const struct activity_log *log, double from, double to,
                        struct program_row *rows, size_t most)
{
    struct activity_sum *sums;
    size_t count = activity_sums(log, from, to, &sums);
    count = count > most ? most : count;
    for (size_t i = 0; i < count; i++) {
        const struct activity_sum *sum = &sums[i];
        rows[i] = (struct program_row){.kind = sum->kind};
        (void)snprintf(rows[i].what, sizeof rows[i].what, "%s", sum->name);
        (void)snprintf(rows[i].count, sizeof rows[i].count, "%llu x",
                       (unsigned long long)sum->count);
        (void)snprintf(rows[i].time, sizeof rows[i].time, "%s", quantity_time(sum->ns).text);
        (void)snprintf(rows[i].share, sizeof rows[i].share, "%s",
                       quantity_percent(100 * sum->ns / (to - from)).text);
    }
    free(sums);
    return count;
}

enum simsm_status view_program_csv(struct view *view, FILE *file, struct simsm_error *error)
{
    if (!view->program)
        return err_set(error, SIMSM_BAD_INPUT, "%s", program_absent);
    activity_write_table(&view->program->log, file);
    return SIMSM_OK;
}
