/* Finds a plug-in whose name is not a path: in the folders where configurations are looked up, in
 * the same order. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/absolute.h"
#include "base/err.h"
#include "plugin/plugin.h"

enum { HERE, BESIDE, MOVED, INSTALLED, FOLDERS };

/* Writes the path of a folder. Returns false if the folder does not exist in this installation. */
static bool name_folder(unsigned folder, char path[PLUGIN_PATH])
{
    /* An installed tree may have been moved, so its library folder is looked up relative to the
     * program. */
    static const char *const from_program[] = {
        [BESIDE] = "policies", [MOVED] = SIMSM_LIBDIR_FROM_BIN "/simsm/policies"};
    if (folder == HERE || folder == INSTALLED) {
        (void)snprintf(path, PLUGIN_PATH, "%s",
                       folder == HERE ? "./policies" : SIMSM_LIBDIR "/simsm/policies");
        return true;
    }
    size_t room = strlen(from_program[folder]) + 1;
    ssize_t length = readlink("/proc/self/exe", path, PLUGIN_PATH - room);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        memcpy(slash + 1, from_program[folder], room);
    return slash != NULL;
}

/* Returns true if the folder has a file `name` or `name`.so. */
static bool lies_in(unsigned folder, const char *name, char path[PLUGIN_PATH])
{
    static const char *const suffix[] = {".so", ""};
    char where[PLUGIN_PATH];
    struct stat info;
    if (!name_folder(folder, where))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        int length = snprintf(path, PLUGIN_PATH, "%s/%s%s", where, name, suffix[i]);
        if (length <= 0 || length >= PLUGIN_PATH || stat(path, &info) != 0 ||
            !S_ISREG(info.st_mode))
            continue;
        (void)absolute_path(path, PLUGIN_PATH, NULL);
        return true;
    }
    return false;
}

enum simsm_status plugin_find(const char *name, char path[PLUGIN_PATH], struct simsm_error *error)
{
    struct stat info;
    if (strlen(name) >= PLUGIN_PATH)
        return err_set(error, SIMSM_BAD_INPUT, "policy.module: the name is longer than %d bytes",
                       PLUGIN_PATH - 1);
    (void)snprintf(path, PLUGIN_PATH, "%s", name);
    if (strchr(name, '/')) {
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
            (void)absolute_path(path, PLUGIN_PATH, NULL);
            return SIMSM_OK;
        }
        return err_set(error, SIMSM_BAD_INPUT, "policy.module: there is no file %.300s", name);
    }
    for (unsigned i = 0; i < FOLDERS; i++) {
        if (lies_in(i, name, path))
            return SIMSM_OK;
    }
    if (strcmp(name, "two_level") == 0)
        return err_set(error, SIMSM_BAD_INPUT,
                       "policy.module: there is no plugin \"two_level\". Two-level scheduling of "
                       "Narasiman et al. 2011 is the plugin fetch_groups; that of Gebhart et al. "
                       "2011 is built in: --set sm.scheduler=two_level");
    return err_set(error, SIMSM_BAD_INPUT,
                   "policy.module: there is no plugin \"%.200s\" in ./policies, in policies beside "
                   "the program or in %s; a file elsewhere is named with a slash, as in ./%.200s",
                   name, SIMSM_LIBDIR "/simsm/policies", name);
}
