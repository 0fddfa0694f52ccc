/*
 * Where configurations lie: in ./configs, beside the program (a build has a link there to those of
 * its source), in the installed data folder; a bare name is looked up in this order.
 */
#ifndef SIM_CONFIG_CONFIG_FILES_H
#define SIM_CONFIG_CONFIG_FILES_H

#include "config/config_parse.h"

/*
 * The file that `name` stands for: a path, or a bare name such as "t4". The file may still not be
 * readable. An unknown bare name is an error that says where it was looked for and which
 * configuration has the nearest name.
 */
enum simsm_status config_files_find(const char *name, char path[CONFIG_PATH],
                                    struct simsm_error *error);

/* Calls `visit` with name ("t4") and path of each *.yaml in `folder`, sorted by name. */
void config_files_in(const char *folder,
                     void (*visit)(const char *name, const char *path, void *user), void *user);

/* Likewise for all these folders. A name may be in several: config_files_find finds the first. */
void config_files_each(void (*visit)(const char *name, const char *path, void *user), void *user);

/* The error that there is no configuration in any of them. */
enum simsm_status config_files_none(struct simsm_error *error);

#endif
