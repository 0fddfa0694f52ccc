/* Parses and checks the options of `simsm run` that come through the environment. */
#include "cuda/settings.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/terminal.h"
#include "exec/memory/device_memory.h"
#include "options/launch_choice.h"
#include "simsm/simsm.h"
#include "timeline/activity.h"
#include "timeline/cycle_selection.h"

static enum simsm_status wrong(struct simsm_error *error, enum setting_id id, const char *expected,
                               const char *found)
{
    return err_set(error, SIMSM_BAD_INPUT, "--%s: expected %s, found '%s'", option_rows[id].option,
                   expected, found);
}

/*
 * Reads a whole number at the beginning of `text`. *end: behind the number, or `text` if there is
 * none.
 */
static uint64_t number(const char *text, const char **end)
{
    char *stop = NULL;
    errno = 0;
    unsigned long long value = isdigit((unsigned char)*text) ? strtoull(text, &stop, 10) : 0;
    *end = stop && !errno ? stop : text;
    return value;
}

static enum simsm_status read_count(enum setting_id id, const char *text, uint64_t *value,
                                    struct simsm_error *error)
{
    const char *end;
    *value = number(text, &end);
    if (end == text || *end || *value == 0)
        return wrong(error, id, "a whole number above 0 and below 2^64", text);
    return SIMSM_OK;
}

static enum simsm_status read_threads(const char *text, uint64_t *value, struct simsm_error *error)
{
    enum simsm_status status = read_count(SETTING_ID_threads, text, value, error);
    if (status == SIMSM_OK && *value > SIMSM_THREADS_MAX)
        return wrong(error, SETTING_ID_threads, "a whole number, at most 1024", text);
    return status;
}

static enum simsm_status read_size(enum setting_id id, const char *text, uint64_t *value,
                                   struct simsm_error *error)
{
    static const struct {
        const char *name;
        unsigned shift;
    } units[] = {{"", 0},    {"KiB", 10}, {"KB", 10},  {"K", 10},  {"MiB", 20},
                 {"MB", 20}, {"M", 20},   {"GiB", 30}, {"GB", 30}, {"G", 30}};
    const char *end;
    *value = number(text, &end);
    for (size_t i = 0; end != text && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(end, units[i].name) != 0 || *value == 0 ||
            *value > UINT64_C(1) << 43 >> units[i].shift)
            continue;
        *value <<= units[i].shift;
        return SIMSM_OK;
    }
    return wrong(error, id, "a size of at most 8192 GiB, such as 512MiB or 16GiB", text);
}

/* Checks --kernels or --launches; the journal reads them again. */
static enum simsm_status check_choice(const char *kernels, const char *launches,
                                      struct simsm_error *error)
{
    struct launch_choice choice;
    const enum simsm_status status = launch_choice_read(&choice, kernels, launches, error);
    if (status == SIMSM_OK)
        launch_choice_free(&choice);
    return status;
}

static enum simsm_status check_selection(enum setting_id id, const char *text,
                                         struct simsm_error *error)
{
    struct simsm_error why;
    uint32_t *sm = NULL, count;
    uint64_t from, to;
    enum simsm_status status = id == SETTING_ID_timeline_sm
                                   ? selection_sms(text, &sm, &count, &why)
                                   : selection_cycles(text, &from, &to, &why);
    free(sm);
    if (status == SIMSM_OK)
        return SIMSM_OK;
    return err_set(error, status, "--%s: %s", option_rows[id].option, why.message);
}

static enum simsm_status read_one(struct settings *settings, enum setting_id id, const char *text,
                                  struct simsm_error *error)
{
    bool colour;
    switch (id) {
    case SETTING_ID_max_cycles:
        return read_count(id, text, &settings->max_cycles, error);
    case SETTING_ID_schedules:
        return read_count(id, text, &settings->schedules, error);
    case SETTING_ID_max_instructions:
        return read_count(id, text, &settings->max_instructions, error);
    case SETTING_ID_threads:
        return read_threads(text, &settings->threads, error);
    case SETTING_ID_device_memory:
        return read_size(id, text, &settings->device_memory, error);
    case SETTING_ID_launches:
        return check_choice(NULL, text, error);
    case SETTING_ID_program:
        return activity_check_name(text, error);
    case SETTING_ID_color:
        return terminal_colour(stderr, text, &colour)
                   ? SIMSM_OK
                   : wrong(error, id, "auto, always or never", text);
    case SETTING_ID_kernels:
        return check_choice(text, NULL, error);
    case SETTING_ID_timeline_sm:
    case SETTING_ID_timeline_cycles:
        return check_selection(id, text, error);
    default:
        return SIMSM_OK;
    }
}

