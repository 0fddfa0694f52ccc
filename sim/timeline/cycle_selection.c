/* Parsers and checks of the selections of cycles, SMs and slots that a user types. */
#include "timeline/cycle_selection.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/err.h"
#include "simsm/names.h"

enum { MAX_SMS = UINT16_MAX / SIMSM_SLOTS_PER_SM + 1 }; /* an event has 16 bits for SM and slot */

/*
 * Reads a decimal number of at most `limit` at *at and moves *at behind it. Returns false if there
 * is no such number.
 */
static bool take_number(const char **at, uint64_t limit, uint64_t *number)
{
    uint64_t value = 0;
    const char *c = *at;
    if (*c < '0' || *c > '9')
        return false;
    for (; *c >= '0' && *c <= '9'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (digit > limit || value > (limit - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *at = c;
    *number = value;
    return true;
}

static bool take_char(const char **at, char c)
{
    if (**at != c)
        return false;
    (*at)++;
    return true;
}

/* Reads "A" or "A-B" with A <= B <= limit. */
static bool take_range(const char **at, uint64_t limit, uint64_t *first, uint64_t *last)
{
    if (!take_number(at, limit, first))
        return false;
    *last = *first;
    return !take_char(at, '-') || (take_number(at, limit, last) && *last >= *first);
}

enum simsm_status selection_cycles(const char *text, uint64_t *from, uint64_t *to,
                                   struct simsm_error *error)
{
    const char *at = text;
    uint64_t first = 0, last = 0;
    bool given = take_number(&at, UINT64_MAX - 1, &first);
    bool good = take_char(&at, ':');
    bool ends = good && take_number(&at, UINT64_MAX - 1, &last);
    if (!good || *at || !(given || ends))
        return err_set(error, SIMSM_BAD_INPUT,
                       "'%s' is not a range of cycles; expected A:B, from cycle A up to but not "
                       "including B, as in 1000:1200",
                       text);
    if (ends && last <= first)
        return err_set(error, SIMSM_BAD_INPUT,
                       "the range of cycles %s is empty; its end must be above its start", text);
    *from = first;
    *to = last;
    return SIMSM_OK;
}

enum simsm_status selection_sms(const char *text, uint32_t **sm, uint32_t *count,
                                struct simsm_error *error)
{
    bool chosen[MAX_SMS] = {false}, good;
    const char *at = text;
    do {
        uint64_t first = 0, end;
        good = take_number(&at, MAX_SMS - 1, &first);
        end = first + 1;
        if (good && take_char(&at, ':'))
            good = take_number(&at, MAX_SMS, &end) && end > first;
        for (uint64_t i = first; good && i < end; i++)
            chosen[i] = true;
    } while (good && take_char(&at, ','));
    if (!good || *at)
        return err_set(
            error, SIMSM_BAD_INPUT,
            "'%s' is not a list of SMs; expected numbers up to %d and ranges A:B, from A "
            "up to but not including B, as in 0,8:12",
            text, MAX_SMS - 1);
    *count = 0;
    *sm = malloc(sizeof chosen / sizeof *chosen * sizeof **sm);
    if (!*sm)
        return err_no_memory(error);
    for (uint32_t i = 0; i < MAX_SMS; i++) {
        if (chosen[i])
            (*sm)[(*count)++] = i;
    }
    return SIMSM_OK;
}

enum simsm_status selection_slots(const char *text, uint32_t sub_partitions, uint32_t slots,
                                  uint64_t *mask, struct simsm_error *error)
{
    uint32_t per_sub = (slots + sub_partitions - 1) / sub_partitions;
    const char *at = text;
    uint64_t result = 0;
    bool good = true;
    do {
        uint64_t sub, first = 0, last = per_sub - 1;
        good = take_number(&at, sub_partitions - 1, &sub);
        if (good && take_char(&at, ':'))
            good = take_range(&at, per_sub - 1, &first, &last);
        for (uint64_t i = first; good && i <= last; i++) {
            if (i * sub_partitions + sub < slots)
                result |= (uint64_t)1 << (i * sub_partitions + sub);
        }
    } while (good && take_char(&at, ','));
    if (!good || *at)
        return err_set(error, SIMSM_BAD_INPUT,
                       "'%s' does not name slots; expected SUB, SUB:SLOT or SUB:FIRST-LAST, "
                       "separated by commas, with sub-partitions 0-%u and slots 0-%u",
                       text, sub_partitions - 1, per_sub - 1);
    *mask = result;
    return SIMSM_OK;
}

enum simsm_status selection_slot(const char *text, uint32_t numbers[3], struct simsm_error *error)
{
    const char *at = text;
    for (int i = 0; i < 3; i++) {
        uint64_t number;
        if ((i && !take_char(&at, ':')) || !take_number(&at, UINT32_MAX, &number))
            return err_set(error, SIMSM_BAD_INPUT,
                           "'%s' does not name a slot; expected SM:SUB:SLOT, as in 0:2:3", text);
        numbers[i] = (uint32_t)number;
    }
    if (*at)
        return err_set(error, SIMSM_BAD_INPUT,
                       "'%s' does not name a slot; expected SM:SUB:SLOT, as in 0:2:3", text);
    return SIMSM_OK;
}

enum simsm_status selection_number(const char *text, uint64_t *number, struct simsm_error *error)
{
    const char *at = text;
    if (take_number(&at, UINT64_MAX - 1, number) && !*at)
        return SIMSM_OK;
    return err_set(error, SIMSM_BAD_INPUT, "'%s' is not a whole number", text);
}

enum simsm_status selection_check_sm(const struct timeline_info *info, uint32_t sm,
                                     struct simsm_error *error)
{
    for (uint32_t i = 0; i < info->sm_count; i++)
        if (info->sm[i] == sm)
            return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, info->name, 0, 0,
                  "SM %u is not recorded here; of the GPU's %u SMs it has %u, the first is %u", sm,
                  info->sms, info->sm_count, info->sm[0]);
}

enum simsm_status selection_check_cycle(const struct timeline_reader *reader, uint32_t sm,
                                        uint64_t cycle, struct simsm_error *error)
{
    const struct timeline_info *info = timeline_read_info(reader);
    uint32_t count;
    const struct timeline_chunk *chunks = timeline_read_chunks(reader, sm, &count);
    enum simsm_status status = selection_check_sm(info, sm, error);
    if (status != SIMSM_OK)
        return status;
    if (!count)
        return err_at(error, SIMSM_BAD_INPUT, info->name, 0, 0,
                      "no cycle of SM %u is recorded here", sm);
    if (cycle < chunks[0].begin || cycle >= chunks[count - 1].end)
        return err_at(error, SIMSM_BAD_INPUT, info->name, 0, 0,
                      "cycle %llu of SM %u is not recorded; cycles %llu to %llu are",
                      (unsigned long long)cycle, sm, (unsigned long long)chunks[0].begin,
                      (unsigned long long)chunks[count - 1].end - 1);
    return SIMSM_OK;
}
