/* A configuration: YAML to struct. What is accepted must be written and read back the same. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_parse.h"

static void check(int holds, const char *what, const struct simsm_error *error)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s: %s\n", what, error->message);
    abort();
}

static void write_and_read(const struct simsm_config *config)
{
    struct simsm_config again;
    struct simsm_error error = {.status = SIMSM_OK};
    char *text = NULL, *text_again = NULL;
    size_t size = 0, size_again = 0;
    FILE *file = open_memstream(&text, &size);
    FILE *file_again = open_memstream(&text_again, &size_again);
    if (!file || !file_again)
        abort();
    check(simsm_config_dump(config, file, &error) == SIMSM_OK, "cannot be written", &error);
    (void)fclose(file);
    check(config_parse(text, size, NULL, &again, &error) == SIMSM_OK, "cannot be read back",
          &error);
    check(simsm_config_dump(&again, file_again, &error) == SIMSM_OK, "cannot be written", &error);
    (void)fclose(file_again);
    check(size == size_again && memcmp(text, text_again, size) == 0, "differs when read back",
          &error);
    free(text);
    free(text_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct simsm_config config;
    struct simsm_error error = {.status = SIMSM_OK};
    enum simsm_status status = config_parse((const char *)data, size, NULL, &config, &error);
    if (status == SIMSM_OK)
        write_and_read(&config);
    else
        check(status == SIMSM_BAD_INPUT && error.status == status && error.message[0],
              "refused without a reason", &error);
    return 0;
}
