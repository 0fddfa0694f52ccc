/*
 * MODEL: the L2 request coalescers in front of the slices. A read joins an earlier read of the same
 * sectors of a line by any SM of its GPC, until the data of the earlier read have left L2. That is
 * later if they come from DRAM. At most xbar.coalesce_reads reads become one.
 * SOURCE: the counters lrc__ of Nsight Compute, one unit for each slice; H200, cuda/calib/join:
 * which reads join, how long, how many.
 * LEFT OUT: a reply to several SMs takes 10 cycles more on an H200. What keeps reads from joining
 * when each SM has hundreds of lines under way is not known (cuda/calib/join pace).
 */
#include "mem/lrc.h"

#include "config/gpcs.h"

bool lrc_init(struct lrc *lrc, struct arena *arena, const struct simsm_config *config,
              uint32_t longest)
{
    uint32_t cycles = config->xbar_coalesce_cycles, sms = config->gpu_sms, gpcs = 0;
    lrc->cycles = cycles < longest ? cycles : longest;
    lrc->reads = config->xbar_coalesce_reads;
    if (lrc->cycles == 0)
        return true;
    lrc->gpc = arena_take(arena, sms, sizeof *lrc->gpc);
    for (uint32_t sm = 0; lrc->gpc != NULL && sm < sms; sm++) {
        lrc->gpc[sm] = (uint16_t)gpcs_of_sm(config, sm);
        gpcs = lrc->gpc[sm] >= gpcs ? lrc->gpc[sm] + 1u : gpcs;
    }
    lrc->read = arena_take(arena, (size_t)gpcs * LRC_LINES, sizeof *lrc->read);
    return lrc->gpc != NULL && lrc->read != NULL;
}

void lrc_note(const struct lrc *lrc, struct lrc_read *read, const struct lrc_request *request)
{
    uint64_t last = 0;
    bool clash =
        request->cycle <= read->until && read->line == request->line && read->mask != request->mask;
    for (uint32_t i = 0; i < read->replies; i++)
        last = read->reply[i].cycle > last ? read->reply[i].cycle : last;
    read->line = request->line;
    read->until = last + lrc->cycles;
    read->mask = request->mask;
    read->joined = clash ? (uint8_t)lrc->reads : 1;
}

bool lrc_join(const struct lrc *lrc, struct lrc_read *read, const struct lrc_request *request)
{
    if (read == NULL || read->line != request->line || read->mask != request->mask ||
        request->cycle > read->until || read->joined >= lrc->reads)
        return false;
    read->joined++;
    return true;
}
