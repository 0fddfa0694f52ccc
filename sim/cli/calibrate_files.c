/* Finds the folder with the values that were measured on the GPU of a configuration; writes
 * configurations. */
#include "cli/calibrate_files.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"
#include "calibrate/rewrite.h"

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

enum simsm_status calibrate_write(const char *path, const char *output, char *text, size_t size,
                                  struct simsm_error *error)
{
    struct rewrite rewrite = {.path = path, .text = text, .size = size};
    struct outfile out;
    enum simsm_status status = output ? rewrite_base(&rewrite, output, error) : SIMSM_OK;
    if (status == SIMSM_OK)
        status = outfile_open(&out, output ? output : path, error);
    if (status == SIMSM_OK) {
        (void)fwrite(rewrite.text, 1, rewrite.size, out.file);
        status = outfile_commit(&out, error);
    }
    rewrite_free(&rewrite);
    return status;
}
