#include <stdio.h>

#include "cli/trace_show.h"

static const char *extent(const uint32_t size[3], char text[48])
{
    (void)snprintf(text, 48, "%ux%ux%u", size[0], size[1], size[2]);
    return text;
}

void trace_launches(const char *path, const struct front_launches *launches)
{
    (void)printf("%s: %u launch%s; --launch-number N chooses one\n\n", path, launches->count,
                 launches->count == 1 ? "" : "es");
    (void)printf("%6s  %16s  %16s  kernel\n", "launch", "grid", "block");
    for (uint32_t i = 0; i < launches->count; i++) {
        const struct simsm_launch *launch = &launches->launch[i];
        char grid[48], block[48];
        (void)printf("%6u  %16s  %16s  %s\n", i + 1, extent(launch->grid, grid),
                     extent(launch->block, block), launch->name);
    }
}
