/* The options of `simsm run`, as they reach the library inside the program: the environment. */
#ifndef SIM_CUDA_SETTINGS_H
#define SIM_CUDA_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "options/options.h"
#include "simsm/error.h"

struct settings {
    const char *text[SETTING_ID_COUNT]; /* as in the environment; NULL: not given; owned by it */
    uint64_t max_cycles;                /* UINT64_MAX: no limit */
    uint64_t threads;                   /* 0 is 1 */
    uint64_t max_instructions;          /* warp instructions of a launch; 0: no limit */
    uint64_t device_memory;             /* bytes */
    uint64_t first_launch, end_launch;  /* those to time, half-open, from 1 */
};

static inline const char *setting_text(const struct settings *settings, enum setting_id id)
{
    return settings->text[id];
}

static inline bool setting_flag(const struct settings *settings, enum setting_id id)
{
    return settings->text[id] != NULL;
}

/* As if nothing had been given. */
void settings_begin(struct settings *settings);

/* Takes `text`, which must outlive *settings, for a setting; an error names the option. */
enum simsm_status settings_set(struct settings *settings, enum setting_id id, const char *text,
                               struct simsm_error *error);

/* Refuses settings that do not go together. */
enum simsm_status settings_check(const struct settings *settings, struct simsm_error *error);

/* Reads the environment and checks it; an error names the option whose value is wrong. */
enum simsm_status settings_read(struct settings *settings, struct simsm_error *error);

#endif
