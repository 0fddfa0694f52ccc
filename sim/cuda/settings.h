/* The options of `simsm run`, passed to the library inside the program as environment variables. */
#ifndef SIM_CUDA_SETTINGS_H
#define SIM_CUDA_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "options/options.h"
#include "simsm/error.h"

struct settings {
    const char
        *text[SETTING_ID_COUNT]; /* text of the environment, which owns it; NULL: not given */
    uint64_t max_cycles;         /* UINT64_MAX: no limit */
    uint64_t threads;            /* 0 means 1 */
    uint64_t schedules;          /* 0: not given */
    uint64_t max_instructions;   /* warp instructions per launch; 0: no limit */
    uint64_t device_memory;      /* size of device memory, bytes */
};

static inline const char *setting_text(const struct settings *settings, enum setting_id id)
{
    return settings->text[id];
}

static inline bool setting_flag(const struct settings *settings, enum setting_id id)
{
    return settings->text[id] != NULL;
}

/* Sets the defaults: no option given. */
void settings_begin(struct settings *settings);

/* Sets one option from `text`, which must outlive *settings. The error names the option. */
enum simsm_status settings_set(struct settings *settings, enum setting_id id, const char *text,
                               struct simsm_error *error);

/* Returns whether launches that repeat others exactly are timed once: nothing is asked for that
 * each launch has to give itself. */
bool settings_time_once(const struct settings *settings);

/* Refuses combinations of options that contradict each other. */
enum simsm_status settings_check(const struct settings *settings, struct simsm_error *error);

/*
 * Reads all options from the environment and checks them. The error names the option with the wrong
 * value.
 */
enum simsm_status settings_read(struct settings *settings, struct simsm_error *error);

#endif
