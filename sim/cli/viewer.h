/* simsm-view, started by commands of simsm. */
#ifndef SIM_CLI_VIEWER_H
#define SIM_CLI_VIEWER_H

/* Starts it with these words behind its name (NULL ends them), waits, and returns its status. */
int viewer_run(const char *const words[]);

#endif
