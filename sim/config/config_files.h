/*
 * Finds configuration files. A bare name is looked up in ./configs, then beside the program (a
 * build folder links to the configurations of its source), then in the installed data folder.
 */
#ifndef SIM_CONFIG_CONFIG_FILES_H
#define SIM_CONFIG_CONFIG_FILES_H

#include "config/config_parse.h"

/*
 * Writes the path of the file that `name` stands for. `name` is a path, or a bare name such as
 * "t4". Does not check that the file can be read. For an unknown bare name the error says where it
 * was looked for, and which configuration has the nearest name.
 */
enum simsm_status config_files_find(const char *name, char path[CONFIG_PATH],
                                    struct simsm_error *error);

/* Calls `visit` with name ("t4") and path of each *.yaml in `folder`, sorted by name. */
void config_files_in(const char *folder,
                     void (*visit)(const char *name, const char *path, void *user), void *user);

/* Like the function above, for all folders. A name may be in several folders; config_files_find
 * takes the first. */
void config_files_each(void (*visit)(const char *name, const char *path, void *user), void *user);

/* Fills the error for the case that no folder has a configuration. */
enum simsm_status config_files_none(struct simsm_error *error);

#endif
