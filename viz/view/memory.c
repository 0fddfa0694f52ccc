/* Memory: what goes through L1, L2 and DRAM over time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/chart.h"
#include "view/rows.h"
#include "view/screens.h"

const struct screen screen_memory = {
    .name = "memory", .title = "Memory", .question = "?", .help = ""};
