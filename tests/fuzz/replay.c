/* Stands in for libFuzzer: runs the target once over every file of a corpus folder. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_INPUT = 1 << 24 };

/* Returns 0 if the file could be read. */
static int replay(const char *path, uint8_t *buffer)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t size = fread(buffer, 1, MAX_INPUT, file);
    int failed = ferror(file);
    (void)fclose(file);
    if (failed) {
        (void)fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    /* A copy of the exact size, so that a read past its end is seen. */
    uint8_t *data = malloc(size ? size : 1);
    if (!data)
        return 1;
    memcpy(data, buffer, size);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

/* Replays every file of a folder; returns how many could not be read, and counts them all. */
static int replay_folder(const char *name, uint8_t *buffer, int *inputs)
{
    DIR *folder = opendir(name);
    if (!folder) {
        perror(name);
        return 1;
    }
    int failures = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[4096];
        struct stat info;
        (void)snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        if (stat(path, &info) || !S_ISREG(info.st_mode))
            continue;
        failures += replay(path, buffer);
        ++*inputs;
    }
    (void)closedir(folder);
    return failures;
}

int main(int argc, char **argv)
{
    uint8_t *buffer = malloc(MAX_INPUT);
    if (argc < 2 || !buffer) {
        (void)fprintf(stderr, "usage: %s CORPUS...\n", argv[0]);
        free(buffer);
        return 2;
    }
    int failures = 0, inputs = 0;
    for (int i = 1; i < argc; i++)
        failures += replay_folder(argv[i], buffer, &inputs);
    free(buffer);
    (void)printf("%d inputs\n", inputs);
    return failures || inputs == 0;
}
