#include "config/config_files.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "config/suggest.h"
#include "config/value.h"

enum { HERE, BESIDE, MOVED, INSTALLED, FOLDERS };
enum { PLACES = 1000 }; /* bytes of a text that names the folders */

static const char suffix[] = ".yaml";

/* Writes the path of a folder. Returns false if the folder does not exist in this installation. */
static bool name_folder(unsigned folder, char path[CONFIG_PATH])
{
    /* An installed tree may have been moved, so its data folder is looked up relative to the
     * program. */
    static const char *const from_program[] = {
        [BESIDE] = "configs", [MOVED] = SIMSM_DATADIR_FROM_BIN "/configs"};
    if (folder == HERE || folder == INSTALLED) {
        (void)snprintf(path, CONFIG_PATH, "%s",
                       folder == HERE ? "configs" : SIMSM_DATADIR "/configs");
        return true;
    }
    const size_t room = strlen(from_program[folder]) + 1;
    ssize_t length = readlink("/proc/self/exe", path, CONFIG_PATH - room);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        memcpy(slash + 1, from_program[folder], room);
    return slash != NULL;
}

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

void config_files_in(const char *folder,
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

void config_files_each(void (*visit)(const char *name, const char *path, void *user), void *user)
{
    char folder[CONFIG_PATH];
    for (unsigned i = 0; i < FOLDERS; i++) {
        if (name_folder(i, folder))
            config_files_in(folder, visit, user);
    }
}

struct nearest_file {
    const char *wanted;
    char name[VALUE_SHOWN];
    size_t distance;
};

static void consider(const char *name, const char *path, void *user)
{
    struct nearest_file *nearest = user;
    size_t distance = suggest_distance(nearest->wanted, name);
    (void)path;
    if (nearest->name[0] && nearest->distance <= distance)
        return;
    nearest->distance = distance;
    value_shown(name, nearest->name);
}

/* Finds the file of a bare name. */
static bool look_up(const char *name, char path[CONFIG_PATH])
{
    char folder[CONFIG_PATH];
    for (unsigned i = 0; i < FOLDERS; i++) {
        int length = name_folder(i, folder)
                         ? snprintf(path, CONFIG_PATH, "%s/%s%s", folder, name, suffix)
                         : 0;
        if (length > 0 && length < CONFIG_PATH && exists(path))
            return true;
    }
    return false;
}

/* Writes ./configs and the other folders that there are for a message: "./configs or /x/configs".
 */
static const char *places(char text[PLACES])
{
    size_t used = (size_t)snprintf(text, PLACES, "./configs");
    for (unsigned folder = BESIDE; folder < FOLDERS; folder++) {
        char path[CONFIG_PATH];
        struct stat info;
        if (name_folder(folder, path) && stat(path, &info) == 0 && used < PLACES)
            used += (size_t)snprintf(text + used, PLACES - used, " or %.400s", path);
    }
    return text;
}

enum simsm_status config_files_none(struct simsm_error *error)
{
    char text[PLACES];
    return err_set(error, SIMSM_BAD_INPUT, "there are no configurations in %s", places(text));
}

enum simsm_status config_files_find(const char *name, char path[CONFIG_PATH],
                                    struct simsm_error *error)
{
    char shown[VALUE_SHOWN], text[PLACES];
    value_shown(name, shown);
    if (strlen(name) >= CONFIG_PATH || !name[0])
        return err_set(error, SIMSM_BAD_INPUT,
                       "\"%s\" is no name of a configuration; give a path, or a name such as t4",
                       shown);
    (void)snprintf(path, CONFIG_PATH, "%s", name);
    if (strchr(name, '/') || ends_in(name, suffix) || ends_in(name, ".yml"))
        return SIMSM_OK;
    if (look_up(name, path))
        return SIMSM_OK;
    (void)snprintf(path, CONFIG_PATH, "%s", name);
    struct stat info;
    if (stat(path, &info) == 0) /* the reader of the file refuses directories */
        return SIMSM_OK;
    struct nearest_file nearest = {.wanted = name};
    config_files_each(consider, &nearest);
    if (nearest.name[0] && !suggest_is_near(name, nearest.distance))
        nearest.name[0] = '\0';
    return err_set(
        error, SIMSM_BAD_INPUT,
        "there is no configuration \"%s\" in %s%s%s; `simsm config list` shows those that "
        "there are",
        shown, places(text), nearest.name[0] ? "; the nearest name is " : "", nearest.name);
}
