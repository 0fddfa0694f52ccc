/* Reads the launch of a timeline. */
#include "base/err.h"
#include "diff/diff_read.h"
#include "timeline/timeline_read.h"

static bool add_lines(struct diff_kernel *kernel, const struct simsm_stats *stats)
{
    for (uint32_t i = 0; i < stats->line_count; i++) {
        struct diff_line line = {.text = (char *)stats->line_info[i].text,
                                 .file = (char *)stats->line_info[i].file,
                                 .line = stats->line_info[i].line,
                                 .issues = (double)stats->lines[i].issues};
        for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++) {
            line.state[s] = (double)stats->lines[i].states[s];
            line.cycles += line.state[s];
        }
        if (!diff_add_line(kernel, i, stats->line_count, &line))
            return false;
    }
    return true;
}

static enum simsm_status add_launch(struct diff_run *run, const char *path,
                                    const struct timeline_info *info, struct simsm_error *error)
{
    if (!info->stats || !info->complete)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                      "has no figures of the whole run: the run was stopped, or the file was cut "
                      "off before its end");
    enum simsm_status status = diff_run_note(run, path, info->gpu, "", error);
    if (status != SIMSM_OK)
        return status;
    const struct simsm_launch *launch = &info->launch;
    struct speed_side side = {0};
    speed_side_add(&side, info->stats, (double)info->clock_khz / 1e3);
    struct diff_kernel *kernel =
        diff_run_add(run, launch->name, launch->grid, launch->block, &side);
    if (!kernel)
        return err_no_memory(error);
    return add_lines(kernel, info->stats) ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status diff_read_timeline(struct diff_run *run, const char *path, const regex_t *only,
                                     struct simsm_error *error)
{
    struct timeline_reader *reader;
    enum simsm_status status = timeline_read_open(&reader, path, error);
    if (status != SIMSM_OK)
        return status;
    const struct timeline_info *info = timeline_read_info(reader);
    if (diff_wants(only, info->launch.name))
        status = add_launch(run, path, info, error);
    timeline_read_close(reader);
    return status;
}
