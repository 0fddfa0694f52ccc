#include "config/config_files.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "config/suggest.h"
#include "config/value.h"

const char *const config_folders[] = {"configs", SIMSM_DATADIR "/configs", NULL};

static const char suffix[] = ".yaml";

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

static int is_config(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && ends_in(entry->d_name, suffix);
}

void config_files_each(const char *folder,
                       void (*visit)(const char *name, const char *path, void *user), void *user)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_config, alphasort);
    for (int i = 0; i < count; i++) {
        char path[CONFIG_PATH], name[sizeof entries[i]->d_name];
        (void)snprintf(name, sizeof name, "%s", entries[i]->d_name);
        name[strlen(name) - strlen(suffix)] = '\0';
        int length = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (length > 0 && (size_t)length < sizeof path && exists(path))
            visit(name, path, user);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

struct nearest {
    const char *wanted;
    char name[VALUE_SHOWN];
    size_t distance;
};

static void consider(const char *name, const char *path, void *user)
{
    struct nearest *nearest = user;
    size_t distance = suggest_distance(nearest->wanted, name);
    (void)path;
    if (nearest->name[0] && nearest->distance <= distance)
        return;
    nearest->distance = distance;
    value_shown(name, nearest->name);
}

enum simsm_status config_files_find(const char *name, char path[CONFIG_PATH],
                                    struct simsm_error *error)
{
    char shown[VALUE_SHOWN];
    value_shown(name, shown);
    if (strlen(name) >= CONFIG_PATH || !name[0])
        return err_set(error, SIMSM_BAD_INPUT,
                       "\"%s\" is no name of a configuration; give a path, or a name such as t4",
                       shown);
    (void)snprintf(path, CONFIG_PATH, "%s", name);
    if (strchr(name, '/') || ends_in(name, suffix) || ends_in(name, ".yml"))
        return SIMSM_OK;
    struct nearest nearest = {.wanted = name};
    for (const char *const *folder = config_folders; *folder; folder++) {
        int length = snprintf(path, CONFIG_PATH, "%s/%s%s", *folder, name, suffix);
        if (length > 0 && length < CONFIG_PATH && exists(path))
            return SIMSM_OK;
        config_files_each(*folder, consider, &nearest);
    }
    (void)snprintf(path, CONFIG_PATH, "%s", name);
    struct stat info;
    if (stat(path, &info) == 0) /* a directory is refused by whoever reads it */
        return SIMSM_OK;
    if (nearest.name[0] && !suggest_is_near(name, nearest.distance))
        nearest.name[0] = '\0';
    return err_set(error, SIMSM_BAD_INPUT,
                   "there is no configuration \"%s\" in ./%s or %s%s%s; `simsm config list` shows "
                   "those that there are",
                   shown, config_folders[0], config_folders[1],
                   nearest.name[0] ? "; the nearest name is " : "", nearest.name);
}
