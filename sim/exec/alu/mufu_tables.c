#include "exec/alu/mufu_tables.h"

#define S(c0, c1, c2) {c0, c1, c2},
#define MUFU_TABLE(name, count, bias, rows)                                                        \
    static const struct mufu_segment name##_segments[count] = {rows};                              \
    const struct mufu_table mufu_##name = {name##_segments, bias};
#include "exec/alu/mufu_tables.def"
#undef MUFU_TABLE
#undef S
