#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "simsm/simsm.h"

const struct command commands[] = {
    {NULL, NULL, NULL, NULL},
};

static int usage(FILE *file)
{
    (void)fprintf(file, "Usage: simsm CONFIG TRACE [options]\n");
    for (const struct command *c = commands; c->name; c++)
        (void)fprintf(file, "       simsm %s %s\n", c->name, c->arguments);
    (void)fprintf(file, "\n");
    for (const struct command *c = commands; c->name; c++)
        (void)fprintf(file, "  %-10s %s\n", c->name, c->summary);
    return SIMSM_OK;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        (void)usage(stderr);
        return SIMSM_BAD_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return cli_finish(usage(stdout));
    if (strcmp(argv[1], "--version") == 0) {
        (void)printf("simsm %s\n", SIMSM_VERSION);
        return cli_finish(SIMSM_OK);
    }
    for (const struct command *c = commands; c->name; c++) {
        if (strcmp(argv[1], c->name) == 0)
            return c->run(argc - 1, argv + 1);
    }
    (void)usage(stderr);
    return SIMSM_BAD_INPUT;
}
