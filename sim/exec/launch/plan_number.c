/* Converts the numbers of launch files. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exec/launch/launch_plan.h"

const char *const plan_type_names[PLAN_TYPES] = {"i8",  "u8",  "i16", "u16", "i32",
                                                 "u32", "i64", "u64", "f32", "f64"};
const uint8_t plan_type_bytes[PLAN_TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

static bool real_number(enum plan_type type, const char *text, uint8_t value[8])
{
    char *end;
    double wide = strtod(text, &end);
    float single = (float)wide;
    if (end == text || *end || (type == PLAN_F32 && isinf(single) && !isinf(wide)))
        return false;
    if (type == PLAN_F32)
        memcpy(value, &single, sizeof single);
    else
        memcpy(value, &wide, sizeof wide);
    return true;
}

bool plan_number(enum plan_type type, const char *text, uint8_t value[8])
{
    memset(value, 0, 8);
    if (type == PLAN_F32 || type == PLAN_F64)
        return real_number(type, text, value);
    bool negative = text[0] == '-', is_signed = type % 2 == 0;
    const char *digits = text + negative;
    char *end;
    errno = 0;
    unsigned long long size = strtoull(digits, &end, 0);
    if (*digits < '0' || *digits > '9' || *end || errno)
        return false;
    unsigned bits = 8u * plan_type_bytes[type];
    unsigned long long most = is_signed    ? (1ull << (bits - 1)) - !negative
                              : bits == 64 ? ~0ull
                                           : (1ull << bits) - 1;
    if (size > most || (negative && !is_signed && size))
        return false;
    uint64_t number = negative ? 0 - (uint64_t)size : size;
    memcpy(value, &number, plan_type_bytes[type]);
    return true;
}
