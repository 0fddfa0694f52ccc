/* The steps of opening a plug-in. */
#ifndef SIM_PLUGIN_PLUGIN_PARTS_H
#define SIM_PLUGIN_PLUGIN_PARTS_H

#include "plugin/plugin.h"

/* elf_check.c: refuses a file that is no shared object for this machine, has variables, or calls
 * functions that make runs differ. */
enum simsm_status plugin_check_file(const char *path, struct simsm_error *error);

/* plugin_check.c: refuses a table that this version of simsm cannot use. */
enum simsm_status plugin_check_table(const struct simsm_policy_module *table, const char *path,
                                     struct simsm_error *error);

/* plugin_params.c: fills plugin->param from "name=value name=value". */
enum simsm_status plugin_read_values(struct plugin *plugin, const char *params,
                                     struct simsm_error *error);

#endif
