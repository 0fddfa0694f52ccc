#include "mem/lrc.h"

#include <stdlib.h>

bool lrc_init(struct lrc *lrc, const struct simsm_config *config)
{
    lrc->count = config->xbar_coalescers;
    lrc->cycles = config->xbar_coalesce_cycles;
    lrc->reads = config->xbar_coalesce_reads;
    if (lrc->cycles == 0)
        return true;
    lrc->read = calloc((size_t)lrc->count * LRC_LINES, sizeof *lrc->read);
    return lrc->read != NULL;
}

void lrc_free(struct lrc *lrc)
{
    free(lrc->read);
}