void settings_begin(struct settings *settings)
{
    *settings = (struct settings){.max_cycles = UINT64_MAX, .device_memory = DEVICE_MEMORY};
}

enum simsm_status settings_set(struct settings *settings, enum setting_id id, const char *text,
                               struct simsm_error *error)
{
    settings->text[id] = text;
    return read_one(settings, id, text, error);
}

bool settings_time_once(const struct settings *settings)
{
    static const enum setting_id not_with[] = {
        SETTING_ID_repeats,    SETTING_ID_functional, SETTING_ID_sample, SETTING_ID_warm,
        SETTING_ID_concurrent, SETTING_ID_record,     SETTING_ID_json,   SETTING_ID_csv,
        SETTING_ID_timeline,   SETTING_ID_max_cycles, SETTING_ID_check};
    bool once = true;
    for (size_t i = 0; i < sizeof not_with / sizeof not_with[0]; i++)
        once = once && !settings->text[not_with[i]];
    return once;
}

/* Refuses options that cannot be combined with --sample. */
static enum simsm_status check_sample(const struct settings *settings, struct simsm_error *error)
{
    static const enum setting_id not_with[] = {SETTING_ID_functional, SETTING_ID_max_cycles};
    for (size_t i = 0; i < sizeof not_with / sizeof not_with[0]; i++)
        if (settings->text[SETTING_ID_sample] && settings->text[not_with[i]])
            return err_set(error, SIMSM_BAD_INPUT, "--sample and --%s do not go together",
                           option_rows[not_with[i]].option);
    return SIMSM_OK;
}

enum simsm_status settings_check(const struct settings *settings, struct simsm_error *error)
{
    static const char timed[] = "is of timed launches", none[] = "times none";
    static const char together[] = "lets launches share the GPU", alone[] = "looks at each alone";
    static const struct {
        enum setting_id one, other;
        const char *is, *but; /* reasons of a conflict; NULL: `one` needs `other` */
    } rules[] = {{SETTING_ID_json, SETTING_ID_functional, timed, none},
                 {SETTING_ID_csv, SETTING_ID_functional, timed, none},
                 {SETTING_ID_timeline, SETTING_ID_functional, timed, none},
                 {SETTING_ID_warm, SETTING_ID_functional, timed, none},
                 {SETTING_ID_concurrent, SETTING_ID_functional, timed, none},
                 {SETTING_ID_concurrent, SETTING_ID_sample, together, alone},
                 {SETTING_ID_concurrent, SETTING_ID_timeline, together, alone},
                 {SETTING_ID_concurrent, SETTING_ID_max_cycles, together, alone},
                 {SETTING_ID_concurrent, SETTING_ID_record, together, "executes each launch alone"},
                 {SETTING_ID_concurrent, SETTING_ID_warm, "keeps caches warm", "does no more"},
                 {SETTING_ID_max_cycles, SETTING_ID_functional, timed, none},
                 {SETTING_ID_full, SETTING_ID_quiet, "prints more", "prints nothing"},
                 {SETTING_ID_record, SETTING_ID_functional, NULL, NULL},
                 {SETTING_ID_program, SETTING_ID_concurrent, NULL, NULL},
                 {SETTING_ID_timeline_sm, SETTING_ID_timeline, NULL, NULL},
                 {SETTING_ID_timeline_cycles, SETTING_ID_timeline, NULL, NULL}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const char *one = option_rows[rules[i].one].option;
        const bool needs = !rules[i].is;
        if (!settings->text[rules[i].one] || (settings->text[rules[i].other] != NULL) == needs)
            continue;
        if (needs)
            return err_set(error, SIMSM_BAD_INPUT, "--%s needs --%s", one,
                           option_rows[rules[i].other].option);
        return err_set(error, SIMSM_BAD_INPUT, "--%s %s, and --%s %s: leave one of them out", one,
                       rules[i].is, option_rows[rules[i].other].option, rules[i].but);
    }
    return check_sample(settings, error);
}

enum simsm_status settings_read(struct settings *settings, struct simsm_error *error)
{
    settings_begin(settings);
    for (unsigned id = 0; id < SETTING_ID_COUNT; id++) {
        const char *text = getenv(option_rows[id].variable);
        if (!text || !*text)
            continue;
        enum simsm_status status = settings_set(settings, (enum setting_id)id, text, error);
        if (status != SIMSM_OK)
            return status;
    }
    return settings_check(settings, error);
}
