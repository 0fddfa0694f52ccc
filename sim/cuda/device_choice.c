/* The GPU of a program: its configuration, and CUDA_VISIBLE_DEVICES. */
#include "cuda/device_choice.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "simsm/simsm.h"

/* Applies --set: lines of KEY=VALUE. */
static enum simsm_status apply_settings(struct simsm_config *config, const char *lines,
                                        struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (const char *line = lines; line && *line && status == SIMSM_OK;) {
        char assignment[512];
        size_t length = strcspn(line, "\n");
        if (length >= sizeof assignment)
            return err_set(error, SIMSM_BAD_INPUT, "--set: '%.40s...' is too long", line);
        memcpy(assignment, line, length);
        assignment[length] = '\0';
        status = simsm_config_set(config, assignment, error);
        line += length + (line[length] == '\n');
    }
    return status == SIMSM_OK ? simsm_config_check(config, error) : status;
}

enum simsm_status device_choice_read(struct settings *settings, struct simsm_config *config,
                                     struct simsm_error *error)
{
    enum simsm_status status = settings_read(settings, error);
    if (status != SIMSM_OK)
        return status;
    const char *name = setting_text(settings, SETTING_ID_config);
    if (!name)
        return err_set(error, SIMSM_BAD_INPUT,
                       "which GPU? Start the program as `simsm run CONFIG -- PROGRAM`");
    status = simsm_config_load(config, name, error);
    if (status == SIMSM_OK)
        status = apply_settings(config, setting_text(settings, SETTING_ID_set), error);
    return status;
}

/* Whether a word of the list names the device: by its number, or by the beginning of its UUID. */
static bool names_device(const char *word, const char *uuid)
{
    static const char prefix[] = "GPU-";
    const size_t length = strcspn(word, ","), whole = strlen(uuid);
    if (strncmp(word, prefix, sizeof prefix - 1) == 0)
        return length >= sizeof prefix && strncmp(word, uuid, length < whole ? length : whole) == 0;
    char *end;
    const long number = strtol(word, &end, 10);
    return end != word && number == 0;
}

/*
 * What follows a word that names no device is not visible, and a device that is named twice is an
 * error. Source: "CUDA Environment Variables" of the CUDA programming guide, and what cuInit of
 * driver 580.159.04 returned on an H200.
 */
enum cuda_error device_choice_shows(const char *list, const char *uuid)
{
    unsigned named = 0;
    for (const char *word = list; word && names_device(word, uuid); named++) {
        word = strchr(word, ',');
        word = word ? word + 1 : NULL;
    }
    if (list && named != 1)
        return named ? CUDA_INVALID_DEVICE : CUDA_NO_DEVICE;
    return CUDA_SUCCESS;
}
