/* `simsm devices`: the configurations as devices that CUDA programs can run on. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "config/config_files.h"
#include "sass/sass_inst.h"
#include "simsm/config.h"

static void print_device(const char *name, const char *path, void *user)
{
    char chosen[CONFIG_PATH];
    struct simsm_config config;
    struct simsm_error error;
    bool *head = user;
    if (config_files_find(name, chosen, &error) != SIMSM_OK || strcmp(chosen, path) != 0 ||
        simsm_config_load(&config, path, &error) != SIMSM_OK)
        return; /* `simsm config list` reports configurations that cannot be read */
    if (!*head)
        (void)printf("%-12s %-24s %4s %5s %8s %8s %9s %9s  %s\n", "name", "GPU", "cc", "SMs", "MHz",
                     "threads", "shared", "L2", "compile with");
    *head = true;
    const uint32_t sm = config.gpu_compute_capability;
    (void)printf("%-12s %-24s %2u.%u %5u %8.0f %8u %5u KiB %5.1f MiB  ", name, config.gpu_name,
                 sm / 10, sm % 10, config.gpu_sms, config.gpu_clock_mhz, config.sm_max_threads,
                 config.sm_shared_bytes / 1024, config.l2_bytes / 1048576.0);
    if (sass_knows_sm(sm))
        (void)printf("nvcc -arch=sm_%u\n", sm);
    else
        (void)printf("(text traces only)\n");
}

const struct command_parser devices_parser = {
    .argp = {.doc = "Lists the configurations as devices: the properties that CUDA programs find "
                    "on each, and how to compile programs for it."},
};

int cmd_devices(int argc, char **argv)
{
    command_parser_run(&devices_parser, argc, argv, 0, NULL);
    bool any = false;
    config_files_each(print_device, &any);
    if (any)
        return cli_finish(SIMSM_OK);
    struct simsm_error error;
    (void)config_files_none(&error);
    return cli_fail(&error);
}
