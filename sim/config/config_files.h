/* Where configurations lie: ./configs, then the installed data folder. */
#ifndef SIM_CONFIG_CONFIG_FILES_H
#define SIM_CONFIG_CONFIG_FILES_H

#include "config/config_parse.h"

/* The folders that a bare name is looked up in, in this order; NULL ends them. */
extern const char *const config_folders[];

/*
 * The file that `name` stands for: a path, or a bare name such as "t4". The file may still not be
 * readable. An unknown bare name is an error that says where it was looked for and which
 * configuration has the nearest name.
 */
enum simsm_status config_files_find(const char *name, char path[CONFIG_PATH],
                                    struct simsm_error *error);

/* Calls `visit` with name ("t4") and path of each *.yaml in `folder`, sorted by name. */
void config_files_each(const char *folder,
                       void (*visit)(const char *name, const char *path, void *user), void *user);

#endif
