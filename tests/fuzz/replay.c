/* Stands in for libFuzzer: runs the target once over every file of a corpus folder. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    uint8_t *buffer = malloc(MAX_INPUT);
    if (!folder || !buffer) {
        (void)fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
        return 2;
    }
    int failures = 0, inputs = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        failures += replay(path, buffer);
        inputs++;
    }
    (void)closedir(folder);
    free(buffer);
    (void)printf("%d inputs\n", inputs);
    return failures || inputs == 0;
}
