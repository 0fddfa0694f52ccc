/* Finds the folder with the values that were measured on the GPU of a configuration. */
#include "cli/calibrate_files.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"

enum simsm_status calibrate_path(char path[CALIBRATE_PATH], const char *folder, const char *name,
                                 struct simsm_error *error)
{
    int length = snprintf(path, CALIBRATE_PATH, "%s%s%s", folder, *name ? "/" : "", name);
    if (length > 0 && length < CALIBRATE_PATH)
        return SIMSM_OK;
    return err_set(error, SIMSM_BAD_INPUT, "the path of this folder is too long: %.100s...",
                   folder);
}

bool calibrate_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

void calibrate_word(const char *config, char word[64])
{
    const char *slash = strrchr(config, '/'), *base = slash ? slash + 1 : config;
    (void)snprintf(word, 64, "%.*s", (int)strcspn(base, "."), base);
}

static bool has(const char *folder, const char *name)
{
    char path[CALIBRATE_PATH];
    struct simsm_error error;
    return calibrate_path(path, folder, name, &error) == SIMSM_OK && calibrate_exists(path);
}

enum simsm_status calibrate_data(char folder[CALIBRATE_PATH], const char *given, const char *config,
                                 struct simsm_error *error)
{
    char word[64], all[CALIBRATE_PATH], date[CALIBRATE_PATH];
    folder[0] = '\0';
    if (given)
        return calibrate_path(folder, given, "", error);
    calibrate_word(config, word);
    (void)snprintf(all, sizeof all, "cuda/data/%s", word);
    DIR *open = opendir(all);
    for (struct dirent *entry = open ? readdir(open) : NULL; entry; entry = readdir(open))
        if (entry->d_name[0] != '.' &&
            calibrate_path(date, all, entry->d_name, error) == SIMSM_OK && has(date, "calib.csv") &&
            strcmp(date, folder) > 0)
            (void)snprintf(folder, CALIBRATE_PATH, "%s", date);
    if (open)
        (void)closedir(open);
    if (!folder[0] && has(all, "published.csv"))
        (void)snprintf(folder, CALIBRATE_PATH, "%s", all);
    if (folder[0])
        return SIMSM_OK;
    return err_set(error, SIMSM_BAD_INPUT,
                   "there are no measured or published values of this GPU: neither a folder in %s "
                   "with a calib.csv nor %s/published.csv exists; name a folder with --data, or "
                   "measure with `simsm calibrate --measure`",
                   all, all);
}

enum simsm_status calibrate_write(const char *path, const char *text, size_t size,
                                  struct simsm_error *error)
{
    struct outfile out;
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    (void)fwrite(text, 1, size, out.file);
    return outfile_commit(&out, error);
}
