/* `simsm CONFIG TRACE`: simulates one or several launches and prints the report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outfile.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/run_functional.h"
#include "cli/run_kernel.h"
#include "cli/run_launches.h"
#include "cli/run_options.h"
#include "cli/run_outputs.h"
#include "cli/signals.h"
#include "config/config_files.h"
#include "simsm/config.h"

static enum simsm_status configure(const struct run_options *o, struct simsm_config *config,
                                   struct simsm_error *error)
{
    char path[CONFIG_PATH];
    enum simsm_status status = config_files_find(o->config, path, error);
    if (status == SIMSM_OK)
        status = simsm_config_load(config, o->config, error);
    for (size_t i = 0; status == SIMSM_OK && i < o->settings.count; i++)
        status = simsm_config_set(config, o->settings.item[i], error);
    if (status == SIMSM_OK && o->settings.count)
        status = simsm_config_check(config, error);
    if (status == SIMSM_OK)
        status = run_outputs_check(o, path, error);
    return status;
}

static enum simsm_status dump_config(const struct simsm_config *config, const char *path,
                                     struct simsm_error *error)
{
    struct outfile out;
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    status = simsm_config_dump(config, out.file, error);
    if (status == SIMSM_OK)
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return status;
}

static enum simsm_status run_all(const struct run_options *options, const char *command_line,
                                 struct simsm_error *error)
{
    struct simsm_config config;
    bool several = false;
    enum simsm_status status = configure(options, &config, error);
    if (status != SIMSM_OK)
        return status;
    if (options->dump_config)
        return dump_config(&config, options->dump_config, error);
    signals_listen();
    if (options->functional)
        return run_functional(options, &config, error);
    status = run_launches_is_list(options, &several, error);
    if (status != SIMSM_OK)
        return status;
    return several ? run_launches(options, &config, command_line, error)
                   : run_kernel(options, &config, command_line, NULL, NULL, NULL, error);
}

int run_with_options(const struct run_options *options, const char *command_line)
{
    struct simsm_error error = {0};
    enum simsm_status status = run_all(options, command_line, &error);
    cli_flush(); /* the report precedes the message */
    if (status == SIMSM_INTERRUPTED)
        return cli_finish(cli_fail_stopped(&error));
    const bool told = status != SIMSM_OK && error.message[0] != '\0';
    return cli_finish(told ? cli_fail(&error) : (int)status);
}

int cmd_simulate(int argc, char **argv)
{
    struct run_options options;
    char *command_line = command_line_text(argc, argv); /* before argp reorders argv */
    run_options_parse(&options, argc, argv);
    int status = run_with_options(&options, command_line);
    run_options_free(&options);
    free(command_line);
    return status;
}
